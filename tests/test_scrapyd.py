"""corpusbot/scrapyd.py and the egg, against a real Scrapyd: deployed, scheduled, cancelled, killed, started anew."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from corpusbot.scrapyd import Access, SetupError, access_of, job_environment, set_up
from tests.press import Press, serve
from tests.sample_crawl import ROOT, Workplace, workplace

PROJECT_FILES = ("Makefile", "README.md", "LICENSE", "pyproject.toml", "scrapy.cfg", "setup.py")
PACKAGES = ("corpusbot", "spiders", "pipelines", "site_configs")
PACKAGED_SITES = {path.stem for path in (ROOT / "site_configs").glob("[a-z]*.yaml")}
JOBS_AT_ONCE = 3
SECONDS_TO_START = 20
SECONDS_TO_END = 30
SECONDS_TO_CANCEL = 8  # it takes about 2; the tests may share their processors


@dataclass
class Daemon:
    """A Scrapyd in a process of its own, and what can be asked of it."""

    folder: Path
    place: Workplace
    access: Access
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def output(self) -> Path:
        """What Scrapyd wrote to its terminal."""
        return self.folder.parent / "scrapyd.log"

    def start(self) -> None:
        """Start it as `make scrapyd` does, and wait until it answers."""
        command = [sys.executable, "-m", "corpusbot.scrapyd", "--folder", str(self.folder)]
        with self.output.open("ab") as output:
            process = subprocess.Popen(
                command, cwd=ROOT, env=self.place.environment(), stdout=output, stderr=subprocess.STDOUT
            )
        self.started.append(process)
        wait_until(self._answers, SECONDS_TO_START, self.output)

    def _answers(self) -> bool:
        try:
            return bool(self.ask("daemonstatus")["status"] == "ok")
        except urllib.error.URLError:
            return False

    def kill(self) -> None:
        """End it at once; its jobs go on."""
        self.started[-1].kill()
        self.started[-1].wait()

    def ask(self, service: str, data: Mapping[str, str] | None = None, **query: str) -> dict[str, Any]:
        """The answer of one of its services; `data` makes it a POST."""
        url = f"{self.access.url}{service}.json?{urlencode(query)}"
        secret = base64.b64encode(f"{self.access.user}:{self.access.password}".encode()).decode()
        body = urlencode(data).encode() if data is not None else None
        request = urllib.request.Request(url, body, {"Authorization": f"Basic {secret}"})
        with urllib.request.urlopen(request, timeout=20) as response:
            answer: dict[str, Any] = json.load(response)
        return answer

    def schedule(self, site: str, **arguments: str) -> str:
        """The number of a new job."""
        answer = self.ask("schedule", {"project": "corpusbot", "spider": site, **arguments})
        assert answer["status"] == "ok", answer
        return str(answer["jobid"])

    def cancel(self, job: str) -> None:
        """Tell a job to end."""
        self.ask("cancel", {"project": "corpusbot", "job": job})

    def jobs(self, state: str) -> dict[str, dict[str, Any]]:
        """The jobs that are `pending`, `running` or `finished`, by their numbers."""
        return {job["id"]: job for job in self.ask("listjobs", project="corpusbot")[state]}

    def wait_for(self, job: str, state: str, seconds: float = SECONDS_TO_END) -> None:
        """Wait until a job is in a state."""
        wait_until(lambda: job in self.jobs(state), seconds, self.output)

    def log(self, site: str, job: str) -> str:
        """The log of a job, as far as it is written."""
        path = self.folder / "logs" / "corpusbot" / site / f"{job}.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""


def wait_until(true: Callable[[], bool], seconds: float, told: Path) -> None:
    """Wait for something to come true; a test that waits in vain says what Scrapyd said."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, told.read_text(encoding="utf-8")[-3000:]
        time.sleep(0.1)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def project_copy(folder: Path) -> Path:
    """The project without its tests, so that building the egg leaves nothing in the repository."""
    folder.mkdir()
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in PROJECT_FILES:
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def scrapyd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A Scrapyd that the project is deployed to, with the sample newspapers and a broken file dropped in."""
    folder = tmp_path_factory.mktemp("scrapyd")
    with serve(Press(articles=16, days=3, hazards=False)) as serving:
        place = workplace(folder / "place", serving)
        (place.site_files / "broken.yaml").write_text("nmae: x\n", encoding="utf-8")
        daemon = Daemon(folder / "home", place, set_up(folder / "home", free_port()))
        path = daemon.folder / "scrapy.cfg"
        path.write_text(path.read_text(encoding="utf-8").replace("max_proc_per_cpu = 2", f"max_proc = {JOBS_AT_ONCE}"))
        try:
            daemon.start()
            deploy(project_copy(folder / "project"), daemon)
            yield daemon
        finally:
            end_all(daemon)


def deploy(project: Path, daemon: Daemon) -> None:
    """`make deploy`, with the environment that the tests run in."""
    ready = ["-o", f"{sys.prefix}/.ready", f"VENV={sys.prefix}"]
    command = ["make", *ready, "deploy", f"SCRAPYD={daemon.folder}"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (project / "build").exists()


def end_all(daemon: Daemon) -> None:
    """End Scrapyd and the jobs that it still has."""
    jobs = daemon.jobs("running").values() if daemon.started[-1].poll() is None else ()
    for job in jobs:
        end(int(job["pid"]))
    for process in daemon.started:
        process.kill()
        process.wait()


def end(pid: int) -> None:
    """Kill a job that may have ended by itself."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


@pytest.fixture
def slow(scrapyd: Daemon) -> Iterator[None]:
    """Newspapers that take their time, for jobs that are to be found running."""
    press = scrapyd.place.serving.press
    press.latency = 0.5
    yield
    press.latency = 0.0


def read_anew(scrapyd: Daemon, site: str) -> None:
    """Forget all about a newspaper, for a test that wants to crawl it from the beginning."""
    shutil.rmtree(scrapyd.place.data / site, ignore_errors=True)


# -- set up


def test_the_configuration_is_safe_and_private(tmp_path: Path) -> None:
    """Loopback, a password of its own each time, no items_dir, and for nobody else to read."""
    first, second = (set_up(tmp_path / name, 7000) for name in ("a", "b"))
    assert first.password != second.password
    assert len(first.password) >= 32
    text = (tmp_path / "a" / "scrapy.cfg").read_text(encoding="utf-8")
    assert "bind_address = 127.0.0.1\n" in text
    assert "items_dir =\njobs_dir =\n" in text
    for name in ("scrapy.cfg", "netrc"):
        assert stat.S_IMODE((tmp_path / "a" / name).stat().st_mode) == 0o600


def test_what_is_set_up_stays(tmp_path: Path) -> None:
    """A second start finds the same password; another port is not taken over in silence."""
    folder = tmp_path / "home"
    access = set_up(folder)
    assert access.url == "http://127.0.0.1:6800/"
    assert set_up(folder) == access == access_of(folder / "scrapy.cfg")
    with pytest.raises(SetupError, match="says port 6800"):
        set_up(folder, 6900)


def test_only_a_folder_of_its_own_will_do(tmp_path: Path) -> None:
    """A folder with other things in it, such as the project, is refused."""
    (tmp_path / "letter.txt").touch()
    with pytest.raises(SetupError, match="Choose an empty folder"):
        set_up(tmp_path)
    with pytest.raises(SetupError, match=r"scrapy\.cfg: is not the configuration of a Scrapyd"):
        set_up(ROOT)


def test_jobs_are_told_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative paths are those of who started Scrapyd; what would undo the configuration is left out."""
    monkeypatch.chdir(tmp_path)
    here = Path.cwd()
    given = {"CORPUSBOT_DATA": "corpora", "CORPUSBOT_SITE_CONFIGS": f"mine{os.pathsep}/theirs"}
    told = job_environment(Path("/home"), {**given, "SCRAPYD_BIND_ADDRESS": "::", "PATH": "/bin"})
    sites = f"{here / 'mine'}{os.pathsep}/theirs"
    assert told == {"CORPUSBOT_DATA": str(here / "corpora"), "CORPUSBOT_SITE_CONFIGS": sites, "PATH": "/bin"}
    assert job_environment(Path("/home"), {}) == {
        "CORPUSBOT_DATA": "/home/data",
        "CORPUSBOT_SITE_CONFIGS": "/home/sites",
    }


# -- with a real Scrapyd


def test_nobody_gets_in_without_the_password(scrapyd: Daemon) -> None:
    """Without it the answer is 401, and other addresses than loopback are not listened on."""
    with pytest.raises(urllib.error.HTTPError, match="401") as refused:
        urllib.request.urlopen(f"{scrapyd.access.url}daemonstatus.json", timeout=10)
    refused.value.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", scrapyd.access.port), timeout=10)


def test_all_sites_are_listed(scrapyd: Daemon) -> None:
    """The packaged site files are in the egg, and those of the dropped-in folder stand beside them."""
    listed = scrapyd.ask("listspiders", project="corpusbot")["spiders"]
    assert set(listed) == PACKAGED_SITES | {"gaceta", "courier", "broken"}


def test_jobs_run_from_the_egg(scrapyd: Daemon) -> None:
    """What a job imports comes out of the zipped egg, also where the project is installed."""
    program = (
        "from scrapyd.runner import project_environment\n"
        "with project_environment('corpusbot'):\n"
        f"    for name in {PACKAGES}: print(__import__(name).__file__)\n"
    )
    # As Scrapyd starts its jobs: in its folder, with a module that is not of the project.
    command = [sys.executable, "-W", "ignore", "-c", program]
    files = subprocess.run(command, cwd=scrapyd.folder, capture_output=True, text=True, check=True).stdout.split()
    assert len(files) == len(PACKAGES)
    assert all(".egg/" in name for name in files), files


def test_a_job_crawls_and_a_broken_site_file_hurts_only_itself(scrapyd: Daemon) -> None:
    """Every article becomes a document in the data folder; the broken file is told in its own job's log."""
    read_anew(scrapyd, "gaceta")
    good, broken = scrapyd.schedule("gaceta"), scrapyd.schedule("broken")
    scrapyd.wait_for(broken, "finished")
    scrapyd.wait_for(good, "finished")
    assert "broken.yaml:1: unknown key 'nmae'. Did you mean 'name'?" in scrapyd.log("broken", broken)
    log = scrapyd.log("gaceta", good)
    assert "ERROR" not in log, log
    assert urls(scrapyd, "gaceta") == golden(scrapyd, "gaceta")


@pytest.mark.usefixtures("slow")
def test_two_jobs_of_one_site(scrapyd: Daemon) -> None:
    """The second ends at once with a line that says why; one told to wait takes over what a cancelled one left."""
    read_anew(scrapyd, "gaceta")
    first = scrapyd.schedule("gaceta")
    wait_until(lambda: "Spider opened" in scrapyd.log("gaceta", first), SECONDS_TO_START, scrapyd.output)
    second = scrapyd.schedule("gaceta")
    third = scrapyd.schedule("gaceta", setting="CORPUSBOT_LOCK_WAIT=30")
    scrapyd.wait_for(second, "finished")
    log = scrapyd.log("gaceta", second)
    assert "another crawl of this site runs" in log
    assert "CORPUSBOT_LOCK_WAIT" in log
    assert "Traceback" not in log
    wait_until(lambda: "It is waited for" in scrapyd.log("gaceta", third), SECONDS_TO_START, scrapyd.output)
    scrapyd.cancel(first)
    scrapyd.wait_for(first, "finished", SECONDS_TO_CANCEL)
    assert "(shutdown)" in scrapyd.log("gaceta", first)
    scrapyd.place.serving.press.latency = 0.0
    scrapyd.wait_for(third, "finished")
    assert "ERROR" not in scrapyd.log("gaceta", third)
    assert urls(scrapyd, "gaceta") == golden(scrapyd, "gaceta")


@pytest.mark.usefixtures("slow")
def test_pending_jobs_outlive_scrapyd(scrapyd: Daemon) -> None:
    """Scrapyd is killed while a job waits for its turn: started anew, it runs it and still lists the finished ones."""
    for site in ("courier", "gaceta"):
        read_anew(scrapyd, site)
    running = [scrapyd.schedule("courier", setting="CORPUSBOT_LOCK_WAIT=60") for _ in range(JOBS_AT_ONCE)]
    pending = scrapyd.schedule("gaceta")
    wait_until(lambda: set(running) <= set(scrapyd.jobs("running")), SECONDS_TO_START, scrapyd.output)
    assert set(scrapyd.jobs("pending")) == {pending}
    finished, orphans = set(scrapyd.jobs("finished")), scrapyd.jobs("running").values()
    scrapyd.kill()
    for orphan in orphans:
        end(int(orphan["pid"]))
    scrapyd.start()
    scrapyd.place.serving.press.latency = 0.0
    scrapyd.wait_for(pending, "finished")
    assert finished < set(scrapyd.jobs("finished"))
    assert urls(scrapyd, "gaceta") == golden(scrapyd, "gaceta")
    # And what the killed jobs had begun is gone on with.
    scrapyd.wait_for(scrapyd.schedule("courier"), "finished")
    assert urls(scrapyd, "courier") == golden(scrapyd, "courier")


@pytest.mark.usefixtures("slow")
def test_a_job_that_waits_for_its_site_can_be_cancelled(scrapyd: Daemon) -> None:
    """Neither the crawl that runs nor the one that waits for it has to be waited for."""
    read_anew(scrapyd, "courier")
    jobs = [scrapyd.schedule("courier", setting="CORPUSBOT_LOCK_WAIT=60") for _ in range(2)]
    logs = [partial(scrapyd.log, "courier", job) for job in jobs]
    wait_until(lambda: any("It is waited for" in log() for log in logs), SECONDS_TO_START, scrapyd.output)
    waiting, crawling = sorted(jobs, key=lambda job: "It is waited for" not in scrapyd.log("courier", job))
    scrapyd.cancel(waiting)
    scrapyd.wait_for(waiting, "finished", SECONDS_TO_CANCEL)
    assert "Told to stop before the crawl began" in scrapyd.log("courier", waiting)
    assert crawling in scrapyd.jobs("running")
    scrapyd.cancel(crawling)
    scrapyd.wait_for(crawling, "finished", SECONDS_TO_CANCEL)


def urls(scrapyd: Daemon, site: str) -> Counter[str]:
    """The addresses of the documents, and how often each is there."""
    return Counter(document["url"] for document in scrapyd.place.documents(site))


def golden(scrapyd: Daemon, site: str) -> Counter[str]:
    """The addresses of the articles that the newspaper has."""
    return Counter(gold.url for gold in scrapyd.place.serving.press.gold(site))
