"""Sets up and starts a Scrapyd on this computer, with safe settings: `python -m corpusbot.scrapyd --help`.

All that Scrapyd and `scrapyd-deploy` have to know is in one `scrapy.cfg` in a folder of Scrapyd's own. Both read it
by themselves: Scrapyd as the closest one to where it runs, and that is the file whose word counts most;
scrapyd-deploy because `make deploy` names the folder in XDG_CONFIG_HOME.
"""

from __future__ import annotations

import argparse
import os
import secrets
import socket
import sys
from collections.abc import Mapping, Sequence
from configparser import ConfigParser
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

HOST = "127.0.0.1"
PORT = 6800
USER = "corpusbot"
CONFIGURATION = "scrapy.cfg"
NETRC = "netrc"

_CONFIGURATION = """\
# Written by `python -m corpusbot.scrapyd`, which from then on leaves it as it is: change what you like.
# It holds the password, so it is for its owner's eyes only.
[scrapyd]
bind_address = {host}
http_port = {port}
username = {user}
password = {password}
eggs_dir = eggs
logs_dir = logs
dbs_dir = dbs
# Empty: documents and the state of each crawl are corpusbot's own, in the data folder.
items_dir =
jobs_dir =
# Finished jobs are still listed after a restart.
jobstorage = scrapyd.jobstorage.SqliteJobStorage
finished_to_keep = 500
jobs_to_keep = 30
# A crawl mostly waits until it may ask again; each takes some 200 MB.
max_proc_per_cpu = 2
poll_interval = 1
debug = off

# For scrapyd-deploy: `make deploy` gives the egg to the target `local`.
[deploy:local]
url = {url}
project = corpusbot
username = {user}
password = {password}
"""

# What would undo the file's settings, or have the jobs load another project than the egg.
_UNWANTED = (
    "SCRAPYD_BIND_ADDRESS",
    "SCRAPYD_HTTP_PORT",
    "SCRAPYD_UNIX_SOCKET_PATH",
    "SCRAPYD_USERNAME",
    "SCRAPYD_PASSWORD",
    "SCRAPY_PROJECT",
    "SCRAPY_SETTINGS_MODULE",
)


class SetupError(Exception):
    """Scrapyd cannot be set up or started there; the text says why and what would work."""


@dataclass(frozen=True, slots=True)
class Access:
    """How a Scrapyd is reached."""

    port: int
    user: str
    password: str = ""

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{HOST}:{self.port}/"


def default_folder(environment: Mapping[str, str]) -> Path:
    """Where Scrapyd keeps its things if nobody says otherwise: outside of the project, by the XDG rules.

    >>> default_folder({"XDG_STATE_HOME": "/home/ana/.state"}).as_posix()
    '/home/ana/.state/corpusbot/scrapyd'
    """
    state = environment.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "corpusbot" / "scrapyd"


def set_up(folder: Path, port: int | None = None) -> Access:
    """Write the configuration into an empty folder, or read the one that is there."""
    path = folder / CONFIGURATION
    if not path.exists():
        _check_empty(folder)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        access = Access(port or PORT, USER, secrets.token_urlsafe(24))
        _write_private(path, _configuration(access))
    access = access_of(path)
    if port not in (None, access.port):
        raise SetupError(f"{path}: says port {access.port}. Change it there (in two places), or leave out --port")
    _write_private(folder / NETRC, f"machine {HOST} login {access.user} password {access.password}\n")
    return access


def access_of(path: Path) -> Access:
    """How the Scrapyd with that configuration is reached."""
    parser = ConfigParser(interpolation=None)
    parser.read(path, encoding="utf-8")
    if not parser.has_option("scrapyd", "password"):
        raise SetupError(f"{path}: is not the configuration of a Scrapyd with a password. Choose an empty folder")
    section = parser["scrapyd"]
    return Access(section.getint("http_port", PORT), section.get("username", USER), section["password"])


def job_environment(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """What the jobs are told: where the data are, and the folders of site files beside the packaged ones."""
    kept = {name: value for name, value in environment.items() if name not in _UNWANTED}
    kept["CORPUSBOT_DATA"] = str(Path(kept.get("CORPUSBOT_DATA") or folder / "data").absolute())
    sites = kept.get("CORPUSBOT_SITE_CONFIGS") or str(folder / "sites")
    # Jobs run in Scrapyd's folder, where a relative path would mean another place.
    folders = [str(Path(part).absolute()) for part in sites.split(os.pathsep) if part]
    return {**kept, "CORPUSBOT_SITE_CONFIGS": os.pathsep.join(folders)}


def start(folder: Path, access: Access) -> None:
    """Become Scrapyd; returns only if that cannot be."""
    if find_spec("scrapyd") is None:
        raise SetupError("Scrapyd is not installed. `make install` does it, or: pip install 'corpusbot[deploy]'")
    _check_free(access)
    environment = job_environment(folder, os.environ)
    (folder / "sites").mkdir(exist_ok=True)
    os.chdir(folder)
    # No pid file: after a crash, an old one can keep Scrapyd from starting.
    command = [sys.executable, "-m", "scrapyd", "--pidfile="]
    os.execve(sys.executable, command, environment)  # noqa: S606  # our own interpreter, no shell wanted


def main(arguments: Sequence[str] | None = None) -> int:
    """Set Scrapyd up and start it; 1 if that cannot be done."""
    options = _parser().parse_args(arguments)
    folder: Path = options.folder.absolute()
    try:
        access = set_up(folder, options.port)
        _say(f"Scrapyd's folder: {folder}\nAddress: {access.url} (user and password: {folder / NETRC})")
        if not options.setup_only:
            start(folder, access)
    except (SetupError, OSError) as error:
        _say(f"corpusbot.scrapyd: {error}")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m corpusbot.scrapyd",
        description="Starts a Scrapyd on loopback with a password and a folder of its own, which it sets up.",
        epilog="Its jobs write to $CORPUSBOT_DATA, or to `data` in that folder; site files are also read from "
        "$CORPUSBOT_SITE_CONFIGS, or from `sites` in that folder.",
    )
    folder = default_folder(os.environ)
    parser.add_argument("--folder", type=Path, default=folder, help=f"Scrapyd's own folder ({folder})")
    parser.add_argument("--port", type=int, help=f"the port on {HOST}, when the folder is set up ({PORT})")
    parser.add_argument("--setup-only", action="store_true", help="write the configuration and start nothing")
    return parser


def _configuration(access: Access) -> str:
    return _CONFIGURATION.format(
        host=HOST, port=access.port, user=access.user, password=access.password, url=access.url
    )


def _check_empty(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise SetupError(f"{folder}: has other things in it. Choose an empty folder, or one that is not there yet")


def _check_free(access: Access) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, access.port))
        except OSError as error:
            raise SetupError(
                f"{access.url}: {error.strerror}. Is Scrapyd running already? "
                "Another one needs a --folder and a --port of its own"
            ) from None


def _write_private(path: Path, text: str) -> None:
    """Write a file that nobody else may read, not even for a moment."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
