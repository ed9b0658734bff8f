"""What was worked out before, kept in a folder: good as long as the code and the data are the same."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Shelf:
    """One file for each name; what was kept under another key is as if it were not there."""

    folder: Path

    def kept(self, name: str, key: str) -> dict[str, Any]:
        """What is kept under a name and a key; nothing if the key is another, or the file is broken."""
        try:
            found = json.loads(gzip.decompress(self._file(name).read_bytes()))
        except (OSError, EOFError, ValueError):
            return {}
        return dict(found["content"]) if found.get("key") == key else {}

    def keep(self, name: str, key: str, content: Mapping[str, Any]) -> None:
        """Put something there, in the place of what was."""
        file = self._file(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".part")
        text = json.dumps({"key": key, "content": content}, ensure_ascii=True, separators=(",", ":"))
        half.write_bytes(gzip.compress(text.encode(), 3, mtime=0))
        half.replace(file)

    def _file(self, name: str) -> Path:
        """A name that is plain is a file's name; any other is told apart by its digest."""
        plain = re.sub(r"[^\w.-]+", "_", name)
        return self.folder / f"{plain if plain == name else f'{plain[:60]}-{digest([name])[:8]}'}.json.gz"


def digest(parts: Iterable[str | bytes]) -> str:
    """A short name for some texts in their order."""
    found = blake2b(digest_size=12)
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(len(content).to_bytes(8))
        found.update(content)
    return found.hexdigest()


def digest_of_files(places: Iterable[Path]) -> str:
    """A short name for the content of files, and of all code and data in folders."""
    files = [file for place in places for file in ([place] if place.is_file() else _files_in(place))]
    return digest(part for file in files for part in (file.name, file.read_bytes()))


def _files_in(folder: Path) -> list[Path]:
    kinds = (".py", ".gz", ".jsonl")
    return sorted(file for file in folder.rglob("*") if file.suffix in kinds and "__pycache__" not in file.parts)


def versions_of(*packages: str) -> str:
    """What versions of some packages are installed."""
    return " ".join(f"{package}=={version(package)}" for package in packages)
