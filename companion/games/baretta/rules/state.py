"""The state of a game of Baretta, functions that read the state, and the start of the next turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from companion.core.fold import replace
from companion.core.game import Cue, Cues, EnteredBoardValue
from companion.games.baretta.rules.board import (
    ARREST,
    CARD_SPACE_COUNT,
    HIDEOUT,
    Card,
    CardOnBoard,
    Pile,
    Seat,
    SpaceNumber,
    TableSetup,
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
"""Name of the game's current question, or "over" after the end of the game."""
TurnOverReason: TypeAlias = Literal["landed", "second", "guessed", "top"]
"""Reason why a card is turned over.

- "landed": a roll moved Baretta onto the card.
- "second": a Move card moved Baretta onto the card.
- "guessed": a Hunch pointed at the card.
- "top": a Wounded card turned up the top card of a pile.
"""
CardReason: TypeAlias = Literal[TurnOverReason, "corner", "trouble", ""]
"""Reason why the game asks about a card: a TurnOverReason, "corner", "trouble", or "".

- "corner": because of a corner's effect, the game asks which card is taken back.
- "trouble": because of an In Trouble card, the game asks which card is taken back.
- "": the game does not ask about a card.
"""


@dataclass(frozen=True)
class State:
    """State of a game of Baretta.

    - `step`: name of the current question.
    - `about`: the reason why the game asks about a card, or "".
    - `accused`: the players' criminals, by seat.
    - `piles`: the players' piles, by seat, with the top card first.
    - `shown`: for each seat, True if a Wounded card has turned up the top card of the seat's pile.
    - `spots`: for each card space, the card on the space, or None.
    - `gone`: the cards that have left the game.
    - `rollers`, `rolls`: before the first turn, the seats that roll to decide who begins, and their
      rolls.
    - `opening`: True before the first turn.
    - `turn`: the active player's seat.
    - `at`: the number of the space of Baretta.
    - `moving`: a pair while a player chooses where a move ends, else None. The pair is the move's
      number of spaces, and True if a Move card caused the move.
    - `hunch`: the space of a Hunch that is face up, or None.
    - `found`: the Arrest cards that have left the game, or whose places all players know (BA-14).
    - `mixing`: the seats whose piles must still be shuffled.
    - `cutting`: the seats whose piles the players may cut after the shuffle.
    - `swapping`: the first space while a player swaps two cards, else None.
    - `sitting`: the seats that miss their next turn.
    - `out`: the seats that are out of the game (BA-16).
    - `left`: the seats in `out` whose players have left the game (BA-20).
    - `winner`: the winner's seat after the end of the game, else None.
    - `said`: the effects of corners and the Hideout that players have entered (BA-19).
    """

    table: TableSetup
    step: Step = "accused"
    about: CardReason = ""
    accused: tuple[str, ...] = ()
    piles: tuple[Pile, ...] = ()
    shown: tuple[bool, ...] = ()
    spots: tuple[CardOnBoard | None, ...] = (None,) * CARD_SPACE_COUNT
    gone: Pile = ()
    rollers: tuple[Seat, ...] = ()
    rolls: tuple[int, ...] = ()
    opening: bool = True
    turn: Seat = 0
    at: SpaceNumber = HIDEOUT
    moving: tuple[int, bool] | None = None
    hunch: SpaceNumber | None = None
    mixing: tuple[Seat, ...] = ()
    cutting: tuple[Seat, ...] = ()
    swapping: SpaceNumber | None = None
    sitting: tuple[Seat, ...] = ()
    out: tuple[Seat, ...] = ()
    left: tuple[Seat, ...] = ()
    found: tuple[str, ...] = ()
    winner: Seat | None = None
    said: tuple[EnteredBoardValue, ...] = ()


def replace_tuple_item(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """Return a copy of a tuple in which the item at the index `place` is replaced."""
    return (*values[:place], value, *values[place + 1 :])


def player_name(state: State, seat: Seat | None = None) -> str:
    """Return the name of the player on a seat, by default of the active player."""
    return state.table.players[state.turn if seat is None else seat]


def id_of_space(state: State, space: SpaceNumber | None = None) -> str:
    """Return the id of a space, by default of Baretta's space."""
    return state.table.board.ids[state.at if space is None else space]


def number_of_space(state: State, space_id: str) -> SpaceNumber:
    """Return the number of the space with the id `space_id`."""
    return state.table.board.ids.index(space_id)


def card_on_space(state: State, space: SpaceNumber) -> CardOnBoard:
    """Return the card on a space that is not empty."""
    spot = state.spots[space]
    assert spot is not None
    return spot


def public_card_face(spot: CardOnBoard | None) -> str | None:
    """Return the public side of a card: "down" or "up:NAME". Return None for an empty space."""
    if spot is None:
        return None
    return f"up:{spot.card}" if spot.up else "down"


def marker_owner(state: State, spot: CardOnBoard | None) -> str | None:
    """Return the name of the player whose marker is on a card, or None if there is no marker."""
    return player_name(state, spot.by) if spot is not None and spot.marked else None


def marked_spaces(state: State, seat: Seat | None = None) -> tuple[SpaceNumber, ...]:
    """Return the spaces with a marker of `seat`, or of any seat if `seat` is None."""
    there = [space for space, spot in enumerate(state.spots) if spot and spot.marked]
    if seat is None:
        return tuple(there)
    return tuple([space for space in there if card_on_space(state, space).by == seat])


def arrest_card_of_player(state: State, seat: Seat) -> str:
    """Return the name of a player's Arrest card, such as "arrest:killer"."""
    return _arrests(state.accused)[seat]


def cards_known_to_box(state: State) -> list[str]:
    """Return the names of the known cards on the board, out of the game, and on top of piles.

    If several of these cards have the same name, the result contains this name several times.
    """
    cards = [spot.card for spot in state.spots if spot is not None]
    cards += [*state.gone, *(pile[0] for pile in state.piles if pile)]
    return [card for card in cards if card is not None]


def weighted_names_of_hidden_card(
    state: State, by: Seat | None, *, cleared: bool = False
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the possible names of an unknown real card, and the weight (likelihood) of each name.

    `by`: the seat from whose pile the card came, or None for a card that was dealt to a space. A
    card from a pile can be the seat's Arrest card, unless players have already entered this Arrest
    card. A card that was dealt to a space, or is `cleared`, cannot be an Arrest card (BA-14).
    """
    named = cards_known_to_box(state)
    counts = [(kind, count - named.count(kind)) for kind, count in state.table.kinds]
    names = tuple(kind for kind, n in counts if n > 0)
    weights = tuple(n for _, n in counts if n > 0)
    if by is None or cleared or (arrest := arrest_card_of_player(state, by)) in named:
        return names, weights
    hidden = state.piles[by].count(None)
    hidden += sum(
        spot is not None and spot[:2] == (None, by) and not spot.cleared for spot in state.spots
    )
    if hidden == 1:
        return (arrest,), (1,)
    return (*names, arrest), (*(n * (hidden - 1) for n in weights), sum(weights))


def append_nothing_cue(state: State, why: str, clause: str, cues: Cues) -> Cues:
    """Return the events `cues` and the additional event `nothing`, for an action without effect.

    `why`: the reason why nothing happens, a value that docs/protocol.md lists under `nothing`.
    """
    facts = {"who": player_name(state), "space": id_of_space(state), "why": why}
    return (*cues, Cue("nothing", facts, clause))


def seat_of_player(state: State, who: str) -> Seat:
    """Return the seat of the player `who`."""
    return state.table.players.index(who)


def seats_in_game(state: State) -> list[Seat]:
    """Return the seats of the players who are neither out (BA-13) nor have left, in seat order."""
    return [seat for seat in range(len(state.piles)) if seat not in state.out]


def begin_next_turn(state: State, cues: Cues) -> tuple[State, Cues]:
    """Give the turn to the next player who is in the game and loses no turn (BA-5, BA-10).

    If no Arrest card can appear any more, ask which player has won (BA-18).
    """
    state = note_known_non_arrest_cards(state)
    turn = (state.turn + 1) % len(state.piles)
    while turn in state.out or turn in state.sitting:
        if turn not in state.out:
            cues = (*cues, Cue("missed_turn", {"who": player_name(state, turn)}, "BA-10"))
            state = replace(state, sitting=tuple(seat for seat in state.sitting if seat != turn))
        turn = (turn + 1) % len(state.piles)
    state = replace(
        state, turn=turn, step="roll" if can_arrest_card_appear(state) else "who_won", about=""
    )
    return state, (*cues, Cue("next_turn", {"who": player_name(state)}, "BA-5"))


def can_arrest_card_appear(state: State) -> bool:
    """Return True if the Arrest card of any player in the game can still be turned over (BA-18).

    In a game with virtual cards, the result is always True.
    """
    if not state.table.own:
        return True
    return any(_can_come_up(state, seat) for seat in seats_in_game(state))


def _can_come_up(state: State, seat: Seat) -> bool:
    arrest = arrest_card_of_player(state, seat)
    lying = [spot for spot in state.spots if spot is not None]
    if any(spot.card == arrest for spot in lying):
        return True
    if arrest in state.gone:
        return False
    hidden = (spot.card is None and spot.by == seat and not spot.cleared for spot in lying)
    return bool(state.piles[seat]) or any(hidden)


def note_known_non_arrest_cards(state: State) -> State:
    """Mark cards as `cleared` if all players know that these cards are not Arrest cards (BA-14).

    If all players know where a player's Arrest card is, all other face-down cards that this player
    placed are cleared. A cleared card stays cleared, even if the Arrest card moves later.
    """
    arrests, spots = _found(state), state.spots
    if not arrests and not state.found:
        return state
    for space, spot in enumerate(spots):
        if spot is None or spot.by is None or spot.up or spot.cleared:
            continue
        arrest = arrest_card_of_player(state, spot.by)
        if arrest in arrests and spot.card != arrest:
            spots = replace_tuple_item(spots, space, spot._replace(cleared=True))
    return replace(state, spots=spots, found=arrests)


def _found(state: State) -> tuple[str, ...]:
    """Return the Arrest cards that have left the game, or whose places all players know (BA-14).

    If an Arrest card was face up (BA-17), all players know the place of this card. If the card
    returns to a pile, the place is unknown again.
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
    return tuple(f"{ARREST}:{criminal}" for criminal in accused)


def note_card_as_non_arrest(state: State, space: SpaceNumber) -> State:
    """Mark a card as `cleared`: all players know that the card is not an Arrest card (BA-14)."""
    return replace(
        state,
        spots=replace_tuple_item(
            state.spots, space, card_on_space(state, space)._replace(cleared=True)
        ),
    )


def is_arrest_card(card: Card) -> bool:
    """Return True if `card` is an Arrest card (printed "Baretta Arrests", BA-2)."""
    return card is not None and card.startswith(ARREST)
