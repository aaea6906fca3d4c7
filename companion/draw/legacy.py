"""Faces that were written before facts had a table: their sets of names become its rows."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, TypeVar

from companion.say.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.game import Cue

T = TypeVar("T")
SETS: Final = {
    "silent": "silent", "leads": "headline", "idle": "inline", "looked_at": "news",
    "addressed": "addressed", "alarming": "alarming", "weighty": "priority", "slight": "skippable",
    "victory": "ends",
}  # fmt: skip
"""What a set of names was called, and the field of their rows that it stands for."""
OTHERS: Final = ("sounds", "drawn", "variant", "rulings")


class Renewed(type):
    """The kind of a class that is also made with the arguments of the time before the table."""

    def __call__(cls: type[T], **given: Any) -> T:
        """Make one, from the rows."""
        old = callable(given.get("facts")) or not given.keys().isdisjoint((*SETS, *OTHERS))
        made: T = type.__call__(cls, **(_renewed(given) if old else given))
        return made


def _renewed(given: Mapping[str, Any]) -> dict[str, Any]:
    """The same arguments, with a table of facts."""
    rows: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for old, new in SETS.items():
        for name in given.get(old, ()):
            rows[name][new] = True
    for name, sound in given.get("sounds", {}).items():
        rows[name] |= {"sound": sound, "dealt": sound in given.get("drawn", ())}
    for name, row in rows.items():
        if "." in name:  # a silent fact was silent in its plain way alone
            row.setdefault("silent", False)
    for_all = _for_all(given)
    facts = {name: Fact(**({} if "." in name else for_all), **row) for name, row in rows.items()}
    facts.setdefault("", Fact(**for_all))
    kept = {name: value for name, value in given.items() if name not in (*SETS, *OTHERS)}
    fields = {"fields": kept.pop("facts")} if "facts" in kept else {}
    return {**kept, **fields, "facts": facts}


def _for_all(given: Mapping[str, Any]) -> dict[str, Any]:
    """What held of all facts: which way they are told in, and what stands behind them."""
    found: dict[str, Any] = {}
    if "variant" in given:
        found["way"] = _way(given["variant"])
    if "rulings" in given:
        found["cites"] = given["rulings"]
    return found


def _way(variant: Callable[[Cue], str]) -> Callable[[Cue], str]:
    return lambda cue: variant(cue).removeprefix(cue.name).removeprefix(".")
