"""Which sites there are: packaged ones, dropped-in ones, and all of them from a zip."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from corpusbot.sites import SiteError, UnknownSiteError, load_site, load_site_file, site_names

ROOT = Path(__file__).parents[1]
SECONDS_FOR_NAMES = 0.5


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of site files that the environment names."""
    monkeypatch.setenv("CORPUSBOT_SITE_CONFIGS", os.pathsep.join([str(tmp_path), str(tmp_path / "second")]))
    return tmp_path


def test_every_packaged_site_can_be_loaded() -> None:
    """No file of ours is broken."""
    broken = {}
    for name in site_names():
        try:
            load_site(name)
        except SiteError as error:
            broken[name] = str(error)
    assert broken == {}, "mend the files named here"


def test_names_are_those_of_files(folder: Path) -> None:
    """Sorted; neither corpus files nor other names are sites."""
    for name in ("zeta", "_corpus", "Alfa", "20minutos", "el-pais_2"):
        (folder / f"{name}.yaml").write_text("home: https://a.es/\n", encoding="utf-8")
    (folder / "notes.txt").touch()
    names = site_names()
    assert names == sorted(names)
    assert {"zeta", "20minutos", "el-pais_2"} <= set(names)
    assert not {"_corpus", "Alfa", "notes"} & set(names)


def test_names_are_had_without_opening_files(folder: Path) -> None:
    """Two thousand unreadable files cost no time."""
    for number in range(2_000):
        (folder / f"site{number}.yaml").symlink_to("/nowhere")
    started = time.perf_counter()
    assert len(site_names()) >= 2_000
    assert time.perf_counter() - started < SECONDS_FOR_NAMES


def test_a_dropped_in_site_wins(folder: Path) -> None:
    """The first folder that has the file counts, and the packaged files come last."""
    second = folder / "second"
    second.mkdir()
    (second / "elpais.yaml").write_text("name: Second\nhome: https://a.es/\n", encoding="utf-8")
    assert load_site("elpais").name == "Second"
    (folder / "elpais.yaml").write_text("name: First\nhome: https://a.es/\n", encoding="utf-8")
    assert load_site("elpais").name == "First"


def test_a_dropped_in_corpus_stands_on_top_of_the_packaged_one(folder: Path) -> None:
    """It holds for the sites of its folder only."""
    (folder / "_corpus.yaml").write_text("append: {FECHA: hoy}\nquotes: straight\n", encoding="utf-8")
    (folder / "mine.yaml").write_text("home: https://a.es/\n", encoding="utf-8")
    site = load_site("mine")
    assert site.quotes == "straight"
    assert site.settings["DOWNLOAD_DELAY"] == 2
    assert [rule.text for rule in site.levels[1].append] == ["hoy"]
    assert load_site("elpais").quotes == "keep"


def test_a_broken_site_hurts_only_itself(folder: Path) -> None:
    """Its neighbours load."""
    (folder / "broken.yaml").write_text("home: [\n", encoding="utf-8")
    (folder / "good.yaml").write_text("home: https://a.es/\n", encoding="utf-8")
    assert {"broken", "good"} <= set(site_names())
    assert load_site("good").home == "https://a.es/"
    with pytest.raises(SiteError, match=r"^broken.yaml:2: not YAML: "):
        load_site("broken")


def test_an_unknown_name(folder: Path) -> None:
    """What would have worked, and which folders are missing."""
    with pytest.raises(UnknownSiteError) as caught:
        load_site("elpias")
    assert str(caught.value) == (
        "No site 'elpias'. Did you mean 'elpais'? "
        f"CORPUSBOT_SITE_CONFIGS names folders that are not there: {folder / 'second'}"
    )


@pytest.mark.parametrize("name", ["../elpais", "ElPais", "_corpus", "", "a/b", "el pais"])
def test_a_name_that_cannot_be_one(name: str) -> None:
    """A name is never taken for a path."""
    with pytest.raises(UnknownSiteError, match="is of small letters, digits, '-' and '_'"):
        load_site(name)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A site error like all others."""
    with pytest.raises(SiteError, match=r"^nosuch.yaml:1: cannot be read: No such file or directory$"):
        load_site_file(tmp_path / "nosuch.yaml")


def test_from_a_zip(tmp_path: Path) -> None:
    """As Scrapyd has them: packages, site files and the names of plug-ins inside of an egg."""
    egg = tmp_path / "corpusbot.egg"
    with zipfile.ZipFile(egg, "w") as archive:
        for package in ("corpusbot", "site_configs"):
            for path in (ROOT / package).rglob("*"):
                if path.suffix in (".py", ".yaml", ".xsl"):
                    archive.write(path, path.relative_to(ROOT))
    code = "from corpusbot import sites as s; n = s.site_names(); c = s.load_site('elpais'); "
    code += "print(s.__file__, n, len(c.levels))"
    environment = {**os.environ, "PYTHONPATH": str(egg), "CORPUSBOT_SITE_CONFIGS": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.strip() == f"{egg}/corpusbot/sites/__init__.py {load_names()} 2"


def load_names() -> list[str]:
    """The packaged names, whatever the environment says."""
    return sorted(path.stem for path in (ROOT / "site_configs").glob("[!_]*.yaml"))
