"""Probe's out-of-turn questions: guesses of words, misspelling, correction, ending and leaving."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Final

from companion.core.errors import Refused
from companion.core.fold import replace
from companion.core.game import Cue, Cues
from companion.core.prompts import (
    COVERED_LETTER,
    Answer,
    Choose,
    Form,
    JsonValues,
    Number,
    Prompt,
    Question,
    Spell,
    leaving_prompt,
)
from companion.games.probe.rules.board import (
    DOT,
    GUESSED_POINTS,
    LETTERS,
    MIN_COVERED_PLACES,
    MISSPELLED_POINTS,
    PLACE_COUNT,
    POINTS_STEP,
    SAMPLE_WORDS,
    WORD_PATTERN,
    WRONG_GUESS_POINTS,
    Rack,
    TableSetup,
    normalise_word,
    word_error_code,
)
from companion.games.probe.rules.ending import (
    end_game,
    end_game_or_begin_last_rounds,
    reveal_word_on_rack,
    score_last_hidden_word,
)
from companion.games.probe.rules.rules import (
    ask_for_opponent,
    ask_which_place_to_uncover,
    begin_turn,
)
from companion.games.probe.rules.state import (
    CORRECTION,
    MISSPELLED,
    State,
    add_points,
    count_covered_places,
    fact_that_may_reveal_word,
    has_no_place_to_uncover,
    next_remaining_seat,
    player_name,
    seats_of_remaining_players,
    seats_with_covered_places,
    total_place_value,
)

MAX_POINTS: Final = 500
"""Maximum number of points that one correction can add or subtract."""


def out_of_turn_questions(state: State) -> tuple[Question, ...]:
    """Return the questions that players can open now, out of turn, such as a guess of a word.

    Before all words are on their racks, return () (PR-15). After the end of the game, players can
    still correct totals and report misspelled words (PR-6, PR-11).
    """
    if state.step in ("word", "length"):
        return ()
    fixes: tuple[Question, ...] = (_correct(state.table.players, state.scores),)
    if len(state.misspelled) < len(state.racks):
        racks = tuple(r for i, r in enumerate(state.table.racks) if i not in state.misspelled)
        fixes = (Choose("misspelled", None, racks), *fixes)
    if state.step == "over":
        return fixes
    players = tuple(player_name(state, seat) for seat in seats_of_remaining_players(state))
    interruption = _interrupt(state.table, state.racks, players)
    return (interruption, *fixes, Choose("stop", None, (True,)), leaving_prompt(players))


@lru_cache(maxsize=64)
def _interrupt(table: TableSetup, racks: tuple[Rack, ...], players: tuple[str, ...]) -> Form:
    """Return the form in which a player guesses a whole word (PR-15, PR-16).

    The form asks for the guessing player, the word's owner, and the rack. In a game with secret
    words, the form asks for the word that the player guesses. In a game with real racks, the form
    asks whether the guess was right.
    """
    asks = partial(_interruption, table, racks, players)
    return Form("interrupt", None, asks, partial(_too_few, table, racks))


def _interruption(
    table: TableSetup,
    racks: tuple[Rack, ...],
    players: tuple[str, ...],
    given: Mapping[str, Answer],
) -> Prompt | None:
    if "who" not in given:
        return Choose("who", None, players)
    who = given["who"]
    if "whom" not in given:
        return Choose("whom", who, tuple(other for other in players if other != who))
    if "rack" not in given:
        held = table.held[table.players.index(given["whom"])]
        return Choose("rack", who, tuple(table.racks[rack] for rack in held))
    if not table.secret:
        return None if "right" in given else Choose("right", None, (True, False))
    if "guess" in given:
        return None
    return Spell(
        "guess",
        who,
        PLACE_COUNT,
        SAMPLE_WORDS,
        letters=LETTERS + DOT,
        pattern=WORD_PATTERN,
        flaw=word_error_code,
        open=_open(racks[table.racks.index(given["rack"])]),
        facts={"rack": given["rack"]},
    )


def _open(rack: Rack) -> str:
    hidden = rack.covered
    return "".join(COVERED_LETTER if at in hidden else c for at, c in enumerate(rack.word, start=1))


def _too_few(
    table: TableSetup, racks: tuple[Rack, ...], given: Mapping[str, Answer]
) -> Refused | None:
    """Return an error if fewer than five places of the rack are covered, else None (PR-15)."""
    if "rack" not in given:
        return None
    n = len(racks[table.racks.index(given["rack"])].covered)
    return Refused("too_few_covered", rack=given["rack"], n=n) if n < MIN_COVERED_PLACES else None


@lru_cache(maxsize=64)
def _correct(players: tuple[str, ...], scores: tuple[int, ...]) -> Form:
    """Return the form that adds points to a player's total, or subtracts points (PR-6)."""
    return Form("correct", None, partial(_correction, players, scores))


def _correction(
    players: tuple[str, ...], scores: tuple[int, ...], given: Mapping[str, Answer]
) -> Prompt | None:
    if "who" not in given:
        return Choose("who", None, players)
    if "points" in given:
        return None
    whose = given["who"]
    facts = {"whose": whose, "was": scores[players.index(whose)]}
    return Number("points", None, -MAX_POINTS, MAX_POINTS, POINTS_STEP, by=POINTS_STEP, facts=facts)


# --- whole words (PR-15) --------------------------------------------------------------------------


def on_interrupt(state: State, given: JsonValues) -> tuple[State, Cues]:
    """Apply a player's guess of a whole word (PR-15).

    For a right guess, the player scores the values of the covered places and 100 points. A wrong
    guess costs the player 50 points. Raise Refused if fewer than five places of the rack are
    covered.
    """
    who, whom = (state.table.players.index(given[key]) for key in ("who", "whom"))
    rack = state.table.racks.index(given["rack"])
    places = state.racks[rack].covered
    if (refusal := _too_few(state.table, state.racks, given)) is not None:
        raise refusal
    right = (
        given["right"]
        if "right" in given
        else normalise_word(given["guess"]) == state.racks[rack].word
    )
    facts = {"who": given["who"], "whom": given["whom"], "rack": state.table.racks[rack]}
    cues: Cues = (
        fact_that_may_reveal_word(state, "interrupted", {**facts, "right": right}, "PR-15"),
    )
    if not right:
        state, scored = add_points(state, who, WRONG_GUESS_POINTS, "wrong_guess", "PR-15")
        return state, (*cues, scored)
    values = total_place_value(places)
    state, shown = reveal_word_on_rack(state, rack, who, values, "PR-15")
    cues = (*cues, shown)
    for points, why in ((values, "guess_values"), (GUESSED_POINTS, "guess_right")):
        state, scored = add_points(state, who, points, why, "PR-15")
        cues = (*cues, scored)
    state, cues = end_game_or_begin_last_rounds(state, cues)
    return (state, cues) if state.step == "over" else _where_it_stopped(state, whom, cues, "PR-15")


def _where_it_stopped(state: State, whom: int, cues: Cues, clause: str) -> tuple[State, Cues]:
    """Continue the turn that a guess or a leaving player interrupted (PR-15, PR-18).

    If the interrupted question no longer makes sense (for example, the asked player has no covered
    places any more), cancel the question. A multiplier stays in force.
    """
    if state.step == "ask_whom":
        return ask_for_opponent(state, cues)
    if state.step in ("ask_for", "answer"):
        return (
            (state, cues)
            if count_covered_places(state, state.whom or 0)
            else _moot(state, cues, clause)
        )
    if state.step != "uncover":
        return state, cues
    unknown = not state.table.secret and state.because == "hit" and state.whom == whom
    if has_no_place_to_uncover(state) or unknown:
        return _moot(state, cues, clause)
    return ask_which_place_to_uncover(state, cues)


def _moot(state: State, cues: Cues, clause: str) -> tuple[State, Cues]:
    moot = fact_that_may_reveal_word(state, "moot", {"who": player_name(state, state.turn)}, clause)
    return ask_for_opponent(state, (*cues, moot))


# --- corrections (PR-6, PR-11) --------------------------------------------------------------------


def on_misspelled(state: State, rack: str) -> tuple[State, Cues]:
    """Subtract 100 points from the owner of a misspelled word, even if the word is open (PR-11)."""
    i = state.table.racks.index(rack)
    owner = state.table.seat_owning_rack(i)
    state = replace(state, misspelled=(*state.misspelled, i))
    fact = Cue("misspelled", {"who": player_name(state, owner), "rack": rack}, "PR-11")
    state, scored = add_points(state, owner, MISSPELLED_POINTS, MISSPELLED, "PR-11")
    return state, (fact, scored)


def on_correct(state: State, given: JsonValues) -> tuple[State, Cues]:
    """Add points to a player's total, or subtract points (PR-6).

    Raise Refused if the number of points is 0.
    """
    if not given["points"]:
        raise Refused("nothing_to_correct")
    seat = state.table.players.index(given["who"])
    corrected = Cue("corrected", {"who": given["who"], "points": given["points"]}, "PR-6")
    state, scored = add_points(state, seat, given["points"], CORRECTION, "PR-6")
    return state, (corrected, scored)


def on_stop_game(state: State, _: Answer) -> tuple[State, Cues]:
    """End the game early, as the players agreed; no player scores for covered places (PR-14)."""
    return end_game(state, (Cue("stopped", {}, "PR-14"),))


# --- a player leaves (PR-18) ----------------------------------------------------------------------


def on_leaves(state: State, who: str) -> tuple[State, Cues]:
    """Remove the player `who` from the game; this player's flaps go up without points (PR-18).

    If one player remains, this player wins, and scores this player's covered places (PR-13).
    """
    seat = state.table.players.index(who)
    after = replace(state, out=(*state.out, seat), last=_turns_left(state, seat))
    cues: Cues = (Cue("left", {"who": who}, "PR-18"),)
    for rack in state.table.held[seat]:
        if state.racks[rack].covered:
            after, shown = reveal_word_on_rack(after, rack, None, 0, "PR-18")
            cues = (*cues, shown)
    if len(seats_of_remaining_players(after)) == 1:
        (last,) = seats_of_remaining_players(after)
        ends = (
            partial(score_last_hidden_word, seat=last)
            if count_covered_places(after, last)
            else end_game
        )
        return ends(after, cues=cues, clause="PR-18")
    after, cues = end_game_or_begin_last_rounds(after, cues)
    if after.step == "over":
        return after, cues
    if after.last == 0:
        return score_last_hidden_word(after, seats_with_covered_places(after)[0], cues)
    if state.turn == seat:
        return begin_turn(after, next_remaining_seat(after, seat), cues)
    return _where_it_stopped(after, seat, cues, "PR-18")


def _turns_left(state: State, seat: int) -> int | None:
    """Return how many turns are left in the last rounds after a player has left (PR-18)."""
    if state.last is None:
        return None
    turn = state.turn if state.counts else next_remaining_seat(state, state.turn)
    turns: list[int] = []
    for _ in range(state.last):
        turns.append(turn)
        turn = next_remaining_seat(state, turn)
    return state.last - turns.count(seat)
