"""Before the first turn (BA-1 to BA-5): criminals, cards and the high roll; shuffles and cuts."""

from __future__ import annotations

from companion.catalog.shared import high_roll
from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.games.baretta.rules.board import (
    ARREST,
    CARD_SPACES,
    CRIMINALS,
    DEALT,
    DECK_SIZE,
    Card,
    Pile,
    Seat,
    Spot,
)
from companion.games.baretta.rules.state import State, name, next_turn, put


def free_criminals(state: State) -> tuple[str, ...]:
    """The criminals that nobody has picked yet (BA-1)."""
    return tuple(criminal for criminal in CRIMINALS if criminal not in state.accused)


def on_accused(state: State, criminal: str) -> tuple[State, Cues]:
    """BA-1: a player picks a criminal; the last one of four is nobody's choice."""
    state, cues = _accuse(state, criminal, forced=False)
    left = free_criminals(state)
    if len(state.accused) < len(state.table.players) and len(left) == 1:
        state, more = _accuse(state, left[0], forced=True)
        cues = (*cues, *more)
    if len(state.accused) < len(state.table.players):
        return state, cues
    state, more = _accused(state)
    return state, (*cues, *more)


def assign_criminals(state: State) -> State:
    """BA-1: everybody has the criminal of the own seat, if nobody wants to pick."""
    if not state.table.by_seat:
        return state
    return _accused(replace(state, accused=CRIMINALS[: len(state.table.players)]))[0]


def opening_facts(state: State) -> Cues:
    """BA-1 to BA-3: who has which criminal, unless they are picked; own cards are dealt already."""
    return (*_by_seat(state), *((_dealt(state),) if state.table.own and state.piles else ()))


def _by_seat(state: State) -> Cues:
    """BA-1: who has which criminal, if nobody has picked one."""
    if not state.table.by_seat:
        return ()
    told = zip(state.table.players, state.accused, strict=True)
    facts = ({"who": who, "criminal": of, "forced": True, "seated": True} for who, of in told)
    return tuple(Cue("accused", fact, "BA-1") for fact in facts)


def _accused(state: State) -> tuple[State, Cues]:
    """BA-2, BA-3: all have a criminal; the cards are shuffled and dealt, own ones by people."""
    if not state.table.own:
        return replace(state, step="shuffle"), ()
    state, cues = _deal(state, (None,) * len(state.table.deck))
    if not state.table.cutting:
        return replace(state, step="high_roll"), cues
    return replace(state, step="cut", cutting=seats_with_pile(state)), cues


def _accuse(state: State, criminal: str, *, forced: bool) -> tuple[State, Cues]:
    who = name(state, len(state.accused))
    facts = {"who": who, "criminal": criminal, "forced": forced, "seated": False}
    state = replace(state, accused=(*state.accused, criminal))
    return state, (Cue("accused", facts, "BA-1"),)


def on_shuffle(state: State, order: list[int]) -> tuple[State, Cues]:
    """BA-3: the 44 cards are shuffled, laid and dealt; `order` holds indices into the deck."""
    state, cues = _deal(state, tuple(state.table.deck[i] for i in order))
    seats = seats_with_pile(state)
    state = replace(state, step="shuffle_pile", mixing=seats)
    return replace(state, cutting=seats if state.table.cutting else ()), cues


def seats_with_pile(state: State) -> tuple[Seat, ...]:
    """All who have a pile."""
    return tuple(range(len(state.piles)))


def _deal(state: State, deck: Pile) -> tuple[State, Cues]:
    """BA-2 to BA-4: a card on each space, the rest singly to the players, and the Arrest cards."""
    n, each = len(state.accused), DEALT[len(state.accused)]
    rest = deck[CARD_SPACES : CARD_SPACES + n * each]
    own = state.table.own
    piles = tuple(
        (*rest[seat::n], None if own else f"{ARREST}:{criminal}")
        for seat, criminal in enumerate(state.accused)
    )
    aside = deck[CARD_SPACES + n * each :]
    unused = tuple(f"{ARREST}:{criminal}" for criminal in free_criminals(state))
    state = replace(
        state,
        spots=tuple(Spot(card) for card in deck[:CARD_SPACES]),
        piles=piles,
        shown=(False,) * n,
        gone=(*aside, *unused),
        rollers=tuple(range(n)),
    )
    return state, (_dealt(state),)


def _dealt(state: State) -> Cue:
    """BA-3: how many cards lie on the board, in each pile with the Arrest card, and aside."""
    n = len(state.accused)
    aside = DECK_SIZE - CARD_SPACES - n * DEALT[n]
    return Cue("dealt", {"spaces": CARD_SPACES, "pile": DEALT[n] + 1, "aside": aside}, "BA-3")


# --- Shuffling and cutting piles (BA-4, BA-10, BA-12) ---------------------------------------------


def movable_cards(state: State, seat: Seat) -> int:
    """The cards of a pile that a shuffle moves: all but one that Wounded turned up (BA-17)."""
    return len(state.piles[seat]) - state.shown[seat]


def on_shuffle_pile(state: State, order: list[int]) -> tuple[State, Cues]:
    """BA-4, BA-10, BA-12: a pile is shuffled; after the last of them the table may cut."""
    seat, *rest = state.mixing
    top, cards = _parted(state, seat)
    pile = (*top, *(cards[i] for i in order))
    state = replace(state, piles=put(state.piles, seat, pile), mixing=tuple(rest))
    if rest:
        return state, ()
    return (replace(state, step="cut"), ()) if state.cutting else _mixed(state)


def _parted(state: State, seat: Seat) -> tuple[Pile, tuple[Card, ...]]:
    """The card that lies face up on a pile, if any, and the rest."""
    pile, up = state.piles[seat], int(state.shown[seat])
    return pile[:up], pile[up:]


def on_cut(state: State, value: str) -> tuple[State, Cues]:
    """BA-4, BA-12: a cut is another shuffle, of its own chance; nobody could tell them apart.

    Own cards are cut at the table.
    """
    seats = state.cutting
    state = replace(state, cutting=())
    if value == "no":
        return _mixed(state)
    own = state.table.own
    cue = Cue("cut", {"piles": [name(state, seat) for seat in seats], "own": own}, "BA-4")
    if own:
        state, cues = _mixed(state)
        return state, (cue, *cues)
    return replace(state, step="shuffle_pile", mixing=seats), (cue,)


def _mixed(state: State) -> tuple[State, Cues]:
    """The piles are shuffled and cut: to the high roll, or to the next turn."""
    return (replace(state, step="high_roll"), ()) if state.opening else next_turn(state, ())


# --- Who begins (BA-5) ----------------------------------------------------------------------------


def on_high_roll(state: State, n: int) -> tuple[State, Cues]:
    """BA-5: the highest begins; the highest, if tied, roll again among themselves."""
    rollers, rolls, cues = high_roll(state.table.players, state.rollers, state.rolls, n, "BA-5")
    state = replace(state, rollers=rollers, rolls=rolls)
    if not cues or len(rollers) > 1:
        return state, cues
    begins = Cue("begins", {"who": name(state, rollers[0])}, "BA-5")
    return replace(state, turn=rollers[0], step="roll", opening=False), (*cues, begins)
