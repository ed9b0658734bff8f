"""Requests as rows of JSON: what any Scrapy spider asks for survives a crash, and nothing is pickled."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.utils.request import request_from_dict

if TYPE_CHECKING:
    from scrapy import Spider

_BYTES = "base64:"
# Left out of a row where they are what Request() sets anyway.
_USUAL = {"method": "GET", "encoding": "utf-8", "priority": 0, "dont_filter": False}


class UnstorableRequestError(ValueError):
    """A request that cannot be kept as JSON; the text says what of it, and what would work."""


def row_of_request(request: Request, spider: Spider) -> dict[str, Any]:
    """A request as plain JSON values."""
    try:
        found = request.to_dict(spider=spider)
    except ValueError as error:
        message = f"{request} cannot be kept: {error}. Its callback and errback must be methods of the spider"
        raise UnstorableRequestError(message) from None
    found["headers"] = {
        name.decode("latin-1"): [value.decode("latin-1") for value in values]
        for name, values in request.headers.items()
    }
    found["body"] = _BYTES + base64.b64encode(request.body).decode("ascii") if request.body else ""
    row = {name: value for name, value in found.items() if value and _USUAL.get(name) != value}
    for name, value in row.items():
        _check(request, name, value)
    return row


def request_of_row(row: dict[str, Any], spider: Spider) -> Request:
    """The request that a row was made of."""
    body = row.get("body", "").removeprefix(_BYTES)
    headers = row.get("headers", {})
    as_sent = {name: [value.encode("latin-1") for value in values] for name, values in headers.items()}
    return request_from_dict({**row, "body": base64.b64decode(body), "headers": as_sent}, spider=spider)


def _check(request: Request, name: str, value: Any) -> None:
    parts = value.items() if isinstance(value, dict) else [(None, value)]
    for key, part in parts:
        try:
            same = json.loads(json.dumps(part)) == part or isinstance(part, tuple)
        except (TypeError, ValueError):
            same = False
        if not same or not isinstance(key, str | None):
            where = f"{name}[{key!r}]" if key is not None else name
            raise UnstorableRequestError(
                f"{request} cannot be kept: {where} is {type(part).__name__}, not JSON. "
                "Use text, numbers, booleans, lists and dictionaries"
            )
