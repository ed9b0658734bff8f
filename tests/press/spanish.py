"""The Spanish of La Gaceta de Muestra: words and sentence patterns, with slots in braces.

A slot `{thing}` is filled from the list of that name; a topic's own list comes before the common one.
Verb phrases avoid adjectives that would have to agree with a subject that is not known yet.
"""

from collections.abc import Mapping
from typing import Final

COMMON: Final[Mapping[str, tuple[str, ...]]] = {
    "d": ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
    "nz": ("1", "2", "3", "4", "5", "6", "7", "8", "9"),
    "few": ("4", "5", "6", "7", "8", "9"),
    "number": ("{nz}{d}", "{nz}{d}{d}", "{nz}.{d}{d}{d}", "{nz}{d}.{d}{d}{d}"),
    "percent": ("{nz},{d} %", "{nz}{d} %", "{nz}{d},{d} %"),
    "money": ("{nz}{d} millones de euros", "{nz}{d}{d} millones", "{nz}.{d}00 euros", "{nz}{d}{d}.000 euros"),
    "first": (
        "Amparo", "Aurelio", "Balbina", "Basilio", "Casilda", "Cándido", "Clotilde", "Damián", "Delfina",
        "Eladio", "Elvira", "Eusebio", "Fermina", "Froilán", "Genoveva", "Gervasio", "Herminia", "Higinio",
        "Inmaculada", "Isidro", "Jacinta", "Jenaro", "Lorenza", "Leandro", "Macarena", "Matías", "Nieves",
        "Nicanor", "Ofelia", "Onofre", "Práxedes", "Quintín", "Remedios", "Rosendo", "Saturnina", "Severo",
        "Tránsito", "Ulises", "Virtudes", "Zacarías",
    ),
    "last": (
        "Abascoaga", "Almendros", "Arbolea", "Azpirena", "Barrocal", "Bermejillo", "Caldueño", "Canteruela",
        "Carbajosa", "Cifuenteño", "Cobarrubia", "Doncelar", "Echarrena", "Espinardo", "Falcones",
        "Fontaneda", "Gavilanes", "Granadero", "Hinojal", "Hontanilla", "Izarraga", "Jaramago", "Landeira",
        "Lobatón", "Madroñal", "Manzanedo", "Miravalles", "Mozoncillo", "Nogalera", "Olmedilla", "Ortigueño",
        "Palomeque", "Pedregosa", "Quejigo", "Rebolledal", "Robledillo", "Sabucedo", "Salmerona", "Tamarisco",
        "Tejeruela", "Urdanibia", "Valderrey", "Vencejo", "Villaseca", "Yaguera", "Zarzosa", "Zorrilleja",
    ),
    "person": ("{first} {last}", "{first} {last} {last}"),
    "root": (
        "Valde", "Monte", "Torre", "Fuente", "Puente", "Villa", "Agua", "Peña", "Campo", "Río", "Cabeza",
        "Casa", "Mira", "Navalta", "Piedra", "Huerta",
    ),
    "end": (
        "rrubia", "luna", "nava", "clara", "vera", "mora", "llana", "blanca", "robles", "cierva", "losa",
        "hermosa", "verde", "mayor", "lobos", "gris", "zarza", "trigo", "halcón", "santos", "alba", "cañas",
    ),
    "place": ("{root}{end}", "{root}{end} de la {hill}", "{root}{end} del {river}"),
    "hill": ("Sierra", "Vega", "Loma", "Ribera", "Cuesta", "Dehesa", "Jara", "Umbría"),
    "river": ("Alberche", "Tormo", "Guadalén", "Arlanta", "Cejo", "Valmiro", "Zujal", "Orbejo"),
    "field": (
        "Sanidad", "Vivienda", "Transportes", "Educación", "Hacienda", "Agricultura", "Turismo", "Juventud",
        "Igualdad", "Energía", "Justicia", "Ciencia", "Pesca", "Aguas", "Cultura Popular", "Consumo",
    ),
    "body": (
        "el Ayuntamiento de {place}", "la Consejería de {field}", "la Diputación de {place}",
        "el Instituto {last}", "la Fundación {last} & {last}", "la Universidad de {place}",
        "el Observatorio de {field}", "la Mancomunidad del {river}", "el Consejo de {field}",
        "la Asociación de Vecinos de {place}", "el Colegio de Peritos de {place}", "la Agencia de {field}",
        "la plataforma Salvemos {place}", "la Cámara de {place}", "el sindicato Unión de {field}",
    ),
    "role": (
        "portavoz del grupo mixto", "catedrática de Derecho", "alcalde de {place}", "vecina de {place}",
        "directora del Instituto {last}", "ingeniero de caminos", "médica de urgencias", "profesor jubilado",
        "responsable de comunicación", "presidenta de la Mancomunidad del {river}", "historiador local",
        "secretaria general de {field}", "analista independiente", "jefa de la oposición en {place}",
        "dueño de un taller en {place}", "investigadora de la Universidad de {place}", "perito judicial",
    ),
    "source": ("{person}, {role},", "{body}", "{person}", "un portavoz de {body}", "{person}, de {body},"),
    "said": (
        "explicó", "aseguró", "advirtió", "recordó", "admitió", "sostuvo", "reconoció", "insistió", "matizó",
        "señaló", "reveló", "anunció", "confirmó", "defendió", "lamentó", "precisó",
    ),
    "thatsaid": (
        "explicó que", "aseguró que", "advirtió de que", "recordó que", "admitió que", "sostuvo que",
        "dejó claro que", "confirmó que", "dio por hecho que", "insinuó que", "calculó que", "repitió que",
    ),
    "weekday": (
        "el lunes", "el martes", "el miércoles", "el jueves", "el viernes", "el sábado", "el domingo",
    ),
    "month": (
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "septiembre", "octubre", "noviembre",
    ),
    "when": (
        "{weekday} por la mañana", "{weekday} a última hora", "a mediados de {month}", "el {nz} de {month}",
        "antes del verano", "tras {few} horas de reunión", "al cierre de esta edición",
        "desde hace {few} años", "en la madrugada de {weekday}", "después de {nz}{d} días de espera",
        "a las {few} de la tarde", "en pleno mes de {month}", "por primera vez desde {month}",
        "poco antes del mediodía",
    ),
    "why": (
        "por falta de acuerdo con {body}", "para ahorrar {money}", "ante las quejas de {place}",
        "a petición de {person}", "por un error en el recuento de {field}", "pese a las dudas de {person}",
        "con el visto bueno de {body}", "a cambio de {money}", "sin esperar el informe de {body}",
        "para contentar a los vecinos de {place}", "después de que lo exigiera {body}",
        "mientras {person} pedía más tiempo", "aunque {body} lo desaconsejaba",
        "contra el criterio de {person}",
    ),
    "where": (
        "en {place}", "a las afueras de {place}", "en la sede de {body}", "entre {place} y {place}",
        "en el casco viejo de {place}", "junto al {river}", "en la estación de {place}", "en toda la comarca",
        "en el mercado de {place}", "en un polígono de {place}", "en la plaza de la {hill}",
    ),
    "opinion": (
        "No se trata de correr, sino de llegar enteros a {month}", "Aquí nadie nos preguntó nada",
        "Con {money} no se arregla ni la mitad", "Lo que hoy parece un gasto será mañana un alivio",
        "Quien conozca {place} sabe que esto venía de lejos",
        "Prefiero un mal acuerdo a {few} meses de silencio", "Nos faltan manos y nos sobran papeles",
        "Hemos pasado de {number} a {number} sin que nadie se inmute",
        "Si {body} no cumple, iremos a los tribunales",
        "Me lo contó mi abuela y yo se lo cuento a mis nietos",
        "Es la primera vez que {body} nos abre la puerta", "El problema no es el dinero, es la prisa",
        "A {place} le deben una explicación desde {month}", "La paciencia también tiene fecha de caducidad",
        "Ni las cifras ni los plazos encajan", "Esto lo van a pagar los de siempre",
        "Vamos a revisar cada una de las {number} solicitudes", "Yo no firmo lo que no he leído",
        "Hay {nz}{d} familias pendientes de una llamada", "Mañana volveremos a abrir a la hora de siempre",
    ),
    "comment": (
        "Llevo {few} años diciendo lo mismo y nadie hace caso a {place}.",
        "¿Y esto quién lo paga? Los de siempre.", "Buen artículo, aunque falta hablar de {body}.",
        "En mi pueblo pasó igual en {month} y acabó en nada.", "Menos fotos y más trabajar, señor {last}.",
        "No estoy de acuerdo con {person}, pero se agradece el dato.",
        "Que alguien me explique de dónde salen esos {money}.", "Vivo cerca del {river} y doy fe de todo.",
    ),
    "sentence": (
        "{source} {thatsaid} {thing} {fate} {when}.", "{source} {thatsaid} {thing} {fate}, {why}.",
        "{when}, {source} {act} {where}.", "{source} {act} {why}.", "«{opinion}», {said} {source} {where}.",
        "«{opinion}», {said} {person}. «{opinion}», añadió {when}.", "Según {body}, {thing} {fate}.",
        "Según los datos de {body}, {number} personas siguen de cerca {thing}.",
        "La decisión, que afecta a {number} vecinos de {place}, llega {when} y {why}.",
        "El coste asciende a {money}, un {percent} más de lo previsto por {body}.",
        "{where}, {thing} {fate} {when}; {where}, en cambio, todo sigue igual.",
        "Nadie {where} esperaba que {person} diera ese paso {when}.",
        "¿Qué ocurrirá con {thing}? {source} no quiso aventurarlo {when}.",
        "El documento —{number} páginas y {few} anexos— detalla por qué {thing} {fate}.",
        "{person} y {person} discrepan: el primero cree que {thing} {fate}; la segunda lo pone en duda.",
        "No es la primera vez que {body} {act}: ya lo hizo {where} {when}.",
        "Las cifras hablan de {number} casos {where}, frente a los {number} de {month}.",
        "A juicio de {person}, el «efecto {last}» pesa más que {thing}.",
        "De los {number} afectados, un {percent} reside {where} y el resto, {where}.",
        "Mientras tanto, {body} {act} {when}, {why}.",
        "El expediente {number}/{nz}{d}, al que ha tenido acceso este diario, concluye que {thing} {fate}.",
        "{person} fue “la gran sorpresa” de la jornada: {act} {why}.",
        "Con todo, {source} {thatsaid} quedan {few} cuestiones por resolver {where}.",
        "Todo empezó {when}, cuando {person} {act} {where}.",
        "El precedente más cercano está {where}, donde {thing} {fate} {when}.",
        "Fuentes próximas a {body} calculan que harán falta {money} y unos {few} meses.",
        "{body} evitó valorar el asunto; {person}, no: «{opinion}».",
        "La última palabra la tendrá {body}, que se reunirá {where} {when}.",
    ),
    "subhead": (
        "Lo que falta por saber", "Un precedente en {place}", "Las cuentas de {body}",
        "La versión de {person}", "{number} razones y una duda", "De {place} a {place}",
        "Qué pasará en {month}", "El factor {last}", "Una espera de {few} años", "Quién gana y quién pierde",
        "Voces {where}",
    ),
    "listitem": (
        "{month}: {body} {act}.", "{number} plazas {where}.", "{money} para {body}.",
        "Una comisión que presidirá {person}.", "Revisión de {thing} {when}.",
        "Cierre de la oficina {where}.", "Un teléfono gratuito, el 900 {d}{d}{d} {d}{d}{d}.",
    ),
    "lead": (
        "{source} {thatsaid} {thing} {fate}, {why}",
        "{body} {act} {where} y abre un debate que {person} quiere cerrar {when}",
        "La medida costará {money} y afectará a {number} personas {where}",
        "{person} y {body} miden sus fuerzas {where}: {thing} {fate}",
        "Un informe de {body} calcula en {number} los afectados {where}",
    ),
    "caption": (
        "{person}, {when} {where}.", "Vista general de {place}. / {person}",
        "Sede de {body}, en una imagen de archivo.", "{person} saluda a {person} {where}.",
    ),
    "tag": ("{place}", "{last}", "{field}", "{river}"),
    "correction": (
        "Corrección: en una versión anterior se decía que los afectados eran {number}. La "
        "cifra correcta, según {body}, es {number}.",
    ),
    "update": ("{source} {act} {when}, después de publicarse esta noticia.",),
    "advert": (
        "Ahorra un {percent} en tu seguro", "Viaja a {place} desde {nz}9 euros",
        "Colchones {last}, descansa ya",
    ),
}

TOPICS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "politics": {
        "thing": (
            "la ley de {field}", "el decreto de {field}", "la moción contra {person}", "el pacto de {place}",
            "la comisión de investigación", "el reparto de escaños", "la reforma del reglamento",
            "el presupuesto de {field}", "la candidatura de {person}", "el recuento en {place}",
            "la enmienda {nz}{d}", "el relevo de {person}", "la consulta sobre {field}",
            "el censo de {place}",
        ),
        "fate": (
            "saldrá adelante con {nz}{d} votos", "se quedará en un cajón", "necesita el apoyo de {body}",
            "divide a los socios de {person}", "tropezará con {body}", "se votará sin cambios",
            "tendrá que esperar a {month}", "pende de una abstención", "cambia el mapa {where}",
        ),
        "act": (
            "presentó una enmienda a la totalidad", "rompió la disciplina de voto",
            "pidió la comparecencia de {person}", "reunió a los alcaldes de la comarca", "renunció al acta",
            "pactó el orden del día con {body}", "convocó a la ejecutiva", "llevó al pleno {thing}",
            "destituyó a {person}", "exigió un debate en pleno",
        ),
        "title": (
            "{person} rompe con {body} por {thing}", "{body} desbloquea {thing}",
            "{place} se queda sin alcalde", "{thing} divide a {body}",
            "{person} ganará {nz}{d} escaños, según {body}", "Un voto por error salva {thing} en {place}",
        ),
    },
    "world": {
        "country": (
            "Norvania", "Estelia", "Marganza", "Ulterra", "Boreslavia", "Cantaria", "Drovia", "Islandar",
            "Pelagia",
        ),
        "thing": (
            "la tregua en {country}", "la frontera entre {country} y {country}", "la misión de {body}",
            "la cumbre de {country}", "el corredor humanitario de {country}", "el tratado de {place}",
            "la embajada en {country}", "el embargo a {country}", "la transición en {country}",
            "el éxodo hacia {country}", "la mediación de {person}",
        ),
        "fate": (
            "aguanta pese a los combates", "se rompió sin previo aviso", "se negocia en secreto en {place}",
            "depende de {country}", "reabrirá con {number} observadores", "deja {number} desplazados",
            "irrita al Gobierno de {country}", "figura ya en la agenda de {body}",
            "costó {few} años de diálogo",
        ),
        "act": (
            "viajó a {country} sin escolta", "retiró a su embajador de {country}",
            "cruzó la frontera de {country}", "ofreció asilo a {number} personas",
            "denunció la detención de {person}", "envió {nz}{d} camiones de ayuda",
            "firmó un armisticio con {country}", "suspendió los vuelos a {country}",
            "condenó el golpe en {country}",
        ),
        "title": (
            "{country} y {country} reabren la frontera", "{person} media en la crisis de {country}",
            "{country} cierra {thing}", "Miles de personas huyen de {country} hacia {country}",
            "{body} alerta sobre {thing}", "La noche en que {country} cambió de bandera",
        ),
    },
    "economy": {
        "firm": (
            "Aceros {last}", "Banca {place}", "{last} & Hijos", "Grupo {last}", "Hilaturas del {river}",
            "Navieras {last}",
        ),
        "thing": (
            "la fusión de {firm}", "el precio del aceite", "la deuda de {firm}", "el convenio del metal",
            "la cosecha de almendra", "el alquiler en {place}", "la bolsa de {place}",
            "la cuota de autónomos", "la planta de {firm} en {place}", "el impuesto a la chatarra",
            "la cartera de {firm}", "el paro en {place}",
        ),
        "fate": (
            "subió un {percent}", "cayó un {percent} en {month}", "se encarece por {few} mes consecutivo",
            "supera ya los {money}", "arrastra a todo el sector", "roza el récord de {month}",
            "obliga a despedir a {number} empleados", "no levanta cabeza", "creará {number} empleos",
        ),
        "act": (
            "compró {firm} por {money}", "vendió el {percent} de {firm}",
            "presentó un expediente para {number} empleados", "rebajó la previsión al {percent}",
            "cerró el ejercicio con {money} de pérdidas", "subió los sueldos un {percent}",
            "abrió una planta con {firm}", "refinanció {money}", "llevó a {firm} ante el juez",
            "repartió dividendo",
        ),
        "title": (
            "{firm} compra {firm} por {money}", "{thing} sube un {percent}",
            "{firm} despedirá a {number} empleados", "{place} recupera el empleo perdido en {month}",
            "{person} deja la presidencia de {firm}", "{body} rebaja al {percent} su previsión",
        ),
    },
    "sport": {
        "club": (
            "el Atlético {place}", "el Racing de {place}", "la Gimnástica {hill}", "el Deportivo {river}",
            "la Unión {place}",
        ),
        "thing": (
            "el derbi ante {club}", "la lesión de {person}", "el fichaje de {person}", "la final de {place}",
            "la liga de pelota", "la remontada de {club}", "el penalti de {person}", "la etapa de {place}",
            "el récord de los {nz}.000 metros", "el ascenso de {club}", "la regata del {river}",
        ),
        "fate": (
            "se decidió en el minuto {nz}{d}", "deja tocado al vestuario", "acabó con {few} goles",
            "pone en pie a la grada", "vale media temporada", "se jugará en {place}",
            "cambia la clasificación", "terminó en la prórroga", "reunió a {number} aficionados",
            "cuesta {money}",
        ),
        "act": (
            "marcó {few} goles a {club}", "falló un penalti en el minuto {nz}{d}", "renovó hasta {month}",
            "ganó la etapa con {nz}{d} segundos de ventaja", "salió en camilla ante {club}",
            "destituyó a {person}", "pidió el cambio antes del descanso", "levantó la copa ante {club}",
            "batió la plusmarca de {person}",
        ),
        "title": (
            "{person} salva un punto ante {club}", "{person} gana la etapa reina en {place}",
            "Adiós de {person} al banquillo", "{place} sueña con {thing}",
            "{nz}-{nz}: lluvia de goles en {place}", "{person}, baja {few} semanas",
        ),
    },
    "culture": {
        "work": (
            "«La {hill} callada»", "«Cuaderno del {river}»", "«Los hijos de {last}»",
            "«{few} noches en {place}»", "«Música para {place}»", "«El invierno de {first}»",
            "«Carta a {first}»", "«Sin noticias de {place}»",
        ),
        "thing": (
            "la novela {work}", "el festival de {place}", "la exposición de {person}",
            "el archivo de {person}", "la película {work}", "el retablo de {place}", "la gira de {person}",
            "el estreno de {work}", "el premio {last}", "la ópera {work}", "el museo de {place}",
            "la traducción de {work}",
        ),
        "fate": (
            "llega por fin a {place}", "agotó {number} entradas", "recupera una voz olvidada",
            "vuelve a los escenarios", "retrata a una familia de {place}", "mezcla el ensayo y la copla",
            "sorprendió al jurado de {place}", "viajará por {nz}{d} ciudades", "ocupa {few} salas",
            "despierta elogios y algún bostezo",
        ),
        "act": (
            "estrenó {work}", "donó {number} cartas a {body}", "ganó el premio {last}",
            "restauró un lienzo de {person}", "leyó fragmentos de {work}", "cantó a dúo con {person}",
            "publicó {work} en una editorial de {place}", "rodó {work} con {money}",
            "descubrió un manuscrito de {person}", "tradujo {work}",
        ),
        "title": (
            "{person} gana el premio {last} por {work}", "{work}, o la memoria de {place}",
            "{place} descubre {thing}", "Aparece un manuscrito inédito de {person}", "{person}: «{opinion}»",
            "{work} llena {place}",
        ),
    },
}
