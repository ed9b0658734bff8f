"""Page kinds: every kind is known by its signs, and what only looks like one stays an article."""

from importlib.resources import files
from time import process_time

import pytest

from corpusbot.dom.cleanup import clean_page
from corpusbot.extractors import gist
from corpusbot.extractors.kinds import kind_of
from corpusbot.extractors.kinds.judgement import FILE, LEARNT, judged, shipped_judge
from corpusbot.extractors.kinds.measures import measures_of
from corpusbot.extractors.kinds.signs import Signs, signs_of
from corpusbot.model import KINDS as NAMES
from corpusbot.model import Block, CleanPage, Kind
from tests.kind_samples import ARTICLES, KINDS, PLACE, STORY, TITLES, article, page, teasers, text
from tests.pages import page_of, plain_site
from tests.press.press import Press


def clean_of(url: str, html: str) -> CleanPage:
    """The page, cleaned."""
    clean = clean_page(page_of(html, url=url), plain_site())
    assert isinstance(clean, CleanPage)
    return clean


def kind_of_page(url: str, html: str, by_rule: bool = False) -> Kind:
    """The kind of a page whose body gist has found."""
    clean = clean_of(url, html)
    found = gist.extract(clean, plain_site())
    return kind_of(clean, found.body if found else (), by_rule=by_rule)


def signs_at(url: str, html: str = "<p>Nada</p>") -> Signs:
    """The signs of a page at an address."""
    return signs_of(clean_of(url, html), ())


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_is_known(name):
    """A page of each kind is taken for what it is, surely enough for the filter, and it is said why."""
    expected, (url, html) = KINDS[name]
    kind = kind_of_page(url, html)
    assert (kind.name, kind.confidence >= 0.5, bool(kind.reason)) == (expected, True, True), kind.reason


def test_there_are_samples_of_every_kind():
    """At least two pages of each kind are tried."""
    samples = [expected for expected, _ in KINDS.values()]
    assert {name for name in NAMES if samples.count(name) < 2} == set()


@pytest.mark.parametrize("name", ARTICLES)
def test_articles_that_look_like_something_else_stay_articles(name):
    """An article is not lost for what it is about, what stands in it and around it, or how short it is."""
    kind = kind_of_page(*ARTICLES[name])
    assert kind.name == "article", f"{kind.confidence} {kind.reason}"


@pytest.mark.parametrize(
    "said",
    [
        "Page not found", "404", "Error 404", "404 Not Found", "We can't find that page", "This page doesn't exist",
        "Internal Server Error", "503 Service Unavailable", "Página no encontrada", "No hemos encontrado esta página",
        "La página solicitada no existe", "Seite nicht gefunden", "Diese Seite existiert nicht mehr", "Fehler 404",
        "Page introuvable", "Cette page n’existe plus", "Erreur 404", "Pagina non trovata", "Errore 404",
        "Página não encontrada", "Erro 404", "Pagina niet gevonden", "Pàgina no trobada", "Nie znaleziono strony",
        "Strona nie została znaleziona",
        "Страница не найдена", "Sidan kunde inte hittas", "Sayfa bulunamadı",
    ],
)  # fmt: skip
def test_errors_in_many_languages(said):
    """An error page says so in its title, in whatever language of the press, and has little else to say."""
    assert kind_of_page(*page(f"{said} | La Muestra", f"<h1>{said}</h1><p>:-(</p>")).name == "error"


@pytest.mark.parametrize(
    "said", ["404 razones para leer", "Ventas: +500%", "El error de 1936", "Cosas que no existen"]
)
def test_a_title_that_holds_such_words_is_no_error(said):
    """A number, or half of a phrase, makes no error page even of a short text."""
    assert kind_of_page(*page(said, f"<h1>{said}</h1>{text(STORY[0])}")).name == "article"


@pytest.mark.parametrize(
    "said",
    [
        "Are you a robot?", "Checking your browser before accessing muestra.example", "Access denied",
        "Please enable JavaScript and cookies to continue", "You need to enable JavaScript to run this app.",
        "Comprobando tu navegador", "Verifica que eres humano", "Activa JavaScript para continuar",
        "Bitte aktivieren Sie JavaScript", "Sind Sie ein Roboter?", "Veuillez activer JavaScript",
        "Êtes-vous un robot ?", "Accesso negato", "Abilita JavaScript", "Acesso negado", "Ative o JavaScript",
        "Schakel JavaScript in", "Accept cookies to continue", "Acepta las cookies para continuar",
        "Accepter les cookies", "Voordat je verdergaat",
    ],
)  # fmt: skip
def test_walls_in_many_languages(said):
    """A wall asks for something before it shows anything."""
    assert kind_of_page(*page("La Muestra", f"<h1>{said}</h1>")).name == "wall"


@pytest.mark.parametrize(
    "demand",
    [
        "Subscribe to continue reading", "This article is for subscribers only", "Para seguir leyendo, hazte socio",
        "Contenido exclusivo para suscriptores", "¿Ya eres suscriptor?", "Jetzt weiterlesen", "Nur für Abonnenten",
        "Cet article est réservé aux abonnés", "Il vous reste 80% de cet article à lire", "Sei già abbonato?",
        "Exclusivo para assinantes", "Alleen voor abonnees",
    ],
)  # fmt: skip
def test_pay_walls_in_many_languages(demand):
    """A beginning that is not free, and a demand to pay for the rest, make a stub."""
    stub = article(
        "El pleno aprueba la reforma", text(STORY[0]) + f"<div>{demand}</div>", ld={"isAccessibleForFree": False}
    )
    assert kind_of_page(*stub).name == "stub"


def test_a_demand_that_a_template_hides_makes_no_stub():
    """Many sites have the demand in every page: it must stand in the place of the rest, or something else agree."""
    hidden = "<ul>" + "".join(f"<li>Enlace {number}</li>" for number in range(9)) + "</ul>"
    brief = article(
        "El mercado reabre", text(*STORY[:2]), around=f"{hidden}<div>Suscríbete para seguir leyendo</div>"
    )
    assert kind_of_page(*brief).name == "article"


def test_a_front_page_with_the_hours_of_its_articles_is_no_live_blog():
    """A time of day beside a headline tells when that article was printed."""
    times = (f"{23 - number}:05" for number in range(20))
    entries = "".join(
        f"<div><span>{time}</span>{teasers(title)}</div>" for time, title in zip(times, TITLES, strict=False)
    )
    assert kind_of_page(*page("En directo: lo último", entries, url="/directo/")).name == "collection"


def test_text_by_a_sites_own_rules_is_strong_evidence():
    """What the model holds for something else is an article where a site's rules have found its text."""
    shop = (
        "https://muestra.example/shop/guide.html",
        f"<title>Buy | Shop</title><h1>Guide</h1>{text(*STORY)}<b>$5</b><b>$7</b>",
    )
    signs = signs_of(clean_of(*shop), tuple(Block(one) for one in STORY))
    plain, ruled = judged(signs), kind_of(signs.clean, signs.body, by_rule=True)
    assert ruled.name == "article"
    assert ruled.confidence > (plain.confidence if plain.name == "article" else 0.5)
    assert "rules" in ruled.reason


def test_rules_and_the_page_agree():
    """Where the rules' text is long and the page says that it is an article, there is nothing left to ask."""
    url, html = article("El pleno aprueba la reforma", text(*STORY * 2))
    kind = kind_of(clean_of(url, html), tuple(Block(one) for one in STORY * 2), by_rule=True)
    assert kind == Kind("article", 0.99, "the site's own rules found its text, 6 paragraphs")


def test_rules_do_not_make_an_article_of_a_live_blog():
    """A live blog that says so is one, whoever found its text."""
    _, (url, html) = KINDS["a live blog that says so"]
    assert kind_of_page(url, html, by_rule=True).name == "live_blog"


@pytest.mark.parametrize(
    "path", ["", "/", "/es", "/es/", "/en-gb/", "/index.html", "/portada", "/?utm_source=x&gclid=1", "/index.php"]
)
def test_addresses_of_home_pages(path):
    """A home page may be that of a language, and tracked."""
    assert signs_at(PLACE + path).is_home


@pytest.mark.parametrize(
    "url", ["", PLACE + "/?p=123", PLACE + "/politica/", PLACE + "/una-noticia.html", "http://[x", "nada"]
)
def test_addresses_of_other_pages(url):
    """An address that is not known, or asks for something, is no home page's."""
    assert not signs_at(url).is_home


def test_a_page_without_any_text():
    """Nothing but a frame is no article, and it is said why."""
    kind = kind_of(clean_of(PLACE + "/a.html", "<html><body><div></div></body></html>"), ())
    assert (kind.name, kind.reason.split(",")[0]) == ("other", "hardly any text")


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "a" * 1_000_000, "<h1>" * 900 + "Hola", "<button>" * 900 + "Hola", "<a href=x>x</a>" * 20_000,
        "<img>" * 20_000, "<title>" + "404 " * 50_000 + "</title><p>x", '<meta property="og:type"><title></title><p>x',
        "<h1>\x01</h1><title>|</title><p>\u202e\u200b.</p>", "<p>12:30</p>" * 20_000,
    ],
)  # fmt: skip
def test_odd_pages_have_a_kind_in_bounded_time(html):
    """Whatever a page is made of, it has a kind, a confidence and a reason, and soon."""
    clean = clean_of(PLACE + "/a.html", html)
    start = process_time()
    kind = kind_of(clean, (Block("Hola"),))
    assert process_time() - start < 2
    assert kind.name in NAMES
    assert 0 < kind.confidence <= 1
    assert kind.reason


@pytest.mark.parametrize(
    "ld",
    [
        {"@type": "NewsArticle", "wordCount": 10**400}, {"@type": "NewsArticle", "wordCount": {"a": 1}},
        {"@type": ["LiveBlogPosting", None]}, {"@type": 7}, {"@type": "Article", "hasPart": [None, 3, {}]},
        {"@type": "Article", "isAccessibleForFree": [], "articleBody": 5},
    ],
)  # fmt: skip
def test_odd_json_is_put_up_with(ld):
    """What newspapers get wrong in JSON-LD raises nothing."""
    assert kind_of_page(*page("El pleno", f"<h1>El pleno</h1>{text(STORY[0])}", ld=ld)).name in NAMES


def test_the_sample_newspapers():
    """Every sound article of both newspapers is one, surely; their fronts and archives are collections."""
    press = Press()
    for paper, base in press.bases.items():
        edition = press.newspaper_edition(paper)
        kinds = [
            kind_of_page(base + path, str(press.reply(paper, path).body, "utf-8")) for path in press.paths(paper)
        ]
        assert {kind.name for kind in kinds} == {"article"}
        assert min(kind.confidence for kind in kinds) > 0.8
        fronts = [edition.paper.front_path(front) for front, items in edition.fronts.items() if len(items) > 5]
        kinds = [kind_of_page(base + path, str(press.reply(paper, path).body, "utf-8")) for path in fronts]
        assert {kind.name for kind in kinds} == {"collection"}


def test_the_model_is_small_and_knows_its_measures():
    """The model ships as data, a few kilobytes of it; each of its measures is taken, each range has its points."""
    assert len(files("corpusbot.extractors.kinds").joinpath(FILE).read_bytes()) < 50_000
    judge = shipped_judge()
    taken = measures_of(signs_at(PLACE + "/a.html"))
    assert set(judge.borders) <= set(taken)
    for name, borders in judge.borders.items():
        assert list(borders) == sorted(borders)
        assert [len(points) for points in judge.points[name]] == [len(LEARNT)] * (len(borders) + 1)
