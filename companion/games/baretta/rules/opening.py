"""The opening of a game of Baretta: criminals, deal, shuffles, cuts, first roll (BA-1 to BA-5)."""

from __future__ import annotations

from companion.catalog.first_turn_roll import apply_first_turn_roll
from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.games.baretta.rules.board import (
    ARREST,
    CARD_SPACE_COUNT,
    CRIMINALS,
    DECK_SIZE,
    HAND_SIZE_BY_PLAYER_COUNT,
    Card,
    CardOnBoard,
    Pile,
    Seat,
)
from companion.games.baretta.rules.state import (
    State,
    begin_next_turn,
    player_name,
    replace_tuple_item,
)


def unassigned_criminals(state: State) -> tuple[str, ...]:
    """Return the criminals that no player has chosen (BA-1)."""
    return tuple(criminal for criminal in CRIMINALS if criminal not in state.accused)


def on_accused(state: State, criminal: str) -> tuple[State, Cues]:
    """Give the active player the criminal whom this player chose (BA-1).

    If only one criminal and one player are left, give the criminal to the player without a
    question.
    """
    state, cues = _accuse(state, criminal, forced=False)
    left = unassigned_criminals(state)
    if len(state.accused) < len(state.table.players) and len(left) == 1:
        state, more = _accuse(state, left[0], forced=True)
        cues = (*cues, *more)
    if len(state.accused) < len(state.table.players):
        return state, cues
    state, more = _accused(state)
    return state, (*cues, *more)


def assign_criminals_by_seat(state: State) -> State:
    """Give each player the criminal that belongs to the player's seat (BA-1).

    If the players choose their criminals, return the unchanged state.
    """
    if not state.table.by_seat:
        return state
    return _accused(replace(state, accused=CRIMINALS[: len(state.table.players)]))[0]


def opening_facts(state: State) -> Cues:
    """Return the events of the opening: each player's criminal, and the deal of real cards.

    If the players choose their criminals, return no event about criminals (BA-1 to BA-3).
    """
    return (*_by_seat(state), *((_dealt(state),) if state.table.own and state.piles else ()))


def _by_seat(state: State) -> Cues:
    if not state.table.by_seat:
        return ()
    assigned = zip(state.table.players, state.accused, strict=True)
    facts = ({"who": who, "criminal": of, "forced": True, "seated": True} for who, of in assigned)
    return tuple(Cue("accused", fact, "BA-1") for fact in facts)


def _accused(state: State) -> tuple[State, Cues]:
    """Deal real cards, or ask for a shuffle of virtual cards (BA-2, BA-3)."""
    if not state.table.own:
        return replace(state, step="shuffle"), ()
    state, cues = _deal(state, (None,) * len(state.table.deck))
    if not state.table.cutting:
        return replace(state, step="high_roll"), cues
    return replace(state, step="cut", cutting=seats_with_pile(state)), cues


def _accuse(state: State, criminal: str, *, forced: bool) -> tuple[State, Cues]:
    who = player_name(state, len(state.accused))
    facts = {"who": who, "criminal": criminal, "forced": forced, "seated": False}
    state = replace(state, accused=(*state.accused, criminal))
    return state, (Cue("accused", facts, "BA-1"),)


def on_shuffle(state: State, order: list[int]) -> tuple[State, Cues]:
    """Put the 44 cards into a shuffled order, and deal the cards (BA-3).

    `order`: for each position in the deck, an index into the unshuffled deck.
    """
    state, cues = _deal(state, tuple(state.table.deck[i] for i in order))
    seats = seats_with_pile(state)
    state = replace(state, step="shuffle_pile", mixing=seats)
    return replace(state, cutting=seats if state.table.cutting else ()), cues


def seats_with_pile(state: State) -> tuple[Seat, ...]:
    """Return the seats that have a pile: no seat before the deal, and all seats after the deal."""
    return tuple(range(len(state.piles)))


def _deal(state: State, deck: Pile) -> tuple[State, Cues]:
    """Deal the cards to spaces and piles, and add the players' Arrest cards (BA-2 to BA-4)."""
    n, each = len(state.accused), HAND_SIZE_BY_PLAYER_COUNT[len(state.accused)]
    rest = deck[CARD_SPACE_COUNT : CARD_SPACE_COUNT + n * each]
    own_cards = state.table.own
    piles = tuple(
        (*rest[seat::n], None if own_cards else f"{ARREST}:{criminal}")
        for seat, criminal in enumerate(state.accused)
    )
    aside = deck[CARD_SPACE_COUNT + n * each :]
    unused = tuple(f"{ARREST}:{criminal}" for criminal in unassigned_criminals(state))
    state = replace(
        state,
        spots=tuple(CardOnBoard(card) for card in deck[:CARD_SPACE_COUNT]),
        piles=piles,
        shown=(False,) * n,
        gone=(*aside, *unused),
        rollers=tuple(range(n)),
    )
    return state, (_dealt(state),)


def _dealt(state: State) -> Cue:
    n = len(state.accused)
    aside = DECK_SIZE - CARD_SPACE_COUNT - n * HAND_SIZE_BY_PLAYER_COUNT[n]
    return Cue(
        "dealt",
        {"spaces": CARD_SPACE_COUNT, "pile": HAND_SIZE_BY_PLAYER_COUNT[n] + 1, "aside": aside},
        "BA-3",
    )


# --- shuffling and cutting piles (BA-4, BA-10, BA-12) ---------------------------------------------


def count_face_down_pile_cards(state: State, seat: Seat) -> int:
    """Return the number of face-down cards in a pile (a Wounded card can turn up a card, BA-17)."""
    return len(state.piles[seat]) - state.shown[seat]


def on_shuffle_pile(state: State, order: list[int]) -> tuple[State, Cues]:
    """Shuffle the pile of the first seat in `mixing` (BA-4, BA-10, BA-12).

    After the last pile, ask whether to cut the piles of the seats in `cutting` (BA-4, BA-12).
    """
    seat, *rest = state.mixing
    top, cards = _parted(state, seat)
    pile = (*top, *(cards[i] for i in order))
    state = replace(state, piles=replace_tuple_item(state.piles, seat, pile), mixing=tuple(rest))
    if rest:
        return state, ()
    return (replace(state, step="cut"), ()) if state.cutting else _mixed(state)


def _parted(state: State, seat: Seat) -> tuple[Pile, tuple[Card, ...]]:
    pile, up = state.piles[seat], int(state.shown[seat])
    return pile[:up], pile[up:]


def on_cut(state: State, value: str) -> tuple[State, Cues]:
    """Apply the answer about cutting piles; a cut shuffles virtual piles again (BA-4, BA-12)."""
    seats = state.cutting
    state = replace(state, cutting=())
    if value == "no":
        return _mixed(state)
    own_cards = state.table.own
    cue = Cue(
        "cut", {"piles": [player_name(state, seat) for seat in seats], "own": own_cards}, "BA-4"
    )
    if own_cards:
        state, cues = _mixed(state)
        return state, (cue, *cues)
    return replace(state, step="shuffle_pile", mixing=seats), (cue,)


def _mixed(state: State) -> tuple[State, Cues]:
    return (replace(state, step="high_roll"), ()) if state.opening else begin_next_turn(state, ())


# --- the first player (BA-5) ----------------------------------------------------------------------


def on_high_roll(state: State, n: int) -> tuple[State, Cues]:
    """Apply a player's roll, which decides who begins (BA-5).

    If several players tie for the highest roll, only the tied players roll again.
    """
    rollers, rolls, cues = apply_first_turn_roll(
        state.table.players, state.rollers, state.rolls, n, "BA-5"
    )
    state = replace(state, rollers=rollers, rolls=rolls)
    if not cues or len(rollers) > 1:
        return state, cues
    begins = Cue("begins", {"who": player_name(state, rollers[0])}, "BA-5")
    return replace(state, turn=rollers[0], step="roll", opening=False), (*cues, begins)
