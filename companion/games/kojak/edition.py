"""What a Kojak edition must be (KO-1 to KO-4, KO-13): the check behind edition.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games.kojak.board import COLOURS, DOT, MISSIONS, PLACES, PLAIN, RED, TRAPS
from handwritten.checks import (
    Slip,
    Where,
    distinct,
    entries,
    listed,
    number,
    table,
    text,
    word,
)
from handwritten.mistakes import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST, LONGEST = 2, 12
"""Fields of a circle: one to begin on and one to be arrested on, and what a screen can show."""
MOST_STEPS: Final = 9


def _circle(found: list[Any], where: Where) -> Iterator[Slip]:
    """KO-4: one dot, where the criminal begins, and somewhere on the way round red."""
    if not SHORTEST <= len(found) <= LONGEST:
        yield where.miscounted(len(found), f"{SHORTEST}-{LONGEST}")
    if found and found[0] in (PLAIN, RED):
        yield where.at(0).bad(found[0], shown(DOT))
    for i, field in enumerate(found[1:], start=1):
        if field == DOT:
            yield where.at(i).bad(DOT, f"{shown(PLAIN)}, {shown(RED)}")
    if all(field in (DOT, PLAIN) for field in found):
        yield where.bad(found, "a_red_field")


def _odd(found: list[Any], where: Where) -> Iterator[Slip]:
    """KO-13: the pile is a fixed cycle; an even sum can lock a colour out of red."""
    steps = [n for n in found if type(n) is int and 1 <= n <= MOST_STEPS]
    if len(steps) == len(found) and sum(steps) % 2 == 0:
        sums = f"{' + '.join(map(str, steps))} = {sum(steps)}" if steps else "[]"
        yield where.slip("bad_value", found=sums, expected="an_odd_sum")


def _totals(found: list[Any], where: Where) -> Iterator[Slip]:
    """The rule sheet counts the mission cards; each is one of four files'."""
    numbers = _cells(found, "missions")
    if numbers and all(type(n) is int for n in numbers) and sum(numbers) != MISSIONS:
        yield _last(where, "missions").bad(sum(numbers), f"{MISSIONS}_missions_in_all")


def _piles(found: list[Any], where: Where) -> Iterator[Slip]:
    """The rule sheet counts the trap cards too; some of them are Kojak's."""
    piles, kojak = _cells(found, "traps"), where.whole.get("kojak")
    if type(kojak) is not int or not 0 <= kojak <= TRAPS:
        return
    if piles and all(isinstance(pile, list) for pile in piles):
        cards = kojak + sum(map(len, piles))
        if cards != TRAPS:
            yield _last(where, "traps").bad(cards, f"{TRAPS}_trap_cards_in_all")


def _cells(found: list[Any], key: str) -> list[Any]:
    """What stands under a key of each of the four files; nothing if they are not four."""
    if len(found) != len(COLOURS):
        return []
    return [file.get(key) if isinstance(file, dict) else None for file in found]


def _last(where: Where, key: str) -> Where:
    return where.at(len(COLOURS) - 1, key)


_file = table(
    colour=text(word("colour", COLOURS), distinct),
    place=text(word("place", PLACES), distinct),
    circle=listed(text(word("field", (DOT, PLAIN, RED))), _circle),
    missions=number(1, MISSIONS),
    traps=listed(number(1, MOST_STEPS), _odd),
)
"""A file: its colour, the place, the criminal's circle, and the cards that name it."""

EDITION = table(kojak=number(0, TRAPS), file=entries(len(COLOURS), _file, _piles, _totals))
"""A board and its cards: how many of the trap cards are Kojak's, and the four files."""
