"""What surrounds the news on a page: menus, footers, promotions, cookie wall, scripts, comments."""

from dataclasses import dataclass
from functools import lru_cache
from html import escape

from tests.press.newspaper import Newspaper
from tests.press.words import Writer

PADDING_BLOCKS = 48


@dataclass(frozen=True, slots=True)
class Link:
    """An address on this newspaper and the words that lead there."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Wording:
    """The fixed phrases of a newspaper's pages."""

    home: str
    search: str
    subscribe: str
    cookies: str
    accept: str
    newsletter: str
    related: str
    most_read: str
    comments: str
    share: str
    advert: str
    rights: str
    next_page: str
    archive: str
    wall: str
    more: str
    by: str
    joiner: str


_WORDING = {
    "es": Wording(
        home="Portada",
        search="Buscar",
        subscribe="Suscríbete",
        cookies="Usamos cookies propias y de terceros para medir la audiencia. ¿Las aceptas?",
        accept="Aceptar y continuar",
        newsletter="Recibe cada mañana el boletín de La Gaceta en tu correo. Es gratis y sin compromiso.",
        related="Te puede interesar",
        most_read="Lo más leído",
        comments="Comentarios",
        share="Compartir",
        advert="Publicidad",
        rights="© La Gaceta de Muestra, S. A. Todos los derechos reservados. Prohibida la reproducción.",
        next_page="Siguiente",
        archive="Hemeroteca",
        wall="Este artículo es solo para suscriptores. Suscríbete por 1 euro al mes para seguir leyendo.",
        more="Más información",
        by="Por",
        joiner="y",
    ),
    "en": Wording(
        home="Home",
        search="Search",
        subscribe="Subscribe",
        cookies="We and our partners use cookies to measure our audience and show adverts. Do you agree?",
        accept="Accept and continue",
        newsletter="Get the Courier’s morning briefing in your inbox every day. It is free of charge.",
        related="Related coverage",
        most_read="Most read",
        comments="Comments",
        share="Share",
        advert="Advertisement",
        rights="© The Sample Courier Ltd. All rights reserved. No part may be reproduced without leave.",
        next_page="Next",
        archive="Archive",
        wall="This article is for subscribers only. Subscribe for £1 a month to keep reading.",
        more="Read more",
        by="By",
        joiner="and",
    ),
}


def wording(paper: Newspaper) -> Wording:
    """The fixed phrases of a newspaper."""
    return _WORDING[paper.language]


def head_assets() -> str:
    """Styles and scripts that every page carries."""
    return (
        "<style>body{margin:0;font:16px/1.5 serif}.capa{position:fixed;bottom:0}.oculto{display:none}"
        ".rejilla{display:grid;grid-template-columns:repeat(12,1fr)}"
        "@media(max-width:600px){.rejilla{display:block}}"
        "</style>\n<script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}"
        'gtag("config","PRESS-1");var s="<p>texto que no es texto</p>";</script>\n'
        '<link rel="stylesheet" href="/static/site.css"><link rel="icon" href="/static/icon.svg">'
    )


@lru_cache(maxsize=2)
def masthead(paper: Newspaper) -> str:
    """The cookie layer, the masthead and the menus."""
    words = wording(paper)
    sections = "".join(
        f'<li class="menu-item"><a href="{paper.front_path(section.slug)}">{section.label}</a></li>'
        for section in (*paper.sections, paper.foreign)
    )
    return (
        f'<div id="cookie-wall" class="capa cookies" role="dialog"><p>{words.cookies}</p>'
        f'<button type="button">{words.accept}</button></div>\n'
        f'<header class="masthead" role="banner"><a class="logo" href="/"><svg width="24" height="24" '
        f'viewBox="0 0 24 24"><title>{paper.title}</title><path d="M2 2h20v20H2z"/></svg></a>\n'
        f'<nav class="menu"><ul><li><a href="/">{words.home}</a></li>{sections}'
        f'<li><a href="/{paper.archive}/">{words.archive}</a></li>'
        f'<li><a href="/buscar">{words.search}</a></li></ul></nav>\n'
        f'<a class="cta" href="https://suscripciones.example/{paper.name}">{words.subscribe}</a>'
        f'<a href="javascript:void(0)" onclick="menu()">☰</a><a href="#main">↓</a></header>'
    )


@lru_cache(maxsize=2)
def footer(paper: Newspaper) -> str:
    """The mega footer: sections again, services, networks, the law."""
    words = wording(paper)
    services = "".join(
        f'<li><a href="https://servicios.example/{paper.name}/{number}">{escape(title)}</a></li>'
        for number, title in enumerate(_phrases(paper, "advert", 18))
    )
    sections = "".join(
        f'<li><a href="{paper.front_path(section.slug)}?utm_source=footer">{section.label}</a></li>'
        for section in paper.sections
    )
    networks = "".join(f'<a href="https://{name}.example/{paper.name}">{name}</a> ' for name in ("red", "foto", "chat"))
    return (
        f'<footer class="pie"><div class="rejilla"><ul>{sections}</ul><ul>{services}</ul></div>'
        f'<p><a href="mailto:redaccion@{paper.name}.example">redaccion@{paper.name}.example</a> '
        f'<a href="tel:+34900000000">900 000 000</a> {networks}</p><p class="legal">{words.rights}</p>'
        f"</footer>\n"
        '<script>(function(){var a=document.createElement("script");a.async=1;})();</script>'
    )


def advert(paper: Newspaper, number: int) -> str:
    """One advertisement, with its words."""
    phrases = _phrases(paper, "advert", 18)
    return (
        f'<div class="ad publi" id="ad-{number}"><span>{wording(paper).advert}</span>'
        f'<a href="https://anuncios.example/c?n={number}&amp;p={paper.name}">{escape(phrases[number % 18])}</a></div>'
    )


def newsletter_box(paper: Newspaper) -> str:
    """The box that asks for an address of mail."""
    words = wording(paper)
    return (
        f'<form class="newsletter" action="/buscar" method="post"><p>{words.newsletter}</p>'
        f'<input type="email" name="m"><button>{words.subscribe}</button></form>'
    )


def link_list(title: str, links: tuple[Link, ...], css: str, source: str) -> str:
    """A titled list of links that carry a tracking parameter."""
    items = "".join(f'<li><a href="{link.path}?utm_source={source}">{escape(link.title)}</a></li>' for link in links)
    return f'<aside class="{css}"><h3>{title}</h3><ul>{items}</ul></aside>'


def share_bar(paper: Newspaper, url: str) -> str:
    """Share buttons."""
    names = ("red", "chat", "correo")
    buttons = "".join(f'<a class="s-{name}" href="https://{name}.example/share?u={url}">{name}</a>' for name in names)
    return f'<div class="share"><span>{wording(paper).share}</span>{buttons}<a href="#comments">0</a></div>'


def comment_section(paper: Newspaper, comments: tuple[str, ...]) -> str:
    """What readers wrote below."""
    items = "".join(
        f'<li class="comment"><span class="nick">lector{37 * number + len(text)}</span><p>{escape(text)}</p>'
        f'<a href="#c{number}">#{number}</a></li>'
        for number, text in enumerate(comments, 1)
    )
    title = wording(paper).comments
    return f'<section id="comments" class="comments"><h3>{title}</h3><ol>{items}</ol></section>'


@lru_cache(maxsize=4)
def _phrases(paper: Newspaper, slot: str, count: int) -> tuple[str, ...]:
    """Fixed phrases of the house, the same on every page."""
    writer = Writer(paper.language, "economy", f"{paper.name}:{slot}")
    return tuple(writer.write(slot) for _ in range(count))


@lru_cache(maxsize=2)
def padding_blocks(paper: Newspaper) -> tuple[str, ...]:
    """Blocks of 1.5 KB that bring a page to a real newspaper's weight: state, sprites, styles, shelves."""
    writer = Writer(paper.language, "culture", f"{paper.name}:padding")
    makers = (_state_block, _sprite_block, _style_block, _shelf_block)
    return tuple(makers[number % 4](writer, number) for number in range(PADDING_BLOCKS))


def _state_block(writer: Writer, number: int) -> str:
    """A script with the state that a front end leaves behind."""
    rows = ",".join(
        f'{{"id":{writer.random.randrange(10**9)},"kind":"teaser","slot":"{name}","w":{writer.random.randrange(999)}}}'
        for name in ("top", "rail", "river", "foot") * 5
    )
    return f"<script>window.__STATE_{number}__=[{rows}];</script>"


def _sprite_block(writer: Writer, number: int) -> str:
    """A hidden SVG with the outlines of icons."""
    points = " ".join(f"L{writer.random.randrange(512)} {writer.random.randrange(512)}" for _ in range(160))
    return f'<svg class="oculto" id="icon-{number}" viewBox="0 0 512 512"><path d="M0 0 {points}z"/></svg>'


def _style_block(writer: Writer, number: int) -> str:
    """A style sheet set into the page."""
    rules = "".join(
        f".m{number}-{rule}{{margin:{writer.random.randrange(40)}px;color:#{writer.random.randrange(4096):03x}}}"
        for rule in range(40)
    )
    return f"<style>{rules}</style>"


def _shelf_block(writer: Writer, number: int) -> str:
    """A shelf of the shop, with its links."""
    items = "".join(
        f'<li class="card"><a href="https://tienda.example/{number}/{card}">'
        f'<img src="/static/{card}.webp" alt="">'
        f"<span>{escape(writer.write('advert'))}</span></a></li>"
        for card in range(12)
    )
    return f'<div class="shelf" data-n="{number}"><ul>{items}</ul></div>'
