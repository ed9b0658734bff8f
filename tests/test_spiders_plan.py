"""What a run is to do: its arguments, and the pages it begins with."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from corpusbot.sites import SiteConfig, load_site_file
from spiders.plan import ARGUMENTS, Plan, PlanError, entrances, plan_of, robots_index

TODAY = date(2024, 3, 31)
SITE = """
name: Muestra
home: https://a.example/
links: ['/noticia/']
indexes:
  - {url: https://a.example/cultura/, section: Cultura}
  - {url: 'https://a.example/$YYYY$/$MM$/$DD$/p$PAGE$', section: Archivo, pages: 3}
feeds:
  - {url: https://a.example/rss, section: Portada}
sitemaps:
  - {url: https://a.example/news.xml, section: cultura}
"""
UNDATED = "home: https://a.example/\nlinks: [/n/]\nindexes: [{url: https://a.example/, section: Uno}]\n"


@pytest.fixture
def site(tmp_path: Path) -> SiteConfig:
    """A newspaper with an entrance of each kind."""
    return written(tmp_path, SITE)


def written(folder: Path, text: str) -> SiteConfig:
    """The newspaper of a site file."""
    (folder / "muestra.yaml").write_text(text, encoding="utf-8")
    return load_site_file(folder / "muestra.yaml")


def urls(site: SiteConfig, **arguments: str) -> list[str]:
    """The addresses that a run begins with, less their host."""
    plan = plan_of(site, {name.rstrip("_"): value for name, value in arguments.items()}, TODAY)
    return [entrance.url.removeprefix("https://a.example") for entrance in entrances(site, plan)]


def test_a_run_of_today(site: SiteConfig) -> None:
    """Every entrance once, dated ones by today's address."""
    assert urls(site) == ["/cultura/", "/2024/03/31/p1", "/rss", "/news.xml"]
    assert plan_of(site, {}, TODAY) == Plan(TODAY)


def test_past_days(site: SiteConfig) -> None:
    """Dated index pages once for each day, sitemaps once; index pages and feeds know no past."""
    past = urls(site, from_="2024-02-28", to="2024-03-01")
    assert past == ["/2024/02/28/p1", "/2024/02/29/p1", "/2024/03/01/p1", "/news.xml"]


def test_from_alone_goes_on_to_today(site: SiteConfig) -> None:
    """Without `to`, the last day is today."""
    plan = plan_of(site, {"from": "2024-03-30"}, TODAY)
    assert (plan.since, plan.until, plan.past) == (date(2024, 3, 30), TODAY, True)
    assert [entrance.day for entrance in entrances(site, plan)][:2] == [date(2024, 3, 30), TODAY]


@pytest.mark.parametrize("section", ["Cultura", "cultura", "CULTURA"])
def test_one_section(site: SiteConfig, section: str) -> None:
    """However it is spelt, of indexes, feeds and sitemaps alike."""
    assert urls(site, section=section) == ["/cultura/", "/news.xml"]


def test_all_arguments(site: SiteConfig) -> None:
    """Each argument has its place in the plan."""
    given = {"limit": "10", "sample": "2", "revisit": "all", "only": " https://a.example/1  https://a.example/2 "}
    assert plan_of(site, given, TODAY) == Plan(
        TODAY, limit=10, sample=2, revisit="all", only=("https://a.example/1", "https://a.example/2")
    )
    assert set(given) < set(ARGUMENTS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"secton": "x"}, "No argument 'secton'. Did you mean 'section'? Available: "),
        ({"zzz": "1"}, "No argument 'zzz'. Available: budget, from, limit, only, revisit, sample, section, to"),
        ({"section": "Cultra"}, "No section 'Cultra'. Did you mean 'Cultura'?"),
        ({"from": "31-01-2024"}, "`from` is no day: '31-01-2024'. Write it as 2024-01-31"),
        ({"from": "2024-02-30"}, "`from` is no day: '2024-02-30'. Write it as 2024-01-31"),
        ({"to": "2024-01-31"}, "`to` needs `from`"),
        ({"from": "2024-02-01", "to": "2024-01-31"}, "`from` (2024-02-01) is later than `to` (2024-01-31)"),
        ({"from": "2024-04-01"}, "`from` (2024-04-01) is later than `to` (2024-03-31)"),
        ({"limit": "0"}, "`limit` must be a whole number above 0, not '0'"),
        ({"limit": "-1"}, "`limit` must be a whole number above 0, not '-1'"),
        ({"sample": "²"}, "`sample` must be a whole number above 0, not '²'"),
        ({"budget": "9"}, "`budget` needs `revisit=due`: -a revisit=due -a budget=100"),
        ({"budget": "0", "revisit": "due"}, "`budget` must be a whole number above 0"),
        ({"revisit": "due", "from": "2024-03-01"}, "`revisit=due` asks for what has changed by now; leave out `from`"),
        ({"revisit": "yes"}, "`revisit` must be one of new, due, all, not 'yes'"),
    ],
)
def test_what_no_run_can_be_made_of(site: SiteConfig, arguments: dict[str, str], message: str) -> None:
    """Which argument it is, and what would work."""
    with pytest.raises(PlanError) as caught:
        plan_of(site, arguments, TODAY)
    assert str(caught.value).startswith(message)


def test_a_file_that_is_written_anew_needs_every_article(tmp_path: Path) -> None:
    """Asking only for what is due would lose the others."""
    with pytest.raises(PlanError, match=r"muestra writes its file anew in each run \(`append: false`\)"):
        plan_of(written(tmp_path, SITE + "target: {append: false}\n"), {"revisit": "due"}, TODAY)
    plan = plan_of(written(tmp_path, SITE), {"revisit": "due", "budget": "50"}, TODAY)
    assert (plan.revisit, plan.budget) == ("due", 50)


def test_a_site_that_knows_no_past(tmp_path: Path) -> None:
    """It is told what its site file would need; the sitemaps of robots.txt would do."""
    with pytest.raises(PlanError, match=r"muestra cannot fetch past days.*\$YYYY\$.*sitemap"):
        plan_of(written(tmp_path, UNDATED), {"from": "2024-01-01"}, TODAY)
    plan = plan_of(written(tmp_path, UNDATED + "robots_sitemaps: true\n"), {"from": "2024-03-30"}, TODAY)
    assert plan.past


def test_the_sitemaps_of_robots_txt(tmp_path: Path) -> None:
    """They have an index of their own, with the site's link patterns, if the site file wants them."""
    assert robots_index(written(tmp_path, UNDATED)) is None
    index = robots_index(written(tmp_path, UNDATED + "robots_sitemaps: true\n"))
    assert index is not None
    assert (index.kind, index.url, index.links[0].match) == ("sitemap", "https://a.example/robots.txt", "/n/")
