"""The commonest small words of languages, and the scripts that tell a language by themselves."""

from __future__ import annotations

import re
from types import MappingProxyType

_LISTS = {
    "ca": "el la els les un una i de del dels al als que no és per amb en a més però també com què són ha han seva "
    "seu aquest aquesta va van fer ser sobre entre fins hi ho perquè molt anys quan des tot ja",
    "cs": "a v na se je že s z do o to i ve za od po k by pro jako ale které který podle jsou byl bude také až při "
    "nebo není jeho už",
    "da": "og i at er en det den til på for af de med der som har ikke et han var vil kan fra om også efter ved blev "
    "men sig bliver",
    "de": "der die das und in den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er "
    "hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum",
    "en": "the of and to in a is that for it on was with as he be by at his from are this have has had not they but "
    "an which their were been who would said more will or we you its after about",
    "es": "el la los las un una y de del al que no es por con en a más pero también como se su lo para ha han sus "
    "este esta sobre entre hasta fue muy años cuando desde todo ya le sin son",
    "eu": "eta da ez du dute zen ere bat baina egin izan dira dela bere izango duen beste dago zuen behar hau oso "
    "egiten dituzte dio den gero baino arte dugu zuten ziren duela",
    "fi": "ja on ei että se oli hän myös mutta kun joka ovat kuin olla mukaan niin jos sen voi vuonna vain siitä "
    "sitä ole olisi nyt",
    "fr": "le la les un une et de du des à au aux que ne pas est par avec en dans plus mais aussi comme se sa son "
    "pour a ont sur qui ce cette il elle été ces sont d'un d'une qu'il n'est",
    "gl": "o a os as un unha e de do da dos das ao aos que non é por con en na no nas nos máis pero tamén como se "
    "seu súa para ha foi moi anos cando dende desde todo xa sen son dun dunha nun nunha polo pola co coa este "
    "esta ata",
    "hr": "i u na je se da za su od s o a koji će što kao ne bi iz do to nije bio ali ili koje koja te kako godine",
    "hu": "a az és hogy nem is egy van volt de meg ez már csak mint el azt ha még lehet szerint pedig után ki vagy "
    "lesz",
    "id": "yang dan di dengan untuk dari dalam ini itu pada tidak akan ke juga adalah ada oleh karena telah sudah "
    "bisa atau mereka kata saat",
    "it": "il la i le gli un una e di del della dei che non è per con in a più ma anche come si sua suo da al nel "
    "sono ha alla dal delle lo questo questa stato nella ai dalla degli",
    "lt": "ir kad į su yra iš bet tai ne buvo kaip už dėl taip apie nuo jis tik ar o dar iki pat jau bus savo po",
    "lv": "un ir ka no ar par uz ko bet kā arī tas pēc vai to tā nav šo gan lai bija gada pie jau tiek",
    "nl": "de het een en van in is dat op te voor met niet zijn aan die er als ook door bij om naar maar wordt "
    "hebben heeft worden uit nog over dan werd meer",
    "no": "og i å er en det den til på for av de med som har ikke et han var vil kan fra om også etter ved ble men "
    "seg blir hun mot sier",
    "pl": "i w na z że się nie do to jest o jak po ale od za przez dla są tym już tylko było być oraz także ze co "
    "może jego który które",
    "pt": "o a os as um uma e de do da dos das ao aos que não é por com em na no nas nos mais mas também como se seu "
    "sua para há foi muito anos quando desde todo já sem são pelo pela à entre até este esta",
    "ro": "și în de la a cu pe nu care din o un este să mai că ca pentru au sunt fost s-a fi această după dar prin "
    "sau ce le",
    "sv": "och i att är en det den till på för av de med som har inte ett han var vill kan från om också efter vid "
    "blev men sig blir hon mot säger",
    "tr": "ve bir bu için ile de da olarak çok daha olan gibi en ne kadar sonra dedi oldu ise değil her ancak var ki "
    "tarafından yeni",
    "vi": "và của là có cho được trong các không với người một đã những khi này đến từ cũng để tại năm về ra như",
    "xh": "ukuba kwaye kunye le xa oku ukuze kodwa ke okanye ngokuba nge kuba emva into apho kweli ngoku yokuba "
    "abantu kakhulu ukuthi eli esi lo aba kwi kuye",
    "zu": "ukuthi futhi noma kodwa uma lapho ngoba kanye le kakhulu abantu yini lokhu lo kusho ngesikhathi nje ukuba "
    "emva ngaphandle okwamanje",
}  # fmt: skip
WORDS = MappingProxyType({code: frozenset(words.split()) for code, words in _LISTS.items()})
# The letters of a script, and which other languages are written in it.
SCRIPTS = MappingProxyType(
    {
        "ja": (re.compile("[\u3040-\u30ff]"), frozenset(("ja",))),
        "ko": (re.compile("[\uac00-\ud7af]"), frozenset(("ko",))),
        "zh": (re.compile("[\u4e00-\u9fff]"), frozenset(("zh", "ja", "yue"))),
        "el": (re.compile("[\u0370-\u03ff]"), frozenset(("el",))),
        "he": (re.compile("[\u0590-\u05ff]"), frozenset(("he", "yi"))),
        "th": (re.compile("[\u0e00-\u0e7f]"), frozenset(("th",))),
        "hi": (re.compile("[\u0900-\u097f]"), frozenset(("hi", "mr", "ne", "sa", "bho", "mai"))),
        "ar": (re.compile("[\u0600-\u06ff]"), frozenset(("ar", "fa", "ur", "ps", "ckb", "ug", "sd"))),
        "ru": (
            re.compile("[\u0400-\u04ff]"),
            frozenset(("ru", "uk", "be", "bg", "sr", "mk", "kk", "ky", "mn", "tg", "tt", "ba", "cv")),
        ),
    }
)
