"""One moment of a game of Baretta, what can be read off it at a glance, and the next turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from companion.core.fold import replace
from companion.core.game import Cue
from companion.games.baretta.rules.board import (
    ARREST,
    CARD_SPACES,
    HIDEOUT,
    Pile,
    Seat,
    Space,
    Spot,
)

if TYPE_CHECKING:
    from companion.core.game import Cues, Said
    from companion.games.baretta.rules.board import Card, Table

Step: TypeAlias = Literal[
    "accused",
    "shuffle",
    "shuffle_pile",
    "cut",
    "high_roll",
    "roll",
    "move_to",
    "card",
    "hunch",
    "take_back",
    "unmark",
    "look",
    "draw",
    "swap",
    "swap_with",
    "another",
    "by_hand",
    "corner_does",
    "who_won",
    "over",
]
"""What comes next: a question, or the end."""
ComesUp: TypeAlias = Literal["landed", "second", "guessed", "top"]
"""Why a card is turned over: Baretta landed there, also after Move N ("second"); a Hunch pointed
at it; or it is the top of the own pile (Wounded)."""
About: TypeAlias = Literal[ComesUp, "corner", "trouble", ""]
"""Why a card is turned over, or may be taken back: a corner's effect, or In Trouble."""


@dataclass(frozen=True)
class State:
    """One moment.

    `about` tells why a card is asked for. A pile's first card is its top; `shown`: it lies
    face up (Wounded). `gone` are the cards that have left the game. `moving` is the number of
    steps, and whether a Move card asks for them. `hunch` is the space of the Hunch being played.
    `found` are the Arrest cards of which all know where they are (BA-14).
    `mixing` are the piles to shuffle now, `cutting` those that may be cut after it. `swapping` is
    the first of two cards that change places, `sitting` are those who miss their next turn. `left`
    are those of `out` who have left the game (BA-20). `said` is what was said in this game of the
    corners (BA-19).
    """

    table: Table
    step: Step = "accused"
    about: About = ""
    accused: tuple[str, ...] = ()
    piles: tuple[Pile, ...] = ()
    shown: tuple[bool, ...] = ()
    spots: tuple[Spot | None, ...] = (None,) * CARD_SPACES
    gone: Pile = ()
    rollers: tuple[Seat, ...] = ()
    rolls: tuple[int, ...] = ()
    opening: bool = True
    turn: Seat = 0
    at: Space = HIDEOUT
    moving: tuple[int, bool] | None = None
    hunch: Space | None = None
    mixing: tuple[Seat, ...] = ()
    cutting: tuple[Seat, ...] = ()
    swapping: Space | None = None
    sitting: tuple[Seat, ...] = ()
    out: tuple[Seat, ...] = ()
    left: tuple[Seat, ...] = ()
    found: tuple[str, ...] = ()
    winner: Seat | None = None
    said: tuple[Said, ...] = ()


def put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """`values` with another value at a place."""
    return (*values[:place], value, *values[place + 1 :])


def name(state: State, seat: Seat | None = None) -> str:
    """A player's name: by default that of the player whose turn it is."""
    return state.table.players[state.turn if seat is None else seat]


def ident(state: State, space: Space | None = None) -> str:
    """A space's id: by default that of the space where Baretta stands."""
    return state.table.board.ids[state.at if space is None else space]


def index(state: State, space_id: str) -> Space:
    """The space of an id."""
    return state.table.board.ids.index(space_id)


def spot_at(state: State, space: Space) -> Spot:
    """The card on a space that is known to have one."""
    spot = state.spots[space]
    assert spot is not None
    return spot


def face(spot: Spot | None) -> str | None:
    """How all see a card on a space: "down", or "up:" and its name; None where there is none."""
    if spot is None:
        return None
    return f"up:{spot.card}" if spot.up else "down"


def marker(state: State, spot: Spot | None) -> str | None:
    """Whose marker lies on a card; None if none does."""
    return name(state, spot.by) if spot is not None and spot.marked else None


def marked_spaces(state: State, seat: Seat | None = None) -> tuple[Space, ...]:
    """The spaces with a marker: the seat's, or anybody's."""
    there = [space for space, spot in enumerate(state.spots) if spot and spot.marked]
    if seat is None:
        return tuple(there)
    return tuple([space for space in there if spot_at(state, space).by == seat])


def arrest_of(state: State, seat: Seat) -> str:
    """A player's own Arrest card."""
    return _arrests(state.accused)[seat]


def known_cards(state: State) -> list[str]:
    """Own cards: those that the table has named."""
    known = [spot.card for spot in state.spots if spot is not None]
    known += [*state.gone, *(pile[0] for pile in state.piles if pile)]
    return [card for card in known if card is not None]


def possible_cards(
    state: State, by: Seat | None, *, cleared: bool = False
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Own cards: what an unknown card can be that was laid (None) or is in or from `by`'s pile.

    The second list says how likely each is. A pile's Arrest card is somewhere among that player's
    unknown cards until it has been seen; a card laid before the game, or `cleared`, is none.
    """
    known = known_cards(state)
    counts = [(kind, count - known.count(kind)) for kind, count in state.table.kinds]
    names = tuple(kind for kind, n in counts if n > 0)
    weights = tuple(n for _, n in counts if n > 0)
    if by is None or cleared or (arrest := arrest_of(state, by)) in known:
        return names, weights
    hidden = state.piles[by].count(None)
    hidden += sum(
        spot is not None and spot[:2] == (None, by) and not spot.cleared for spot in state.spots
    )
    if hidden == 1:
        return (arrest,), (1,)
    return (*names, arrest), (*(n * (hidden - 1) for n in weights), sum(weights))


def nothing_happens(state: State, why: str, clause: str, cues: Cues) -> Cues:
    """Nothing more happens where Baretta stands; `why` as docs/protocol.md lists it."""
    facts = {"who": name(state), "space": ident(state), "why": why}
    return (*cues, Cue("nothing", facts, clause))


def next_turn(state: State, cues: Cues) -> tuple[State, Cues]:
    """BA-5: the turn goes clockwise, past those who are out (BA-16) or miss a turn (BA-10).

    BA-18: if no Arrest card can come up any more the table is asked who has won.
    """
    state = all_known_cleared(state)
    turn = (state.turn + 1) % len(state.piles)
    while turn in state.out or turn in state.sitting:
        if turn not in state.out:
            cues = (*cues, Cue("missed_turn", {"who": name(state, turn)}, "BA-10"))
            state = replace(state, sitting=tuple(seat for seat in state.sitting if seat != turn))
        turn = (turn + 1) % len(state.piles)
    state = replace(state, turn=turn, step="roll" if arrest_left(state) else "who_won", about="")
    return state, (*cues, Cue("next_turn", {"who": name(state)}, "BA-5"))


def arrest_left(state: State) -> bool:
    """BA-18: whether the Arrest card of a player who is in can still come up.

    Only own cards can run out of them.
    """
    if not state.table.own:
        return True
    return any(
        _can_come_up(state, seat) for seat in range(len(state.piles)) if seat not in state.out
    )


def _can_come_up(state: State, seat: Seat) -> bool:
    """Whether a player's Arrest card lies on the board, or can be in the pile or face down."""
    arrest = arrest_of(state, seat)
    lying = [spot for spot in state.spots if spot is not None]
    if any(spot.card == arrest for spot in lying):
        return True
    if arrest in state.gone:
        return False
    hidden = (spot.card is None and spot.by == seat and not spot.cleared for spot in lying)
    return bool(state.piles[seat]) or any(hidden)


def all_known_cleared(state: State) -> State:
    """BA-14: of a player whose Arrest card is found all know that no other card is it.

    That stays known of a card, whatever becomes of the Arrest card.
    """
    found, spots = _found(state), state.spots
    if not found and not state.found:
        return state
    for space, spot in enumerate(spots):
        if spot is None or spot.by is None or spot.up or spot.cleared:
            continue
        arrest = arrest_of(state, spot.by)
        if arrest in found and spot.card != arrest:
            spots = put(spots, space, spot._replace(cleared=True))
    return replace(state, spots=spots, found=found)


def _found(state: State) -> tuple[str, ...]:
    """The Arrest cards of which all know where they lie, or that they have left the game.

    That is one that lies face up, or lay so and was put down (BA-17), until it goes into a pile.
    """
    found = state.found
    known = [
        spot.card
        for spot in state.spots
        if spot is not None and (spot.up or (found and spot.card in found))
    ]
    if True in state.shown:
        known += [pile[0] for pile, up in zip(state.piles, state.shown, strict=True) if up]
    arrests = _arrests(state.accused)
    return tuple([arrest for arrest in arrests if arrest in known or arrest in state.gone])


@lru_cache(maxsize=64)
def _arrests(accused: tuple[str, ...]) -> tuple[str, ...]:
    """The Arrest card of each player, by seat."""
    return tuple(f"{ARREST}:{criminal}" for criminal in accused)


def clear_space(state: State, space: Space) -> State:
    """BA-14: all know now that the card on a space is no Arrest card."""
    return replace(
        state,
        spots=put(state.spots, space, spot_at(state, space)._replace(cleared=True)),
    )


def is_arrest(card: Card) -> bool:
    """Whether it is a "Baretta Arrests" card."""
    return card is not None and card.startswith(ARREST)
