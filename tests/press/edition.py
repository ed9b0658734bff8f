"""An edition: all that a newspaper prints at a moment, by address, and what is expected of each address."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Final
from zlib import crc32

from tests.press.feeds import Row
from tests.press.furniture import Link
from tests.press.gold import Gold
from tests.press.hazards import HAZARDS, loop_back_path
from tests.press.layout import Entry
from tests.press.newspaper import FIRST_DAY, NEWSPAPERS, Newspaper
from tests.press.plan import Plan
from tests.press.stories import (
    CORRECTION_DELAY,
    Brief,
    Slot,
    Story,
    articles_by_day,
    corrected,
    regular_slots,
    reprinted,
    updated,
    write_brief,
    write_story,
)

# Of every so many regular articles, the one with this remainder; chosen so that what is corrected
# has neither a reprint nor an update, which would then differ from it.
AMP: Final = (8, 1)
PRINT: Final = (12, 6)
CORRECTED: Final = (10, 3)
REPRINTED: Final = 5
UPDATED: Final = 7
MOST_READ: Final = 5
RELATED_POOL: Final = 25


@dataclass(frozen=True, slots=True)
class Print:
    """One address, what stands there and what is expected of it; `same_as` is (newspaper, path)."""

    path: str
    brief: Brief
    kind: str = "article"
    expected: str = "document"
    same_as: tuple[str, str] | None = None
    copies: tuple[str, ...] = ()
    is_listed: bool = True
    is_declared: bool = True


@dataclass(frozen=True)
class Edition:
    """The addresses of a newspaper; `regular` in order of time, `special` the rest."""

    paper: Newspaper
    base: str
    regular: tuple[Print, ...]
    special: tuple[Print, ...]
    corrections: frozenset[str]
    by_path: dict[str, Print] = field(default_factory=dict)
    fronts: dict[str, list[Print]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Draw up the registers: by address, and by front with the newest first."""
        fronts = defaultdict(list)
        for item in sorted((*self.regular, *self.special), key=lambda item: (item.brief.published, item.path)):
            self.by_path[item.path] = item
            if item.is_listed:
                for front in ("", item.brief.section, self.paper.day_front(item.brief.day)):
                    fronts[front].append(item)
        self.fronts.update({front: items[::-1] for front, items in fronts.items()})

    def days(self) -> tuple[date, ...]:
        """The days that have something, newest first."""
        return tuple(sorted({item.brief.day for item in self.fronts[""]}, reverse=True))

    def story(self, item: Print) -> Story:
        """The text at an address, as it stands in this edition."""
        story = write_story(item.brief)
        if item.kind == "update":
            story = updated(story)
        return corrected(story) if item.path in self.corrections else story

    def modified(self, item: Print) -> datetime:
        """When the text at an address last changed."""
        return item.brief.modified + (CORRECTION_DELAY if item.path in self.corrections else timedelta())

    def entry(self, item: Print) -> Entry:
        """The line of a print on a front."""
        return Entry(item.path, item.brief, item.copies)

    def row(self, item: Print) -> Row:
        """The line of a print in a feed or sitemap."""
        brief = item.brief
        return Row(
            self.base + item.path,
            brief.title,
            brief.lead,
            brief.authors,
            brief.published,
            self.modified(item),
        )

    def rows(self) -> list[Row]:
        """All that feeds and sitemaps may announce, newest first: no copies, nothing private."""
        return [self.row(item) for item in self.fronts[""] if item.kind != "private"]

    def most_read(self) -> tuple[Link, ...]:
        """The oldest articles, so that a new edition leaves old pages as they were."""
        return tuple(Link(item.path, item.brief.title) for item in self.regular[:MOST_READ])

    def related(self, item: Print) -> tuple[Link, ...]:
        """Three of the oldest articles, picked by the print's address; they stay when editions change."""
        pool = self.regular[:RELATED_POOL]
        number = crc32(item.path.encode())
        picked = {pool[(number + step) % len(pool)] for step in range(3)} - {item}
        return tuple(Link(one.path, one.brief.title) for one in sorted(picked, key=lambda one: one.path))

    def gold(self, bases: dict[str, str]) -> Iterator[Gold]:
        """A row for every declared address."""
        for item in self.by_path.values():
            if item.is_declared:
                yield self._gold_row(item, bases)

    def _gold_row(self, item: Print, bases: dict[str, str]) -> Gold:
        """What a correct crawler finds at one address; no body where no text is to be had."""
        story = self.story(item)
        paragraphs = story.paragraphs if item.expected in ("document", "duplicate", "robots") else ()
        if item.kind == "paywall":
            paragraphs = story.paragraphs[:2]
        return Gold(
            newspaper=self.paper.name,
            url=self.base + item.path,
            title=story.brief.title,
            authors=story.brief.authors,
            published=story.brief.published,
            modified=story.modified,
            section=self.paper.section(story.brief.section).label,
            lead=story.brief.lead,
            body="\n\n".join(paragraph.text for paragraph in paragraphs),
            language=story.brief.language,
            kind=item.kind,
            expected=item.expected,
            same_as=bases[item.same_as[0]] + item.same_as[1] if item.same_as else None,
            revision=story.revision,
            tags=story.tags,
        )


def make_edition(plan: Plan, paper: Newspaper, bases: dict[str, str], number: int, by_hand: frozenset[str]) -> Edition:
    """The nth edition of a newspaper; `by_hand` are the addresses of stories corrected one by one."""
    regular = _regular_prints(plan, paper, number)
    special = tuple(_special_prints(plan, paper, regular)) if plan.hazards else ()
    if plan.hazards:
        regular = tuple(_with_copies(paper, index, item) for index, item in enumerate(regular))
    of_routine = {
        item.path for index, item in enumerate(regular[: plan.articles]) if number > 1 and _is_one(index, CORRECTED)
    }
    return Edition(paper, bases[paper.name], regular, special, by_hand | of_routine)


def _is_one(index: int, share: tuple[int, int]) -> bool:
    """Whether the nth article belongs to a share (every so many, remainder)."""
    return index % share[0] == share[1]


def _regular_prints(plan: Plan, paper: Newspaper, number: int) -> tuple[Print, ...]:
    """The regular articles of an edition."""
    counts = articles_by_day(plan.articles, plan.days, number)
    briefs = (write_brief(paper, slot) for slot in regular_slots(plan.seed, paper, counts))
    return tuple(_printed(paper, brief) for brief in briefs)


def _printed(paper: Newspaper, brief: Brief, kind: str = "article", expected: str = "document") -> Print:
    """A brief at its ordinary address."""
    return Print(paper.article_path(brief.section, brief.day, brief.slug), brief, kind, expected)


def _with_copies(paper: Newspaper, index: int, item: Print) -> Print:
    """The print with the addresses of its AMP and print copies, for those that have any."""
    kinds = [kind for kind, share in (("amp", AMP), ("print", PRINT)) if _is_one(index, share)]
    return replace(item, copies=tuple(paper.copy_path(item.path, kind) for kind in kinds))


def _special_prints(plan: Plan, paper: Newspaper, regular: tuple[Print, ...]) -> Iterator[Print]:
    """Everything that is not a regular article."""
    yield from _copies(paper, regular)
    yield from _agency_prints(plan, paper)
    yield from _second_prints(plan, paper, regular)
    for number in range(max(1, plan.articles // 20)):
        yield _printed(paper, write_brief(paper, _slot(plan, paper, "paywall", number)), "paywall", "paywall")
    for number in range(len(HAZARDS)):
        yield from _hazard_prints(plan, paper, number, regular)


def _copies(paper: Newspaper, regular: tuple[Print, ...]) -> Iterator[Print]:
    """The AMP and print copies."""
    for index, item in enumerate(regular):
        for kind, share in (("amp", AMP), ("print", PRINT)):
            if _is_one(index, share):
                path = paper.copy_path(item.path, kind)
                yield Print(path, item.brief, kind, "duplicate", (paper.name, item.path), is_listed=False)


def _slot(plan: Plan, paper: Newspaper, kind: str, number: int) -> Slot:
    """A slot for the nth special page of a kind, on a day of the first edition."""
    day = FIRST_DAY + timedelta(days=number % plan.days)
    return Slot(
        f"{plan.seed}:{paper.name}:{kind}:{number}",
        f"{kind}-{number}",
        day,
        600 + number * 13 % 700,
        number % 5,
    )


def _agency_prints(plan: Plan, paper: Newspaper) -> Iterator[Print]:
    """Agency stories: every second one is this newspaper's own, the others come from the other one."""
    for number in range(max(2, plan.articles // 20)):
        home = NEWSPAPERS["gaceta" if number % 2 == 0 else "courier"]
        original = _printed(home, write_brief(home, _slot(plan, home, "agency", number), agency=home.agency), "agency")
        if home is paper:
            yield original
        else:
            again = reprinted(original.brief, paper.foreign.slug, 2, f"agency-{number}")
            yield replace(_printed(paper, again, "agency", "duplicate"), same_as=(home.name, original.path))


def _second_prints(plan: Plan, paper: Newspaper, regular: tuple[Print, ...]) -> Iterator[Print]:
    """Regular articles printed again in the same newspaper: word for word, or with a sentence in front."""
    for number in range(max(1, plan.articles // 25)):
        for kind, remainder in (("reprint", REPRINTED), ("update", UPDATED)):
            first = regular[(number * 10 + remainder) % plan.articles]
            brief = reprinted(first.brief, first.brief.section, 1, f"{kind}-{number}")
            yield replace(_printed(paper, brief, kind, "duplicate"), same_as=(paper.name, first.path))


def _hazard_prints(plan: Plan, paper: Newspaper, number: int, regular: tuple[Print, ...]) -> Iterator[Print]:
    """The address of a hazard; its slug is its name, so that logs can be read."""
    hazard = HAZARDS[number]
    brief = write_brief(paper, _slot(plan, paper, hazard.kind, number))
    brief = replace(brief, slug=f"{'prueba' if paper.language == 'es' else 'trial'}-{hazard.kind}")
    item = _printed(paper, brief, hazard.kind, hazard.expected)
    if hazard.kind == "private":
        item = replace(item, path=paper.private_path(brief.day, brief.slug))
    if hazard.expected == "duplicate":
        item = replace(item, same_as=(paper.name, regular[0].path))
    yield item
    if hazard.kind == "redirect-loop":
        yield replace(item, path=loop_back_path(item.path), is_listed=False, is_declared=False)
