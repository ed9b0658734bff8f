"""Small crawls of a newspaper, by `scrapy crawl` in a process of its own, into a folder that is thrown away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from corpusbot.sites.catalogue import FOLDERS_VARIABLE


def crawl_into(folder: Path, site: str, *arguments: str, sites: Path | None = None) -> int:
    """Crawl with these further arguments, all data going into the folder; the crawl's exit status.

    `sites` is a folder of site files that comes before those there are.
    """
    settings = ["-s", f"CORPUSBOT_DATA={folder}", "-s", "LOG_LEVEL=ERROR"]
    command = [sys.executable, "-m", "scrapy", "crawl", site, *settings, *arguments]
    environment = {
        **os.environ,
        "SCRAPY_SETTINGS_MODULE": "corpusbot.settings",  # also where there is no scrapy.cfg
        "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
    }
    if sites:
        environment[FOLDERS_VARIABLE] = os.pathsep.join(filter(None, (str(sites), environment.get(FOLDERS_VARIABLE))))
    return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603 - checked names
