"""What one run of a newspaper is to do: its arguments (`-a name=value`) and the pages it begins with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from urllib.parse import urljoin

from corpusbot.sites import Index, SiteConfig, Where
from corpusbot.sites.variables import days, filled

ARGUMENTS = {
    "from": "first day to fetch, as 2024-01-31 (needs index pages with $YYYY$ … or sitemaps)",
    "to": "last day to fetch; today if only `from` is given",
    "section": "only the index pages of this section",
    "limit": "stop after so many article pages",
    "sample": "at most so many articles of each index page",
    "revisit": "`new` (the default) asks for what is new; `due` asks as well for known pages whose time has come, and "
    "leaves out index pages whose time has not; `all` asks for every listed article again that the corpus holds",
    "budget": "with `revisit=due`: ask for at most so many pages, those that are worth most",
    "only": "these addresses and no others, separated by spaces",
}


class PlanError(ValueError):
    """An argument that no run can be made of; the text says which and what would work."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The days, sections and bounds of a run."""

    today: date
    since: date | None = None
    until: date | None = None
    section: str | None = None
    limit: int | None = None
    sample: int | None = None
    revisit: str = "new"
    budget: int | None = None
    only: tuple[str, ...] = ()

    @property
    def past(self) -> bool:
        """Whether the run fetches days of the past and not what is new."""
        return self.since is not None


@dataclass(frozen=True, slots=True)
class Entrance:
    """A page that a run begins with."""

    index: Index
    url: str
    day: date


def plan_of(site: SiteConfig, arguments: Mapping[str, str], today: date) -> Plan:
    """The plan that a run's arguments ask for."""
    for name in arguments:
        if name not in ARGUMENTS:
            raise PlanError(_unknown(name, ARGUMENTS, "argument"))
    since = _day(arguments, "from")
    plan = Plan(
        today=today,
        since=since,
        until=_day(arguments, "to") or (today if since else None),
        section=_section(site, arguments.get("section")),
        limit=_number(arguments, "limit"),
        sample=_number(arguments, "sample"),
        revisit=_choice(arguments, "revisit", ("new", "due", "all")),
        budget=_number(arguments, "budget"),
        only=tuple(arguments.get("only", "").split()),
    )
    _check_days(site, plan)
    _check_due(site, plan)
    return plan


def entrances(site: SiteConfig, plan: Plan) -> Iterator[Entrance]:
    """The index pages, feeds and sitemaps that the run begins with, dated ones once for each of its days."""
    for index in site.indexes:
        if plan.section and (index.section or "").casefold() != plan.section.casefold():
            continue
        if is_dated(index):
            for day in _days(plan):
                yield Entrance(index, _address(site, index, day), day)
        elif not plan.past or index.kind == "sitemap":
            yield Entrance(index, _address(site, index, plan.today), plan.today)


def robots_index(site: SiteConfig) -> Index | None:
    """What stands for the sitemaps that robots.txt names, if the site file wants them."""
    if not site.robots_sitemaps:
        return None
    where = Where(f"{site.id}.yaml", 1, "site")
    address = urljoin(site.home, "/robots.txt")
    return Index("sitemap", address, "robots.txt", where, links=site.links, recent=site.recent)


def is_dated(index: Index) -> bool:
    """Whether the index has a page for each day."""
    return filled(index.url, date(2001, 2, 3)) != filled(index.url, date(2004, 5, 6))


def _address(site: SiteConfig, index: Index, day: date) -> str:
    return filled(index.url, day, page=1, site=site.name, section=index.section or "")


def _days(plan: Plan) -> Iterator[date]:
    if plan.since and plan.until:
        yield from days(plan.since, plan.until)
    else:
        yield plan.today


def _check_days(site: SiteConfig, plan: Plan) -> None:
    if plan.until and not plan.since:
        raise PlanError("`to` needs `from`: -a from=2024-01-01 -a to=2024-01-31")
    if plan.since and plan.until and plan.since > plan.until:
        raise PlanError(f"`from` ({plan.since}) is later than `to` ({plan.until})")
    if plan.past and not (site.robots_sitemaps or any(i.kind == "sitemap" or is_dated(i) for i in site.indexes)):
        raise PlanError(
            f"{site.id} cannot fetch past days: none of its index pages has $YYYY$, $MM$ or $DD$ in its address, "
            "and it names no sitemap. Add one of them to its site file"
        )


def _check_due(site: SiteConfig, plan: Plan) -> None:
    if plan.revisit != "due":
        if plan.budget is not None:
            raise PlanError("`budget` needs `revisit=due`: -a revisit=due -a budget=100; `limit` bounds other runs")
        return
    if plan.past:
        raise PlanError("`revisit=due` asks for what has changed by now; leave out `from`, or `revisit`")
    if not site.target.append:
        raise PlanError(
            f"{site.id} writes its file anew in each run (`append: false`): `revisit=due` would lose what is not due"
        )


def _section(site: SiteConfig, wanted: str | None) -> str | None:
    names = {index.section for index in site.indexes if index.section}
    if wanted is not None and wanted.casefold() not in {name.casefold() for name in names}:
        raise PlanError(_unknown(wanted, names, "section"))
    return wanted


def _day(arguments: Mapping[str, str], name: str) -> date | None:
    try:
        return date.fromisoformat(arguments[name]) if name in arguments else None
    except ValueError:
        raise PlanError(f"`{name}` is no day: {arguments[name]!r}. Write it as 2024-01-31") from None


def _number(arguments: Mapping[str, str], name: str) -> int | None:
    if name not in arguments:
        return None
    if not arguments[name].isdecimal() or int(arguments[name]) == 0:
        raise PlanError(f"`{name}` must be a whole number above 0, not {arguments[name]!r}")
    return int(arguments[name])


def _choice(arguments: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    value = arguments.get(name, choices[0])
    if value not in choices:
        raise PlanError(f"`{name}` must be one of {', '.join(choices)}, not {value!r}")
    return value


def _unknown(name: str, known: Mapping[str, str] | set[str], what: str) -> str:
    close = get_close_matches(name, sorted(known), 1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    return f"No {what} '{name}'.{hint} Available: {', '.join(sorted(known)) or 'none'}"
