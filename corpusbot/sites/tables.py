"""Kinds of value that are mappings: tables of known keys, maps of any names, short and long forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from corpusbot.plugins import check_options, meaning_of, options_of
from corpusbot.sites.errors import MisfitError, cure
from corpusbot.sites.frozenmap import FrozenMap
from corpusbot.sites.kinds import JSON, Free, Kind, Reading, Record, Text, attempted
from corpusbot.sites.nodes import Entries, Node, Scalar
from corpusbot.sites.rules import Where

NOWHERE: FrozenMap[str] = FrozenMap()


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the format: what it takes, what it means, and what holds if it is left out."""

    name: str
    kind: Kind
    meaning: str
    default: str = ""
    example: str = ""
    aliases: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping of known keys; `check` looks at what one key alone cannot show.

    It goes by `record.lines` for what was given: a value that did not fit is told already, and not among the values.
    """

    name: str
    meaning: str
    keys: tuple[Key, ...]
    check: Callable[[Record, Reading], None] | None = None
    level: str | None = None
    elsewhere: FrozenMap[str] = NOWHERE

    @property
    def label(self) -> str:
        """Its name."""
        return f"mapping: {self.name}"

    def read(self, node: Node, at: Reading) -> Record:
        """Its values; what does not fit is noted, and left out of them."""
        if not isinstance(node, Entries):
            raise MisfitError(f"takes a mapping, of {', '.join(key.name for key in self.keys)}")
        at = at.at(self.level)
        values, lines = self._values(node, at)
        record = Record(Where(at.file, node.line, at.level), FrozenMap(values), FrozenMap(lines))
        self._check_required(record, node, at)
        if self.check:
            self.check(record, at.under(""))
        return record

    def _values(self, node: Entries, at: Reading) -> tuple[dict[str, object], dict[str, int]]:
        """The values that fit and the lines of all keys that are known."""
        known = {name: key for key in self.keys for name in (key.name, *key.aliases)}
        values: dict[str, object] = {}
        lines: dict[str, int] = {}
        for name, value in node.entries:
            key = known.get(name.text)
            if key is None:
                at.under("").problem(name.line, self._unknown(name.text, known))
            elif key.name in lines:
                at.under("").problem(name.line, f"'{name.text}' means '{key.name}', which is given already")
            else:
                lines[key.name] = name.line
                read = attempted(key.kind, value, at.under(key.name))
                values |= {} if read is None else {key.name: read}
        return values, lines

    def _unknown(self, name: str, known: dict[str, Key]) -> str:
        """What to say of a key that is not known here."""
        names = (key.name for key in self.keys)
        return f"unknown key '{name}'. {self.elsewhere.get(name) or cure(name, names, known)}"

    def _check_required(self, record: Record, node: Entries, at: Reading) -> None:
        """Notes the keys that are missing."""
        for key in self.keys:
            if key.required and key.name not in record.lines:
                at.under("").problem(node.line, f"this {self.name} has no '{key.name}': {key.meaning}")

    def schema(self, definitions: JSON) -> JSON:
        """A reference to its definition, which is written once."""
        title = self.name.replace(" ", "_")
        if title not in definitions:
            definitions[title] = {}  # first a place, since tables may hold one another
            definitions[title] = self.definition(definitions)
        return {"$ref": f"#/$defs/{title}"}

    def definition(self, definitions: JSON) -> JSON:
        """Its keys, each with what an editor shows of it."""
        properties: JSON = {}
        for key in self.keys:
            properties[key.name] = {"description": key.meaning} | key.kind.schema(definitions)
            if key.example:
                properties[key.name]["examples"] = [key.example]
            for alias in key.aliases:
                properties[alias] = {"description": f"The same as {key.name}."} | key.kind.schema(definitions)
        required = [key.name for key in self.keys if key.required and not key.aliases]
        written: JSON = {"type": "object", "description": self.meaning, "properties": properties}
        return written | {"additionalProperties": False} | ({"required": required} if required else {})


@dataclass(frozen=True, slots=True)
class ShortOrLong:
    """A table, or one value that stands for the table's key that `key_for` tells."""

    table: Table
    key_for: Callable[[str], str]
    short: str

    @property
    def label(self) -> str:
        """Both forms."""
        return f"{self.short}, or {self.table.label}"

    def read(self, node: Node, at: Reading) -> Record:
        """The table's values."""
        if not isinstance(node, Scalar):
            return self.table.read(node, at)
        key = next(key for key in self.table.keys if key.name == self.key_for(node.text))
        where = Where(at.file, node.line, at.at(self.table.level).level)
        return Record(where, FrozenMap({key.name: key.kind.read(node, at)}), FrozenMap({key.name: node.line}))

    def schema(self, definitions: JSON) -> JSON:
        """Either form."""
        return {"anyOf": [{"type": "string"}, self.table.schema(definitions)]}


@dataclass(frozen=True, slots=True)
class Named:
    """A mapping of names that the file chooses; `name` gives a name its proper form."""

    label: str
    name: Callable[[str], str]
    of: Kind

    def read(self, node: Node, at: Reading) -> Record:
        """The values by name."""
        if not isinstance(node, Entries):
            raise MisfitError(f"takes a mapping: {self.label}")
        values: dict[str, object] = {}
        lines: dict[str, int] = {}
        for key, value in node.entries:
            self._read_one(key, value, at, values, lines)
        return Record(Where(at.file, node.line, at.level), FrozenMap(values), FrozenMap(lines))

    def _read_one(
        self, key: Scalar, value: Node, at: Reading, values: dict[str, object], lines: dict[str, int]
    ) -> None:
        """Reads one name and its value."""
        name = attempted(Text(check=self.name), key, at)
        if not isinstance(name, str):
            return
        if name in lines:
            at.problem(key.line, f"'{key.text}' means '{name}', which is given already")
            return
        read = attempted(self.of, value, at.under(f"{at.key}: {name}"))
        lines[name] = key.line
        values |= {} if read is None else {name: read}

    def schema(self, definitions: JSON) -> JSON:
        """An object of any names."""
        return {"type": "object", "additionalProperties": self.of.schema(definitions)}


@dataclass(frozen=True, slots=True)
class Plugged:
    """The name of a plug-in of a stage, bare or with its options."""

    stage: str
    name: Text

    @property
    def label(self) -> str:
        """Both forms."""
        return f"{self.name.label}, or {{name: options}}"

    def read(self, node: Node, at: Reading) -> tuple[str, object]:
        """The name and the options."""
        if not isinstance(node, Entries):
            return (self.name.read(node, at), FrozenMap[object]())
        if len(node.entries) != 1:
            raise MisfitError("one name and its options, as {length: {min_words: 30}}")
        key, options = node.entries[0]
        if not isinstance(options, Entries):
            raise MisfitError(f"the options of '{key.text}' are a mapping, as {{min_words: 30}}")
        name, given = self.name.read(key, at), Free().read(options, at)
        try:
            check_options(self.stage, name, given if isinstance(given, FrozenMap) else {})
        except ValueError as error:
            raise MisfitError(f"{name}: {error}") from None
        return (name, given)

    def schema(self, definitions: JSON) -> JSON:
        """Either form."""
        title = f"{self.stage}_with_options"
        if title not in definitions:
            names = self.name.choices() if self.name.choices else ()
            definitions[title] = {
                "type": "object",
                "properties": {name: self._options_schema(name) for name in names},
                "additionalProperties": False,
                "minProperties": 1,
                "maxProperties": 1,
            }
        return {"anyOf": [self.name.schema(definitions), {"$ref": f"#/$defs/{title}"}]}

    def _options_schema(self, name: str) -> JSON:
        """What a JSON Schema says of one plug-in's options."""
        options = {
            option.name: {"description": option.label} | dict(option.reader.schema)
            for option in options_of(self.stage, name)
        }
        described: JSON = {"type": "object", "description": meaning_of(self.stage, name), "properties": options}
        return described | {"additionalProperties": False}
