"""Pages that go wrong, one of each kind per newspaper: what is sent and what it should be taken for."""

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Final

from tests.press.layout import ArticleSheet, article_page, bare_page, notice_page
from tests.press.plan import Plan
from tests.press.reply import HTML, Manner, Reply

MEBIBYTE = 1 << 20
NESTED_DIVS = 100_000
_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"


@dataclass(frozen=True, slots=True)
class Scene:
    """What a hazard has at hand: its own article, the plan, and a sound article's address."""

    sheet: ArticleSheet
    plan: Plan
    target: str

    @property
    def page(self) -> Reply:
        """The hazard's own article, sound and whole."""
        return Reply(body=article_page(self.sheet).encode(), modified=self.sheet.story.modified)


@dataclass(frozen=True, slots=True)
class Hazard:
    """A kind of trouble; `expected` is what a correct crawler decides."""

    kind: str
    expected: str
    reply: Callable[[Scene], Reply]


def _redirect(status: int, location: str | None, scene: Scene) -> Reply:
    """A redirect; without a location it goes to a sound article."""
    target = location or scene.sheet.base + scene.target
    return Reply(status, b"moved", headers=(("Location", target),))


def _loop(scene: Scene) -> Reply:
    """A redirect to a twin address that redirects back."""
    path = scene.sheet.path
    other = path.replace("-loop-back", "-loop") if "-loop-back" in path else loop_back_path(path)
    return Reply(302, b"moved", headers=(("Location", other),))


def loop_back_path(path: str) -> str:
    """The address of the second leg of a redirect loop."""
    return path.replace("-loop", "-loop-back")


def _error(status: int, scene: Scene) -> Reply:
    """An error that never goes away."""
    return Reply(status, bare_page(scene.sheet.paper, f"Error {status}", f"<h1>{status}</h1>").encode())


def _retry(status: int, scene: Scene) -> Reply:
    """An error that is gone on the second ask."""
    return Reply(status, b"busy", headers=(("Retry-After", "1"),), then=scene.page)


def _slow(scene: Scene) -> Reply:
    """A sound page that takes its time."""
    return replace(scene.page, delay=scene.plan.slow_seconds)


def _ill_mannered(manner: Manner, scene: Scene) -> Reply:
    """A sound page that does not arrive whole."""
    return replace(scene.page, manner=manner)


def _empty(scene: Scene) -> Reply:
    """Nothing at all, with status 200."""
    return Reply()


def _big(manner: Manner, scene: Scene) -> Reply:
    """A page far too large, made while it is sent; announced by its length or not at all."""
    size = scene.plan.big_bytes
    length = size if manner == "whole" else None
    return Reply(manner=manner, length=length, chunks=partial(_filler, size))


def _filler(size: int) -> Iterator[bytes]:
    """So many bytes of HTML, a piece at a time."""
    piece = b"<p>Sample text that never seems to come to an end.</p>\n" * 1000
    while size > 0:
        yield piece[:size]
        size -= len(piece)


def _bomb(scene: Scene) -> Reply:
    """A small gzip body that unpacks to far more than anyone wants."""
    body = gzip_bomb(scene.plan.bomb_bytes // MEBIBYTE + 1)
    return Reply(body=body, headers=(("Content-Encoding", "gzip"),))


@lru_cache(maxsize=2)
def gzip_bomb(mebibytes: int) -> bytes:
    """One gzip member of so many mebibytes of spaces: one block is deflated and then repeated."""
    block = b" " * MEBIBYTE
    deflater = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = deflater.compress(block) + deflater.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(mebibytes):
        checksum = zlib.crc32(block, checksum)
    size = (mebibytes * MEBIBYTE) & 0xFFFFFFFF
    tail = deflater.flush() + checksum.to_bytes(4, "little") + size.to_bytes(4, "little")
    return _GZIP_HEADER + packed * mebibytes + tail


def _drip(scene: Scene) -> Reply:
    """A page that comes a few bytes at a time until the press hangs up."""
    return Reply(manner="drip", delay=scene.plan.drip_seconds)


def _pdf(scene: Scene) -> Reply:
    """A PDF under an article's address."""
    body = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n"
    return Reply(body=body, content_type="application/pdf")


def _nested(scene: Scene) -> Reply:
    """A page of divs within divs within divs."""
    page = f"<html><body>{'<div>' * NESTED_DIVS}<p>abyss</p>{'</div>' * NESTED_DIVS}</body></html>"
    return Reply(body=page.encode())


def _notice(texts: tuple[str, str], scene: Scene) -> Reply:
    """A page with status 200 that only says why there is no article; texts in Spanish and English."""
    title = texts[scene.sheet.paper.language == "en"]
    return Reply(body=bare_page(scene.sheet.paper, title, f"<h1>{title}</h1><p>{title}.</p>").encode())


def _recoded(charset: str, declared: str, content_type: str, scene: Scene) -> Reply:
    """The article in another encoding, declared in the page and in the header as told."""
    page = article_page(replace(scene.sheet, charset=declared))
    # What the encoding lacks becomes a numbered entity, as an editorial system would write it.
    body = page.encode(charset, "xmlcharrefreplace")
    return Reply(body=body, content_type=content_type, modified=scene.sheet.story.modified)


def _broken(scene: Scene) -> Reply:
    """The article with tags unclosed, misnested and unquoted; every word is still there."""
    page = article_page(scene.sheet)
    for tag in ("</p>", "</li>", "</main>", "</body>", "</html>"):
        page = page.replace(tag, "")
    page = re.sub(r"<(b|em|strong)>(.*?)</\1>", r"<\1><i>\2</\1></i>", page, flags=re.DOTALL)
    page = re.sub(r' class="(\w+)"', r" class=\1", page).replace("<blockquote>", "</span><blockquote>")
    return Reply(body=page.encode(), modified=scene.sheet.story.modified)


def _live(scene: Scene) -> Reply:
    """A live blog: short entries under clock times."""
    sheet = replace(scene.sheet, schema_type="LiveBlogPosting")
    times = range(20, 8, -1)
    entries = "".join(
        f'<section class="live-entry"><time>{hour}:05</time><p>{paragraph.text}</p></section>'
        for hour, paragraph in zip(times, sheet.story.paragraphs, strict=False)
    )
    return Reply(body=notice_page(sheet, f"<h1>{sheet.story.brief.title}</h1>{entries}").encode())


def _gallery(scene: Scene) -> Reply:
    """A gallery: pictures and captions."""
    sheet = replace(scene.sheet, schema_type="ImageGallery")
    figures = "".join(
        f'<figure><img src="/static/g{number}.webp"><figcaption>{sheet.story.caption}</figcaption></figure>'
        for number in range(12)
    )
    return Reply(body=notice_page(sheet, f"<h1>{sheet.story.brief.title}</h1>{figures}").encode())


def _video(scene: Scene) -> Reply:
    """A video with one line about it."""
    sheet = replace(scene.sheet, schema_type="VideoObject")
    main = f'<h1>{sheet.story.brief.title}</h1><video src="/static/v.mp4"></video><p>{sheet.story.caption}</p>'
    return Reply(body=notice_page(sheet, main).encode())


def _page(scene: Scene) -> Reply:
    """A sound page, where the trouble lies in its address."""
    return scene.page


_NOT_FOUND = ("Página no encontrada", "Page not found")
_COOKIES = ("Para continuar acepta las cookies o suscríbete", "To continue, accept cookies or subscribe")
_UTF8_LIE = partial(_recoded, "cp1252", "utf-8", HTML)

HAZARDS: Final = (
    Hazard("live", "not_article", _live),
    Hazard("gallery", "not_article", _gallery),
    Hazard("video", "not_article", _video),
    Hazard("charset-cp1252-as-utf8", "document", _UTF8_LIE),
    Hazard("charset-latin1-meta", "document", partial(_recoded, "iso-8859-1", "iso-8859-1", "text/html")),
    Hazard("charset-utf16-bom", "document", partial(_recoded, "utf-16", "utf-16", "text/html")),
    Hazard("broken-html", "document", _broken),
    Hazard("moved-301", "duplicate", partial(_redirect, 301, None)),
    Hazard("moved-302", "duplicate", partial(_redirect, 302, None)),
    Hazard("redirect-loop", "redirect_loop", _loop),
    Hazard("redirect-private", "redirect_out", partial(_redirect, 302, "http://127.0.0.1:1/admin")),
    Hazard("redirect-file", "redirect_out", partial(_redirect, 302, "file:///etc/passwd")),
    Hazard("redirect-abroad", "redirect_out", partial(_redirect, 301, "http://otro-diario.example/nota.html")),
    Hazard("error-404", "http_error", partial(_error, 404)),
    Hazard("error-410", "http_error", partial(_error, 410)),
    Hazard("error-500", "http_error", partial(_error, 500)),
    Hazard("retry-503", "document", partial(_retry, 503)),
    Hazard("retry-429", "document", partial(_retry, 429)),
    Hazard("slow", "document", _slow),
    Hazard("truncated", "broken_transfer", partial(_ill_mannered, "truncated")),
    Hazard("reset", "broken_transfer", partial(_ill_mannered, "reset")),
    Hazard("empty", "not_article", _empty),
    Hazard("big", "too_large", partial(_big, "whole")),
    Hazard("big-chunked", "too_large", partial(_big, "chunked")),
    Hazard("gzip-bomb", "too_large", _bomb),
    Hazard("drip", "timeout", _drip),
    Hazard("pdf", "not_html", _pdf),
    Hazard("nested", "not_article", _nested),
    Hazard("soft-404", "not_article", partial(_notice, _NOT_FOUND)),
    Hazard("cookie-wall", "not_article", partial(_notice, _COOKIES)),
    Hazard("private", "robots", _page),
)
BY_KIND: Final = {hazard.kind: hazard for hazard in HAZARDS}
