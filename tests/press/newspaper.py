"""The two newspapers: their names, sections, clocks and the shape of their addresses."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Final

# The end of winter time and a new month are near: both offsets occur, and two monthly sitemaps.
FIRST_DAY: Final = date(2024, 3, 29)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a newspaper; `topic` names the vocabulary that it is written with."""

    slug: str
    label: str
    topic: str


@dataclass(frozen=True, slots=True)
class Newspaper:
    """A title and its habits."""

    name: str
    title: str
    language: str
    winter_hours: int
    sections: tuple[Section, ...]
    foreign: Section
    foreign_language: str
    archive: str
    agency: str

    def section(self, slug: str) -> Section:
        """The section with that slug; the foreign-language one included."""
        return next(section for section in (*self.sections, self.foreign) if section.slug == slug)

    def article_path(self, section: str, day: date, slug: str) -> str:
        """The address of an article, dated in the newspaper's own way."""
        if self.name == "gaceta":
            return f"/{section}/{day:%Y-%m-%d}/{slug}.html"
        return f"/{day:%Y}/{_MONTHS[day.month - 1]}/{day:%d}/{section}/{slug}"

    def copy_path(self, path: str, copy: str) -> str:
        """The address of the AMP or print copy of an article."""
        if self.name == "gaceta":
            return f"/{'amp' if copy == 'amp' else 'imprimir'}{path}"
        return f"{path}/{copy}"

    def front_path(self, front: str, page: int = 1) -> str:
        """The address of the nth page of a front: a section, the home page (`""`) or a day of the archive."""
        path = f"/{front}/" if front else "/"
        if page == 1:
            return path
        return f"{path}?pagina={page}" if self.name == "gaceta" else f"{path}page/{page}/"

    def day_front(self, day: date) -> str:
        """The name of the front that lists a day."""
        return f"{self.archive}/{day:%Y/%m/%d}"

    def private_path(self, day: date, slug: str) -> str:
        """The address of a page that robots.txt forbids."""
        return f"/privado{self.article_path(self.sections[0].slug, day, slug)}"

    def clock(self, day: date, minute: int) -> datetime:
        """A minute of a day on the newspaper's clock, daylight saving included."""
        hours = self.winter_hours + _is_summer(day)
        midnight = datetime(day.year, day.month, day.day, tzinfo=timezone(timedelta(hours=hours)))
        return midnight + timedelta(minutes=minute)


def _is_summer(day: date) -> bool:
    """Whether European summer time holds: computed, so that no time-zone files are needed."""
    return _last_sunday(day.year, 3) <= day < _last_sunday(day.year, 10)


def _last_sunday(year: int, month: int) -> date:
    """The last Sunday of a month of 31 days."""
    last = date(year, month, 31)
    return last - timedelta(days=(last.weekday() + 1) % 7)


def slugify(text: str, words: int = 9) -> str:
    """The text as it stands in an address: ASCII, lower case, hyphens."""
    plain = unicodedata.normalize("NFD", text.lower()).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:words])


GACETA: Final = Newspaper(
    name="gaceta",
    title="La Gaceta de Muestra",
    language="es",
    winter_hours=1,
    sections=(
        Section("politica", "Política", "politics"),
        Section("internacional", "Internacional", "world"),
        Section("economia", "Economía", "economy"),
        Section("deportes", "Deportes", "sport"),
        Section("cultura", "Cultura", "culture"),
    ),
    foreign=Section("english", "In English", "world"),
    foreign_language="en",
    archive="archivo",
    agency="Agencia Muestra",
)
COURIER: Final = Newspaper(
    name="courier",
    title="The Sample Courier",
    language="en",
    winter_hours=0,
    sections=(
        Section("politics", "Politics", "politics"),
        Section("world", "World", "world"),
        Section("business", "Business", "economy"),
        Section("sport", "Sport", "sport"),
        Section("culture", "Culture", "culture"),
    ),
    foreign=Section("espanol", "En español", "world"),
    foreign_language="es",
    archive="archive",
    agency="Sample Wire",
)
NEWSPAPERS: Final = {"gaceta": GACETA, "courier": COURIER}
