"""The checkup of a site file, against the sample newspapers as they are served."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from corpusbot.checkup import Checkup, checkup
from corpusbot.checkup_told import told
from tests.sample_crawl import Workplace

Check = Callable[..., Checkup]


@pytest.fixture
def check(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Checks La Gaceta with its site file changed: each old text by the new one."""
    for name, value in place.environment().items():
        monkeypatch.setenv(name, value)

    def check(changes: dict[str, str] | None = None, sample: int = 2) -> Checkup:
        path = place.site_files / "gaceta.yaml"
        text = path.read_text(encoding="utf-8")
        for old, new in (changes or {}).items():
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        return checkup("gaceta", sample)

    return check


def failing(result: Checkup) -> list[str]:
    """What a checkup says of what fails, line by line."""
    return told(result).partition("What fails\n")[2].partition("\n\n")[0].splitlines()


def test_a_sound_site_file(check: Check) -> None:
    """Every index answers, its links match, and its articles have all their fields."""
    result = check()
    assert result.sound
    assert result.dead == ()
    pages, feed = result.findings[:-1], result.findings[-1]
    assert [(one.name, one.answered, one.read, one.documents) for one in pages] == [
        (name, True, 2, 2) for name in ("Política", "Internacional", "Economía", "Deportes", "Cultura")
    ]
    assert all(set(one.filled.values()) == {2} and len(one.filled) == 6 for one in pages)
    assert (feed.answered, feed.links, feed.read) == (True, 12, 0)
    assert "All of it works.\n" in told(result)


def test_an_index_of_known_links_is_not_broken(check: Check) -> None:
    """All that the feed has was read through the index pages; that is told, and is no fault."""
    assert "/rss/portada.xml: its articles were read through other indexes" in told(check())


def test_a_dead_index_page(check: Check) -> None:
    """An index page that is gone is told with its cause and address; the others are as sound as before."""
    result = check({"/politica/, section": "/nosuch/, section"})
    assert not result.sound
    assert [one.name for one in result.findings if not one.sound] == ["Política"]
    assert not result.findings[0].answered
    (line,) = failing(result)
    assert line.startswith("  Política: http_404  http://127.0.0.1:")


def test_a_link_pattern_that_matches_nothing(check: Check) -> None:
    """An index whose links match no pattern is told, and only that one."""
    result = check({"section: Deportes": "section: Deportes, links: ['/nada/']"})
    assert not result.sound
    (line,) = failing(result)
    assert line.startswith("  Deportes: none of its links matches a link pattern  (http://127.0.0.1:")


def test_a_dead_title_rule(check: Check) -> None:
    """A rule that finds nothing any more is told with its line, though something else found the titles."""
    result = check({"title: [{jsonld: headline}, 'h1[itemprop=headline]']": "title: h1.old"})
    assert not result.sound
    assert failing(result) == [
        "  gaceta.yaml:21: title (css: h1.old) found nothing in any of 10 documents; jsonld:headline has it"
    ]
    assert all(one.filled["title"] == one.documents for one in result.findings)


def test_a_rule_that_need_not_find_anything(check: Check) -> None:
    """That no article has a lead may be so: worth a look, no fault."""
    result = check({"lead: .entradilla": "lead: .old"}, sample=1)
    assert result.sound
    assert "Worth a look\n" in told(result)
    assert "lead (css: .old) found nothing in any of 5 documents" in told(result)


def test_a_sample_reads_no_further_index_pages(check: Check, place: Workplace) -> None:
    """One page of each index is enough for a sample: the next ones are not asked for."""
    check(sample=1)
    asked = [visit.target for visit in place.serving.press.requests]
    assert len(asked) == 1 + 6 + 5, "robots.txt, the indexes, one article of each page"
