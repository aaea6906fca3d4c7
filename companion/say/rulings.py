"""Clauses behind facts: `BM-9` is a clause, `BM-9.gang` a part of it."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.game import Cue


def default_citation(cue: Cue) -> tuple[str, ...]:
    """Return the default citation of a fact: its clause, if it has one."""
    return (cue.clause,) if cue.clause else ()


def sort_rulings(names: Iterable[str], argued: Iterable[str] = ()) -> tuple[str, ...]:
    """Return parts of clauses first, `argued` clauses next, and later clauses before earlier ones.

    If a part of a clause is among the names, its clause is omitted.
    """
    unique, first = dict.fromkeys(names), {*argued}
    whole = {name.partition(".")[0] for name in unique if "." in name}
    return tuple(
        sorted(
            unique.keys() - whole,
            key=lambda name: ("." not in name, name not in first, -_place(name)),
        )
    )


def _place(name: str) -> int:
    """Return the number in a clause's name: 9 for `BM-9.gang`."""
    digits = name.partition(".")[0].rpartition("-")[2]
    return int(digits) if digits.isdecimal() else 0
