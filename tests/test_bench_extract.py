"""The bench of speed: what it prints is of all extractors, and page by page."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import extract, peers


def test_a_page_made_larger_is_as_large_as_asked() -> None:
    """And not much larger."""
    for size in (10_000, 100_000):
        assert size <= len(extract.large_page(size)) < size + 2_000


def test_our_own_readers_find_the_text() -> None:
    """From bytes on."""
    page = extract.large_page(3_000)
    for name in ("gist", "cnr"):
        assert "the council met again" in peers.reader(name)(page, "https://muestra.example/")


def test_an_unknown_extractor_is_refused() -> None:
    """With a list of those that there are."""
    with pytest.raises(ValueError, match="Available: gist"):
        peers.reader("nosuch")


def test_one_that_fails_is_counted_and_timed() -> None:
    """The peers raise what they like; the bench goes on."""

    def failing(html: bytes, url: str) -> str:
        raise LookupError(url)

    assert extract.timed({"failing": failing}, []) == [extract.Speed("failing", {}, 0)]
    rates = extract.growing(failing)
    assert set(rates) == set(extract.SIZES)


def test_without_data_it_says_where_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are no part of the project."""
    assert extract.main(["--data", str(tmp_path)]) == 2
    assert "bench-extract" in capsys.readouterr().err


def test_figures_of_a_speed() -> None:
    """The median, what 99 of 100 do not exceed, and the worst page."""
    speed = extract.Speed("gist", {f"aeb/{number}": number / 1_000 for number in range(1, 101)}, 0)
    assert (speed.middle, speed.late, speed.worst) == (0.0505, 0.1, "aeb/100")
    assert speed.total == pytest.approx(5.05)
