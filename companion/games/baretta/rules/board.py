"""The printed board as a graph, and the 48 cards of Baretta (BA-2, BA-6).

Inside the rules a space is a number. The 24 card spaces come first, then the four corners, the
Hideout and the shortcut spaces. People see a space's id: "1" to "24", or a name from the edition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from companion.core.game import Edition

Seat: TypeAlias = int
Space: TypeAlias = int
Card: TypeAlias = str | None
"""A card's name, such as "move:5"; None: a real card that the box does not know."""
Pile: TypeAlias = tuple[Card, ...]
Links: TypeAlias = tuple[tuple[Space, ...], ...]

CARD_SPACES: Final = 24
CORNERS: Final = 4
HIDEOUT: Final = CARD_SPACES + CORNERS
HIDEOUT_ID: Final = "hideout"
DECK_SIZE: Final = 44
MARKERS_PER_PLAYER: Final = 6
MARKER, SAME = "marker", "same"
ASSUMED_COUNTS, PRINTED_COUNTS = "assumed", "printed"
"""Origin of an edition's numbers of cards: assumed, or counted in a printed copy (BA-2)."""
MAX_STEPS: Final = 12
"""Maximum number of steps of one move, after a roll of two sixes."""
DEALT_CARDS: Final = {2: 10, 3: 6, 4: 5}
"""Table from the number of players to the number of cards dealt to each player (BA-3)."""
CRIMINALS: Final = ("killer", "bank_robber", "safecracker", "hijacker")

STAY_PUT, WOUNDED, IN_TROUBLE, HUNCH = "stay_put", "wounded", "in_trouble", "hunch"
MOVE, GO_TO, ARREST = "move", "go_to", "arrest"
BY_HAND: Final = "by_hand"
"""Name of a card whose effect the players carry out on the real board (BA-2)."""
TAKE_BACK, UNMARK, ROLL_AGAIN, NOTHING = "take_back", "unmark", "roll_again", "nothing"
LOSE_TURN, LOOK, DRAW, SWAP = "lose_turn", "look", "draw", "swap"
TO_EFFECT: Final = "to"
EFFECTS: Final = (TAKE_BACK, UNMARK, ROLL_AGAIN, LOSE_TURN, LOOK, DRAW, SWAP, NOTHING)
"""Possible effects of a corner or the Hideout, except "to:SPACE" (BA-10, BA-11)."""
UNKNOWN: Final = "unknown"
"""Placeholder for the effect of a corner that no player has entered yet (BA-19)."""


class Spot(NamedTuple):
    """A card that lies on a space of the board.

    `by`: the seat that placed the card and owns its marker; None: the card was dealt at the start.
    `seen`: the seats of other players who looked at the card. `cleared`: True if the card is face
    down and all players know that it is no Arrest card (BA-14).
    """

    card: Card
    by: Seat | None = None
    marked: bool = False
    up: bool = False
    seen: tuple[Seat, ...] = ()
    cleared: bool = False


@dataclass(frozen=True)
class Spaces:
    """All spaces of a board. Each field lists a value for every space, by the number of the space.

    `links`: the neighbours of a space. `does`: the effect of a corner or the Hideout, else "".
    `reach[space][n]`: the spaces where a move of `n` steps can end (BA-6). `turn`: a space's
    position in the order around the board. `at`: a space's drawn position (column, row), from (0,
    0) at the top left to (7, 7).
    """

    ids: tuple[str, ...]
    links: Links
    does: tuple[str, ...]
    reach: tuple[tuple[tuple[Space, ...], ...], ...]
    turn: tuple[int, ...]
    at: tuple[tuple[float, float], ...]

    def round(self, spaces: Iterable[Space]) -> list[Space]:
        """Return `spaces` sorted by their order around the board."""
        return sorted(spaces, key=self.turn.__getitem__)

    def kind(self, space: Space) -> str:
        """Return the kind of a space: `outside`, `corner`, `hideout` or `shortcut`."""
        if space < CARD_SPACES:
            return "outside"
        if space < HIDEOUT:
            return "corner"
        return "hideout" if space == HIDEOUT else "shortcut"


@dataclass(frozen=True)
class Table:
    """The data that never change during a game: players, options, board and cards.

    `counts`: the origin of the numbers of cards, "assumed" or "printed" (BA-2).
    """

    players: tuple[str, ...]
    board: Spaces
    deck: tuple[str, ...]
    kinds: tuple[tuple[str, int], ...]
    counts: str
    own: bool
    real_dice: bool
    pressed: bool
    face_up: bool
    by_seat: bool
    cutting: bool


def make_table(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> Table:
    """Return the players, options, board and cards of a new game as a Table.

    `edition`: the parsed file edition.toml.
    """
    kinds = tuple(edition["cards"].items())
    return Table(
        players=players,
        board=make_board(edition),
        deck=tuple(card for card, count in kinds for _ in range(count)),
        kinds=kinds,
        counts=edition.get("counts", ASSUMED_COUNTS),
        own=options["deck"] == "own",
        real_dice=options["dice"] == "real",
        pressed=options["dice"] == "press",
        face_up=options["wounded"] == "up",
        by_seat=options.get("criminals", "seats") == "seats",
        cutting=options.get("cutting", "no") == "yes",
    )


def card_counts(edition: Edition) -> dict[str, int]:
    """Return a dictionary of the 48 cards: the number of cards with each name (BA-2)."""
    return {**edition["cards"], **{f"{ARREST}:{criminal}": 1 for criminal in CRIMINALS}}


# --- the graph ------------------------------------------------------------------------------------


def make_board(edition: Edition) -> Spaces:
    """Return the board that an edition describes."""
    corners = tuple((corner["id"], corner["does"]) for corner in edition["corner"])
    shortcuts = tuple(tuple(path) for path in edition["shortcuts"])
    return _board(tuple(edition["path"]), shortcuts, corners, edition["hideout"])


@lru_cache(maxsize=8)
def _board(
    path: tuple[str, ...],
    shortcuts: tuple[tuple[str, ...], ...],
    corners: tuple[tuple[str, str], ...],
    hideout: str,
) -> Spaces:
    numbers = tuple(str(n) for n in range(1, CARD_SPACES + 1))
    fixed_ids = (*numbers, *(ident for ident, _ in corners), HIDEOUT_ID)
    inner = dict.fromkeys(ident for way in shortcuts for ident in way if ident not in fixed_ids)
    ids = (*fixed_ids, *inner)
    links = find_neighbours(ids, ((*path, path[0]), *shortcuts))
    does = ("",) * CARD_SPACES + (*(does for _, does in corners), hideout)
    turn = ids_around_board(path, shortcuts)
    spots = drawn_positions(path, shortcuts, {ident for ident, _ in corners})
    return Spaces(
        ids=ids,
        links=links,
        does=does + ("",) * len(inner),
        reach=tuple(
            tuple(reachable(links, space, n) for n in range(MAX_STEPS + 1))
            for space in range(len(ids))
        ),
        turn=tuple(turn.index(ident) for ident in ids),
        at=tuple(spots[ident] for ident in ids),
    )


def find_neighbours(ids: Sequence[str], ways: Iterable[Sequence[str]]) -> Links:
    """Return the neighbours of each space. Each element of `ways` is a list of adjacent spaces."""
    index = {ident: space for space, ident in enumerate(ids)}
    neighbours: list[set[Space]] = [set() for _ in ids]
    for way in ways:
        for here, other in pairwise(way):
            neighbours[index[here]].add(index[other])
            neighbours[index[other]].add(index[here])
    return tuple(tuple(sorted(spaces)) for spaces in neighbours)


def reachable(links: Links, start: Space, n: int) -> tuple[Space, ...]:
    """Return the spaces where a move of exactly `n` steps from `start` can end (BA-6).

    A step cannot return to the space of the step before.
    """
    walks = {(start, start)}  # pairs of spaces: before and after the last step
    for _ in range(n):
        walks = {(here, to) for back, here in walks for to in links[here] if to != back}
    return tuple(sorted({here for _, here in walks}))


def ids_around_board(path: Sequence[str], shortcuts: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the ids of all spaces in their order around the board.

    Each shortcut follows the space where it starts. The Hideout comes last.
    """
    order = [*path]
    for way in shortcuts:
        after = order.index(way[0]) + 1 if way[0] in order else len(order)
        order[after:after] = (ident for ident in way if ident not in (*order, HIDEOUT_ID))
    return (*order, HIDEOUT_ID)


# --- drawn positions ------------------------------------------------------------------------------

SIDE_LENGTH: Final = 7.0
"""Distance between neighbouring corners of the drawn board, in columns or rows."""


def drawn_positions(
    path: Sequence[str], shortcuts: Iterable[Sequence[str]], corners: Iterable[str]
) -> dict[str, tuple[float, float]]:
    """Return the column and row where each space is drawn, by the id of the space.

    The path is a square, clockwise from the top left corner.

    The spaces on a side of the square are evenly spread. Shortcuts are straight lines between their
    ends. A shortcut to the Hideout is vertical or horizontal if it starts near the middle of a
    side.
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
    """Return the end of a shortcut that leads from `point` on a side to the `middle`.

    If `point` is nearly in line with `middle`, the shortcut is drawn horizontal or vertical.
    """
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
