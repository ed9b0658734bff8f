"""The words of bylines: what stands before names, between them, after them, and what is no name at all."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Before a name. `de`, `di`, `da`, `av` and `af` begin names and sentences too: they count at the start of a byline.
_BEGINNINGS = (
    # English
    r"(?:written|posted|reported|story|text|words|article|analysis|opinion|review|updated|published|edited) by", "by",
    "authors?(?=:)", "posted by", "from",
    # Spanish, Catalan, Galician, Basque, Portuguese
    "(?:escrito|redactado|texto|publicado|una? (?:entrevista|cr[oó]nica|reportaje|an[aá]lisis)) por", "por",
    "textos?(?: de)?(?=:)", "autor(?:a|es|as|/a)?(?=:)", "firma(?=:)", "per", "texte? (?:de|per)", "redaccións?(?=:)",
    "egilea(?=:)", "idazlea(?=:)", "escrito por", "reportagem de",
    # French, Italian
    "(?:écrit|publié|rédigé|propos recueillis|article|texte|un reportage|une analyse) (?:par|de)", "par",
    "auteure?s?(?=:)", "(?:scritto|articolo|pubblicato|testo|intervista) (?:da|di)", "a cura di", "autor[ei](?=:)",
    # German, Dutch
    "(?:ein[e]? (?:analyse|artikel|bericht|kommentar|gastbeitrag|interview|reportage|kolumne|glosse|beitrag"
    "|gastkommentar|exklusivbericht|essay|porträt)|text|interview|protokoll) von", "von", "autor(?:in|en|:in)?(?=:)",
    "(?:geschreven )?door", "tekst(?=:)", "auteurs?(?=:)",
    # Swedish, Danish, Norwegian, Polish, Romanian, Turkish, Russian, Ukrainian
    "(?:skrevet|tekst|text) (?:av|af)", "text(?=:)", "skribent(?=:)", "autor(?:ka|zy)?(?=:)", "opracował[a]?",
    "(?:scris|publicat) de", "yazan(?=:)", "haber(?=:)", "автор[ы]?(?=:)", "текст(?=:)",
)  # fmt: skip
BEGINNING = re.compile(rf"^(?:{'|'.join(_BEGINNINGS)})(?![\w’'])\s*:?\s*(?=\S)", re.IGNORECASE)
# In an element that holds the authors, these begin a byline as well.
SHORT_BEGINNING = re.compile(r"^(?:di|de|da|av|af|d['’])\s*(?=\S)", re.IGNORECASE)

# Between two names, where each is one of two words or more: Ortega y Gasset is one man.
CONJUNCTION = re.compile(
    r"\s+(?:and|y|e|i|et|und|og|och|ja|oraz|si|și|ve|with|con|mit|avec|&|\+|и|та|і|eta)\s+(?=[^\Wa-zà-ÿ])"
)
SEPARATOR = re.compile(r"\s*[,;/|•·–—\n\t]\s*|\s+-\s+")
# `en` is "and" in Dutch and "in" in Spanish and French.
DUTCH_AND = re.compile(r"(?<=\w) en (?=[^\Wa-z])")
# What stands between two names in tags of their own.
CONNECTION = re.compile(
    r"(?:[,;&+/]|(?<!\w)(?:and|y|e|i|et|und|en|og|och|ja|oraz|si|și|ve|with|con|mit|avec|и|eta))\s*$"
)
LEADING_AND = re.compile(r"^(?:and|y|e|i|et|und|en|og|och|oraz|și|ve|with|&)\s+", re.IGNORECASE)

# A place, or the newspaper that somebody wrote for, after the name.
PLACE_AFTER = re.compile(
    r"\s+(?:[Ii]n|en|à|aus|desde|em|[Ff]rom|für|[Ff]or|para|pour|per|special to)"
    r"(?:\s+(?:(?:[Tt]he|el|la|le|der|die|das|den)\s+)?[^\Wa-zà-ÿ].*)?$"
)
REPORTER_AFTER = re.compile(r"\s*(?:기자|특파원|記者)$")
IN_BRACKETS = re.compile(r"[(\[][^()\[\]]{0,80}[)\]]")
ADDRESS = re.compile(
    r"[\w.+-]{0,60}@\S+|https?:\S+|\bwww\.\S+"
    r"|\b[\w-]{1,40}(?:\.[\w-]{1,40}){0,3}\.(?:com|net|org|info|co\.uk|es|de|fr|it|pt|cat|at|ch|nl|lt)\b",
    re.IGNORECASE,
)
# Photographers, stylists and translators sign as well, but not the text.
OTHER_CREDIT = re.compile(
    r"^\W*(?:photo(?:s|graph(?:y|s|er)?)?|foto(?:s|graf(?:ía|ia|ie|in|o|i)?)?|images?|im[aá]gen(?:es)?|imagens?|bild(?:er)?"
    r"|illustrat\w*|ilustraci\w*|styl(?:ed|ing)|video|graphics?|grafik|infograf\w*|credits?|translat\w*|traduc\w*"
    r"|reviewed|medically|fact[- ]checked|sponsored|getty|istock|shutterstock|reading time|crédit|quelle)\b",
    re.IGNORECASE,
)
AGENCIES = frozenset(
    (
        "afp", "agencia efe", "agi", "anp", "ansa", "ap", "apa", "apn",
        "associated press", "belga", "bloomberg", "canadian press", "colpisa", "dpa", "efe", "ep", "europa press",
        "kna", "keystone-sda", "lusa", "ntb", "pa", "pa media", "pap", "press association", "reuters", "ritzau",
        "sda", "sid", "stt", "the associated press", "the canadian press", "tt", "upi", "xinhua", "acn",
        "agence france-presse", "epd", "adnkronos", "askanews", "belgaimage", "ats", "servimedia", "otr press",
    )
)  # fmt: skip
AGENCY_AFTER = re.compile(
    r"\s+(?:the\s+)?(?:associated press|canadian press|europa press|agencia efe|usa today(?: network)?|pa media"
    r"|press association|bleacher report)$",
    re.IGNORECASE,
)

# What somebody is: the name ends before it.
ROLES = _words(
    """
    ap afp chief senior junior deputy assistant associate contributing freelance special staff national
    international foreign political politics business economics economy technology tech science health sports sport
    entertainment culture showbiz lifestyle education environment investigations investigative legal security editor
    editors editor-in-chief writer writers reporter reporters correspondent correspondents columnist contributor
    contributors journalist journalists author authors producer anchor photographer fellow intern professor updated
    published posted last modified read view see follow more share comments print redactor redactora redactores
    periodista periodistas corresponsal enviado enviada especial director directora subdirector subdirectora jefe
    jefa colaborador colaboradora columnista analista editora corresponsales actualizado actualizada publicado
    publicada seguir leer ver catedrático catedrática profesor profesora redakteur redakteurin redakteure
    korrespondent korrespondentin autor autorin autoren leiter leiterin chefredakteur chefredakteurin
    stellvertretender stellvertretende ressortleiter ressortleiterin chefreporter reporterin volontär volontärin
    journalistin aktualisiert veröffentlicht stand uhr freier freie journaliste journalistes correspondant
    correspondante envoyé envoyée rédacteur rédactrice chef cheffe chroniqueur chroniqueuse éditorialiste publié mis
    grand grande giornalista corrispondente inviato inviata redattore redattrice direttore direttrice pubblicato
    aggiornato jornalista repórter correspondente atualizado redacteur verslaggever journalista reportero leitender
    leitende wirtschaftsredakteur politikredakteur historian dziennikarz dziennikarka redaktor redaktorka muhabir
    editör корреспондент редактор журналист reporterka kommentator reporteri
    """
)
# No person has these in the name: what holds one is an organisation, a button, or a sentence.
OTHERS = _words(
    """
    news media network report reports press times today daily weekly magazine journal gazette tribune herald post
    newsroom desk team company inc ltd llc gmbh ag kg sl sa corp corporation group institute university foundation
    association agency agencies agenturen service services live watch video videos tv radio online digital web
    website studio studios photography images image photo photos partner partners commentary opinion sponsored
    advertisement newsletter subscribe subscription sign login register home contact about us all the this that your
    our and by with for of to at a in reading minutes minute min comment club college school department government
    ministry office board council committee center centre union bank market markets index exclusive breaking
    redacción redacció redaccion redacao redação redazione redaktion rédaction redactie redaksjonen redakcja agencia
    agencias agence agenzia agentur diario periódico periodico noticias noticia archivo suscríbete suscribirse
    compartir comentarios publicidad entrevista opinión editorial grupo fundación universidad ministerio asociación
    zeitung nachrichten verlag anzeige artikel kommentare teilen abonnieren mehr alle actualité actualités partager
    abonnés lire notizie giornale quotidiano gruppo condividi agora notícias jornal kolumne gastbeitrag analyse
    debatt nyheter avis cookies privacy politik policy terms monday tuesday wednesday thursday friday saturday
    sunday lunes martes miércoles jueves viernes sábado domingo january february april june july august september
    october november december enero febrero abril junio julio agosto septiembre octubre noviembre diciembre montag
    dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz juni juli oktober dezember lundi mardi
    mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août senate house congress court
    city county state states united
    """
) - frozenset(("mars", "a", "april", "june", "august", "avril"))  # these are names of people as well
MONTHS = _words(
    "jan feb mar apr may jun jul aug sep sept oct nov dec ene abr ago dic january february march april june july "
    "august september october november december mai märz okt dez"
)
# Accounts and places of forms, which content systems print where a name is wanted.
NOBODY = _words(
    """
    admin administrator adm root webmaster editor editors redactor user username guest author authors autor autora
    auteur autore unknown anonymous anónimo anonym n/a na null none undefined nan true false test default - . by por
    von par di гость admins superuser super wordpress jdadmin siteadmin webadmin web-admin name byline staff-writer
    array object [object
    """
)
