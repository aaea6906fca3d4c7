"""The state of a game of Baretta, functions that read the state, and the next turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from companion.core.fold import replace
from companion.core.game import Cue, Cues, EnteredValue
from companion.games.baretta.rules.board import (
    ARREST,
    CARD_SPACES,
    HIDEOUT,
    Card,
    Pile,
    Seat,
    Space,
    Spot,
    Table,
)

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
"""The name of the question that the game asks next, or "over"."""
TurnOverReason: TypeAlias = Literal["landed", "second", "guessed", "top"]
"""The reason why a card is turned over.

- "landed": Baretta moved to the card by a roll.
- "second": a Move card moved Baretta to the card.
- "guessed": a Hunch pointed at the card.
- "top": Wounded turned up the top card of the player's pile.
"""
CardReason: TypeAlias = Literal[TurnOverReason, "corner", "trouble", ""]
"""The reason why a card is turned over, or taken back ("corner": an effect, "trouble":

In Trouble).
"""


@dataclass(frozen=True)
class State:
    """A state of Baretta.

    - `about`: the reason why the game asks for a card.
    - `piles`: each player's cards, top card first.
    - `shown`: by seat, True if Wounded turned up the top card of the pile.
    - `gone`: the discarded cards.
    - `moving`: the number of steps, and True if a Move card gave the steps.
    - `hunch`: the space of the Hunch that is face up.
    - `found`: Arrest cards whose place all players know (BA-14).
    - `mixing`: seats whose piles are shuffled now.
    - `cutting`: seats whose piles the players can cut afterwards.
    - `swapping`: the space of the first of two cards to swap.
    - `sitting`: seats that miss their next turn.
    - `left`: seats of `out` whose players left the game (BA-20).
    - `said`: effects of corners that players entered (BA-19).
    """

    table: Table
    step: Step = "accused"
    about: CardReason = ""
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
    said: tuple[EnteredValue, ...] = ()


def replace_at(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """Return a copy of a tuple with another value at index `place`."""
    return (*values[:place], value, *values[place + 1 :])


def player_name(state: State, seat: Seat | None = None) -> str:
    """Return a player's name; by default the active player's."""
    return state.table.players[state.turn if seat is None else seat]


def id_of_space(state: State, space: Space | None = None) -> str:
    """Return a space's id; by default the id of the space where Baretta stands."""
    return state.table.board.ids[state.at if space is None else space]


def number_of_space(state: State, space_id: str) -> Space:
    """Return the number of the space that has an id."""
    return state.table.board.ids.index(space_id)


def spot_at(state: State, space: Space) -> Spot:
    """Return the card on a space. The space must not be empty."""
    spot = state.spots[space]
    assert spot is not None
    return spot


def visible_face(spot: Spot | None) -> str | None:
    """Return the public face of a card: "down", or "up:NAME"; None for an empty space."""
    if spot is None:
        return None
    return f"up:{spot.card}" if spot.up else "down"


def marker_owner(state: State, spot: Spot | None) -> str | None:
    """Return the name of the player whose marker is on a card; None if the card has no marker."""
    return player_name(state, spot.by) if spot is not None and spot.marked else None


def marked_spaces(state: State, seat: Seat | None = None) -> tuple[Space, ...]:
    """Return the spaces with a marker of `seat`, or of any seat if `seat` is None."""
    there = [space for space, spot in enumerate(state.spots) if spot and spot.marked]
    if seat is None:
        return tuple(there)
    return tuple([space for space in there if spot_at(state, space).by == seat])


def arrest_card_of(state: State, seat: Seat) -> str:
    """Return the name of a player's Arrest card."""
    return _arrests(state.accused)[seat]


def known_cards(state: State) -> list[str]:
    """Return all cards whose names are known to the box, as a list with repetitions."""
    cards = [spot.card for spot in state.spots if spot is not None]
    cards += [*state.gone, *(pile[0] for pile in state.piles if pile)]
    return [card for card in cards if card is not None]


def possible_cards(
    state: State, by: Seat | None, *, cleared: bool = False
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the possible names of an unknown real card, with their weights.

    - `by`: the seat whose pile holds or held the card; None: the card was dealt at the start. An
      Arrest card is among its player's unknown cards until a player names the Arrest card. A card
      that was dealt to a space, or is `cleared`, cannot be an Arrest card.
    """
    named = known_cards(state)
    counts = [(kind, count - named.count(kind)) for kind, count in state.table.kinds]
    names = tuple(kind for kind, n in counts if n > 0)
    weights = tuple(n for _, n in counts if n > 0)
    if by is None or cleared or (arrest := arrest_card_of(state, by)) in named:
        return names, weights
    hidden = state.piles[by].count(None)
    hidden += sum(
        spot is not None and spot[:2] == (None, by) and not spot.cleared for spot in state.spots
    )
    if hidden == 1:
        return (arrest,), (1,)
    return (*names, arrest), (*(n * (hidden - 1) for n in weights), sum(weights))


def nothing_happens(state: State, why: str, clause: str, cues: Cues) -> Cues:
    """Return the facts `cues`, followed by the fact that nothing else happens.

    - `why`: one of the reasons of the fact `nothing` in docs/protocol.md.
    """
    facts = {"who": player_name(state), "space": id_of_space(state), "why": why}
    return (*cues, Cue("nothing", facts, clause))


def next_turn(state: State, cues: Cues) -> tuple[State, Cues]:
    """Give the turn to the next player clockwise who is in the game and does not miss a turn.

    If no Arrest card can come up any more, ask which player has won (BA-18). Source: BA-5, BA-10,
    BA-16.
    """
    state = clear_known_cards(state)
    turn = (state.turn + 1) % len(state.piles)
    while turn in state.out or turn in state.sitting:
        if turn not in state.out:
            cues = (*cues, Cue("missed_turn", {"who": player_name(state, turn)}, "BA-10"))
            state = replace(state, sitting=tuple(seat for seat in state.sitting if seat != turn))
        turn = (turn + 1) % len(state.piles)
    state = replace(
        state, turn=turn, step="roll" if can_arrest_come_up(state) else "who_won", about=""
    )
    return state, (*cues, Cue("next_turn", {"who": player_name(state)}, "BA-5"))


def can_arrest_come_up(state: State) -> bool:
    """Return True if the Arrest card of a player who is in the game can still come up (BA-18).

    With virtual cards the result is always True.
    """
    if not state.table.own:
        return True
    return any(
        _can_come_up(state, seat) for seat in range(len(state.piles)) if seat not in state.out
    )


def _can_come_up(state: State, seat: Seat) -> bool:
    """Return True if a player's Arrest card is, or can be, on the board or in the pile."""
    arrest = arrest_card_of(state, seat)
    lying = [spot for spot in state.spots if spot is not None]
    if any(spot.card == arrest for spot in lying):
        return True
    if arrest in state.gone:
        return False
    hidden = (spot.card is None and spot.by == seat and not spot.cleared for spot in lying)
    return bool(state.piles[seat]) or any(hidden)


def clear_known_cards(state: State) -> State:
    """Mark cards as `cleared` if the Arrest card of their player is found (BA-14).

    A cleared card stays cleared, even if the Arrest card moves later.
    """
    arrests, spots = _found(state), state.spots
    if not arrests and not state.found:
        return state
    for space, spot in enumerate(spots):
        if spot is None or spot.by is None or spot.up or spot.cleared:
            continue
        arrest = arrest_card_of(state, spot.by)
        if arrest in arrests and spot.card != arrest:
            spots = replace_at(spots, space, spot._replace(cleared=True))
    return replace(state, spots=spots, found=arrests)


def _found(state: State) -> tuple[str, ...]:
    """Return the Arrest cards that are discarded, or whose place all players know.

    An Arrest card that was face up stays known after it is turned down (BA-17). It becomes unknown
    when it returns to a pile.
    """
    found_before = state.found
    face_up = [
        spot.card
        for spot in state.spots
        if spot is not None and (spot.up or (found_before and spot.card in found_before))
    ]
    if True in state.shown:
        face_up += [pile[0] for pile, up in zip(state.piles, state.shown, strict=True) if up]
    arrests = _arrests(state.accused)
    return tuple([arrest for arrest in arrests if arrest in face_up or arrest in state.gone])


@lru_cache(maxsize=64)
def _arrests(accused: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of all players' Arrest cards, by seat."""
    return tuple(f"{ARREST}:{criminal}" for criminal in accused)


def clear_space(state: State, space: Space) -> State:
    """Mark the card on a space as `cleared`: known to be no Arrest card (BA-14)."""
    return replace(
        state,
        spots=replace_at(state.spots, space, spot_at(state, space)._replace(cleared=True)),
    )


def is_arrest(card: Card) -> bool:
    """Return True if a card is an Arrest card ("Baretta Arrests")."""
    return card is not None and card.startswith(ARREST)
