"""The board tour: a series of questions with which players enter what is printed on their board.

The tour starts with an edition (the data of a printed board) whose values are all unknown
(UNKNOWN_BOARD_VALUE). Each answer replaces one unknown value. In a loop of fields (a circular
track), the tour continues until players reach the loop's first field again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple

from companion.catalog import editions
from companion.catalog.editions import BoardTourPlan, Place
from companion.core.prompts import Choose

UNKNOWN_BOARD_VALUE: Final = "unknown"
"""The value of a space, field, suspect or corner that players have not entered yet."""


class TourStep(NamedTuple):
    """The next step of a board tour: a place on the printed board, and the question about it.

    `open`: True if the place is in a loop whose later fields are all UNKNOWN_BOARD_VALUE. After the
    minimum number of fields, players can then answer that the place is the loop's first field
    again.
    """

    place: Place
    question: Choose
    open: bool = False


def edition_with_blank_board(game: str) -> dict[str, Any]:
    """Return an edition whose board values are all UNKNOWN_BOARD_VALUE.

    Each loop (a circular track of fields) has the assumed number of fields.
    """
    board = _board(game)
    return editions.built_in_edition_without_values(game, (board.start,) * len(board.counted_lists))


def next_step_for_unknown_values(
    game: str, data: Mapping[str, Any], players: tuple[str, ...]
) -> TourStep | None:
    """Return the next step of the board tour. Return None if no value is UNKNOWN_BOARD_VALUE.

    `data`: the edition with the values that players have entered so far.

    `players`: the players of the game; their seats decide which places the tour asks about.
    """
    board = _board(game)
    for loop in board.loops(data):
        fields = edition_value_at_path(data, loop)
        if UNKNOWN_BOARD_VALUE in fields:
            n = fields.index(UNKNOWN_BOARD_VALUE)
            is_open = n == _known(fields)
            last = is_open and n >= board.lo
            return TourStep((*loop, n), board.asks(data, (*loop, n), last), is_open)
    for place in board.places(data, players):
        if edition_value_at_path(data, place) == UNKNOWN_BOARD_VALUE:
            return TourStep(place, board.asks(data, place, False))
    return None


def likeliest_tour_answer(game: str, data: Mapping[str, Any], asked: TourStep) -> str | None:
    """Return the likeliest answer to a question of the board tour.

    If the values that players entered for the two previous places differ from the built-in edition,
    the likeliest answer is the value of the previous place. Otherwise, the likeliest answer is the
    value of this place in the built-in edition. If the question does not offer the likeliest
    answer, return None.
    """
    printed, (*way, n) = editions.load_edition(game), asked.place
    likeliest = _printed(printed, asked.place)
    if isinstance(n, int) and n > 0 and _differ(printed, data, way, n):
        likeliest = edition_value_at_path(data, (*way, n - 1))
    return likeliest if likeliest in asked.question.options else None


def _differ(printed: Any, data: Any, way: Sequence[str | int], n: int) -> bool:
    """Return True if the values of the two places before `n` differ from the built-in edition.

    If place `n - 2` is the first place of the list, only place `n - 1` is compared.

    `way`: the path of the list that contains these places.
    """
    before = [m for m in (n - 1, n - 2) if m > 0 or m == n - 1]
    return all(
        edition_value_at_path(data, (*way, m)) != _printed(printed, (*way, m)) for m in before
    )


def _printed(data: Mapping[str, Any], place: Sequence[str | int]) -> Any:
    try:
        return edition_value_at_path(data, place)
    except (LookupError, TypeError):
        return None


def edition_with_tour_answer(
    game: str, data: Mapping[str, Any], asked: TourStep, value: str
) -> dict[str, Any]:
    """Return a copy of a board's data with the answer `value` to a question of the board tour.

    If the answer states that the place is the loop's first field again, the loop is complete, and
    the loop's UNKNOWN_BOARD_VALUE fields are removed.
    """
    new, (*way, last) = deepcopy(dict(data)), asked.place
    fields = edition_value_at_path(new, way)
    if asked.open and value == fields[0]:
        del fields[last:]
        return new
    fields[last] = value
    if asked.open and last == len(fields) - 1 and len(fields) < _board(game).hi:
        fields.append(UNKNOWN_BOARD_VALUE)
    return new


def indices_of_unknown_loops(game: str, data: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the loops whose number of fields is unknown.

    The results are indices into `BoardTourPlan.counted_lists`.
    """
    loops = (edition_value_at_path(data, loop) for loop in _board(game).loops(data))
    return tuple(n for n, fields in enumerate(loops) if _known(fields) < len(fields))


def min_loop_length(game: str, data: Mapping[str, Any], n: int) -> int:
    """Return the minimum number of fields that the loop with the index `n` can have."""
    board = _board(game)
    return max(board.lo, _known(edition_value_at_path(data, board.loops(data)[n])) + 1)


def edition_with_loop_lengths(
    game: str, data: Mapping[str, Any], counts: Sequence[int]
) -> dict[str, Any]:
    """Return a board's data with the numbers of fields that players have counted.

    `counts`: the number of fields of each loop, in the order of `indices_of_unknown_loops`.
    """
    new = deepcopy(dict(data))
    loops = _board(game).loops(new)
    for n, count in zip(indices_of_unknown_loops(game, data), counts, strict=True):
        fields = edition_value_at_path(new, loops[n])
        fields[_known(fields) :] = [UNKNOWN_BOARD_VALUE] * (count - _known(fields))
    return new


def enterable_board_places(game: str, data: Mapping[str, Any]) -> tuple[Place, ...]:
    """Return all places on a board for which players can enter a value."""
    board = _board(game)
    loops = (
        (*loop, n)
        for loop in board.loops(data)
        for n in range(1, len(edition_value_at_path(data, loop)))
    )
    return (*loops, *board.places(data, ()))


def count_entered_board_places(game: str, data: Mapping[str, Any]) -> int:
    """Return the number of places on a board for which players have entered a value."""
    return sum(
        edition_value_at_path(data, place) != UNKNOWN_BOARD_VALUE
        for place in enterable_board_places(game, data)
    )


def count_equal_values_before_step(data: Mapping[str, Any], asked: TourStep) -> int:
    """Return the length of the series of equal values directly before the asked place."""
    *way, n = asked.place
    if not isinstance(n, int) or n == 0:
        return 0
    fields = (
        edition_value_at_path(data, way)[1:n]
        if asked.open
        else edition_value_at_path(data, way)[:n]
    )
    return next((m for m, field in enumerate(reversed(fields)) if field != fields[-1]), len(fields))


def edition_value_at_path(data: Any, place: Sequence[str | int]) -> Any:
    """Return the value at the path `place` in a board's data."""
    for key in place:
        data = data[key]
    return data


def _known(fields: Sequence[str]) -> int:
    """Return the number of fields in a loop. UNKNOWN_BOARD_VALUE fields at the end do not count."""
    n = len(fields)
    while fields[n - 1] == UNKNOWN_BOARD_VALUE:
        n -= 1
    return n


def _board(game: str) -> BoardTourPlan:
    board = editions.board_tour_plan(game)
    assert board is not None
    return board
