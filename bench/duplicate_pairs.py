"""News with its copies, made of real articles by a seeded generator: what the finding of duplicates is measured on.

Each article stands on some made-up newspaper's pages, that is between the menus and teasers of some real page. Half
of the articles are printed again: under another headline by other newspapers (`agency`), brought up to date
(`updated`), cut short by a pay wall (`truncated`), among other menus (`boilerplate`), or as read by a scanner
(`ocr`). And there are articles that only look alike, made of a template each (`template`): reports of the stock
exchange, the weather and a match.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.extraction_sets import cleaned, samples
from corpusbot.dom.text import blocks
from corpusbot.model import Drop

SETS = ("aeb", "newspapers", "np4k", "wcxb")
FEWEST_WORDS = 80
SITES = 25
UPDATES = 80  # articles that are not printed, whose paragraphs are added to others
TEMPLATE_SITES, TEMPLATE_ISSUES = 3, 10
SHINGLE = 4

Paragraphs = list[str]


@dataclass(frozen=True, slots=True)
class Story:
    """An article of the sets: its text, and all the text of its page."""

    text: str
    page: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """A text in a newspaper: alone, and among its newspaper's boilerplate; those of one story are copies."""

    id: str
    site: str
    text: str
    raw: str
    story: int
    kind: str


def stories(data: Path) -> list[Story]:
    """The articles of the extraction sets that have some length."""
    found = []
    for sample in samples(data, SETS):
        if sample.page_type == "article" and sample.text and len(sample.text.split()) >= FEWEST_WORDS:
            clean = cleaned(sample)
            if not isinstance(clean, Drop):
                found.append(Story(sample.text, tuple(block.text for block in blocks([clean.tree]))))
    return found


def printed(listed: Sequence[Story], seed: int = 1, copied: float = 0.5) -> list[Printed]:
    """What the newspapers print, in the order in which it comes; the same for the same seed."""
    dice = random.Random(seed)
    shuffled = dice.sample(listed, len(listed))
    press = _Press(dice, shuffled[:UPDATES], shuffled[UPDATES:])
    found = [one for number, story in enumerate(press.stories) for one in press.issues(number, story, copied)]
    found += press.templates(len(press.stories))
    dice.shuffle(found)
    return found


class _Press:
    """Newspapers with their boilerplate, and the ways in which they change a text."""

    def __init__(self, dice: random.Random, unprinted: Sequence[Story], stories: Sequence[Story]) -> None:
        self.dice = dice
        self.stories = stories
        self.more = [paragraph for story in unprinted for paragraph in paragraphs(story.text)]
        self.titles = [paragraphs(story.text)[0][:90] for story in stories]
        self.words = [word for story in unprinted[:50] for word in story.text.split()]
        surroundings = (_around(story) for story in stories)
        self.sites = [around for around in surroundings if around is not None][:SITES]
        self.number = 0
        self.changes: Mapping[str, Callable[[Paragraphs], Paragraphs]] = {
            "agency": self.agency,
            "updated": self.updated,
            "truncated": self.truncated,
            "boilerplate": list,
            "ocr": self.scanned,
        }

    def issues(self, number: int, story: Story, copied: float) -> Iterator[Printed]:
        """A story, and its copies in other newspapers; what is brought up to date may stand in the same one."""
        dice, text = self.dice, paragraphs(story.text)
        site = dice.randrange(len(self.sites))
        yield self.issue(site, text, number, "original")
        if dice.random() >= copied:
            return
        for kind in dice.sample(sorted(self.changes), dice.choice((1, 1, 2))):
            others = [other for other in range(len(self.sites)) if other != site]
            where = site if kind == "updated" and dice.random() < 0.5 else dice.choice(others)
            yield self.issue(where, self.changes[kind](list(text)), number, kind)

    def issue(self, site: int, text: Paragraphs, story: int, kind: str) -> Printed:
        """A text as it stands on a newspaper's page, with teasers that change from page to page."""
        before, after = self.sites[site]
        teasers = self.dice.choices(self.titles, k=6)
        raw = "\n".join([*before, *text, *teasers[:3], *after, *teasers[3:]])
        self.number += 1
        return Printed(f"d{self.number}", f"s{site}", "\n".join(text), raw, story, kind)

    def templates(self, first: int) -> Iterator[Printed]:
        """Texts that only look alike."""
        story = first
        for template in TEMPLATES:
            for site in self.dice.sample(range(len(self.sites)), TEMPLATE_SITES):
                for _ in range(TEMPLATE_ISSUES):
                    yield self.issue(site, [self.filled(template)], story, "template")
                    story += 1

    def filled(self, template: str) -> str:
        """A template with other names and numbers each time."""
        return re.sub(r"\{(\w)\}", lambda found: self._filling(found[1]), template)

    def _filling(self, name: str) -> str:
        dice = self.dice
        if name in CHOICES:
            return dice.choice(CHOICES[name])
        if name == "x":
            return f"{dice.randint(0, 9)},{dice.randint(1, 99)}"
        return f"{dice.randint(1, 60)}.{dice.randint(100, 999)}" if name == "n" else str(dice.randint(1, 60))

    def agency(self, text: Paragraphs) -> Paragraphs:
        """Another headline and source, some paragraphs less, a few words edited."""
        share = self.dice.random() * 0.3
        kept = [paragraph for paragraph in text if self.dice.random() > share] or text
        kept = self.edited(kept, self.dice.choice((0, 0.01, 0.03, 0.05)))
        return [self.dice.choice(self.titles), f"{self.dice.choice(AGENCIES)} {kept[0]}", *kept[1:]]

    def updated(self, text: Paragraphs) -> Paragraphs:
        """Paragraphs more, and words edited."""
        number = max(1, int(len(text) * self.dice.uniform(0.1, 0.5)))
        place = self.dice.randrange(len(text) + 1)
        kept = self.edited(text, self.dice.uniform(0.01, 0.06))
        return [*kept[:place], *self.dice.choices(self.more, k=number), *kept[place:]]

    def truncated(self, text: Paragraphs) -> Paragraphs:
        """The beginning, and an invitation to pay for the rest."""
        words = " ".join(text).split()
        number = max(45, int(len(words) * self.dice.uniform(0.15, 0.6)))
        return [" ".join(words[:number]) + "…", self.dice.choice(PAY_WALLS)]

    def scanned(self, text: Paragraphs) -> Paragraphs:
        """Some letters misread, lost, or parted by a space."""
        rate = self.dice.uniform(0.005, 0.03)
        return ["".join(self._read(letter, rate) for letter in paragraph) for paragraph in text]

    def _read(self, letter: str, rate: float) -> str:
        if self.dice.random() >= rate:
            return letter
        return self.dice.choice((MISREAD.get(letter, letter), MISREAD.get(letter, letter), "", letter + " "))

    def edited(self, text: Paragraphs, rate: float) -> Paragraphs:
        """Words replaced, added and left out."""
        return [" ".join(filter(None, (self._edited_word(word, rate) for word in one.split(" ")))) for one in text]

    def _edited_word(self, word: str, rate: float) -> str:
        if self.dice.random() >= rate:
            return word
        other = self.dice.choice(self.words)
        return self.dice.choice((other, other, "", f"{word} {other}"))


def paragraphs(text: str) -> Paragraphs:
    """The paragraphs of a text; of one that has none to speak of, groups of sentences."""
    found = [line.strip() for line in text.split("\n") if line.strip()]
    if len(found) >= SHINGLE:
        return found
    sentences = re.split(r"(?<=[.!?])\s+", text.strip())
    return [" ".join(sentences[place : place + 3]) for place in range(0, len(sentences), 3)]


def _around(story: Story) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """What stands before and after the text on its page; None if that is next to nothing."""
    words = re.findall(r"\w+", story.text.lower())
    known = {tuple(words[place : place + SHINGLE]) for place in range(len(words))}
    inside = [number for number, block in enumerate(story.page) if _is_of(block, known)]
    if not inside:
        return None
    before, after = story.page[: inside[0]], story.page[inside[-1] + 1 :]
    return (before, after) if sum(map(len, before + after)) > 800 else None


def _is_of(block: str, known: set[tuple[str, ...]]) -> bool:
    words = re.findall(r"\w+", block.lower())
    runs = [tuple(words[place : place + SHINGLE]) for place in range(len(words) - SHINGLE + 1)]
    return bool(runs) and sum(run in known for run in runs) > len(runs) / 2


PAY_WALLS = (
    "Para seguir leyendo, suscríbete o inicia sesión.",
    "Subscribe to continue reading this article.",
    "Este contenido es exclusivo para suscriptores.",
)
AGENCIES = ("MADRID, (EFE) .-", "LONDON (Reuters) –", "Agencias", "PARIS (AFP) -")
MISREAD = {"e": "c", "l": "1", "o": "0", "i": "l", "a": "o", "s": "5", "n": "u", "h": "b"}
CHOICES = {
    "c": (
        "Sevilla", "Bilbao", "Granada", "Toledo", "León", "Lugo", "Cádiz", "Murcia",
        "Vigo", "Leeds", "York", "Derby", "Bristol", "Luton", "Hull", "Bath",
    ),
    "e": (
        "Repsola", "Altavia", "Norbank", "García", "Suárez", "Mendoza", "Fisher", "Kowalski",
        "Brown", "Iberlux", "Telmar", "Costa", "Acme", "Ruiz",
    ),
    "d": (
        "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "Monday", "Tuesday",
        "Wednesday",
    ),
    "m": ("una subida", "un descenso", "un alza", "una caída"),
    "q": ("más", "menos", "algo más", "bastante menos"),
    "u": ("ganó", "sumó", "avanzó"),
    "v": ("perdió", "cedió", "cayó"),
    "s": ("nubosos", "despejados", "cubiertos", "parcialmente nublados"),
    "o": ("norte", "sur", "este", "first", "second", "third"),
    "r": (
        "la decisión del banco central", "los resultados de las empresas", "un dato de empleo peor de lo previsto",
        "la subida de la energía", "nervous defending", "a lack of concentration", "the new formation",
        "la tensión en Oriente", "el acuerdo comercial", "una tregua en el mercado",
    ),
}  # fmt: skip
TEMPLATES = (
    "El índice de {c} cerró la sesión de este {d} con {m} del {x} %, hasta los {n} puntos, tras {r}. El volumen "
    "negociado ascendió a {n} millones de euros, {q} que en la jornada anterior. Entre los grandes valores, {e} {u} "
    "un {x} %, {e} un {x} % y {e} un {x} %. En el lado contrario se situaron {e}, que {v} un {x} %, y {e}, con un "
    "{x} %. El barril de crudo cotizaba a {x} dólares a la hora del cierre, mientras que el euro se cambiaba a 1,{k} "
    "dólares. La rentabilidad del bono a diez años se situaba en el {x} %. Los analistas de {e} consultados por este "
    "diario atribuyen el movimiento a {r} y esperan que {c} siga pendiente de {r} durante los próximos días. La "
    "próxima cita de los inversores será el {d}, cuando se conocerá el dato de {r}.",
    "Previsión del tiempo para {c} este {d}: se esperan cielos {s} durante la mañana y {s} por la tarde, con "
    "temperaturas que oscilarán entre los {k} y los {k} grados. El viento soplará de componente {o} con rachas de "
    "hasta {k} kilómetros por hora. La probabilidad de lluvia es del {k} por ciento. En la zona de {c} los "
    "termómetros marcarán {k} grados de máxima y {k} de mínima, mientras que en {c} se quedarán en {k} y {k}. Para "
    "el {d} se prevé {r}, con cielos {s} y temperaturas {q} que las de hoy. Se recomienda a los vecinos de {c} "
    "seguir las indicaciones de la agencia de meteorología y consultar los avisos antes de salir de viaje, sobre "
    "todo si se va a circular por {c}. La cota de nieve se situará en los {n} metros y el mar estará {s} en el "
    "litoral de {c}.",
    "The match between {c} and {c} ended {k}-{k} on {d} in front of {n} spectators. {e} opened the scoring in minute "
    "{k} after a pass from {e}, and {e} doubled the lead before half time. {c} reacted in the second half with a "
    "goal by {e} in minute {k}, but {e} sealed the result with a header. The referee showed {k} yellow cards and "
    "sent off {e} for a second booking in minute {k}. After the game the coach of {c} said that his team had paid "
    "for {r} and that they had to think about the next match against {c} on {d}. The coach of {c} was satisfied with "
    "{r} and praised {e}. With this result {c} stay {o} in the table with {k} points, {k} ahead of {c}. The two "
    "teams will meet again in {c} in the cup.",
)
