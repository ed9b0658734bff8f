"""The sample newspapers and their server: what the other tests lean on."""

import gzip
import http.client
import json
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from html import unescape
from itertools import combinations
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from tests.press import Gold, Press, Serving, serve
from tests.press.hazards import MEBIBYTE, gzip_bomb

SECONDS_TO_ANSWER = 10


@pytest.fixture(scope="module")
def printing() -> Iterator[Serving]:
    """Both newspapers with every hazard, in a hurry."""
    press = Press(articles=60, slow_seconds=0.2, drip_seconds=0.3, big_bytes=2_000_000)
    with serve(press) as serving:
        yield serving


class Answer:
    """A response read to its end."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def text(self) -> str:
        """The body as UTF-8."""
        return self.body.decode()


def fetch(url: str, method: str = "GET", body: str | None = None, **headers: str) -> Answer:
    """The answer to one request on a connection of its own; redirects are not followed."""
    split = urlsplit(url)
    connection = http.client.HTTPConnection(split.netloc, timeout=SECONDS_TO_ANSWER)
    target = url.removeprefix(f"{split.scheme}://{split.netloc}")
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, target, body, named)
        return Answer(connection.getresponse())
    finally:
        connection.close()


def plain(markup: str) -> str:
    """Markup as a reader sees it: no tags, entities decoded, NFC, no soft hyphens, single spaces."""
    text = unescape(re.sub(r"</?(?:b|i|em|strong|a|span)\b[^>]*>", "", markup))
    text = re.sub(r"<[^>]+>", " ", text)
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text).replace("\u00ad", ""))


def gold_of(serving: Serving, newspaper: str, kind: str) -> Gold:
    """The first row of a kind."""
    return next(row for row in serving.press.gold(newspaper) if row.kind == kind)


def missing_paragraphs(row: Gold, html: str) -> list[str]:
    """The gold paragraphs that do not occur in a page, one after the other."""
    text = plain(html.partition("<main")[2] or html)
    position, missing = 0, []
    for paragraph in [row.lead, *row.body.split("\n\n")]:
        found = text.find(paragraph, position)
        if found < 0:
            missing.append(paragraph)
        else:
            position = found + len(paragraph)
    return missing


def parsed(body: bytes | str) -> ElementTree.Element:
    """XML read strictly."""
    return ElementTree.fromstring(body)  # noqa: S314 - the press wrote it


def locations(body: bytes) -> list[str]:
    """All `loc` elements of a sitemap."""
    return [element.text or "" for element in parsed(body).iter() if element.tag.endswith("}loc")]


def test_same_seed_same_bytes() -> None:
    """Two presses with one seed agree on every byte; another seed writes other stories."""
    first, second, other = Press(articles=12), Press(articles=12), Press(articles=12, seed=2)
    assert first.gold() == second.gold()
    for name in ("gaceta", "courier"):
        for path in [*first.newspaper_edition(name).by_path, "/", "/sitemap.xml", "/sitemaps/2024-03.xml.gz"]:
            assert first.reply(name, path).body == second.reply(name, path).body
    assert {row.body for row in first.gold() if row.kind == "article"}.isdisjoint(
        row.body for row in other.gold() if row.kind == "article"
    )


def test_words_do_not_change_by_accident() -> None:
    """The seed's first title is a fixed one: stored results elsewhere depend on it."""
    assert Press(articles=1, days=1, hazards=False).gold("gaceta")[0].title.startswith("Elvira Granadero")


def test_only_sound_articles_without_hazards() -> None:
    """`hazards=False` prints the regular articles and nothing else, in both newspapers."""
    gold = Press(articles=33, days=4, hazards=False).gold()
    assert len(gold) == len({row.url for row in gold}) == 66
    assert {(row.kind, row.expected) for row in gold} == {("article", "document")}


def test_stories_differ() -> None:
    """Different stories are more than 10 bits apart by a 64-bit simhash over word trigrams."""
    bodies = [row.body for row in Press(articles=60, hazards=False).gold()]
    prints = [_simhash(body) for body in bodies]
    distances = [(one ^ two).bit_count() for one, two in combinations(prints, 2)]
    assert sum(distance <= 10 for distance in distances) <= len(distances) // 1000


def _simhash(text: str) -> int:
    """A plain simhash, apart from the one that it is to test."""
    words = text.lower().split()
    sums = [0] * 64
    for trigram in zip(words, words[1:], words[2:], strict=False):
        bits = int.from_bytes(blake2b(" ".join(trigram).encode(), digest_size=8).digest())
        for position in range(64):
            sums[position] += 1 if bits >> position & 1 else -1
    return sum(1 << position for position, total in enumerate(sums) if total > 0)


@pytest.mark.parametrize("newspaper", ["gaceta", "courier"])
def test_missing_text_is_noticed(newspaper: str) -> None:
    """The check of the next test fails, as it must, for another story's page and for paragraphs out of order."""
    press = Press(articles=2, hazards=False)
    one, two = press.gold(newspaper)
    page = press.reply(newspaper, urlsplit(one.url).path).body.decode()
    assert len(missing_paragraphs(two, page)) > 5
    backwards = replace(one, body="\n\n".join(reversed(one.body.split("\n\n"))))
    assert missing_paragraphs(backwards, page)


@pytest.mark.parametrize("newspaper", ["gaceta", "courier"])
def test_gold_text_is_on_the_page(printing: Serving, newspaper: str) -> None:
    """Every paragraph of every regular article stands on its page, in order, and so does the title."""
    for row in printing.press.gold(newspaper):
        if row.kind == "article":
            page = fetch(row.url).text
            assert missing_paragraphs(row, page) == []
            assert row.title in plain(page)
            assert "\u00ad" not in row.body
            assert "\u00a0" not in row.body
            assert unicodedata.is_normalized("NFC", row.body)


def test_markup_is_a_newspapers(printing: Serving) -> None:
    """JSON-LD carries both summer and winter offsets; only half of the Courier has any."""
    rows = [row for row in printing.press.gold() if row.kind == "article"]
    pages = {row: fetch(row.url).text for row in rows}
    gaceta = [page for row, page in pages.items() if row.newspaper == "gaceta"]
    courier = [page for row, page in pages.items() if row.newspaper == "courier"]
    assert all("application/ld+json" in page for page in gaceta)
    assert 0.2 < sum("application/ld+json" in page for page in courier) / len(courier) < 0.8
    assert {row.published.strftime("%z") for row in rows} == {"+0000", "+0100", "+0200"}
    for row, page in pages.items():
        for text in re.findall(r"ld\+json\">(.*?)</script>", page, re.DOTALL):
            data = json.loads(text)
            assert (data["headline"], data["datePublished"]) == (row.title, row.published.isoformat())
    assert all(f"By {' and '.join(row.authors)}<" in pages[row] for row in rows if row.newspaper == "courier")


@pytest.mark.parametrize("newspaper", ["gaceta", "courier"])
def test_sections_lead_to_every_article(newspaper: str) -> None:
    """Following `rel=next` through the sections finds every regular article; so does the archive."""
    with serve(Press(articles=230, hazards=False)) as serving:
        base = serving.press.bases[newspaper]
        wanted = {row.url for row in serving.press.gold(newspaper)}
        edition = serving.press.newspaper_edition(newspaper)
        sections = [edition.paper.front_path(section.slug) for section in edition.paper.sections]
        days = [edition.paper.front_path(edition.paper.day_front(day)) for day in edition.days()]
        assert wanted <= _walk(base, sections)
        assert wanted <= _walk(base, days)
        assert all(day in _links(base, f"/{edition.paper.archive}/") for day in (base + path for path in days))


def _walk(base: str, fronts: list[str]) -> set[str]:
    """All links found on fronts and the pages that follow them."""
    found: set[str] = set()
    for front in fronts:
        following: str | None = base + front
        while following:
            page = fetch(following).text
            found |= _links_in(base, page)
            match = re.search(r'<link rel="next" href="([^"]+)"', page)
            following = match[1] if match else None
    return found


def _links(base: str, path: str) -> set[str]:
    """The links of one page."""
    return _links_in(base, fetch(base + path).text)


def _links_in(base: str, page: str) -> set[str]:
    """The links of a page, made absolute."""
    return {base + link if link.startswith("/") else link for link in re.findall(r'<a [^>]*href="([^"]+)"', page)}


def test_fronts_are_noisy(printing: Serving) -> None:
    """A front has about a hundred links: tracked twins, external ones, mail, scripts, fragments."""
    page = fetch(printing.gaceta + "/").text
    assert 80 <= page.count("<a ") <= 140
    for trap in ("utm_source=", "mailto:", "javascript:", 'href="#', "https://servicios.example/"):
        assert trap in page


@pytest.mark.parametrize("newspaper", ["gaceta", "courier"])
def test_sitemaps_list_every_article(printing: Serving, newspaper: str) -> None:
    """The monthly sitemaps, gzipped, list all regular articles; the broken one is broken and shares some."""
    base = printing.press.bases[newspaper]
    assert f"Sitemap: {base}/sitemap.xml" in fetch(base + "/robots.txt").text
    index = locations(fetch(base + "/sitemap.xml").body)
    months = [url for url in index if url.endswith(".gz")]
    listed = {url for month in months for url in locations(gzip.decompress(fetch(month).body))}
    assert len(months) == 2
    assert {row.url for row in printing.press.gold(newspaper) if row.kind == "article"} <= listed
    broken = fetch(next(url for url in index if "broken" in url)).text
    with pytest.raises(ElementTree.ParseError):
        parsed(broken)
    assert set(re.findall(r"<loc>(.*?)</loc>", broken)) <= listed


def test_feeds_have_the_newest(printing: Serving) -> None:
    """RSS, Atom and the news sitemap are sound XML with the newest articles."""
    rss = parsed(fetch(printing.gaceta + "/rss/portada.xml").body)
    assert len(rss.findall("channel/item")) == 20
    atom = parsed(fetch(printing.courier + "/feed.atom").body)
    assert sum(element.tag.endswith("}entry") for element in atom) == 20
    newest = max(row.published for row in printing.press.gold("courier") if row.kind == "article")
    assert newest.isoformat() in fetch(printing.courier + "/sitemap-news.xml").text


def test_validators_give_304(printing: Serving) -> None:
    """An entity tag or a date that still holds is answered by 304 without a body."""
    url = gold_of(printing, "gaceta", "article").url
    first = fetch(url)
    assert fetch(url, If_None_Match=first.headers["ETag"]).status == 304
    assert fetch(url, If_Modified_Since=first.headers["Last-Modified"]).status == 304
    assert fetch(url, If_None_Match='"other"').status == 200
    assert fetch(url, If_Modified_Since="Mon, 01 Jan 2024 00:00:00 GMT").status == 200


def test_gzip_and_head(printing: Serving) -> None:
    """Gzip is sent when accepted and unpacks to the same bytes; HEAD sends headers alone."""
    url = gold_of(printing, "courier", "article").url
    whole, packed, head = fetch(url), fetch(url, Accept_Encoding="gzip"), fetch(url, "HEAD")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == whole.body
    assert (head.body, head.headers["Content-Length"]) == (b"", str(len(whole.body)))


def test_connections_are_kept_alive(printing: Serving) -> None:
    """Several requests go over one connection, and `Connection: close` ends it."""
    row = gold_of(printing, "gaceta", "article")
    connection = http.client.HTTPConnection(urlsplit(row.url).netloc, timeout=SECONDS_TO_ANSWER)
    connection.connect()
    sock = connection.sock
    for headers in ({}, {}, {"Connection": "close"}):
        connection.request("GET", urlsplit(row.url).path, headers=headers)
        assert len(connection.getresponse().read()) > 5000
        assert connection.sock in (sock, None)
    assert connection.sock is None


def test_padding_brings_pages_to_weight() -> None:
    """With a padding every article weighs about that much and still has its text."""
    press = Press(articles=6, hazards=False, padding=110_000)
    for row in press.gold("gaceta"):
        page = press.reply("gaceta", urlsplit(row.url).path).body
        assert 110_000 <= len(page) <= 116_000
        assert missing_paragraphs(row, page.decode()) == []


@pytest.mark.parametrize("newspaper", ["gaceta", "courier"])
@pytest.mark.parametrize(
    ("kind", "charset"),
    [
        ("charset-cp1252-as-utf8", "cp1252"),
        ("charset-latin1-meta", "iso-8859-1"),
        ("charset-utf16-bom", "utf-16"),
        ("broken-html", "utf-8"),
        ("slow", "utf-8"),
        ("agency", "utf-8"),
        ("update", "utf-8"),
        ("amp", "utf-8"),
        ("print", "utf-8"),
        ("paywall", "utf-8"),
    ],
)
def test_odd_pages_hold_their_text(printing: Serving, newspaper: str, kind: str, charset: str) -> None:
    """Odd encodings, broken markup, copies and stubs carry their gold text, whatever they declare."""
    row = gold_of(printing, newspaper, kind)
    assert missing_paragraphs(row, fetch(row.url).body.decode(charset)) == []


def test_lying_charset_is_no_utf8(printing: Serving) -> None:
    """The page that calls itself UTF-8 cannot be read as such."""
    answer = fetch(gold_of(printing, "gaceta", "charset-cp1252-as-utf8").url)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    with pytest.raises(UnicodeDecodeError):
        answer.body.decode()


@pytest.mark.parametrize(
    ("kind", "status", "location"),
    [
        ("moved-301", 301, "http://127.0.0.1"),
        ("moved-302", 302, "http://127.0.0.1"),
        ("redirect-private", 302, "http://127.0.0.1:1/"),
        ("redirect-file", 302, "file:///etc/passwd"),
        ("redirect-abroad", 301, "http://otro-diario.example/"),
        ("error-404", 404, ""),
        ("error-410", 410, ""),
        ("error-500", 500, ""),
        ("empty", 200, ""),
        ("pdf", 200, ""),
        ("nested", 200, ""),
        ("soft-404", 200, ""),
        ("cookie-wall", 200, ""),
        ("live", 200, ""),
        ("gallery", 200, ""),
        ("video", 200, ""),
    ],
)
def test_answers_of_hazards(printing: Serving, kind: str, status: int, location: str) -> None:
    """Each hazard answers with its status, time after time, and leads where it should."""
    url = gold_of(printing, "courier", kind).url
    for _ in range(2):
        answer = fetch(url)
        assert answer.status == status
        assert answer.headers.get("Location", "").startswith(location)


def test_redirect_loop(printing: Serving) -> None:
    """Two addresses send the client to and fro."""
    start = urlsplit(gold_of(printing, "gaceta", "redirect-loop").url).path
    there = fetch(printing.gaceta + start).headers["Location"]
    assert there != start
    assert fetch(printing.gaceta + there).headers["Location"] == start


@pytest.mark.parametrize(("kind", "status"), [("retry-503", 503), ("retry-429", 429)])
def test_second_ask_succeeds(printing: Serving, kind: str, status: int) -> None:
    """The first answer asks for patience, the second has the text."""
    row = gold_of(printing, "gaceta", kind)
    first, second = fetch(row.url), fetch(row.url)
    assert (first.status, first.headers["Retry-After"], second.status) == (status, "1", 200)
    assert missing_paragraphs(row, second.text) == []


@pytest.mark.parametrize("kind", ["truncated", "reset", "drip"])
def test_broken_transfers(printing: Serving, kind: str) -> None:
    """These answers never arrive whole."""
    with pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
        fetch(gold_of(printing, "gaceta", kind).url)


def test_large_pages(printing: Serving) -> None:
    """The large pages are as large as told; the one in chunks does not say so."""
    whole = fetch(gold_of(printing, "gaceta", "big").url)
    chunked = fetch(gold_of(printing, "gaceta", "big-chunked").url)
    assert whole.headers["Content-Length"] == "2000000"
    assert chunked.headers["Content-Length"] is None
    assert len(whole.body) == len(chunked.body) == 2_000_000


def test_gzip_bomb_unpacks(printing: Serving) -> None:
    """The bomb is small, announces gzip to all, and is sound gzip of the size told."""
    answer = fetch(gold_of(printing, "gaceta", "gzip-bomb").url)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert len(answer.body) < 200_000
    assert int.from_bytes(answer.body[-4:], "little") > 100_000_000
    assert gzip.decompress(gzip_bomb(3)) == b" " * 3 * MEBIBYTE


def test_copies_name_the_article(printing: Serving) -> None:
    """AMP and print copies have the same text and a canonical link; the article's section links to them."""
    for kind in ("amp", "print"):
        row = gold_of(printing, "courier", kind)
        assert row.expected == "duplicate"
        assert f'<link rel="canonical" href="{row.same_as}">' in fetch(row.url).text


def test_agency_stories_are_in_both(printing: Serving) -> None:
    """Every agency story has one original, and a twin in the other newspaper under another headline."""
    rows = {row.url: row for row in printing.press.gold() if row.kind == "agency"}
    twins = [row for row in rows.values() if row.same_as]
    assert len(twins) * 2 == len(rows)
    for twin in twins:
        original = rows[twin.same_as or ""]
        assert twin.body == original.body
        assert twin.title != original.title
        assert twin.newspaper != original.newspaper


def test_private_pages_are_forbidden(printing: Serving) -> None:
    """The private page is linked from its front but closed to robots."""
    row = gold_of(printing, "gaceta", "private")
    assert "Disallow: /privado/" in fetch(printing.gaceta + "/robots.txt").text
    assert urlsplit(row.url).path.startswith("/privado/")
    assert row.url in _walk(printing.gaceta, ["/politica/"])


def test_next_edition_adds_and_corrects() -> None:
    """The second edition has a day more, corrects one article in ten and leaves the others' bytes alone."""
    with serve(Press(articles=30)) as serving:
        before = {row.url: row for row in serving.press.gold("gaceta")}
        bytes_before = {url: fetch(url).body for url, row in before.items() if row.kind == "article"}
        assert fetch(serving.gaceta + "/_press/edition", "POST", "n=2").status == 200
        after = {row.url: row for row in serving.press.gold("gaceta")}
        corrected = {url for url in bytes_before if after[url].revision == 2}
        assert len(set(after) - set(before) - {row.url for row in after.values() if row.same_as}) == 6
        assert len(corrected) == 3
        assert {url for url in bytes_before if fetch(url).body != bytes_before[url]} == corrected


def test_correcting_one_story() -> None:
    """A corrected story has new text and a later date at the same address, and no longer answers 304."""
    with serve(Press(articles=5, hazards=False)) as serving:
        row = serving.press.gold("courier")[0]
        tag = fetch(row.url).headers["ETag"]
        serving.press.correct(row.url)
        again = serving.press.gold("courier")[0]
        assert again.body != row.body
        assert again.modified > row.modified
        assert fetch(row.url, If_None_Match=tag).status == 200
        with pytest.raises(KeyError, match="not printed"):
            serving.press.correct(row.url + "x")


def test_visits_are_counted(printing: Serving) -> None:
    """The press remembers path, status, bytes and time of each request, here and over HTTP."""
    url = gold_of(printing, "courier", "article").url
    printing.press.requests.clear()
    body = fetch(url).body
    visit = printing.press.requests[-1]
    assert (visit.newspaper, visit.status, visit.sent_bytes) == ("courier", 200, len(body))
    log = json.loads(fetch(printing.gaceta + "/_press/log").body)
    assert [one["target"] for one in log["requests"]] == [urlsplit(url).path]
    assert log["most_at_once"] == {"gaceta": 0, "courier": 1}


def test_impoliteness_shows() -> None:
    """Requests that overlap are counted as such, newspaper by newspaper."""
    with serve(Press(articles=5, hazards=False, latency=0.1)) as serving:
        netloc = urlsplit(serving.gaceta).netloc
        connections = [http.client.HTTPConnection(netloc, timeout=SECONDS_TO_ANSWER) for _ in range(3)]
        for connection in connections:
            connection.request("GET", "/")
        for connection in connections:
            connection.getresponse().read()
            connection.close()
        assert serving.press.most_at_once("gaceta") == 3
        assert serving.press.most_at_once("courier") == 0


def test_nonsense_is_not_found(printing: Serving) -> None:
    """Unknown addresses and pages past the end are not found."""
    for path in ("/nada", "/politica/?pagina=99", "/politica/?pagina=x", "/politica/2024-03-29/nada.html"):
        assert fetch(printing.gaceta + path).status == 404
    assert fetch(printing.courier + "/politics/page/99/").status == 404


def test_command_prints_addresses_and_gold(tmp_path: Path) -> None:
    """The command tells both addresses in one line, writes the gold and stops when told."""
    gold = tmp_path / "gold.jsonl"
    command = [sys.executable, "-m", "tests.press", "--articles", "5", "--no-hazards", "--gold", str(gold)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        addresses = process.stdout.readline().split()
        rows = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
        assert fetch(rows[0]["url"]).status == 200
        process.terminate()
        process.communicate(timeout=SECONDS_TO_ANSWER)
    assert len(addresses) == 2
    assert {row["url"].split("/", 3)[2] for row in rows} == {urlsplit(url).netloc for url in addresses}
