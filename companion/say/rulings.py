"""Which parts of the rules stand behind facts: `BM-9` is a clause, `BM-9.gang` a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.game import Cue


def by_clause(cue: Cue) -> tuple[str, ...]:
    """What stands behind a fact of a game that says no more of it: its clause, if it has one."""
    return (cue.clause,) if cue.clause else ()


def most_specific_first(names: Iterable[str], argued: Iterable[str] = ()) -> tuple[str, ...]:
    """Parts of clauses first, then those that are `argued` about, then the later of the sheet.

    A part stands for its clause.
    """
    found, first = dict.fromkeys(names), {*argued}
    whole = {name.partition(".")[0] for name in found if "." in name}
    return tuple(
        sorted(
            found.keys() - whole,
            key=lambda name: ("." not in name, name not in first, -_place(name)),
        )
    )


def _place(name: str) -> int:
    """The place of a clause in its sheet: 9 of `BM-9.gang`."""
    digits = name.partition(".")[0].rpartition("-")[2]
    return int(digits) if digits.isdecimal() else 0
