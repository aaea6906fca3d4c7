"""Probe, clause by clause (docs/rulings.md): hidden words, uncovered flap by flap.

With *racks* the words stand on real racks: the box draws the activity cards, is told what people
say, and keeps the score. With *secret words* it knows them, and answers by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.games.probe.rules.board import (
    AGAIN,
    DOT,
    LEFT,
    NO_DOT,
    NONE,
    OWN_DOT,
    PLACES,
    POINTS,
    RIGHT,
    SOLVED,
    TIMES,
    Card,
    Rack,
    Seat,
    card_of,
    normalise_word,
    table_of,
)
from companion.games.probe.rules.ending import last_rounds, score_survivor, still_hidden
from companion.games.probe.rules.questions import ANOTHER, NO_DOT_SAID, YES
from companion.games.probe.rules.state import (
    State,
    askable,
    book,
    fact,
    guarded_players,
    hides,
    is_vain,
    left_of,
    letter_at,
    name,
    neighbour,
    put,
    spots,
    total_value,
    word_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Edition
    from companion.core.prompts import Answer
    from companion.games.probe.rules.state import Step

UNCOVERED: Final = {"hit": "PR-7", "forced": "PR-9", "own_dot": "PR-8"}
"""The clause by which a place is uncovered."""

# --- Setting up -----------------------------------------------------------------------------------


def setup(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> State:
    """The table before the first word is chosen (PR-1); `edition` as in edition.toml."""
    table = table_of(players, options, edition)
    n = len(players)
    return State(
        table=table,
        step="word" if table.secret else "length",
        racks=(Rack(),) * len(table.racks),
        scores=(0,) * n,
        left=table.counts,
        asked=("",) * n,
    )


def on_word(state: State, text: str) -> tuple[State, Cues]:
    """PR-1: a player's word, which nobody else sees."""
    return _fill(state, normalise_word(text))


def on_length(state: State, n: int) -> tuple[State, Cues]:
    """PR-1: how many places a word takes on its real rack."""
    return _fill(state, "?" * n)


def _fill(state: State, word: str) -> tuple[State, Cues]:
    """A word stands; after the last one the first seat starts (PR-1)."""
    rack, table = state.filling, state.table
    racks = put(state.racks, rack, Rack(word, tuple(range(1, len(word) + 1))))
    owner = name(state, table.owner(rack))
    stands = Cue("word_stands", {"who": owner, "rack": table.racks[rack], "n": len(word)}, "PR-1")
    state = replace(state, racks=racks, filling=rack + 1)
    if state.filling < len(racks):
        return state, (stands,)
    begins = Cue("begins", {"who": table.players[table.first]}, "PR-1")
    return begin_turn(state, table.first, (stands, begins))


# --- The activity card (PR-3, PR-5) ---------------------------------------------------------------


def begin_turn(state: State, seat: Seat, cues: Cues) -> tuple[State, Cues]:
    """PR-3: a turn begins with a card."""
    state = replace(
        state,
        turn=seat,
        card=None,
        times=1,
        whom=None,
        letter=None,
        within=(),
        because="",
        gained=0,
        counts=True,
    )
    return _draw(state, cues)


def _draw(state: State, cues: Cues) -> tuple[State, Cues]:
    """PR-5: an empty pile is the whole deck shuffled again."""
    if not state.table.own:
        if not state.pile:
            return replace(state, step="shuffle"), cues
        card = state.pile[0]
        return _drawn(replace(state, pile=state.pile[1:]), card, cues)
    if not any(state.left):
        shuffled = Cue("shuffled", {"n": sum(state.table.counts), "own": True}, "PR-5")
        state, cues = replace(state, left=state.table.counts), (*cues, shuffled)
    return replace(state, step="card"), cues


def on_shuffle(state: State, order: list[int]) -> tuple[State, Cues]:
    """PR-5: the pile, face down."""
    table = state.table
    deck = [card for card, n in zip(table.cards, table.counts, strict=True) for _ in range(n)]
    shuffled = Cue("shuffled", {"n": len(deck), "own": False}, "PR-5")
    return _draw(replace(state, pile=tuple(deck[i] for i in order)), (shuffled,))


def on_card(state: State, value: str) -> tuple[State, Cues]:
    """PR-3, PR-5: the card that was drawn from your own deck, be it one more than was counted."""
    if value == ANOTHER:
        return replace(state, step="other_card"), ()
    card = card_of(value)
    i = state.table.cards.index(card)
    left = put(state.left, i, max(0, state.left[i] - 1))
    return _drawn(replace(state, left=left), card, ())


def on_other_card(state: State, value: str) -> tuple[State, Cues]:
    """PR-5: what a card does that the edition has not."""
    if value == POINTS:
        return replace(state, step="card_points"), ()
    return _drawn(state, card_of(value), ())


def on_card_points(state: State, n: int) -> tuple[State, Cues]:
    """PR-5: the points of a card that the edition has not."""
    return _drawn(state, Card(POINTS, n), ())


def _drawn(state: State, card: Card, cues: Cues) -> tuple[State, Cues]:
    """PR-5: a card takes effect before anybody is asked: one of the box's deck cannot be unseen."""
    state = replace(state, card=card)
    cues = (*cues, Cue("drawn", _of_card(state), "PR-5", reveals=not state.table.own))
    if card.kind == TIMES and card.n:
        return ask_on(replace(state, times=card.n), cues)
    if card.kind == POINTS and card.n:
        state, scored = book(state, state.turn, card.n, "card", "PR-5")
        return ask_on(state, (*cues, scored))
    if card.kind in (LEFT, RIGHT):
        rack = neighbour(state, state.turn, card.kind)
        return to_uncover(replace(state, within=(rack,), because="forced"), cues)
    if card.kind == OWN_DOT:
        within = state.table.held[state.turn]
        return to_uncover(replace(state, within=within, because="own_dot"), cues)
    return ask_on(state, cues)


def to_uncover(state: State, cues: Cues) -> tuple[State, Cues]:
    """Who must uncover chooses the place, if there are several.

    PR-3: with secret words that owner is asked of a hit or an own dot however few fit, or none:
    else all would learn how many do.
    """
    if is_vain(state):
        return ask_on(state, (*cues, Cue("card_idle", _of_card(state), "PR-5")))
    there = spots(state)
    if state.table.secret and state.table.opens != "owner":
        return _by_box(state, there, cues)
    if len(there) == 1 and not _is_asked(state):
        return _uncover(state, *there[0], cues)
    return replace(state, step="uncover"), cues


def _by_box(state: State, there: tuple[tuple[int, int], ...], cues: Cues) -> tuple[State, Cues]:
    """PR-3: the owner has said that the box opens the place: the cheapest that fits, or by chance.

    The order of all places is drawn, be there one that fits, so that the draw does not tell how
    many do.
    """
    if not there:
        return ask_on(state, (*cues, fact(state, "card_idle", _of_card(state), "PR-5")))
    if state.table.opens == "chance":
        return replace(state, step="places"), cues
    rack, place = min(there, key=lambda spot: total_value((spot[1],)))
    return _uncover(state, rack, place, cues)


def on_places(state: State, order: list[int]) -> tuple[State, Cues]:
    """PR-3: the first place that fits, in an order of all places that the box has drawn."""
    there, drawn = spots(state), (divmod(n, PLACES) for n in order)
    rack, place = next(spot for rack, n in drawn if (spot := (state.within[rack], n + 1)) in there)
    return _uncover(state, rack, place, ())


def _is_asked(state: State) -> bool:
    """PR-3, PR-5: whether the owner is asked for the only place that fits."""
    if state.table.secret:
        return state.because != "forced"
    return state.because == "own_dot"


def _of_card(state: State) -> dict[str, Any]:
    """The card that is in force, and in which rack it makes somebody else uncover a place."""
    assert state.card is not None
    rack = None
    if state.card.kind in (LEFT, RIGHT):
        rack = state.table.racks[neighbour(state, state.turn, state.card.kind)]
    return {"who": name(state, state.turn), "card": state.card._asdict(), "rack": rack}


# --- Asking (PR-3, PR-4) --------------------------------------------------------------------------


def ask_on(state: State, cues: Cues) -> tuple[State, Cues]:
    """PR-3: the player asks an opponent; PR-4: with nobody left to ask the turn ends."""
    others = askable(state)
    if not others:
        state = replace(state, letter=None, within=(), because="")
        nobody = Cue("nobody_to_ask", {"who": name(state, state.turn)}, "PR-4")
        return _end_turn(state, (*cues, nobody))
    step: Step = "ask_whom"
    whom = state.whom
    if len(others) == 1:
        step, whom = _asking(state), state.table.players.index(others[0])
    return replace(state, step=step, whom=whom, letter=None, within=(), because=""), cues


def on_ask_whom(state: State, whom: str) -> tuple[State, Cues]:
    """PR-3: any opponent with covered places."""
    return replace(state, step=_asking(state), whom=state.table.players.index(whom)), ()


def _asking(state: State) -> Step:
    """With racks the letter is said at the table, and asked here only to be remembered (PR-4)."""
    return "ask_for" if state.table.secret or state.table.remember else "answer"


def on_ask_for(state: State, letter: str) -> tuple[State, Cues]:
    """PR-3: a letter or a dot; with secret words the box answers at once."""
    whom, asked = state.whom or 0, state.asked
    if state.table.remember and letter not in asked[whom]:
        asked = put(asked, whom, asked[whom] + letter)
    state = replace(state, letter=letter, asked=asked)
    if not state.table.secret:
        return replace(state, step="answer"), ()
    return _yes(state) if hides(state, whom, letter) else _no(state, dot=letter == DOT)


def on_answer(state: State, value: str) -> tuple[State, Cues]:
    """PR-3, PR-10: what the opponent says, whose word stands on a real rack."""
    if value == YES:
        return _yes(state)
    return _no(state, dot=value == NO_DOT_SAID or state.letter == DOT)


def _yes(state: State) -> tuple[State, Cues]:
    """PR-3, PR-16: one such place, in either rack, is uncovered."""
    said = fact(state, "said_yes", _asked(state), "PR-3")
    within = state.table.held[state.whom or 0]
    return to_uncover(replace(state, within=within, because="hit"), (said,))


def _no(state: State, *, dot: bool) -> tuple[State, Cues]:
    """PR-4: the turn ends, or another card is drawn (PR-5); PR-10: a dot that is not there costs.

    A multiplier is spent.
    """
    facts = _asked(state)
    if dot:
        facts["asked"] = DOT
    cues: Cues = (fact(state, "said_no", facts, "PR-4"),)
    if dot:
        state, scored = book(state, state.turn, NO_DOT, "no_dot", "PR-10")
        cues = (*cues, scored)
    if state.card is not None and state.card.kind == AGAIN:
        return _draw(replace(state, times=1, letter=None), cues)
    return _end_turn(state, cues)


def _asked(state: State) -> dict[str, Any]:
    whom = name(state, state.whom or 0)
    return {"who": name(state, state.turn), "whom": whom, "asked": state.letter}


def _end_turn(state: State, cues: Cues) -> tuple[State, Cues]:
    """PR-4: the player to the left goes on; PR-13: one turn less is left in the last rounds."""
    seat = left_of(state, state.turn)
    if state.last is not None and state.counts:
        (survivor,) = guarded_players(state)
        state = replace(state, last=state.last - 1)
        if not state.last:
            return score_survivor(state, survivor, cues)
        cues = (*cues, last_rounds(state, survivor, begins=False))
    return begin_turn(state, seat, cues)


# --- Uncovering (PR-7 to PR-9) --------------------------------------------------------------------


def on_uncover(state: State, value: Answer) -> tuple[State, Cues]:
    """PR-3, PR-5: the place that its owner uncovers; of an own dot, that there is none."""
    if value == NONE:
        return ask_on(state, (fact(state, "card_idle", _of_card(state), "PR-5"),))
    if isinstance(value, str):
        rack, _, place = value.rpartition(":")
        return _uncover(state, state.table.racks.index(rack), int(place), ())
    return _uncover(state, state.within[0], value, ())


def _uncover(state: State, rack: int, place: int, cues: Cues) -> tuple[State, Cues]:
    """PR-7: a hit scores, with the multiplier; PR-9: so does a forced place; PR-8: an own dot not.

    PR-7: the last place of a word, guessed, is 50 more.
    """
    hit, free = state.because == "hit", state.because == "own_dot"
    points = 0 if free else total_value((place,)) * state.times
    state, shown = _shown(state, rack, place, points)
    cues = (*cues, shown)
    if not free:
        why, clause = ("discovery", "PR-7") if hit else ("forced", "PR-9")
        state, scored = book(state, state.turn, points, why, clause)
        cues = (*cues, scored)
    if state.times > 1:
        state = replace(state, times=1)
    if not state.racks[rack].covered:
        cues = (*cues, _open(state, rack, state.turn if hit else None))
        if hit:
            state, scored = book(state, state.turn, SOLVED, "solved", "PR-7")
            cues = (*cues, scored)
    state, cues = still_hidden(state, cues)
    return (state, cues) if state.step == "over" else ask_on(state, cues)


def _shown(state: State, rack: int, place: int, points: int) -> tuple[State, Cue]:
    """A flap goes up. The letter is what was asked, where the box was told that."""
    word, places = state.racks[rack]
    known = state.letter if state.because == "hit" else DOT if state.because == "own_dot" else None
    if known is not None:
        word = f"{word[: place - 1]}{known}{word[place:]}"
    at = places.index(place)
    left = places[:at] + places[at + 1 :]
    state = replace(state, racks=put(state.racks, rack, Rack(word, left)))
    facts = {
        "who": name(state, state.table.owner(rack)),
        "rack": state.table.racks[rack],
        "place": place,
        "letter": letter_at(state, rack, place),
        "points": points,
        "to": None if state.because == "own_dot" else name(state, state.turn),
        "times": state.times,
        "because": state.because,
    }
    return state, fact(state, "uncovered", facts, UNCOVERED[state.because])


def _open(state: State, rack: int, by: Seat | None) -> Cue:
    """PR-7, PR-12: a word is open; `by` is who guessed its last place."""
    facts = {
        "who": None if by is None else name(state, by),
        "whom": name(state, state.table.owner(rack)),
        "rack": state.table.racks[rack],
        "word": word_of(state, rack),
    }
    return Cue("word_open", facts, "PR-12" if by is None else "PR-7")
