"""Guesses of whole words by the computer player (PR-15)."""

from __future__ import annotations

from random import Random
from typing import Final

from companion.core.game import SeatMemory
from companion.core.prompts import Answer
from companion.core.snapshot import View
from companion.games.probe.known.imagine import covered_places_of_rack, knowledge_of_each_rack
from companion.games.probe.known.lexicon import RackKnowledge, list_weighted_fitting_words
from companion.games.probe.rules.board import MIN_COVERED_PLACES, make_table_setup

MAX_FITTING_WORDS: Final = 12
"""The computer player guesses a word only if at most this many words fit the rack."""
MIN_CERTAINTY, MIN_LAST_CERTAINTY = 0.7, 0.5
"""Minimum probabilities with which the computer player guesses a word.

MIN_LAST_CERTAINTY applies if only MIN_COVERED_PLACES places of the rack are covered. MIN_CERTAINTY
applies if more places are covered.
"""
FORGETFUL_CERTAINTY: Final = 0.9
"""Minimum probability with which a computer player with a limited memory guesses a word.

A computer player with a memory of 0 events guesses a word only if the word's probability is 1.
"""


def guess_whole_word(view: View, memory: SeatMemory, player: str, _rng: Random) -> Answer | None:
    """Return the answer that guesses the likeliest word, or None if no word is likely enough."""
    if view["to_act"] is None or player in view["out"]:
        return None
    table = make_table_setup(memory.players, memory.settings, memory.edition)
    best: tuple[float, Answer | None] = 0.0, None
    for n, seen in enumerate(knowledge_of_each_rack(view, memory, table)):
        whom, rack = memory.players[table.seat_owning_rack(n)], table.racks[n]
        if (
            whom == player
            or whom in view["out"]
            or len(covered_places_of_rack(seen)) < MIN_COVERED_PLACES
        ):
            continue
        likely, guess = _likeliest(seen, _called(memory, rack))
        if likely >= _needed(memory, seen) and likely > best[0]:
            best = likely, {"who": player, "whom": whom, "rack": rack, "guess": guess}
    return best[1]


def _needed(memory: SeatMemory, seen: RackKnowledge) -> float:
    if memory.span is not None:
        return 1 - (1 - FORGETFUL_CERTAINTY) * min(1, memory.span)
    return (
        MIN_LAST_CERTAINTY
        if len(covered_places_of_rack(seen)) == MIN_COVERED_PLACES
        else MIN_CERTAINTY
    )


def _called(memory: SeatMemory, rack: str) -> frozenset[str]:
    return frozenset(call["guess"] for call in memory.called if call["rack"] == rack)


def _likeliest(seen: RackKnowledge, called: frozenset[str]) -> tuple[float, str]:
    words = {
        text: n
        for text, n in list_weighted_fitting_words(seen, MAX_FITTING_WORDS).items()
        if text not in called
    }
    best = max(words, default="", key=lambda text: words[text])
    return (words[best] / sum(words.values()), best) if words else (0.0, "")
