"""Names of the clauses (numbered rules) that explain events, such as `BM-9`.

A clause can have parts with sentences of their own, such as `BM-9.gang`.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.game import Cue


def default_citation_of_fact(cue: Cue) -> tuple[str, ...]:
    """Return a tuple with the clause of an event, or () if the event has no clause."""
    return (cue.clause,) if cue.clause else ()


def sort_clauses_for_explanation(
    names: Iterable[str], argued: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the names of clauses in the order in which the box explains them.

    Parts of clauses come first, then the clauses in `argued`, then other clauses. Within these
    three groups, clauses with higher numbers come first. A clause is omitted if one of its parts is
    among `names`.
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
