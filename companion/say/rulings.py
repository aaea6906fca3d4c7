"""Names of the clauses that explain facts, such as `BM-9`, or `BM-9.gang` for a clause's part."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.game import Cue


def default_citation_of_fact(cue: Cue) -> tuple[str, ...]:
    """Return a tuple with the fact's clause, or () if the fact has no clause."""
    return (cue.clause,) if cue.clause else ()


def sort_rulings(names: Iterable[str], argued: Iterable[str] = ()) -> tuple[str, ...]:
    """Return clause names in this order: parts of clauses, clauses in `argued`, other clauses.

    Within these groups, clauses with higher numbers come first. A clause is omitted if the names
    include a part of the clause.
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
    """Return the number in a clause's name, for example 9 for `BM-9.gang`."""
    digits = name.partition(".")[0].rpartition("-")[2]
    return int(digits) if digits.isdecimal() else 0
