"""A walk round a board that a table shows to the box before its first game, as a fold.

As a game is played: an edition in which something is UNKNOWN asks for the next place,
and an answer makes the next edition. A loop is walked until it is back at its first field, so that
nobody has to count it. Whatever is left unknown is asked in play.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.catalog import editions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.catalog.editions import Place, Teachable
    from companion.core.prompts import Choose

UNKNOWN: Final = "unknown"
"""A space, a field, a suspect or a corner that nobody has named yet."""


class WalkStep(NamedTuple):
    """What is asked next: the `place` and the game's question about it.

    `open`: the place lies behind all that is known of its loop, which may go on or be back.
    """

    place: Place
    question: Choose
    open: bool = False


def begun(game: str) -> dict[str, Any]:
    """A board of which nothing is known; its loops have as many fields as assumed."""
    board = _board(game)
    return editions.blank(game, (board.start,) * len(board.counts))


def step(game: str, data: Mapping[str, Any], players: tuple[str, ...]) -> WalkStep | None:
    """What is asked next of the board of those who play; None if all of it is known."""
    board = _board(game)
    for loop in board.loops(data):
        fields = at(data, loop)
        if UNKNOWN in fields:
            n = fields.index(UNKNOWN)
            is_open = n == _known(fields)
            last = is_open and n >= board.lo
            return WalkStep((*loop, n), board.asks(data, (*loop, n), last), is_open)
    for place in board.places(data, players):
        if at(data, place) == UNKNOWN:
            return WalkStep(place, board.asks(data, place, False))
    return None


def likely(game: str, data: Mapping[str, Any], asked: WalkStep) -> str | None:
    """Return the likeliest answer of a step; None if nothing is likelier than anything else.

    It is what is assumed to be printed there. Behind places that are not as assumed it is the
    answer of the last of them: so a run of equal places takes a press each.
    """
    printed, (*way, n) = editions.load(game), asked.place
    likeliest = _printed(printed, asked.place)
    if isinstance(n, int) and n > 0 and _differ(printed, data, way, n):
        likeliest = at(data, (*way, n - 1))
    return likeliest if likeliest in asked.question.options else None


def _differ(printed: Any, data: Any, way: Sequence[str | int], n: int) -> bool:
    """Return True if the place before the `n`th, and the one before that, are not as assumed.

    One place alone is soon put right; the first place of a list is known, or has none before it.
    """
    before = [m for m in (n - 1, n - 2) if m > 0 or m == n - 1]
    return all(at(data, (*way, m)) != _printed(printed, (*way, m)) for m in before)


def _printed(data: Mapping[str, Any], place: Sequence[str | int]) -> Any:
    """What stands at a place of an edition; None if it has no such place."""
    try:
        return at(data, place)
    except (LookupError, TypeError):
        return None


def answered(game: str, data: Mapping[str, Any], asked: WalkStep, value: str) -> dict[str, Any]:
    """The edition with an answer; a loop that is back at its first field is that long."""
    new, (*way, last) = deepcopy(dict(data)), asked.place
    fields = at(new, way)
    if asked.open and value == fields[0]:
        del fields[last:]
        return new
    fields[last] = value
    if asked.open and last == len(fields) - 1 and len(fields) < _board(game).hi:
        fields.append(UNKNOWN)
    return new


def uncounted(game: str, data: Mapping[str, Any]) -> tuple[int, ...]:
    """The loops, by their place in `counts`, of which nobody knows yet how long they are."""
    loops = (at(data, loop) for loop in _board(game).loops(data))
    return tuple(n for n, fields in enumerate(loops) if _known(fields) < len(fields))


def shortest(game: str, data: Mapping[str, Any], n: int) -> int:
    """How many fields the `n`th loop has at least."""
    board = _board(game)
    return max(board.lo, _known(at(data, board.loops(data)[n])) + 1)


def counted(game: str, data: Mapping[str, Any], counts: Sequence[int]) -> dict[str, Any]:
    """The edition in which the uncounted loops have so many fields."""
    new = deepcopy(dict(data))
    loops = _board(game).loops(new)
    for n, count in zip(uncounted(game, data), counts, strict=True):
        fields = at(new, loops[n])
        fields[_known(fields) :] = [UNKNOWN] * (count - _known(fields))
    return new


def places(game: str, data: Mapping[str, Any]) -> tuple[Place, ...]:
    """All that a table can say of its board."""
    board = _board(game)
    loops = ((*loop, n) for loop in board.loops(data) for n in range(1, len(at(data, loop))))
    return (*loops, *board.places(data, ()))


def known(game: str, data: Mapping[str, Any]) -> int:
    """How many places of a board were named so far."""
    return sum(at(data, place) != UNKNOWN for place in places(game, data))


def at(data: Any, place: Sequence[str | int]) -> Any:
    """What stands at a place of an edition."""
    for key in place:
        data = data[key]
    return data


def _known(fields: Sequence[str]) -> int:
    """How many fields of a loop lie before the unknown ones at its end."""
    n = len(fields)
    while fields[n - 1] == UNKNOWN:
        n -= 1
    return n


def _board(game: str) -> Teachable:
    board = editions.teachable(game)
    assert board is not None
    return board
