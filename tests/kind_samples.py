"""Small pages of every kind in our own words, Spanish and English, and articles that are easily mistaken for others."""

from __future__ import annotations

import json
from collections.abc import Iterable

PLACE = "https://muestra.example"
STORY = (
    "El pleno del Ayuntamiento de Valdelmoro aprobó ayer, tras cuatro horas de debate, la reforma del mercado de "
    "abastos, que costará dos millones de euros y durará al menos año y medio.",
    "Los comerciantes, que llevaban meses pidiendo un calendario, seguirán mientras tanto en una carpa levantada en la "
    "plaza de la Estación, donde tendrán agua y luz por cuenta del municipio.",
    "«No queremos que nadie cierre», dijo la alcaldesa, que prometió una rebaja de las tasas; la oposición, en cambio, "
    "cree que las obras acabarán más tarde y costarán más de lo previsto.",
)
TALE = (
    "The harbour board voted last night to dredge the old basin, a project that fishermen have asked for since the "
    "storm of three winters ago left half of the quay out of reach at low tide.",
    "Work is to begin in March and will close the northern entrance for eleven weeks, during which the ferry will "
    "leave from the pier at Saltcombe, the board's chairwoman told a meeting in the town hall.",
    "Not everybody is pleased: the owner of the boatyard said that nobody had asked him, and that a summer without "
    "visitors would cost more than the dredger ever could.",
)


def page(
    title: str,
    main: str,
    *,
    url: str = "/politica/2024-05-09/una-noticia.html",
    language: str = "es",
    ld: object = None,
    metas: Iterable[tuple[str, str]] = (),
    around: str = "",
) -> tuple[str, str]:
    """The address and HTML of a page in the frame of a newspaper."""
    head = "".join(f'<meta property="{name}" content="{value}">' for name, value in metas)
    if ld is not None:
        head += f'<script type="application/ld+json">{json.dumps(ld)}</script>'
    menu = "".join(
        f'<li><a href="/{name.lower()}/">{name}</a></li>' for name in ("Local", "Sport", "Opinion", "Madrid")
    )
    html = (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>{head}</head><body>'
        f"<header><a href='/'>La Muestra</a><nav><ul>{menu}</ul></nav></header><main>{main}</main>{around}"
        f"<footer><p>© La Muestra 2024</p><a href='/legal'>Aviso legal</a></footer></body></html>"
    )
    return PLACE + url, html


def text(*paragraphs: str) -> str:
    """Paragraphs."""
    return "".join(f"<p>{one}</p>" for one in paragraphs)


def article(title: str, main: str, **more: object) -> tuple[str, str]:
    """An article that says that it is one."""
    ld = {"@type": "NewsArticle", "headline": title, "datePublished": "2024-05-09T10:00:00Z"} | more.pop(
        "ld", {}
    )  # type: ignore[call-overload]
    metas = (("og:type", "article"), ("article:published_time", "2024-05-09T10:00:00Z"))
    return page(title, f"<article><h1>{title}</h1>{main}</article>", ld=ld, metas=metas, **more)  # type: ignore[arg-type]


def teasers(*titles: str) -> str:
    """What a front page has of articles: a linked title and a line."""
    return "".join(
        f'<article><h2><a href="/n/{number}.html">{title}</a></h2><p>{title[:40]}, por la redacción</p></article>'
        for number, title in enumerate(titles)
    )


TITLES = tuple(
    f"{who} {what} {where} tras {when}"
    for who, what in (
        ("La alcaldesa", "anuncia obras"),
        ("El sindicato", "convoca una huelga"),
        ("La fiscalía", "archiva el caso"),
    )
    for where in ("en el puerto", "en la comarca")
    for when in ("una semana de protestas", "el fallo del tribunal", "las lluvias de abril")
)
HEADLINES = tuple(
    f"{who} {what} after {when}"
    for who, what in (
        ("Council", "halts plans for a bypass"),
        ("Union", "calls a strike at the mill"),
        ("Police", "look for a driver"),
    )
    for when in (
        "a week of protest",
        "the ruling of the court",
        "the floods of April",
        "a night of storms",
        "a long meeting",
    )
)
FIGURES = "".join(
    f'<figure><img src="/f/{number}.jpg"><figcaption>Vecinos en la calle {number}, ayer.</figcaption></figure>'
    for number in range(9)
)
PHOTOGRAPHS = "".join(
    f'<figure><img src="/f/{number}.jpg"><figcaption>Boat number {number} on its way home.</figcaption></figure>'
    for number in range(9)
)


def updates(times: Iterable[str], words: str) -> str:
    """Entries under times of day."""
    return "".join(
        f"<section><time>{time}</time><p>{words} A las {time}, todo sigue igual.</p></section>"
        for time in times
    )


HOURS = ("20:05", "19:40", "19:12", "18:30", "17:55", "17:02", "16:20")
SEARCHING = "Los equipos de rescate siguen buscando en la ladera norte, y el viento ha amainado por primera vez."
COUNTING = "Counting goes on in the sports hall, and no party is yet willing to say what it will do tomorrow."

KINDS: dict[str, tuple[str, tuple[str, str]]] = {
    "an article": ("article", article("El pleno aprueba la reforma del mercado", text(*STORY * 2))),
    "an article in English": (
        "article",
        article("Board votes to dredge the basin", text(*TALE * 2), language="en"),
    ),
    "a home page": ("collection", page("La Muestra, diario de Valdelmoro", teasers(*TITLES), url="/")),
    "a home page in English": (
        "collection",
        page("The Sample | News from the coast", teasers(*HEADLINES), url="/", language="en"),
    ),
    "a section": (
        "collection",
        page(
            "Deportes: últimas noticias | La Muestra",
            f"<h1>Deportes</h1>{teasers(*TITLES)}",
            url="/deportes/",
        ),
    ),
    "a tag page": (
        "collection",
        page(
            "Harbour | The Sample",
            f"<h1>Harbour</h1>{teasers(*HEADLINES)}",
            url="/tag/harbour/",
            language="en",
        ),
    ),
    "a live blog that says so": (
        "live_blog",
        page(
            "Rescate en la sierra",
            f"<h1>Rescate</h1>{updates(HOURS, SEARCHING)}",
            ld={"@type": "LiveBlogPosting"},
        ),
    ),
    "a live blog by its form": (
        "live_blog",
        page(
            "Rescate en la sierra, minuto a minuto",
            f"<h1>En directo: rescate</h1>{updates(HOURS, SEARCHING)}",
        ),
    ),
    "a live blog in English": (
        "live_blog",
        page(
            "Election night live: the count goes on",
            updates(("10.41pm", "9.58pm", "9.15pm", "8.02pm"), COUNTING),
            url="/politics/live/count",
            language="en",
        ),
    ),
    "a gallery that says so": (
        "gallery",
        page(
            "Fiestas de mayo", f"<h1>Fiestas</h1>{FIGURES}", ld={"@type": "ImageGallery", "name": "Fiestas"}
        ),
    ),
    "a gallery by its form": (
        "gallery",
        page("Galería: las fiestas de mayo", f"<h1>Las fiestas</h1>{FIGURES}"),
    ),
    "a gallery in English": (
        "gallery",
        page(
            "The regatta in pictures",
            f"<h1>The regatta</h1>{PHOTOGRAPHS}",
            url="/gallery/regatta",
            language="en",
        ),
    ),
    "a film that says so": (
        "video",
        page(
            "Así se hundió el puente",
            "<h1>Así se hundió el puente</h1><p>Imágenes de un vecino.</p>",
            metas=(("og:type", "video.other"),),
            url="/videos/puente",
        ),
    ),
    "a film by JSON-LD": (
        "video",
        page(
            "How the bridge fell",
            "<h1>How the bridge fell</h1><p>Filmed from the tower by a neighbour.</p>",
            ld={"@type": "VideoObject", "name": "Bridge"},
            language="en",
        ),
    ),
    "a film by its player": (
        "video",
        page(
            "Vídeo: el puente",
            '<h1>El puente</h1><video src="/p.mp4"></video><p>Imágenes de un vecino.</p>',
            url="/videos/2024/el-puente.html",
        ),
    ),
    "a stub that is cut off": (
        "stub",
        article(
            "El pleno aprueba la reforma",
            text(STORY[0], STORY[1][:60] + "…") + "<div><p>Suscríbete para seguir leyendo</p></div>",
            ld={"isAccessibleForFree": False},
        ),
    ),
    "a stub that is said to be longer": (
        "stub",
        article(
            "Board votes to dredge",
            text(TALE[0]),
            ld={"isAccessibleForFree": "False", "wordCount": 900},
            language="en",
        ),
    ),
    "a stub that asks to subscribe": (
        "stub",
        page(
            "Board votes to dredge",
            f"<h1>Board votes to dredge</h1>{text(TALE[0][:120] + '...')}"
            "<p>To continue reading, subscribe for one pound a week.</p>",
            language="en",
        ),
    ),
    "a stub in German": (
        "stub",
        page(
            "Hafen wird ausgebaggert",
            "<h1>Hafen wird ausgebaggert</h1><p>Der Vorstand des Hafens hat gestern Abend "
            "beschlossen, das alte Becken…</p><p>Jetzt mit dem Abo weiterlesen</p>",
            language="de",
        ),
    ),
    "an error": (
        "error",
        page(
            "Página no encontrada | La Muestra", "<h1>Lo sentimos</h1><p>La página que buscas no existe.</p>"
        ),
    ),
    "an error in English": (
        "error",
        page("404 - Page not found", "<h1>Oops!</h1><p>Try the search.</p>", language="en"),
    ),
    "an error that tells nothing in its title": (
        "error",
        page("La Muestra", "<h2>Error 404</h2><p>Esa noticia ya no está.</p>" + teasers(*TITLES[:3])),
    ),
    "a maintenance page": (
        "error",
        page("The Sample", "<h1>Service unavailable</h1><p>Back soon.</p>", language="en"),
    ),
    "a wall of consent": (
        "wall",
        page(
            "Tu privacidad es importante para nosotros",
            "<h1>Tu privacidad es importante</h1><p>Nosotros y nuestros 812 "
            "socios usamos cookies y tratamos datos personales, como la dirección IP, para mostrar "
            "publicidad y contenido "
            "personalizados y medir la publicidad. Puedes aceptar o rechazar las cookies, o cambiar tu consentimiento "
            "cuando quieras en la política de privacidad.</p><button>Aceptar y continuar</button>"
            "<button>Rechazar</button>",
        ),
    ),
    "a wall of consent in German": (
        "wall",
        page(
            "Ihre Privatsphäre ist uns wichtig",
            "<h1>Weiter mit Werbung</h1><p>Wir und unsere Partner verarbeiten "
            "personenbezogene Daten und setzen Cookies, um Werbung und Anzeigen zu messen. Sie können der Verarbeitung "
            "Ihrer Daten zustimmen oder die Zustimmung ablehnen; mehr dazu steht im Datenschutz.</p>"
            "<button>Alle akzeptieren</button>",
            language="de",
        ),
    ),
    "a check for robots": (
        "wall",
        (
            "https://muestra.example/una-noticia.html",
            "<html><head><title>Just a moment...</title></head><body>"
            "<h1>muestra.example"
            "</h1><p>Verify you are human by completing the action below.</p></body></html>",
        ),
    ),
    "a demand for scripts": (
        "wall",
        (
            "https://muestra.example/una-noticia.html",
            "<html><head><title>La Muestra</title></head><body>"
            "<div>Necesitas activar "
            "JavaScript para ver esta página.</div><div id=root></div></body></html>",
        ),
    ),
    "a product": (
        "other",
        page(
            "Buy Oak Bench online | Sample Shop",
            "<h1>Oak bench</h1><p>$149.00</p>"
            "<button>Add to cart</button><p>Free shipping</p>"
            "<ul><li>In stock</li><li>Oak</li></ul><h2>Reviews</h2><p>Solid. I like it.</p>",
            url="/products/oak-bench",
            metas=(("og:type", "product"),),
            ld={"@type": "Product", "name": "Oak bench"},
        ),
    ),
    "a thread of a forum": (
        "other",
        page(
            "Which rope for a dinghy? | Sailing forum",
            "<h1>Which rope?</h1>"
            + "".join(
                f"<div class=post><a href=/u/{n}>sailor{n}</a><span>Joined 2019</span><span>Posts: {n}</span>"
                f"<p>I would take the thin "
                f"one, number {n}, any day.</p><a href=#r>Reply</a> <a href=#q>Quote</a></div>"
                for n in range(12)
            ),
            url="/forum/threads/which-rope.123/",
            ld={"@type": "DiscussionForumPosting"},
            language="en",
        ),
    ),
}

# Articles, whatever they look like.
ARTICLES: dict[str, tuple[str, str]] = {
    "about cookies": article(
        "Qué cambia con la nueva ley de cookies",
        text(
            "Desde hoy, las webs tendrán que pedir consentimiento para usar cookies con un botón de "
            "rechazar tan visible "
            "como el de aceptar, según la norma publicada ayer.",
            *STORY,
        ),
    ),
    "about cookies, without a head": page(
        "Aceptar las cookies será más fácil de evitar",
        "<h1>Aceptar las cookies será más fácil de evitar</h1>"
        + text(
            "La autoridad de protección de datos obligará a las webs a mostrar un botón para "
            "rechazar las cookies con el "
            "mismo tamaño que el de aceptarlas, y multará a quien no pida consentimiento a sus lectores.",
            *STORY,
        ),
    ),
    "about a 404 error": article(
        "Error 404: la web del ayuntamiento lleva tres días caída",
        text("Quien busca la agenda municipal encuentra desde el lunes una página no encontrada.", *STORY),
    ),
    "about an error, brief and without a head": page(
        "Error 404: la web de la diputación cae en plena campaña",
        "<h1>Error 404: la web de la diputación cae en plena campaña</h1>"
        + text(
            "La web de la Diputación dejó de funcionar ayer en pleno plazo de solicitudes. Los técnicos "
            "creen que el fallo "
            "se debe a un exceso de visitas y esperan que esta mañana vuelva a abrir, dijo su portavoz a este diario."
        ),
    ),
    "with a gallery inside": article(
        "El pleno aprueba la reforma: las fotos", text(*STORY * 2) + FIGURES, ld={"image": ["a.jpg"]}
    ),
    "with a film inside": article(
        "Vídeo: así fue el pleno del mercado",
        text(STORY[0]) + '<iframe src="https://www.youtube.com/embed/abc"></iframe>' + text(*STORY[1:]),
    ),
    "a brief with a film": page(
        "Board votes to dredge the basin",
        f'<h1>Board votes</h1><video src="/b.mp4"></video>{text(*TALE[:2])}',
        language="en",
        ld=[
            {"@type": "NewsArticle", "headline": "Board votes", "datePublished": "2024-05-09"},
            {"@type": "VideoObject"},
        ],
    ),
    "a brief of forty words": article("El mercado reabre el lunes", text(STORY[0])),
    "a brief of forty words without a head": page(
        "El mercado reabre el lunes", f"<h1>El mercado reabre el lunes</h1>{text(STORY[0])}"
    ),
    "a brief of forty words in English without a head": page(
        "Board votes to dredge the basin",
        f"<h1>Board votes to dredge the basin</h1>{text(TALE[0])}",
        language="en",
    ),
    "with a long list of related links": article(
        "El pleno aprueba la reforma",
        text(*STORY),
        around="<aside><h3>Más noticias</h3><ul>"
        + "".join(f'<li><a href="/n/{n}">{t}</a></li>' for n, t in enumerate(TITLES * 2))
        + "</ul></aside>",
    ),
    "an interview with times in it": page(
        "«A las siete ya estoy en el puerto»",
        "<h1>«A las siete ya estoy en el puerto»</h1>"
        + text(
            "¿Cómo es un día suyo?",
            "07:00 suena el despertador y desayuno deprisa, porque la lonja abre antes de que salga el sol.",
            "08:30 empieza la subasta, que dura lo que dura el pescado, y luego hay que limpiar las cajas una por una.",
            "12:15 vuelvo a casa andando, como con mi madre y duermo un rato, que buena falta me hace a esas horas.",
            "18:00 salimos otra vez, si el viento deja, y no volvemos hasta que la bodega está llena o es de noche.",
            *STORY[:1],
        ),
    ),
    "for subscribers, with all its text": article(
        "El pleno aprueba la reforma",
        text(*STORY * 2) + "<p>Contenido exclusivo para suscriptores</p>",
        ld={"isAccessibleForFree": False},
    ),
    "short and for subscribers, with all its text": article(
        "Board votes to dredge the basin", text(*TALE[:2]), ld={"isAccessibleForFree": False}, language="en"
    ),
    "on a page that knows no more than its text": (
        "https://muestra.example/politica/una-noticia.html",
        f"<h1>Board votes</h1>{text(*TALE)}",
    ),
    "whose address is not known": (
        "",
        page("El pleno aprueba la reforma", f"<h1>El pleno</h1>{text(*STORY)}")[1],
    ),
    "about a home": article(
        "At home with the harbour's oldest pilot", text(*TALE), url="/home/pilot.html", language="en"
    ),
    "about live music": article("Live music returns to the quay", text(*TALE), language="en"),
}
