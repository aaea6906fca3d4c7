"""Wrong rules of Probe."""

from __future__ import annotations

from typing import Final

from tests.mutants import Mutant

MUTANTS: Final = (
    Mutant(
        "PR-3",
        "all may see between which places an opponent chooses",
        'Choose("uncover", owner, options or (NO_DOT_ANSWER,), private=True)',
        'Choose("uncover", owner, options or (NO_DOT_ANSWER,))',
    ),
    Mutant(
        "PR-3",
        "secret words: the only place that fits opens by itself",
        'return state.because != "forced"',
        "return False",
    ),
    Mutant(
        "PR-5",
        "a real rack's only covered place is taken for a dot without asking",
        'return state.because == "own_dot"',
        "return False",
    ),
    Mutant(
        "PR-5",
        "own cards: one more than was counted cannot be told",
        "(*map(activity_card_name, cards), UNLISTED_CARD), (*left, 0))",
        "(*(activity_card_name(c) for c, n in zip(cards, left, strict=True) if n), UNLISTED_CARD))",
    ),
    Mutant(
        "PR-6",
        "what somebody else scores counts among the points of the turn",
        "seat == state.turn and why not in REASONS_OUTSIDE_TURN",
        "why not in REASONS_OUTSIDE_TURN",
    ),
    Mutant(
        "PR-10",
        "real racks: where letters are remembered, a dot that is not there costs nothing",
        "value == NO_DOT_SAID or state.letter == DOT",
        "value == NO_DOT_SAID",
    ),
    Mutant(
        "PR-11",
        "once a second word is found misspelled, the first can be again",
        "(*state.misspelled, i)",
        "(i,)",
    ),
    Mutant(
        "PR-13",
        "five covered places are too few for the 100",
        "if n >= MIN_COVERED_PLACES",
        "if n > MIN_COVERED_PLACES",
    ),
    Mutant(
        "PR-14",
        "of those who tie only the first wins",
        "if state.scores[seat] == top\n    ]",
        "if state.scores[seat] == top\n    ][:1]",
    ),
    Mutant(
        "PR-15",
        "real racks: a yes is dropped when anybody's word is guessed",
        'state.because == "hit" and state.whom == whom',
        'state.because == "hit"',
    ),
    Mutant(
        "PR-15",
        "a guess that was taken back is told to all",
        'frozenset({"word", "guess"})',
        'frozenset({"word"})',
    ),
    Mutant(
        "PR-16",
        "of the opponent's two racks the cards left and right mean the other one",
        "held[1 - seat][kind == RIGHT]",
        "held[1 - seat][kind == LEFT]",
    ),
)
