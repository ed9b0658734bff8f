"""Stories written from a seed: first the brief (title, time, people), then, on demand, the whole text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from tests.press.newspaper import FIRST_DAY, Newspaper, slugify
from tests.press.words import Writer

OPENING_MINUTE = 5 * 60
MINUTES_OPEN = 16 * 60
CORRECTION_DELAY = timedelta(days=1, minutes=13)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One piece of a body; kind is `p`, `h2`, `quote` or `item`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Brief:
    """What the newsroom knows of a story before it is written; enough for fronts, feeds and sitemaps."""

    key: str
    slug: str
    day: date
    section: str
    topic: str
    language: str
    title: str
    lead: str
    authors: tuple[str, ...]
    published: datetime
    modified: datetime
    is_agency: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """A brief with its text; `revision` is 2 after a correction."""

    brief: Brief
    modified: datetime
    paragraphs: tuple[Paragraph, ...]
    tags: tuple[str, ...]
    caption: str
    comments: tuple[str, ...]
    revision: int = 1

    @property
    def body(self) -> str:
        """The paragraphs as plain text, joined by blank lines."""
        return "\n\n".join(paragraph.text for paragraph in self.paragraphs)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in the newspaper waiting for a story: key of its words, day, minute since midnight, section."""

    key: str
    slug_end: str
    day: date
    minute: int
    section: int


def regular_slots(seed: int, paper: Newspaper, counts: Iterable[int]) -> Iterator[Slot]:
    """The slots of the regular articles, given how many each day has: minutes in order, sections in turn."""
    number = 0
    for day, count in enumerate(counts):
        for position in range(count):
            key = f"{seed}:{paper.name}:{number}"
            minute = OPENING_MINUTE + position * MINUTES_OPEN // count
            yield Slot(key, f"{number:05d}", FIRST_DAY + timedelta(days=day), minute, number * 2 % 5)
            number += 1


def articles_by_day(articles: int, days: int, editions: int) -> list[int]:
    """How many articles each day has: spread evenly, and each later edition adds one such day."""
    first = [(day + 1) * articles // days - day * articles // days for day in range(days)]
    return first + [max(1, articles // days)] * (editions - 1)


def write_brief(paper: Newspaper, slot: Slot, language: str | None = None, agency: str | None = None) -> Brief:
    """The brief of a slot; another language than the paper's puts it in the foreign section."""
    is_foreign = language not in (None, paper.language)
    section = paper.foreign if is_foreign else paper.sections[slot.section]
    writer = Writer(language or paper.language, section.topic, f"{slot.key}:brief")
    title = writer.write("title")
    people = 2 if writer.random.random() < 0.25 else 1
    published = paper.clock(slot.day, slot.minute)
    return Brief(
        key=slot.key,
        slug=f"{slugify(title)}-{slot.slug_end}",
        day=slot.day,
        section=section.slug,
        topic=section.topic,
        language=language or paper.language,
        title=title,
        lead=writer.write("lead"),
        authors=(agency,) if agency else tuple(writer.write("person") for _ in range(people)),
        published=published,
        modified=published + timedelta(minutes=writer.random.choice((0, 0, 7, 45, 95))),
        is_agency=agency is not None,
    )


def reprinted(brief: Brief, section: str, hours: int, slug_end: str) -> Brief:
    """The brief of the same text printed again: another headline, section and hour."""
    title = Writer(brief.language, brief.topic, f"{brief.key}:{slug_end}").write("title")
    later = timedelta(hours=hours)
    return replace(
        brief,
        title=title,
        slug=f"{slugify(title)}-{slug_end}",
        section=section,
        published=brief.published + later,
        modified=brief.modified + later,
    )


def write_story(brief: Brief) -> Story:
    """The story of a brief: 5 to 14 paragraphs about its own few people and places."""
    writer = Writer(brief.language, brief.topic, f"{brief.key}:body")
    writer.with_cast(person=4, place=4, body=4)
    return Story(
        brief=brief,
        modified=brief.modified,
        paragraphs=_paragraphs(writer),
        tags=tuple(dict.fromkeys(writer.write("tag") for _ in range(4))),
        caption=writer.write("caption"),
        comments=tuple(writer.write("comment") for _ in range(writer.random.randint(3, 6))),
    )


def _paragraphs(writer: Writer) -> tuple[Paragraph, ...]:
    """Paragraphs of two to four sentences, with subheads, a quotation and at times a list between them."""
    count = writer.random.randint(5, 14)
    patterns = list(writer.lists["sentence"])
    paragraphs: list[Paragraph] = []
    for number in range(count):
        if number in (3, 7, 11) and count > 6:
            paragraphs.append(Paragraph("h2", writer.write("subhead")))
        if number == count // 2:
            paragraphs.append(Paragraph("quote", writer.write("opinion") + "."))
        paragraphs.append(Paragraph("p", _sentences(writer, patterns)))
        if number == 2 and writer.random.random() < 0.3:
            paragraphs.extend(Paragraph("item", writer.write("listitem")) for _ in range(3))
    return tuple(paragraphs)


def _sentences(writer: Writer, patterns: list[str]) -> str:
    """Two to four sentences; a pattern comes back only when the others have been used."""
    chosen = []
    for _ in range(writer.random.randint(2, 4)):
        if not patterns:
            patterns.extend(writer.lists["sentence"])
        chosen.append(writer.finish(patterns.pop(int(writer.random.random() * len(patterns)))))
    return " ".join(chosen)


def corrected(story: Story) -> Story:
    """The second version of a story: one paragraph written anew, a note at the end, a day later."""
    writer = Writer(story.brief.language, story.brief.topic, f"{story.brief.key}:correction")
    paragraphs = _with_new_paragraph(story.paragraphs, writer)
    note = Paragraph("p", writer.write("correction"))
    return replace(story, paragraphs=(*paragraphs, note), modified=story.modified + CORRECTION_DELAY, revision=2)


def updated(story: Story) -> Story:
    """The same story as printed again under another address, with one more sentence in front."""
    writer = Writer(story.brief.language, story.brief.topic, f"{story.brief.key}:update")
    return replace(story, paragraphs=(Paragraph("p", writer.write("update")), *story.paragraphs))


def _with_new_paragraph(paragraphs: tuple[Paragraph, ...], writer: Writer) -> tuple[Paragraph, ...]:
    """The paragraphs with the second plain one replaced."""
    plain = [index for index, paragraph in enumerate(paragraphs) if paragraph.kind == "p"]
    position = plain[1]
    return (*paragraphs[:position], Paragraph("p", writer.write("sentence")), *paragraphs[position + 1 :])
