"""Files that grow by whole documents, whatever happens between two commits."""

import errno
import os
import signal
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusbot.store import growing
from corpusbot.store.growing import GrowingFile, StoreError

DOCUMENT = b'{"text": "whole"}\n'


@pytest.fixture
def path(tmp_path):
    """Where a file is going to be, in a folder that is not there yet."""
    return tmp_path / "data" / "news.jsonl"


def grown(path, documents=3):
    """A file with so many documents, and its committed length."""
    file = GrowingFile(path)
    for _ in range(documents):
        file.write(DOCUMENT)
    file.close()
    return path.stat().st_size


def test_it_grows(path):
    """What is written stands behind what was committed."""
    with GrowingFile(path, grown(path)) as file:
        assert (file.cut, file.length, file.path) == (0, 3 * len(DOCUMENT), path)
        assert file.write(DOCUMENT) == len(DOCUMENT)
        assert file.length == 4 * len(DOCUMENT)
        assert file.flush_to_disk() == 4 * len(DOCUMENT)
    assert path.read_bytes() == 4 * DOCUMENT


def test_a_torn_end_is_cut(path):
    """All beyond the committed length goes, and the file says how much that was."""
    length = grown(path)
    with path.open("ab") as raw:
        raw.write(b'{"text": "tor')
    with GrowingFile(path, length) as file:
        assert file.cut == 13
    assert path.read_bytes() == 3 * DOCUMENT


@settings(deadline=None)  # the time is the disk's
@given(
    steps=st.lists(
        st.one_of(st.binary(max_size=20), st.sampled_from(["commit", "flush", "spill", "crash"])), max_size=30
    ),
    torn=st.binary(max_size=9),
)
def test_any_history_leaves_whole_documents(tmp_path_factory, steps, torn):
    """Writing, committing and crashing in any order: what is committed is there, and nothing else is."""
    path = tmp_path_factory.mktemp("growing") / "file"
    file, length, committed, pending = GrowingFile(path, 0), 0, b"", b""
    for step in steps:
        if step == "commit":
            length, committed, pending = file.flush_to_disk(), committed + pending, b""
        elif step == "flush":
            file.flush_to_disk()  # and the crash comes before its length is remembered
        elif step == "spill":
            file._write_pending()
        elif step == "crash":
            file.abandon()
            with path.open("ab") as raw:
                raw.write(torn)
            file, pending = GrowingFile(path, length), b""
            assert path.read_bytes() == committed
        else:
            file.write(step)
            pending += step
    file.close()
    assert path.read_bytes() == committed + pending


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_killed_writer_leaves_whole_documents(path):
    """A process killed while it writes: what it committed is whole, the rest is cut."""
    code = (
        "import sys; from corpusbot.store.growing import GrowingFile\n"
        "file = GrowingFile(sys.argv[1], 0)\n"
        "while True:\n"
        "    for n in range(50): file.write(b'x' * 5000 + b'\\n')\n"
        "    print(file.flush_to_disk(), flush=True)\n"
        "    file.write(b'torn' * 5_000_000)\n"
        "    file.write(b'\\n')\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
    lengths = [int(writer.stdout.readline()) for _ in range(3)]
    writer.send_signal(signal.SIGKILL)
    lengths += [int(line) for line in writer.stdout if line.endswith("\n")]
    writer.wait()
    writer.stdout.close()
    GrowingFile(path, lengths[-1]).close()
    assert path.stat().st_size == lengths[-1]
    assert path.read_bytes().endswith(b"\n")


def test_a_file_that_lost_its_end(path):
    """Nothing goes on in silence: the error says what is missing and what to do."""
    length = grown(path)
    os.truncate(path, length - 1)
    with pytest.raises(StoreError, match=r"news\.jsonl: has 53 bytes, though 54 .* Bring back a copy"):
        GrowingFile(path, length)
    path.unlink()
    with pytest.raises(StoreError, match=r"is gone, though 54"):
        GrowingFile(path, length)
    assert not path.exists()


def test_a_file_of_somebody_else(path):
    """A file that is there though no length is known is not touched."""
    grown(path)
    with pytest.raises(StoreError, match=r"54 bytes that this crawl knows nothing of\. Move it away"):
        GrowingFile(path)
    assert path.stat().st_size == 54


def test_an_empty_file_of_unknown_length(path):
    """Nothing is lost by taking it."""
    path.parent.mkdir()
    path.touch()
    assert grown(path) == 54


def test_a_fresh_file_replaces_the_old_one_at_its_first_commit(path):
    """Until the new file has something that lasts the old one stays."""
    grown(path)
    with GrowingFile(path, fresh=True) as file:
        file.flush_to_disk()
        file.write(b"new\n")
        assert path.read_bytes() == 3 * DOCUMENT
        assert file.flush_to_disk() == 4
        assert path.read_bytes() == b"new\n"
        file.write(b"more\n")
    assert path.read_bytes() == b"new\nmore\n"
    assert [*path.parent.iterdir()] == [path]


def test_a_fresh_file_with_nothing_in_it_replaces_nothing(path):
    """A run that found nothing, or died, leaves the old file."""
    grown(path)
    GrowingFile(path, fresh=True).close()
    (path.parent / "news.jsonl.new").write_bytes(b"left by a crash")
    file = GrowingFile(path, fresh=True)
    file.write(b"new\n")
    file.abandon()
    assert path.read_bytes() == 3 * DOCUMENT
    assert [*path.parent.iterdir()] == [path]


def test_two_writers(path):
    """A file is written to by one crawl at a time, and is free when that is over."""
    with GrowingFile(path), pytest.raises(StoreError, match="another crawl is writing"):
        GrowingFile(path)
    GrowingFile(path).close()


class FullDisk:
    """A file that takes so many bytes and no more."""

    def __init__(self, file, room):
        self._file, self.room = file, room

    def __getattr__(self, name):
        return getattr(self._file, name)

    def write(self, data):
        """Take what there is room for."""
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self._file.write(data[: self.room])
        self.room -= taken
        return taken


def test_a_full_disk(path):
    """The error says that what was committed is safe, the file is whole, and it goes on when there is room."""
    file = GrowingFile(path, grown(path))
    file._file = FullDisk(file._file, 20)
    file.write(DOCUMENT)
    file.write(DOCUMENT)
    with pytest.raises(StoreError, match=r"No space left on device\. Make room: all that was committed is safe"):
        file.flush_to_disk()
    assert path.read_bytes() == 3 * DOCUMENT
    file._file.room = 100
    assert file.flush_to_disk() == 5 * len(DOCUMENT)
    file.close()
    assert path.read_bytes() == 5 * DOCUMENT


def test_closing_on_a_full_disk(path):
    """The error is told and the file is let go all the same."""
    file = GrowingFile(path)
    file._file = FullDisk(file._file, 5)
    file.write(DOCUMENT)
    with pytest.raises(StoreError, match="Make room"):
        file.close()
    GrowingFile(path).close()


def test_memory_is_bounded(path, monkeypatch):
    """What is held between two commits is written when it is much."""
    monkeypatch.setattr(growing, "HELD_BYTES", 30)
    file = GrowingFile(path)
    file.write(DOCUMENT)
    assert path.stat().st_size == 0
    file.write(DOCUMENT)
    assert path.stat().st_size == file.length == 2 * len(DOCUMENT)
    file.close()


def test_places_that_cannot_be(tmp_path):
    """A folder, or a file where a folder should be: the error says so."""
    with pytest.raises(StoreError, match="no ordinary file"):
        GrowingFile(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"Name another file"):
        GrowingFile(tmp_path / "file" / "news.jsonl")


def interrupted(path):
    """A writer that is stopped by an error of its own."""
    with GrowingFile(path) as file:
        file.write(DOCUMENT)
        raise KeyError("stop")


def test_an_error_inside_loses_what_was_not_committed(path):
    """With `with`, an exception does not commit half a group."""
    with pytest.raises(KeyError, match="stop"):
        interrupted(path)
    assert path.stat().st_size == 0
