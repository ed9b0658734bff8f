"""The HTML of the two newspapers: articles, their copies, fronts."""

import json
import random
from dataclasses import dataclass
from datetime import date
from html import escape
from zlib import crc32

from tests.press import furniture
from tests.press.furniture import Link, wording
from tests.press.markup import body_markup, text_markup
from tests.press.newspaper import Newspaper
from tests.press.stories import Brief, Story

TEASER_LETTERS = 90


@dataclass(frozen=True, slots=True)
class ArticleSheet:
    """All that the page of one article needs."""

    paper: Newspaper
    base: str
    path: str
    story: Story
    related: tuple[Link, ...]
    most_read: tuple[Link, ...]
    charset: str = "utf-8"
    is_walled: bool = False
    canonical: str | None = None
    schema_type: str = "NewsArticle"

    @property
    def url(self) -> str:
        """The full canonical address."""
        return self.base + (self.canonical or self.path)

    @property
    def has_json_ld(self) -> bool:
        """La Gaceta always has JSON-LD; the Courier only in every second article."""
        return self.paper.name == "gaceta" or crc32(self.story.brief.key.encode()) % 2 == 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A line on a front: an article and the further addresses it is printed at."""

    path: str
    brief: Brief
    copies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FrontSheet:
    """All that one page of a front needs."""

    paper: Newspaper
    base: str
    title: str
    path: str
    next_path: str | None
    entries: tuple[Entry, ...]
    most_read: tuple[Link, ...]
    days: tuple[date, ...] = ()


def padded(page: str, paper: Newspaper, size: int, path: str) -> str:
    """The page with blocks of markup before its end until it weighs about `size` bytes."""
    missing = size - len(page)
    if missing <= 0:
        return page
    blocks = furniture.padding_blocks(paper)
    pieces: list[str] = []
    position = crc32(path.encode())
    while missing > 0:
        pieces.append(blocks[position % len(blocks)])
        missing -= len(pieces[-1])
        position += 1
    half = len(pieces) // 2
    top = page.replace("<main", "".join(pieces[:half]) + "<main", 1)
    return top.replace("</body>", "".join(pieces[half:]) + "</body>", 1)


def article_page(sheet: ArticleSheet) -> str:
    """The page of an article in its newspaper's own layout."""
    story, paper = sheet.story, sheet.paper
    paragraphs = story.paragraphs[:2] if sheet.is_walled else story.paragraphs
    dice = random.Random(f"{story.brief.key}:markup:{story.revision}")
    pieces = _with_interruptions(sheet, body_markup(paragraphs, dice))
    if sheet.is_walled:
        pieces.append(f'<div class="paywall"><p>{wording(paper).wall}</p><a href="/buscar">OK</a></div>')
    frame = _gaceta_article if paper.name == "gaceta" else _courier_article
    main = frame(sheet, "\n".join(pieces), text_markup(story.brief.lead, dice))
    tail = furniture.comment_section(paper, story.comments) + furniture.newsletter_box(paper)
    rail = furniture.link_list(wording(paper).most_read, sheet.most_read, "most-read rail", "mostread")
    return _document(paper, _article_head(sheet), f"{main}\n{tail}\n{rail}")


def _document(paper: Newspaper, head: str, main: str) -> str:
    """A whole document around what a page is for."""
    language = paper.language
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n{head}\n{furniture.head_assets()}\n</head>\n'
        f'<body class="page {paper.name}">\n{furniture.masthead(paper)}\n<main id="main" class="rejilla">\n{main}\n'
        f"</main>\n{furniture.footer(paper)}\n</body>\n</html>\n"
    )


def _article_head(sheet: ArticleSheet) -> str:
    """Title, links and metadata of an article; charset `""` leaves the declaration out."""
    brief = sheet.story.brief
    lines = [f'<meta charset="{sheet.charset}">'] if sheet.charset else []
    title = escape(brief.title)
    lines += [
        f"<title>{title} | {sheet.paper.title}</title>",
        f'<meta name="description" content="{escape(brief.lead)}">',
        f'<link rel="canonical" href="{sheet.url}">',
        f'<meta property="og:title" content="{title}">',
        f'<meta property="og:url" content="{sheet.url}">',
        '<meta property="og:type" content="article">',
        f'<meta property="og:site_name" content="{sheet.paper.title}">',
    ]
    if sheet.paper.name == "courier":
        lines += _courier_metas(sheet)
    if sheet.has_json_ld:
        # A script knows no entities: where the charset may lack a letter, JSON has to escape it itself.
        text = json.dumps(_json_ld(sheet), ensure_ascii=sheet.charset != "utf-8", indent=1).replace("</", "<\\/")
        lines.append(f'<script type="application/ld+json">{text}</script>')
    return "\n".join(lines)


def _courier_metas(sheet: ArticleSheet) -> list[str]:
    """The Courier's `article:` properties."""
    story = sheet.story
    pairs = [
        ("article:published_time", story.brief.published.isoformat()),
        ("article:modified_time", story.modified.isoformat()),
        ("article:section", sheet.paper.section(story.brief.section).label),
        *(("article:author", author) for author in story.brief.authors),
        *(("article:tag", tag) for tag in story.tags),
    ]
    return [f'<meta property="{name}" content="{escape(value)}">' for name, value in pairs]


def _json_ld(sheet: ArticleSheet) -> dict[str, object]:
    """What schema.org would say of an article."""
    story, brief = sheet.story, sheet.story.brief
    author = "Organization" if brief.is_agency else "Person"
    return {
        "@context": "https://schema.org",
        "@type": sheet.schema_type,
        "mainEntityOfPage": sheet.url,
        "headline": brief.title,
        "description": brief.lead,
        "author": [{"@type": author, "name": name} for name in brief.authors],
        "datePublished": brief.published.isoformat(),
        "dateModified": story.modified.isoformat(),
        "articleSection": sheet.paper.section(brief.section).label,
        "isAccessibleForFree": not sheet.is_walled,
        "keywords": list(story.tags),
        "publisher": {"@type": "NewsMediaOrganization", "name": sheet.paper.title},
        "inLanguage": brief.language,
    }


def _with_interruptions(sheet: ArticleSheet, pieces: list[str]) -> list[str]:
    """The pieces of a body with a box of related links and adverts in between."""
    paper = sheet.paper
    related = furniture.link_list(wording(paper).related, sheet.related, "related", "related")
    middle = max(2, len(pieces) // 2)
    seed = crc32(sheet.path.encode())
    advert = furniture.advert(paper, seed % 97)
    return [
        pieces[0],
        advert,
        *pieces[1:middle],
        related,
        *pieces[middle:],
        furniture.advert(paper, seed % 89),
    ]


def _figure(story: Story) -> str:
    """The photograph with its caption."""
    return (
        f'<figure class="foto">'
        f'<img src="/static/{story.brief.slug}.webp" alt="{escape(story.caption)}" width="980">'
        f"<figcaption>{escape(story.caption)}</figcaption></figure>"
    )


def _gaceta_article(sheet: ArticleSheet, body: str, lead: str) -> str:
    """An article of La Gaceta: `<article>` with item properties."""
    story, brief = sheet.story, sheet.story.brief
    section = sheet.paper.section(brief.section)
    authors = f" {wording(sheet.paper).joiner} ".join(
        f'<span itemprop="author" class="autor">{escape(name)}</span>' for name in brief.authors
    )
    tags = "".join(f'<li><a href="/buscar?q={escape(tag)}">{escape(tag)}</a></li>' for tag in story.tags)
    return (
        f'<article class="noticia" itemscope itemtype="https://schema.org/NewsArticle">\n<header class="cabecera">'
        f'<p class="cintillo"><a href="{sheet.paper.front_path(section.slug)}" itemprop="articleSection">'
        f'{section.label}</a></p>\n<h1 class="titular" itemprop="headline">{escape(brief.title)}</h1>\n'
        f'<p class="entradilla" itemprop="description">{lead}</p>\n<div class="firma">{authors} '
        f'<time itemprop="datePublished" datetime="{brief.published.isoformat()}">'
        f"{brief.published:%d/%m/%Y %H:%M}</time>"
        f"</div>\n{furniture.share_bar(sheet.paper, sheet.url)}</header>\n"
        f'{_figure(story)}\n<div class="cuerpo" itemprop="articleBody">\n{body}\n</div>\n'
        f'<ul class="temas">{tags}</ul></article>'
    )


def _courier_article(sheet: ArticleSheet, body: str, lead: str) -> str:
    """An article of the Courier: plain blocks and a byline."""
    story, brief = sheet.story, sheet.story.brief
    section = sheet.paper.section(brief.section)
    words = wording(sheet.paper)
    byline = f"{words.by} " + f" {words.joiner} ".join(escape(name) for name in brief.authors)
    return (
        f'<div class="story"><p class="kicker">'
        f'<a href="{sheet.paper.front_path(section.slug)}">{section.label}</a>'
        f'</p>\n<h1 class="headline">{escape(brief.title)}</h1>\n<p class="standfirst">{lead}</p>\n'
        f'<p class="byline">{byline}</p>\n<p class="dateline"><time datetime="{brief.published.isoformat()}">'
        f"{brief.published:%d %B %Y, %H:%M}</time></p>\n{furniture.share_bar(sheet.paper, sheet.url)}\n"
        f'{_figure(story)}\n<div class="story-body">\n{body}\n</div></div>'
    )


def copy_page(sheet: ArticleSheet, copy: str) -> str:
    """The AMP or print copy of an article: bare, with a canonical link to the article."""
    story, brief = sheet.story, sheet.story.brief
    dice = random.Random(f"{brief.key}:markup:{story.revision}")
    body = "\n".join(body_markup(story.paragraphs, dice))
    root = '<html amp lang="{}">' if copy == "amp" else '<html lang="{}" class="print">'
    return (
        f"<!DOCTYPE html>\n{root.format(brief.language)}\n<head>\n{_article_head(sheet)}\n</head>\n<body>\n"
        f"<h1>{escape(brief.title)}</h1>\n<p>{text_markup(brief.lead, dice)}</p>\n"
        f'<p class="byline">{escape(", ".join(brief.authors))}</p>\n<div class="{copy}-body">\n{body}\n</div>\n'
        f"<p>{sheet.url}</p>\n</body>\n</html>\n"
    )


def notice_page(sheet: ArticleSheet, main: str) -> str:
    """A page in the newspaper's dress whose middle is something other than an article."""
    return _document(sheet.paper, _article_head(sheet), f'<div class="notice">\n{main}\n</div>')


def bare_page(paper: Newspaper, title: str, main: str) -> str:
    """A page without metadata: errors and walls."""
    return _document(paper, f'<meta charset="utf-8">\n<title>{title}</title>', f'<div class="notice">{main}</div>')


def front_page(sheet: FrontSheet) -> str:
    """One page of a front: its entries, what else there is to click, and the way on."""
    paper = sheet.paper
    words = wording(paper)
    head = [
        '<meta charset="utf-8">',
        f"<title>{sheet.title} | {paper.title}</title>",
        f'<link rel="canonical" href="{sheet.base}{sheet.path}">',
        f'<link rel="alternate" type="application/{_feed_kind(paper)}+xml" href="{feed_path(paper)}">',
    ]
    onward = ""
    if sheet.next_path:
        head.append(f'<link rel="next" href="{sheet.base}{sheet.next_path}">')
        onward = f'<a rel="next" class="next" href="{sheet.next_path}">{words.next_page}</a>'
    teasers = "\n".join(_teaser(paper, entry, number) for number, entry in enumerate(sheet.entries))
    days = "".join(f'<li><a href="/{paper.day_front(day)}/">{day.isoformat()}</a></li>' for day in sheet.days)
    main = (
        f"<h1>{sheet.title}</h1>\n{furniture.advert(paper, 3)}\n<div class='river'>\n{teasers}\n</div>\n"
        f'<ul class="days">{days}</ul><nav class="pages">{onward}<a href="#main">↑</a></nav>\n'
        + furniture.link_list(words.most_read, sheet.most_read, "most-read", "portada")
        + furniture.newsletter_box(paper)
    )
    return _document(paper, "\n".join(head), main)


def _teaser(paper: Newspaper, entry: Entry, number: int) -> str:
    """An entry of a front: the same article linked from its picture, its title and, at times, «more»."""
    brief = entry.brief
    teaser = escape(brief.lead[:TEASER_LETTERS].rsplit(" ", 1)[0])
    tracked = f"{entry.path}?utm_source={paper.name}&amp;utm_medium=front"
    more = f'<a href="{tracked}#comments">{wording(paper).more}</a>' if number % 3 == 0 else ""
    copies = "".join(f'<a class="copy" href="{path}">{wording(paper).more}</a>' for path in entry.copies)
    return (
        f'<article class="teaser"><a href="{tracked}"><img src="/static/{number}.webp" alt=""></a>'
        f'<h2><a href="{entry.path}">{escape(brief.title)}</a></h2><p>{teaser}…</p>'
        f'<time datetime="{brief.published.isoformat()}">{brief.published:%H:%M}</time>{more}{copies}</article>'
    )


def _feed_kind(paper: Newspaper) -> str:
    """RSS for La Gaceta, Atom for the Courier."""
    return "rss" if paper.name == "gaceta" else "atom"


def feed_path(paper: Newspaper) -> str:
    """The address of the newspaper's feed."""
    return "/rss/portada.xml" if paper.name == "gaceta" else "/feed.atom"
