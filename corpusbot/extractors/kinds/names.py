"""What addresses, templates, titles and labels of pages of each kind are called; words that the model is told of."""

from __future__ import annotations

import re


def _part(words: str) -> re.Pattern[str]:
    """A whole part of a host's name or a path: /forum/ and forum.example, but not /forum-for-the-future/."""
    return re.compile(rf"(?:^|[/.])(?:{words})(?=[/.]|$)")


IN_ADDRESS = {
    "path_dated": re.compile(
        r"/(?:19|20)\d\d[-/]?(?:0?[1-9]|1[0-2]|[a-z]{3})(?:[-/]|\d|$)|[-_/](?:19|20)\d{6}(?!\d)"
    ),
    "path_article": re.compile(
        r"/(?:news|articles?|story|stories|blogs?|posts?|noticias?|nachrichten|artikel|actualite)/"
    ),
    "path_list": re.compile(
        r"/(?:tags?|categor(?:y|ies|ia|ie)|topics?|hub|sections?|seccion|authors?|autor(?:es)?|search|buscar|archives?"
        r"|archivo|collections?|browse|c|cp|etiquetas?|temas?|themen|kategorie|subject|genre|market|rubrique|page)(?:/|$)"
    ),
    "path_forum": _part(
        r"forums?|foros?|boards?|community|discuss(?:ions?)?|questions?|threads?|talk|t|d|topic|showthread\w*"
        r"|viewtopic\w*"
    ),
    "path_manual": _part(r"docs?|documentation|wiki|manuals?|reference|api|tutorials?|readthedocs|man|help|developer"),
    "path_shop": _part(r"products?|shop|store|item|itm|listing|dp|app|buy|prod|productos?|tienda|produkt|produit"),
}
# The classes and ids of BODY and HTML, in lower case.
IN_TEMPLATE = {
    "called_article": re.compile(r"\b(?:single|article|artikel|articulo|noticia|story|post|postid|nota|news|entry)\b"),
    "called_list": re.compile(
        r"\b(?:archive|category|tag|tax|search|home|front|frontpage|section|listing|list|blog|collection|portada|index"
        r"|homepage|taxonomy)\b"
    ),
    "called_forum": re.compile(r"\b(?:forums?|topic|threads?|discussion|questions?)\b"),
    "called_page": re.compile(r"\b(?:page|landing|template|services?)\b"),
}
# What stands before the site's name in a title, and in what follows it: a headline may well speak of boards or prices.
PARTS_OF_TITLE = re.compile(r"\s+[|–—·•-]\s+|\s*[|»]\s*")
IN_HEADLINE = {
    "titled_list": re.compile(
        r"\b(?:home|front page|portada|inicio|latest|últimas noticias|noticias de|news|search results|resultados"
        r"|archive|archivo|tag|category|categoría|best|top|all|shop|browse|jobs)\b",
        re.IGNORECASE,
    ),
}
IN_SITE_NAME = {
    "titled_forum": re.compile(r"\b(?:forums?|threads?|discussions?|community|board|foro|comunidad)\b", re.IGNORECASE),
    "titled_shop": re.compile(
        r"\b(?:buy|shop|store|price|sale|official site|online|free shipping|comprar|tienda|precio)\b", re.IGNORECASE
    ),
    "titled_manual": re.compile(
        r"\b(?:documentation|docs|manual|reference|wiki|tutorial|guide|api|readme)\b", re.IGNORECASE
    ),
    "titled_service": re.compile(
        r"\b(?:services?|solutions?|software|platform|company|agency|consulting|program|certification|course|insurance"
        r"|degree)\b",
        re.IGNORECASE,
    ),
}
PRICE = re.compile(r"[$€£]\s?\d|\d\s?(?:€|EUR\b|USD\b)")
# In short labels, in lower case: single words of forums, and what can be pressed in shops and on services' pages.
REPLY = frozenset(
    (
        "reply", "replies", "quote", "joined", "thread", "upvote", "views", "likes", "member", "answers",
        "respuestas", "responder", "citar", "antworten", "zitieren", "répondre", "citer", "rispondi", "cita",
    )
)  # fmt: skip
BUY = (
    "add to cart", "add to bag", "add to basket", "buy now", "free shipping", "in stock", "sign up", "get started",
    "free trial", "request a", "contact us", "book now", "añadir al carrito", "comprar", "in den warenkorb",
    "ajouter au panier", "aggiungi al carrello",
)  # fmt: skip
TYPES = {
    "ld_news": frozenset(("newsarticle", "reportagenewsarticle", "opinionnewsarticle", "analysisnewsarticle")),
    "ld_page": frozenset(("webpage", "breadcrumblist")),
    "ld_forum": frozenset(("discussionforumposting", "qapage", "question", "socialmediaposting")),
    "ld_shop": frozenset(("product", "productgroup", "offer", "aggregateoffer", "itempage", "softwareapplication")),
    "ld_list": frozenset(("itemlist", "collectionpage", "searchresultspage", "offercatalog")),
    "ld_manual": frozenset(("techarticle", "apireference", "howto")),
}
