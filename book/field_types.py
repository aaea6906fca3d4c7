"""The terms and types of the protocol reference, in English and French."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tests.talks import PLAYER_NAMES

TYPE_TERMS: Final = {
    "en": {
        "whole_number": "number", "boolean": "boolean", "list": "list", "table": "object",
        "text": "text", "null": "null", "or": "or", "player": "player", "of": "list of",
        "cue": "Cue", "colon": ": ", "to": "to", "word": "word", "key": "key of", "has": "Fields",
        "open_at": "With `correct`, at {names}:",
    },
    "fr": {
        "whole_number": "nombre", "boolean": "booléen", "list": "liste", "table": "objet",
        "text": "texte", "null": "null", "or": "ou", "player": "joueur", "of": "liste de",
        "cue": "Son", "colon": "\N{NO-BREAK SPACE}: ", "to": "à", "word": "mot",
        "key": "clé de", "has": "Champs",
        "open_at": "Avec `correct`, à {names}\N{NO-BREAK SPACE}:",
    },
}  # fmt: skip


def type_of_values(values: Iterable[Any], terms: Mapping[str, str]) -> str:
    """Return the type of all values of a field, such as `number?` or `player → list`."""
    null, none_yet = terms["null"], f"{terms['player']} → {terms['null']}"
    shapes = dict.fromkeys(_type_of_value(value, terms) for value in values)
    return join_types([null if shape == none_yet else shape for shape in shapes], terms)


def join_types(kinds: Iterable[str], terms: Mapping[str, str]) -> str:
    """Return several types as one text. The text `number?` is short for *number or null*."""
    null, kinds = terms["null"], dict.fromkeys(kinds)
    others = f" {terms['or']} ".join(kind for kind in kinds if kind != null)
    if not others or null not in kinds:
        return others or null
    return f"{others} {terms['or']} {null}" if others.endswith("`") else f"{others}?"


def _type_of_value(value: Any, terms: Mapping[str, str]) -> str:
    match value:
        case None:
            return terms["null"]
        case bool():
            return terms["boolean"]
        case int():
            return terms["whole_number"]
        case list() | tuple():
            return terms["list"]
        case dict() if value and {*value} <= {*PLAYER_NAMES}:
            inner = dict.fromkeys(_type_of_value(part, terms) for part in value.values())
            inner.pop(terms["null"], None)
            return f"{terms['player']} → {next(iter(inner), terms['null'])}"
        case dict():
            return terms["table"]
        case _:
            return terms["text"]


def format_code_list(names: Iterable[str]) -> str:
    """Return names as a list of code, such as "`who`, `card`"."""
    return ", ".join(f"`{name}`" for name in names)
