"""The time zone that a page is likely to mean where it names none."""

from __future__ import annotations

import re
from datetime import timedelta, timezone

# Countries, and languages with a domain of their own, that live by one clock.
_ZONES = {
    "ad": "Europe/Andorra", "ar": "America/Argentina/Buenos_Aires", "at": "Europe/Vienna", "be": "Europe/Brussels",
    "bg": "Europe/Sofia", "bo": "America/La_Paz", "cat": "Europe/Madrid", "ch": "Europe/Zurich",
    "cn": "Asia/Shanghai", "cr": "America/Costa_Rica", "cu": "America/Havana", "cy": "Asia/Nicosia",
    "cz": "Europe/Prague", "de": "Europe/Berlin", "dk": "Europe/Copenhagen", "do": "America/Santo_Domingo",
    "ee": "Europe/Tallinn", "eg": "Africa/Cairo", "es": "Europe/Madrid", "eus": "Europe/Madrid",
    "fi": "Europe/Helsinki", "fr": "Europe/Paris", "gal": "Europe/Madrid", "gr": "Europe/Athens",
    "gt": "America/Guatemala", "hk": "Asia/Hong_Kong", "hn": "America/Tegucigalpa", "hr": "Europe/Zagreb",
    "hu": "Europe/Budapest", "ie": "Europe/Dublin", "il": "Asia/Jerusalem", "in": "Asia/Kolkata",
    "is": "Atlantic/Reykjavik", "it": "Europe/Rome", "jp": "Asia/Tokyo", "ke": "Africa/Nairobi", "kr": "Asia/Seoul",
    "li": "Europe/Vaduz", "lt": "Europe/Vilnius", "lu": "Europe/Luxembourg", "lv": "Europe/Riga",
    "ma": "Africa/Casablanca", "mt": "Europe/Malta", "na": "Africa/Windhoek", "ng": "Africa/Lagos",
    "ni": "America/Managua", "nl": "Europe/Amsterdam", "no": "Europe/Oslo", "pa": "America/Panama",
    "pe": "America/Lima", "ph": "Asia/Manila", "pk": "Asia/Karachi", "pl": "Europe/Warsaw", "pr": "America/Puerto_Rico",
    "pt": "Europe/Lisbon",
    "py": "America/Asuncion", "ro": "Europe/Bucharest", "rs": "Europe/Belgrade", "se": "Europe/Stockholm",
    "sg": "Asia/Singapore", "si": "Europe/Ljubljana", "sk": "Europe/Bratislava", "sv": "America/El_Salvador",
    "th": "Asia/Bangkok", "tr": "Europe/Istanbul", "tw": "Asia/Taipei", "ua": "Europe/Kyiv", "uk": "Europe/London",
    "uy": "America/Montevideo", "ve": "America/Caracas", "vn": "Asia/Ho_Chi_Minh", "za": "Africa/Johannesburg",
}  # fmt: skip
_OFFSET = re.compile(r"\d[T ]\d\d:?\d\d(?::?\d\d(?:\.\d+)?)? ?([+-])(\d\d):?(\d\d)$")


def zone_by_host(host: str) -> str | None:
    """The zone of the country that a host's name ends in; None for those of several zones and of the whole world."""
    return _ZONES.get(host.rpartition(".")[2])


def offset_in(value: object) -> timezone | None:
    """The offset from UTC that a date in ISO form ends in; Z and +00:00 are none, as programs write them unasked."""
    found = _OFFSET.search(value.strip()[-40:]) if isinstance(value, str) else None
    minutes = int(found[2]) * 60 + int(found[3]) if found else 0
    if not found or not 0 < minutes < 15 * 60:
        return None
    return timezone(timedelta(minutes=-minutes if found[1] == "-" else minutes))
