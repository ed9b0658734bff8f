"""Arguments that several commands take, and what is wrong with those that cannot be taken."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from pathlib import Path


def add_site(parser: ArgumentParser) -> None:
    """The newspaper that a command is about."""
    parser.add_argument("site", metavar="SITE", help="a newspaper: the name of its site file, without .yaml")


def add_data(parser: ArgumentParser) -> None:
    """The folder that crawls write to."""
    parser.add_argument(
        "--data", type=Path, metavar="DIR", default=Path(os.environ.get("CORPUSBOT_DATA", "data")),
        help="the folder that the crawls wrote to (default: CORPUSBOT_DATA, or data)",
    )  # fmt: skip


def add_format(parser: ArgumentParser) -> None:
    """How a table is printed."""
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="json: an object a line (default: text)"
    )


def day(text: str) -> date:
    """A day as 2024-01-31."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day. Write it as 2024-01-31") from None


def address(text: str) -> str:
    """A whole address of the Web."""
    if not text.startswith(("http://", "https://")):
        raise ArgumentTypeError(f"{text!r} is no address. Write it in full, as https://paper.example/page")
    return text


def share(text: str) -> float:
    """A part of the whole, as .5."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise ArgumentTypeError(f"{text!r} is no share above 0 and up to 1. Write it as .5")
    return value


def count(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)
