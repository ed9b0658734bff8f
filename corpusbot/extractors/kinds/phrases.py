"""What errors, walls and pay walls say in languages of the press; what live blogs, galleries and films are called.

All are written as `folded` makes texts: in lower case, without accents and marks, so that `can't` is `can t`. They
are pieces of regular expressions, one on a line, and stand for whole words.
"""

from __future__ import annotations

import re


def any_of(lines: str) -> re.Pattern[str]:
    """One expression for all lines, but for those that begin with `#`."""
    pieces = [line.strip() for line in lines.splitlines() if line.strip() and not line.strip().startswith("#")]
    return re.compile(rf"\b(?:{'|'.join(pieces)})\b")


ERROR = any_of(
    r"""
    (?:http )?(?:error|fehler|erreur|errore|erro|fout|b[lł]ad|virhe|fel|hata) (?:4\d\d|50\d)
    (?:4\d\d|50\d) (?:error|not found|forbidden|bad request|bad gateway|internal|service|gateway|oops)
    (?:4\d\d|50\d) (?:pagina|seite|page|strona)
    ^(?:40[34]|410|50[023])$
    # English
    (?:page|article|story|file|content|url|document) (?:was |is |has )?not (?:been )?found
    ^not found$
    pages? you(?: are| re| were| have)? (?:looking for|requested|tried to (?:reach|open|visit)|wanted|asked for)
    requested (?:page|url|article) (?:is|was|could|can|does|has|doesn|cannot|isn|no longer|may)
    (?:can ?not|can t|couldn t|could not|unable to) (?:find|locate) (?:the|that|this|your) (?:page|article|story)
    (?:this|that|the) page (?:does not|doesn t|no longer) exists?
    (?:this|that|the) page (?:can t|cannot|can not|could not|couldn t) be found
    (?:this|that|the) page (?:isn t|is not|is no longer|has been) (?:available|removed|deleted|moved)
    internal server error
    service (?:temporarily )?unavailable
    bad gateway
    gateway time ?out
    (?:site|page) (?:is )?(?:under|down for) maintenance
    ^something went wrong$
    ^oops$
    # español
    (?:pagina|noticia|articulo|contenido|url|documento) (?:solicitad[ao] )?no (?:encontrad[ao]|disponible|existe)
    no se (?:ha )?encontr\w+ (?:la|esta|esa|el|este|ese) (?:pagina|articulo|contenido|noticia)
    no (?:hemos )?(?:podido )?(?:encontra\w+|existe) (?:la|esta|esa|el|este|ese) (?:pagina|articulo|contenido|noticia)
    (?:pagina|noticia|contenido) (?:que \w+(?: \w+){0,3} |solicitad[ao] )?(?:ya )?no (?:existe|esta disponible)
    (?:pagina|noticia|contenido) (?:que \w+(?: \w+){0,3} |solicitad[ao] )?no se (?:encuentra|ha encontrado)
    (?:pagina|noticia|contenido) (?:que \w+(?: \w+){0,3} )?(?:no ha sido encontrad[ao]|ha sido eliminad[ao])
    error interno del servidor
    servicio no disponible
    (?:sitio|pagina|web) en mantenimiento
    ^ha ocurrido un error$
    # català, galego, euskara
    pagina no trobada
    no s ha trobat la pagina
    aquesta pagina no existeix
    paxina non atopada
    orria ez da aurkitu
    # Deutsch
    (?:seite|artikel|inhalt) (?:wurde )?(?:leider )?nicht (?:gefunden|vorhanden|verfugbar)
    seite (?:existiert|konnte|ist|wurde) (?:leider )?nicht(?: mehr)?(?: gefunden| verfugbar| vorhanden| auffindbar)?
    interner serverfehler
    wartungsarbeiten
    # français
    page (?:demandee )?(?:non trouvee|introuvable|inexistante)
    page (?:demandee |que vous \w+ )?(?:n existe (?:pas|plus)|est introuvable|n a pas ete trouvee)
    page (?:demandee |que vous \w+ )?n est (?:pas|plus) disponible
    page que vous (?:recherchez|cherchez|demandez)
    (?:contenu|article) introuvable
    service (?:temporairement )?indisponible
    site en maintenance
    erreur interne du serveur
    # italiano
    pagina (?:richiesta )?non (?:trovata|disponibile|esiste|e stata trovata|e disponibile)
    pagina che (?:cerchi|stai cercando|hai richiesto)
    contenuto non (?:trovato|disponibile)
    articolo non trovato
    errore interno del server
    servizio non disponibile
    sito in manutenzione
    # português, română
    pagina (?:solicitada )?nao (?:foi )?(?:encontrada|existe|disponivel|esta disponivel)
    pagina que (?:voce )?(?:procura|esta procurando|procurava)
    conteudo (?:nao encontrado|indisponivel)
    erro interno do servidor
    servico indisponivel
    pagina nu (?:a fost gasita|exista)
    # Nederlands, svenska, dansk, polski, русский, türkçe
    pagina niet gevonden
    pagina bestaat niet
    sidan (?:hittades|finns|kunde) inte
    siden (?:blev|kunne) ikke
    strona nie (?:zosta[lł]a znaleziona|istnieje)
    nie znaleziono strony
    страница не наидена
    sayfa bulunamad[iı]
    """
)
ROBOTS = any_of(
    r"""
    just a moment
    attention required
    access denied
    are you (?:a )?(?:robot|human|bot)
    robot check
    captcha
    verify (?:that )?you (?:are|re) (?:a |not a )?(?:human|robot)
    (?:human|bot) verification
    checking your browser
    checking if the site connection is secure
    security check(?:point)?
    one more step
    pardon our interruption
    making sure you (?:re|are) not a bot
    request unsuccessful
    unusual traffic
    you have been blocked
    (?:comprobando|verificando) (?:su|tu|el|seu|o seu) navegador
    verific\w+ que (?:eres|es|no eres|no es|usted es) (?:un |una )?(?:humano|robot|persona)
    no (?:soy|eres|es usted) un robot
    acceso denegado
    has sido bloquead[oa]
    nao sou um robo
    acesso negado
    zugriff verweigert
    (?:bist du|sind sie) (?:ein )?(?:mensch|roboter)
    browser wird uberpruft
    acces refuse
    etes vous un (?:robot|humain)
    verification de (?:votre navigateur|securite)
    non sono un robot
    accesso negato
    verifica di (?:non )?essere un
    toegang geweigerd
    ben je een robot
    odmowa dostepu
    """
)
SCRIPTS = any_of(
    r"""
    (?:enable|activate|turn on|allow) (?:js|java ?script|cookies)
    java ?script (?:is |must be |to be )?(?:disabled|required|not (?:available|enabled|supported))
    (?:needs?|requires?|without) java ?script
    (?:activ|habilit)[aeo]r? (?:el |o )?java ?script
    (?:necesit\w+|requiere) (?:activar |el |usar |tener )?java ?script
    java ?script (?:desactivado|deshabilitado|desabilitado|disattivato|deaktiviert|desactive)
    (?:aktivier\w+|einschalten|schalten) (?:sie )?(?:bitte )?(?:\w+ ){0,2}java ?script
    java ?script (?:\w+ ){0,3}aktivier\w+
    (?:activez|activer|autoriser) (?:le )?java ?script
    (?:abilit\w+|attiv\w+) java ?script
    ativ[ae]r? (?:o )?java ?script
    schakel java ?script in
    w[lł]acz java ?script
    activeu (?:el )?java ?script
    """
)
CONSENT = any_of(
    r"""
    before you continue
    we value your privacy
    your privacy (?:choices|matters|is important)
    cookie (?:consent|settings|preferences|notice|einstellungen)
    about cookies on this site
    we (?:use|care about) (?:cookies|your privacy)
    antes de (?:continuar|seguir|acceder)
    (?:tu|su|vuestra|sua|a sua|tua|la tua) (?:privacidad|privacidade|privacy)
    (?:valoramos|respetamos|nos importa|valorizamos|respeitamos|rispettiamo) (?:tu|su|a sua|sua|la tua) priva\w+
    (?:aviso|consentimiento|consentimento|uso|configuracion|politica) de (?:las )?cookies
    acept\w+ (?:las |todas las )?cookies
    accept (?:all |the )?cookies
    cookies (?:akzeptieren|zustimmen)
    accepter les cookies
    accetta (?:tutti )?i cookie
    aceitar? (?:os |todos os )?cookies
    (?:ihre|deine) privatsphare
    privatsphare ist
    bevor sie (?:fortfahren|weiterlesen)
    mit werbung
    zustimmung
    avant de (?:continuer|poursuivre|d acceder)
    votre vie privee
    gestion des cookies
    continuer sans accepter
    prima di continuare
    consenso (?:ai|all uso dei) cookie
    preferenze (?:sui )?cookie
    voordat (?:je|u) (?:verdergaat|verder gaat)
    (?:je|uw) privacy
    twoja prywatnosc
    la teva privacitat
    """
)
# What nearly every other word of a question for consent begins with.
CONSENT_WORD = re.compile(
    r"cook|consen|einwillig|zustimm|partner|socios|parceir|partenaire|priva|prywatn|datenschutz|personal|datos|dados"
    r"|donnees|daten|dati\b|data\b|publici|advert|anunci|werbung|anzeig|accept|acept|akzept|accett|aceit|reject|rechaz"
    r"|ablehn|refus|rifiut|rejeit|gdpr|tracking|finali|purpose|zweck"
)
AGREE = any_of(
    r"""
    accept(?: all| and| cookies)?
    (?:i )?agree
    acept(?:ar|o)
    rechazar
    (?:alle )?akzeptieren
    zustimmen
    (?:tout )?accepter
    j accepte
    accetta(?: tutti)?
    acconsento
    aceitar(?: tudo)?
    concordo
    akkoord
    accepteren
    zgadzam sie
    accepta
    """
)
SUBSCRIBE = any_of(
    r"""
    subscribe (?:now )?(?:to|and|for) (?:keep|continue|read|unlock|access|get)
    to (?:continue|keep) reading
    (?:keep|continue) reading (?:with|by|for|this)
    (?:for|to|reserved for|exclusive to|only for) (?:\w+ )?subscribers(?: only)?$
    subscribers? only
    this (?:article|content|story) is (?:\w+ ){0,3}(?:subscribers|members)
    unlock this (?:article|story)
    read the (?:full|rest of the|whole) (?:article|story)
    sign in to (?:read|continue)
    already a subscriber
    para (?:seguir|continuar) leyendo
    (?:sigue|continua|seguir) leyendo (?:con|por|desde|este|suscri\w+)
    (?:solo|exclusiv[oa]s?|unicamente|reservad[oa]) (?:para|a) (?:nuestros )?(?:suscriptor|abonad|socio|subscriptor)\w*
    suscri\w+ (?:para|y) (?:leer|seguir|continuar|acceder|disfruta\w*)
    ya (?:eres|soy|es usted) suscriptor\w*
    accede al articulo completo
    (?:um|jetzt) (?:\w+ ){0,4}weiterlesen
    (?:mochten|wollen) sie weiterlesen
    weiterlesen mit
    (?:nur|exklusiv) fur abonnent\w+
    (?:bereits|schon) (?:\w+ )?abonnent
    ich bin abonnent
    mit (?:einem )?abo (?:weiter)?lesen
    artikel freischalten
    jetzt abonnieren
    reservee?s? aux abonnes
    il vous reste \d+
    pour lire la suite
    deja abonne\w*
    abonnez vous pour
    contenuto riservato
    riservat[oa] agli abbonati
    abbonati per
    per (?:continuare|proseguire) (?:a leggere|la lettura)
    sei gia abbonato
    (?:exclusiv[oa]|so|apenas) para assinantes
    assine (?:para|e|agora)
    para continuar (?:a ler|lendo)
    ja e assinante
    (?:nomes|exclusiu) per a subscriptors
    per continuar llegint
    alleen voor abonnees
    lees verder met
    tylko dla prenumeratorow
    """
)
LIVE = any_of(
    r"""
    live(?: ?blog| ?ticker| updates)?
    newsblog|newsticker|news ticker
    directo|en vivo|minuto a minuto|al minuto|tiempo real
    en direct|en directe|in diretta|diretta
    ao vivo|tempo real
    as it happened
    rechtstreeks|na zywo|canli
    """
)
GALLERY = any_of(
    r"""
    galer(?:ia|ias|ie)|galler(?:y|ies|ia)|fotogaler\w+|fotogaller\w+
    photos?|pictures|slideshow|album
    fotos?|imagenes|imagens|imatges|en images|diaporama
    bilderstrecke|fotostrecke|bildergalerie|in beeld|le foto|zdjecia
    """
)
FILM = any_of(
    r"""
    videos?|watch|mediathek|regarder
    """
)
