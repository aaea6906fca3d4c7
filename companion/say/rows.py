"""A public state in words: a label and a value for each field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.say.words import Words

if TYPE_CHECKING:
    from companion.core.snapshot import View


def labelled_rows_of_view(view: View, players: Sequence[str], words: Words) -> list[dict[str, Any]]:
    """Return the label and value of each field of a view that fits into a row, in the view's order.

    Each returned dictionary has a `name` and a `label`. Each dictionary also has either `text` (one
    value) or `by` (a table from each player to a value). Nested fields, such as all spaces of a
    board, are omitted.
    """
    return [
        {"name": name, "label": words.view_field_label(name), **_told(name, fact, players, words)}
        for name, fact in view.items()
        if _is_readable(fact)
    ]


def _told(name: str, fact: Any, players: Sequence[str], words: Words) -> dict[str, Any]:
    if isinstance(fact, Mapping) and {*fact} == {*players}:
        return {"by": {who: _text(name, fact[who], words) for who in players}}
    return {"text": _text(name, fact, words)}


def _text(name: str, fact: Any, words: Words) -> str:
    match fact:
        case None | bool():
            return words(f"box.fact.{fact}")
        case list() | tuple():
            return ", ".join([_text(name, item, words) for item in fact]) or words("box.fact.None")
        case Mapping():
            return ", ".join([f"{item}: {_text(name, fact[item], words)}" for item in fact])
        case _:
            key = f"{words.game}.option.{name}.{fact}"
            return words(key) if words.has_sentence(key) else str(fact)


def _is_readable(fact: Any) -> bool:
    """Return True if a row can show `fact`.

    A row can show a value, a list of values, or a table that contains values or lists of values.
    """
    parts = fact.values() if isinstance(fact, Mapping) else [fact]
    return all(_is_plain(part) or (_is_list(part) and all(map(_is_plain, part))) for part in parts)


def _is_plain(fact: Any) -> bool:
    return fact is None or isinstance(fact, str | int)


def _is_list(fact: Any) -> bool:
    return isinstance(fact, list | tuple)
