"""A PostgreSQL of the tests' own, from the system's package: it listens on a socket in its folder, and nowhere else."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SETTINGS = "-c listen_addresses='' -c fsync=off -c shared_buffers=16MB"


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of a server that runs as long as this does."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: make programs, or your system's package of that name")
    user = _user()
    with tempfile.TemporaryDirectory(prefix="corpusbot-postgresql-") as name:
        folder = Path(name)
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
        _run(user, folder, programs / "initdb", "-D", folder / "data", "-U", "corpusbot", "-A", "trust", "--no-sync")
        start = ("-w", "-l", folder / "log.txt", "-o", f"{SETTINGS} -k {folder}", "start")
        _run(user, folder, programs / "pg_ctl", "-D", folder / "data", *start)
        try:
            yield f"postgresql://corpusbot@/postgres?host={folder}"
        finally:
            _run(user, folder, programs / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop")


def _programs() -> Path | None:
    """The folder of the server's programs, which Debian keeps off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((folder for folder in reversed(folders) if (folder / "pg_ctl").exists()), None)


def _user() -> pwd.struct_passwd | None:
    """Whom to run the server as: it refuses to run as root."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def _run(user: pwd.struct_passwd | None, folder: Path, *command: object) -> None:
    identity = {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    words = [str(word) for word in command]
    # The server goes on after pg_ctl: with a pipe for its output we would wait for its end.
    with (folder / "said.txt").open("w+", encoding="utf-8") as said:
        done = subprocess.run(words, cwd=folder, stdout=said, stderr=said, check=False, timeout=60, **identity)
        said.seek(0)
        assert done.returncode == 0, f"{' '.join(words)}:\n{said.read()}"
