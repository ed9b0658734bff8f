"""Crawls of the sample newspapers as a user would run them: `scrapy crawl` in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.press import Serving

ROOT = Path(__file__).parent.parent
SITE_FILES = Path(__file__).parent / "press" / "site_configs"


@dataclass(frozen=True, slots=True)
class Workplace:
    """A data folder, and the sample newspapers' site files with the addresses that they are served at."""

    folder: Path
    serving: Serving

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.folder / "data"

    @property
    def site_files(self) -> Path:
        """The folder of site files."""
        return self.folder / "sites"

    def environment(self) -> dict[str, str]:
        """What a crawl has to know: where the site files and the data are, and that loopback may be asked."""
        return {
            **os.environ,
            "CORPUSBOT_DATA": str(self.data),
            "CORPUSBOT_SITE_CONFIGS": str(self.site_files),
            "CORPUSBOT_ALLOW_PRIVATE": "127.0.0.1",
        }

    def command(self, name: str, *arguments: str) -> list[str]:
        """The command line of a crawl."""
        return [sys.executable, "-m", "scrapy", "crawl", name, *arguments]

    def crawl(self, name: str, *arguments: str, seconds: float = 120) -> subprocess.CompletedProcess[str]:
        """Crawl a newspaper to the end."""
        command = self.command(name, *arguments)
        return subprocess.run(
            command, cwd=ROOT, env=self.environment(), capture_output=True, text=True, timeout=seconds, check=False
        )

    def documents(self, name: str) -> list[dict[str, Any]]:
        """The documents of a newspaper."""
        path = self.data / name / f"{name}.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []

    def report(self, name: str, run: int = 1) -> Mapping[str, Any]:
        """The incident report of a run."""
        path = self.data / name / "reports" / f"run-{run:05}.json"
        report: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return report


def workplace(folder: Path, serving: Serving) -> Workplace:
    """A workplace in an empty folder."""
    place = Workplace(folder, serving)
    place.site_files.mkdir(parents=True)
    for path in SITE_FILES.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        text = text.replace("http://gaceta.example", serving.gaceta).replace("http://courier.example", serving.courier)
        (place.site_files / path.name).write_text(text, encoding="utf-8")
    return place
