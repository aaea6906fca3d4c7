"""Rules of Probe's turns (docs/rulings.md): activity cards, requests for letters, and flaps.

With *racks*, the words are on real racks: players enter requests and answers, and the box adds up
the points. With *secret words*, the box knows the words and answers all requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.fold import replace
from companion.core.game import Cue, Cues, Edition
from companion.core.prompts import Answer
from companion.games.probe.rules.board import (
    AGAIN,
    DOT,
    LAST_PLACE_POINTS,
    LEFT,
    MISSED_DOT_POINTS,
    NO_DOT_ANSWER,
    OWN_DOT,
    PLACE_COUNT,
    POINTS,
    RIGHT,
    TIMES,
    ActivityCard,
    Rack,
    Seat,
    make_table_setup,
    normalise_word,
    parse_activity_card,
)
from companion.games.probe.rules.ending import (
    end_game_or_begin_last_rounds,
    last_rounds_fact,
    score_last_hidden_word,
)
from companion.games.probe.rules.questions import NO_DOT_SAID, UNLISTED_CARD, YES
from companion.games.probe.rules.state import (
    State,
    Step,
    add_points,
    askable_opponents,
    candidate_places_to_uncover,
    fact_that_may_reveal_word,
    has_covered_letter,
    has_no_place_to_uncover,
    letter_on_rack,
    next_remaining_seat,
    player_name,
    rack_of_neighbour,
    replace_tuple_item,
    seats_with_covered_places,
    total_place_value,
    word_on_rack,
)

UNCOVERING_CLAUSES: Final = {"hit": "PR-7", "forced": "PR-9", "own_dot": "PR-8"}
"""Table from the reason for uncovering a place to the clause about this reason."""

# --- setup ----------------------------------------------------------------------------------------


def setup(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> State:
    """Return the state of a new game before its first question (PR-1).

    `edition`: the parsed file `edition.toml`.
    """
    table = make_table_setup(players, options, edition)
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
    """Put the secret word `text`, which a player chose, on the player's rack (PR-1)."""
    return _fill(state, normalise_word(text))


def on_length(state: State, n: int) -> tuple[State, Cues]:
    """Apply the number of places `n` that a word fills on its real rack (PR-1)."""
    return _fill(state, "?" * n)


def _fill(state: State, word: str) -> tuple[State, Cues]:
    """Put a word on the rack `filling`; after the last rack, start the first turn (PR-1)."""
    rack, table = state.filling, state.table
    racks = replace_tuple_item(state.racks, rack, Rack(word, tuple(range(1, len(word) + 1))))
    owner = player_name(state, table.seat_owning_rack(rack))
    stands = Cue("word_stands", {"who": owner, "rack": table.racks[rack], "n": len(word)}, "PR-1")
    state = replace(state, racks=racks, filling=rack + 1)
    if state.filling < len(racks):
        return state, (stands,)
    begins = Cue("begins", {"who": table.players[table.first]}, "PR-1")
    return begin_turn(state, table.first, (stands, begins))


# --- activity cards (PR-3, PR-5) ------------------------------------------------------------------


def begin_turn(state: State, seat: Seat, cues: Cues) -> tuple[State, Cues]:
    """Start the turn of the player on `seat`, who draws an activity card (PR-3)."""
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
    """Draw an activity card; if the pile is empty, first ask for a shuffle of the deck (PR-5)."""
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
    """Put the activity cards into a shuffled order, and draw the first card (PR-5).

    `order`: for each position in the pile, an index into the unshuffled deck.
    """
    table = state.table
    deck = [card for card, n in zip(table.cards, table.counts, strict=True) for _ in range(n)]
    shuffled = Cue("shuffled", {"n": len(deck), "own": False}, "PR-5")
    return _draw(replace(state, pile=tuple(deck[i] for i in order)), (shuffled,))


def on_card(state: State, value: str) -> tuple[State, Cues]:
    """Apply a card that was drawn from a real deck (PR-3, PR-5).

    Reduce the number of cards with this name that are not drawn yet. Accept the card even if this
    number is already 0.
    """
    if value == UNLISTED_CARD:
        return replace(state, step="other_card"), ()
    card = parse_activity_card(value)
    i = state.table.cards.index(card)
    left = replace_tuple_item(state.left, i, max(0, state.left[i] - 1))
    return _drawn(replace(state, left=left), card, ())


def on_other_card(state: State, value: str) -> tuple[State, Cues]:
    """Apply the effect that the player entered for a card outside the edition (PR-5)."""
    if value == POINTS:
        return replace(state, step="card_points"), ()
    return _drawn(state, parse_activity_card(value), ())


def on_card_points(state: State, n: int) -> tuple[State, Cues]:
    """Apply the points that the player entered for a card outside the edition (PR-5)."""
    return _drawn(state, ActivityCard(POINTS, n), ())


def _drawn(state: State, card: ActivityCard, cues: Cues) -> tuple[State, Cues]:
    """Apply the effect of a drawn card before the player chooses an opponent (PR-5).

    Drawing a virtual card reveals a secret. All players must therefore agree to an undo of the
    draw.
    """
    state = replace(state, card=card)
    cues = (*cues, Cue("drawn", _of_card(state), "PR-5", reveals=not state.table.own))
    if card.kind == TIMES and card.n:
        return ask_for_opponent(replace(state, times=card.n), cues)
    if card.kind == POINTS and card.n:
        state, scored = add_points(state, state.turn, card.n, "card", "PR-5")
        return ask_for_opponent(state, (*cues, scored))
    if card.kind in (LEFT, RIGHT):
        rack = rack_of_neighbour(state, state.turn, card.kind)
        return ask_which_place_to_uncover(replace(state, within=(rack,), because="forced"), cues)
    if card.kind == OWN_DOT:
        within = state.table.held[state.turn]
        return ask_which_place_to_uncover(replace(state, within=within, because="own_dot"), cues)
    return ask_for_opponent(state, cues)


def ask_which_place_to_uncover(state: State, cues: Cues) -> tuple[State, Cues]:
    """Ask a rack's owner which place to uncover, or uncover the only possible place (PR-3).

    If no place is possible, announce that the card has no effect (PR-5). In a game with secret
    words, if the setup's `opens` is not "owner", the box chooses the place.

    For a dot of the owner's word, ask even if only one place is possible. In a game with secret
    words, also ask after a "yes" if only one place is possible: a missing question would reveal
    that only one place has the letter.
    """
    if has_no_place_to_uncover(state):
        return ask_for_opponent(state, (*cues, Cue("card_idle", _of_card(state), "PR-5")))
    there = candidate_places_to_uncover(state)
    if state.table.secret and state.table.opens != "owner":
        return _by_box(state, there, cues)
    if len(there) == 1 and not _is_asked(state):
        return _uncover(state, *there[0], cues)
    return replace(state, step="uncover"), cues


def _by_box(state: State, there: tuple[tuple[int, int], ...], cues: Cues) -> tuple[State, Cues]:
    """Uncover a place that the box chooses: the cheapest place, or a random place (PR-3).

    The box makes a random choice even if only one place fits, so that the choice reveals nothing.
    """
    if not there:
        return ask_for_opponent(
            state, (*cues, fact_that_may_reveal_word(state, "card_idle", _of_card(state), "PR-5"))
        )
    if state.table.opens == "chance":
        return replace(state, step="places"), cues
    rack, place = min(there, key=lambda spot: total_place_value((spot[1],)))
    return _uncover(state, rack, place, cues)


def on_places(state: State, order: list[int]) -> tuple[State, Cues]:
    """Uncover the first place in `order` that the player may uncover (PR-3).

    `order`: the numbers of all places on the racks `within`, in random order. The numbers start
    with 0 on the first place of the first rack, and continue on the next rack.
    """
    there, drawn = candidate_places_to_uncover(state), (divmod(n, PLACE_COUNT) for n in order)
    rack, place = next(spot for rack, n in drawn if (spot := (state.within[rack], n + 1)) in there)
    return _uncover(state, rack, place, ())


def _is_asked(state: State) -> bool:
    """Return True if the box asks the owner even if only one place is possible (PR-3, PR-5)."""
    if state.table.secret:
        return state.because != "forced"
    return state.because == "own_dot"


def _of_card(state: State) -> dict[str, Any]:
    assert state.card is not None
    rack = None
    if state.card.kind in (LEFT, RIGHT):
        rack = state.table.racks[rack_of_neighbour(state, state.turn, state.card.kind)]
    return {"who": player_name(state, state.turn), "card": state.card._asdict(), "rack": rack}


# --- asking (PR-3, PR-4) --------------------------------------------------------------------------


def ask_for_opponent(state: State, cues: Cues) -> tuple[State, Cues]:
    """Ask the active player for the next opponent; without opponents, end the turn (PR-3, PR-4).

    If only one opponent has covered places, continue with this opponent without a question.
    """
    others = askable_opponents(state)
    if not others:
        state = replace(state, letter=None, within=(), because="")
        nobody = Cue("nobody_to_ask", {"who": player_name(state, state.turn)}, "PR-4")
        return _end_turn(state, (*cues, nobody))
    step: Step = "ask_whom"
    whom = state.whom
    if len(others) == 1:
        step, whom = _asking(state), state.table.players.index(others[0])
    return replace(state, step=step, whom=whom, letter=None, within=(), because=""), cues


def on_ask_whom(state: State, whom: str) -> tuple[State, Cues]:
    """Apply the active player's choice of an opponent with covered places (PR-3, PR-4)."""
    return replace(state, step=_asking(state), whom=state.table.players.index(whom)), ()


def _asking(state: State) -> Step:
    return "ask_for" if state.table.secret or state.table.remember else "answer"


def on_ask_for(state: State, letter: str) -> tuple[State, Cues]:
    """Apply the active player's request for a letter or a dot (PR-3).

    In a game with secret words, the box answers at once. In a game with real racks, ask the
    opponent for the answer.
    """
    whom, asked = state.whom or 0, state.asked
    if state.table.remember and letter not in asked[whom]:
        asked = replace_tuple_item(asked, whom, asked[whom] + letter)
    state = replace(state, letter=letter, asked=asked)
    if not state.table.secret:
        return replace(state, step="answer"), ()
    return _yes(state) if has_covered_letter(state, whom, letter) else _no(state, dot=letter == DOT)


def on_answer(state: State, value: str) -> tuple[State, Cues]:
    """Apply the answer of an opponent whose word is on a real rack (PR-3, PR-10)."""
    if value == YES:
        return _yes(state)
    return _no(state, dot=value == NO_DOT_SAID or state.letter == DOT)


def _yes(state: State) -> tuple[State, Cues]:
    """Announce a "yes", and call `ask_which_place_to_uncover` for the opponent's racks (PR-3)."""
    fact = fact_that_may_reveal_word(state, "said_yes", _asked(state), "PR-3")
    within = state.table.held[state.whom or 0]
    return ask_which_place_to_uncover(replace(state, within=within, because="hit"), (fact,))


def _no(state: State, *, dot: bool) -> tuple[State, Cues]:
    """End the turn after a "no" (PR-4); in an additional turn, draw another card instead (PR-5).

    `dot` is True if the active player requested a dot, which costs 50 points (PR-10). The "no" also
    ends the multiplier (PR-5).
    """
    facts = _asked(state)
    if dot:
        facts["asked"] = DOT
    cues: Cues = (fact_that_may_reveal_word(state, "said_no", facts, "PR-4"),)
    if dot:
        state, scored = add_points(state, state.turn, MISSED_DOT_POINTS, "no_dot", "PR-10")
        cues = (*cues, scored)
    if state.card is not None and state.card.kind == AGAIN:
        return _draw(replace(state, times=1, letter=None), cues)
    return _end_turn(state, cues)


def _asked(state: State) -> dict[str, Any]:
    whom = player_name(state, state.whom or 0)
    return {"who": player_name(state, state.turn), "whom": whom, "asked": state.letter}


def _end_turn(state: State, cues: Cues) -> tuple[State, Cues]:
    """Give the turn to the next player (PR-4), and count the turns of the last rounds (PR-13).

    After the last turn of the last rounds, end the game.
    """
    seat = next_remaining_seat(state, state.turn)
    if state.last is not None and state.counts:
        (survivor,) = seats_with_covered_places(state)
        state = replace(state, last=state.last - 1)
        if not state.last:
            return score_last_hidden_word(state, survivor, cues)
        cues = (*cues, last_rounds_fact(state, survivor, begins=False))
    return begin_turn(state, seat, cues)


# --- uncovering (PR-7 to PR-9) --------------------------------------------------------------------


def on_uncover(state: State, value: Answer) -> tuple[State, Cues]:
    """Uncover the place that the owner chose (PR-3, PR-5).

    If the owner answered that there is no dot, continue the turn (PR-5).
    """
    if value == NO_DOT_ANSWER:
        return ask_for_opponent(
            state, (fact_that_may_reveal_word(state, "card_idle", _of_card(state), "PR-5"),)
        )
    if isinstance(value, str):
        rack, _, place = value.rpartition(":")
        return _uncover(state, state.table.racks.index(rack), int(place), ())
    return _uncover(state, state.within[0], value, ())


def _uncover(state: State, rack: int, place: int, cues: Cues) -> tuple[State, Cues]:
    """Uncover a place, and score its value for the active player (PR-7, PR-9).

    A player who uncovers a dot of the player's own word scores nothing (PR-8).
    If a "yes" uncovered a word's last place, the active player scores 50 more (PR-7).
    """
    hit, free = state.because == "hit", state.because == "own_dot"
    points = 0 if free else total_place_value((place,)) * state.times
    state, shown = _shown(state, rack, place, points)
    cues = (*cues, shown)
    if not free:
        why, clause = ("discovery", "PR-7") if hit else ("forced", "PR-9")
        state, scored = add_points(state, state.turn, points, why, clause)
        cues = (*cues, scored)
    if state.times > 1:
        state = replace(state, times=1)
    if not state.racks[rack].covered:
        cues = (*cues, _open(state, rack, state.turn if hit else None))
        if hit:
            state, scored = add_points(state, state.turn, LAST_PLACE_POINTS, "solved", "PR-7")
            cues = (*cues, scored)
    state, cues = end_game_or_begin_last_rounds(state, cues)
    return (state, cues) if state.step == "over" else ask_for_opponent(state, cues)


def _shown(state: State, rack: int, place: int, points: int) -> tuple[State, Cue]:
    """Turn up a flap, and save the letter below the flap if the box knows the letter."""
    word, places = state.racks[rack]
    letter = state.letter if state.because == "hit" else DOT if state.because == "own_dot" else None
    if letter is not None:
        word = f"{word[: place - 1]}{letter}{word[place:]}"
    at = places.index(place)
    left = places[:at] + places[at + 1 :]
    state = replace(state, racks=replace_tuple_item(state.racks, rack, Rack(word, left)))
    facts = {
        "who": player_name(state, state.table.seat_owning_rack(rack)),
        "rack": state.table.racks[rack],
        "place": place,
        "letter": letter_on_rack(state, rack, place),
        "points": points,
        "to": None if state.because == "own_dot" else player_name(state, state.turn),
        "times": state.times,
        "because": state.because,
    }
    return state, fact_that_may_reveal_word(
        state, "uncovered", facts, UNCOVERING_CLAUSES[state.because]
    )


def _open(state: State, rack: int, by: Seat | None) -> Cue:
    """Return the event which reports that a word is open (PR-7, PR-12).

    `by`: the seat that found the last place of the word, or None.
    """
    facts = {
        "who": None if by is None else player_name(state, by),
        "whom": player_name(state, state.table.seat_owning_rack(rack)),
        "rack": state.table.racks[rack],
        "word": word_on_rack(state, rack),
    }
    return Cue("word_open", facts, "PR-12" if by is None else "PR-7")
