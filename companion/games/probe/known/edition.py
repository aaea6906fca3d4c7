"""What a Probe edition must be (PR-5): the check behind edition.toml."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from checked_input.checks import Slip, Where, distinct, listed, number, table, text, word
from companion.games.probe.rules.board import AGAIN, PLAIN, POINTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_CARDS: Final = 99
"""Cards of one kind."""

_known = word("card", (*PLAIN, f"{POINTS} 20"))


def _name(found: str, where: Where) -> Iterable[Slip]:
    """A card by its name; any points but 0, in steps of 5."""
    if not re.fullmatch(rf"{POINTS} -?[1-9][0-9]{{0,2}}", found):
        return _known(found, where)
    off = int(found.split()[1]) % 5
    return (where.bad(found, "points_in_steps_of_5"),) if off else ()


def _deck(found: list[Any], where: Where) -> Iterator[Slip]:
    """A deck that lets the turn pass: with nothing but additional turns it never would (PR-4)."""
    if not any(_passes(entry) for entry in found):
        yield where.bad(found, "a_card_that_ends_a_turn")


def _passes(entry: Any) -> bool:
    """Whether a card's turn ends at a "no"; what is wrong in other ways is told elsewhere."""
    return not isinstance(entry, dict) or (entry.get("name") != AGAIN and entry.get("count") != 0)


EDITION = table(card=listed(table(name=text(_name, distinct), count=number(0, MAX_CARDS)), _deck))
"""A deck of activity cards: each `name`, as in answers, and how many there are of it."""
