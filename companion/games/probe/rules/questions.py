"""Probe's questions: the possible answers, and how likely each answer is.

The weight of an answer states how likely this answer is, compared with the question's other
answers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, assert_never

from companion.core.prompts import Answer, Cell, Choose, Number, Prompt, Shuffle, Spell
from companion.games.probe.rules.board import (
    BY_HAND,
    CARDS_WITHOUT_POINTS,
    DOT,
    LETTERS,
    NO_DOT_ANSWER,
    PLACE_COUNT,
    POINTS,
    POINTS_STEP,
    SAMPLE_WORDS,
    WORD_PATTERN,
    ActivityCard,
    Place,
    activity_card_name,
    word_error_code,
)
from companion.games.probe.rules.state import (
    State,
    askable_opponents,
    candidate_places_to_uncover,
    player_name,
)

UNLISTED_CARD: Final = "another"
"""The answer with which a player states that a real card is not in the edition."""
MAX_CARD_POINTS: Final = 100
"""Maximum number of points that one activity card can add or subtract."""
PLACES_PER_ROW: Final = 4
"""Number of places in a drawn row. Each of the four columns belongs to the button of one seat."""
WORD_LENGTHS: Final = tuple(range(4, PLACE_COUNT + 1))
LENGTH_WEIGHTS: Final = (1, 2, 3, 4, 6, 6, 6, 6, 7)
"""Weights (relative likelihoods) of the lengths in WORD_LENGTHS.

A length is the number of places that a word and its dots fill.
"""
LETTER_FREQUENCIES: Final = dict(zip((*LETTERS, DOT), (
    80, 12, 33, 36, 135, 15, 18, 25, 72, 4, 5, 48, 27,
    68, 62, 28, 5, 65, 70, 72, 40, 13, 9, 3, 10, 3, 60,
), strict=True))  # fmt: skip
"""Table from each letter, and the dot, to its estimated frequency in English and French, per 1,000
letters.
"""
YES, NO, NO_DOT_SAID = "yes", "no", "no_dot"


def ask(state: State) -> Prompt | None:
    """Return the game's next question (PR-3), or None after the end of the game."""
    table = state.table
    match state.step:
        case "answer":
            return _answer(player_name(state, state.whom or 0), state.letter)
        case "uncover":
            return _uncover_which(state)
        case "ask_whom":
            last = None if state.whom is None else player_name(state, state.whom)
            return _whom(player_name(state, state.turn), askable_opponents(state), last)
        case "ask_for":
            return _letter(player_name(state, state.turn), state.asked[state.whom or 0])
        case "card" | "other_card" | "card_points":
            return _which_card(state)
        case "shuffle" | "places":
            of_places = state.step == "places"
            n = PLACE_COUNT * len(state.within) if of_places else sum(table.counts)
            return Shuffle(state.step, n)
        case "length":
            who, rack = (
                player_name(state, table.seat_owning_rack(state.filling)),
                table.racks[state.filling],
            )
            return Choose("length", who, WORD_LENGTHS, LENGTH_WEIGHTS, facts={"rack": rack})
        case "word":
            return _word(
                player_name(state, table.seat_owning_rack(state.filling)),
                table.racks[state.filling],
            )
        case "over":
            return None
        case _:
            assert_never(state.step)


def _word(who: str, rack: str) -> Spell:
    return Spell(
        "word",
        who,
        PLACE_COUNT,
        SAMPLE_WORDS,
        private=True,
        letters=LETTERS + DOT,
        pattern=WORD_PATTERN,
        flaw=word_error_code,
        listed=True,
        facts={"rack": rack},
        at_once=True,
    )


@lru_cache(maxsize=256)
def _whom(who: str, others: tuple[str, ...], last: str | None) -> Choose:
    return Choose("ask_whom", who, others, tuple(1 + (other == last) for other in others))


@lru_cache(maxsize=1024)
def _letter(who: str, asked: str) -> Choose:
    """Ask the active player for a letter (PR-4).

    The cursor starts at the most frequent letter that was not requested before.
    """
    weights = tuple(0 if letter in asked else n for letter, n in LETTER_FREQUENCIES.items())
    return Choose("ask_for", who, tuple(LETTER_FREQUENCIES), weights if any(weights) else ())


@lru_cache(maxsize=64)
def _answer(who: str, letter: str | None) -> Choose:
    """Ask the opponent whether the requested letter is in the word.

    If the active player has not entered the request, the request can be for a letter or for a dot.
    In this case, the answers include NO_DOT_SAID: a dot was requested, and no dot is there (PR-10).
    """
    if letter is not None:
        return Choose("answer", who, (YES, NO), (1, 1))
    return Choose("answer", who, (YES, NO, NO_DOT_SAID), (6, 5, 1))


def _which_card(state: State) -> Prompt:
    """Ask which card of a real deck was drawn, or what a card outside the edition does (PR-5)."""
    who, cards = player_name(state, state.turn), state.table.cards
    if state.step == "other_card":
        return _other_card(who, cards)
    if state.step == "card_points":
        return Number(
            "card_points", who, -MAX_CARD_POINTS, MAX_CARD_POINTS, POINTS_STEP, by=POINTS_STEP
        )
    return _card(who, cards, state.left)


@lru_cache(maxsize=4096)
def _card(who: str, cards: tuple[ActivityCard, ...], left: tuple[int, ...]) -> Choose:
    return Choose("card", who, (*map(activity_card_name, cards), UNLISTED_CARD), (*left, 0))


@lru_cache(maxsize=64)
def _other_card(who: str, cards: tuple[ActivityCard, ...]) -> Choose:
    names = {activity_card_name(card) for card in cards}
    return Choose(
        "other_card", who, (POINTS, *(c for c in CARDS_WITHOUT_POINTS if c not in names), BY_HAND)
    )


def _uncover_which(state: State) -> Choose:
    """Ask a rack's owner which place to uncover (PR-3, PR-16).

    In a game with real racks, an owner who must uncover a dot can also answer that there is no dot
    (PR-5). In a game with secret words, show the question only to the owner, and offer only the
    possible places. If no place is possible, offer only the answer that there is no dot.
    """
    table, there = state.table, candidate_places_to_uncover(state)
    lies = _lies(table.racks, table.held)
    options = tuple([lies[spot][0] for spot in there])
    owner = player_name(state, table.seat_owning_rack(state.within[0]))
    if table.secret:
        return Choose("uncover", owner, options or (NO_DOT_ANSWER,), private=True)
    cells = tuple([lies[spot][1] for spot in there])
    if state.because == "own_dot":
        options, cells = (NO_DOT_ANSWER, *options), (None, *cells)
    return Choose("uncover", owner, options, cells=cells)


@lru_cache(maxsize=64)
def _lies(
    racks: tuple[str, ...], held: tuple[tuple[int, ...], ...]
) -> dict[tuple[int, Place], tuple[Answer, Cell | None]]:
    """Return a table from each (rack, place) to the place's answer and cell (row, column).

    A row has four cells. The cells of a player's right rack are below the cells of the left rack
    (PR-16).
    """
    rows, single = PLACE_COUNT // PLACES_PER_ROW, len(racks) == len(held)
    return {
        (rack, place): (
            place if single else f"{racks[rack]}:{place}",
            (i * rows + (place - 1) // PLACES_PER_ROW, (place - 1) % PLACES_PER_ROW),
        )
        for word in held
        for i, rack in enumerate(word)
        for place in range(1, PLACE_COUNT + 1)
    }
