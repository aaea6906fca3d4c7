"""Baretta's printed board as a graph of spaces, and its 48 cards (BA-2, BA-6).

The rules identify a space by a number: first the 24 card spaces, then four corners, the Hideout and
the shortcut spaces. Players identify a space by an id: "1" to "24", or an id from the edition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from companion.core.game import Edition

Seat: TypeAlias = int
SpaceNumber: TypeAlias = int
Card: TypeAlias = str | None
"""Name of a card, such as "move:5"; None is a real card that the box does not know."""
Pile: TypeAlias = tuple[Card, ...]
Links: TypeAlias = tuple[tuple[SpaceNumber, ...], ...]

CARD_SPACE_COUNT: Final = 24
CORNER_COUNT: Final = 4
HIDEOUT: Final = CARD_SPACE_COUNT + CORNER_COUNT
HIDEOUT_ID: Final = "hideout"
DECK_SIZE: Final = 44
MARKERS_PER_PLAYER: Final = 6
MARKER, SAME = "marker", "same"
ASSUMED_COUNTS, PRINTED_COUNTS = "assumed", "printed"
"""Values of the edition's key `counts` (BA-2).

- ASSUMED_COUNTS: the edition's numbers of cards are only assumed.
- PRINTED_COUNTS: a person has counted the printed cards.
"""
MAX_STEPS: Final = 12
"""Maximum number of spaces of one move (a roll of two sixes)."""
HAND_SIZE_BY_PLAYER_COUNT: Final = {2: 10, 3: 6, 4: 5}
"""Table from the number of players to the number of cards dealt to each player (BA-3)."""
CRIMINALS: Final = ("killer", "bank_robber", "safecracker", "hijacker")

STAY_PUT, WOUNDED, IN_TROUBLE, HUNCH = "stay_put", "wounded", "in_trouble", "hunch"
MOVE, GO_TO, ARREST = "move", "go_to", "arrest"
BY_HAND_CARD: Final = "by_hand"
"""Name of a card whose effect the players carry out themselves on the real board (BA-2)."""
TAKE_BACK, UNMARK, ROLL_AGAIN, NOTHING = "take_back", "unmark", "roll_again", "nothing"
LOSE_TURN, LOOK, DRAW, SWAP = "lose_turn", "look", "draw", "swap"
TO_EFFECT: Final = "to"
SPACE_EFFECTS: Final = (TAKE_BACK, UNMARK, ROLL_AGAIN, LOSE_TURN, LOOK, DRAW, SWAP, NOTHING)
"""Names of the effects of a corner or of the Hideout, except "to:SPACE" (BA-10, BA-11)."""
UNKNOWN_EFFECT: Final = "unknown"
"""Placeholder for the effect of a corner or the Hideout that the box does not know (BA-19)."""


class CardOnBoard(NamedTuple):
    """A card that is on a card space.

    - `card`: the card's name, or None if the box does not know the card.
    - `by`: the seat that placed the card, or None for a card that was dealt before the game.
    - `marked` is True if a marker of the seat `by` is on the card.
    - `up` is True if the card is face up.
    - `seen`: the seats of the players who have looked at the face-down card.
    - `cleared` is True if all players know that the card is not an Arrest card (BA-14).
    """

    card: Card
    by: Seat | None = None
    marked: bool = False
    up: bool = False
    seen: tuple[Seat, ...] = ()
    cleared: bool = False


@dataclass(frozen=True)
class BoardSpaces:
    """The spaces of a board, as tuples. In each tuple, the index is a space's number.

    - `ids`: the id of each space.
    - `links`: the numbers of each space's neighbours.
    - `does`: the effect of each corner and of the Hideout, or "" for other spaces.
    - `reach`: for each space where a move starts, a tuple whose index is the number of steps. Each
      item contains the spaces where the move can end (BA-6).
    - `listing_order`: the position of each space in the order around the board.
    - `at`: the position (column, row) of each space in drawings, with (0, 0) at the top left.
    """

    ids: tuple[str, ...]
    links: Links
    does: tuple[str, ...]
    reach: tuple[tuple[tuple[SpaceNumber, ...], ...], ...]
    listing_order: tuple[int, ...]
    at: tuple[tuple[float, float], ...]

    def sort_around_board(self, spaces: Iterable[SpaceNumber]) -> list[SpaceNumber]:
        """Return `spaces` in the order in which the box lists spaces."""
        return sorted(spaces, key=self.listing_order.__getitem__)

    def kind_of_space(self, space: SpaceNumber) -> str:
        """Return the kind of a space: `outside`, `corner`, `hideout` or `shortcut`."""
        if space < CARD_SPACE_COUNT:
            return "outside"
        if space < HIDEOUT:
            return "corner"
        return "hideout" if space == HIDEOUT else "shortcut"


@dataclass(frozen=True)
class TableSetup:
    """Setup of a game: players, options, board and cards.

    - `deck`: the names of all 44 cards.
    - `kinds`: pairs (card name, number of cards with this name).
    - `count_status`: "printed" if a person has counted the printed cards, else "assumed" (BA-2).
    - `own` is True if the players use real cards.
    - `real_dice` is True if the players roll real dice and enter the result.
    - `pressed` is True if a press of a button rolls the dice.
    - `face_up` is True if a card that a Wounded card turned up is later placed face up.
    - `by_seat` is True if the seats decide which criminal each player gets.
    - `cutting` is True if the players may cut shuffled piles.
    """

    players: tuple[str, ...]
    board: BoardSpaces
    deck: tuple[str, ...]
    kinds: tuple[tuple[str, int], ...]
    count_status: str
    own: bool
    real_dice: bool
    pressed: bool
    face_up: bool
    by_seat: bool
    cutting: bool


def make_table_setup(
    players: tuple[str, ...], options: Mapping[str, str], edition: Edition
) -> TableSetup:
    """Return the setup of a new game, from its players, options and edition.

    `edition`: the parsed file `edition.toml`.
    """
    kinds = tuple(edition["cards"].items())
    return TableSetup(
        players=players,
        board=make_board_from_edition(edition),
        deck=tuple(card for card, count in kinds for _ in range(count)),
        kinds=kinds,
        count_status=edition.get("counts", ASSUMED_COUNTS),
        own=options["deck"] == "own",
        real_dice=options["dice"] == "real",
        pressed=options["dice"] == "press",
        face_up=options["wounded"] == "up",
        by_seat=options.get("criminals", "seats") == "seats",
        cutting=options.get("cutting", "no") == "yes",
    )


def deck_card_counts(edition: Edition) -> dict[str, int]:
    """Return a table from each card name to the number of cards with this name (BA-2)."""
    return {**edition["cards"], **{f"{ARREST}:{criminal}": 1 for criminal in CRIMINALS}}


# --- the graph ------------------------------------------------------------------------------------


def make_board_from_edition(edition: Edition) -> BoardSpaces:
    """Return the board that an edition describes. `edition`: the parsed file `edition.toml`."""
    corners = tuple((corner["id"], corner["does"]) for corner in edition["corner"])
    shortcuts = tuple(tuple(path) for path in edition["shortcuts"])
    return _board(tuple(edition["path"]), shortcuts, corners, edition["hideout"])


@lru_cache(maxsize=8)
def _board(
    path: tuple[str, ...],
    shortcuts: tuple[tuple[str, ...], ...],
    corners: tuple[tuple[str, str], ...],
    hideout: str,
) -> BoardSpaces:
    numbers = tuple(str(n) for n in range(1, CARD_SPACE_COUNT + 1))
    fixed_ids = (*numbers, *(ident for ident, _ in corners), HIDEOUT_ID)
    inner = dict.fromkeys(ident for way in shortcuts for ident in way if ident not in fixed_ids)
    ids = (*fixed_ids, *inner)
    links = neighbours_by_space(ids, ((*path, path[0]), *shortcuts))
    does = ("",) * CARD_SPACE_COUNT + (*(does for _, does in corners), hideout)
    turn = space_ids_around_board(path, shortcuts)
    spots = drawn_space_positions(path, shortcuts, {ident for ident, _ in corners})
    return BoardSpaces(
        ids=ids,
        links=links,
        does=does + ("",) * len(inner),
        reach=tuple(
            tuple(spaces_reachable_in_steps(links, space, n) for n in range(MAX_STEPS + 1))
            for space in range(len(ids))
        ),
        listing_order=tuple(turn.index(ident) for ident in ids),
        at=tuple(spots[ident] for ident in ids),
    )


def neighbours_by_space(ids: Sequence[str], ways: Iterable[Sequence[str]]) -> Links:
    """Return, for each of `ids`, the numbers of the neighbouring spaces.

    `ways`: lists of space ids, in which each two successive spaces are neighbours.
    """
    index = {ident: space for space, ident in enumerate(ids)}
    neighbours: list[set[SpaceNumber]] = [set() for _ in ids]
    for way in ways:
        for here, other in pairwise(way):
            neighbours[index[here]].add(index[other])
            neighbours[index[other]].add(index[here])
    return tuple(tuple(sorted(spaces)) for spaces in neighbours)


def spaces_reachable_in_steps(links: Links, start: SpaceNumber, n: int) -> tuple[SpaceNumber, ...]:
    """Return the spaces where a move of exactly `n` steps from `start` can end (BA-6).

    A step never leads back to the space where the previous step began.
    """
    walks = {(start, start)}  # pairs: the space before the latest step, and the space after it
    for _ in range(n):
        walks = {(here, to) for back, here in walks for to in links[here] if to != back}
    return tuple(sorted({here for _, here in walks}))


def space_ids_around_board(
    path: Sequence[str], shortcuts: Iterable[Sequence[str]]
) -> tuple[str, ...]:
    """Return the ids of all spaces, in the order in which the box lists spaces.

    The order follows the path, and each shortcut comes after the space where it starts. The Hideout
    comes last.
    """
    order = [*path]
    for way in shortcuts:
        after = order.index(way[0]) + 1 if way[0] in order else len(order)
        order[after:after] = (ident for ident in way if ident not in (*order, HIDEOUT_ID))
    return (*order, HIDEOUT_ID)


# --- drawn positions ------------------------------------------------------------------------------

SIDE_LENGTH: Final = 7.0
"""Number of columns (or rows) between two neighbouring corners of the drawn board."""


def drawn_space_positions(
    path: Sequence[str], shortcuts: Iterable[Sequence[str]], corners: Iterable[str]
) -> dict[str, tuple[float, float]]:
    """Return a table from each space's id to its position (column, row) in drawings.

    The path is a square, clockwise from the top left corner. On each side of the square, the spaces
    are at equal distances. A shortcut is a straight line between its two ends. A shortcut to the
    Hideout is vertical or horizontal if the shortcut starts near the middle of a side.
    """
    starts = [i for i, ident in enumerate(path) if ident in set(corners)]
    square = (
        (0.0, 0.0),
        (SIDE_LENGTH, 0.0),
        (SIDE_LENGTH, SIDE_LENGTH),
        (0.0, SIDE_LENGTH),
        (0.0, 0.0),
    )
    positions = {HIDEOUT_ID: (SIDE_LENGTH / 2, SIDE_LENGTH / 2)}
    for side, (first, end) in enumerate(pairwise((*starts, len(path)))):
        positions |= _line(path[first:end], square[side], square[side + 1], end - first)
    for way in shortcuts:
        start, other = (positions.get(end, positions[HIDEOUT_ID]) for end in (way[0], way[-1]))
        if other == positions[HIDEOUT_ID]:
            other = _beside(start, other)
        positions = _line(way, start, other, len(way) - 1) | positions
    return positions


def _beside(point: tuple[float, float], middle: tuple[float, float]) -> tuple[float, float]:
    (x, y), (to_x, to_y) = point, middle
    if abs(x - to_x) < 1:
        return (x, to_y)
    return (to_x, y) if abs(y - to_y) < 1 else middle


def _line(
    way: Sequence[str], start: tuple[float, float], other: tuple[float, float], steps: int
) -> dict[str, tuple[float, float]]:
    (x, y), (to_x, to_y) = start, other
    return {
        ident: (round(x + (to_x - x) * i / steps, 2), round(y + (to_y - y) * i / steps, 2))
        for i, ident in enumerate(way)
    }
