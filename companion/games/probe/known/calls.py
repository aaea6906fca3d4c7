"""Guesses of a whole word by the computer player (PR-15), if the gain exceeds the risk."""

from __future__ import annotations

from random import Random
from typing import Final

from companion.core.game import Memory
from companion.core.prompts import Answer
from companion.core.snapshot import View
from companion.games.probe.known.imagine import covered_places, seen_racks
from companion.games.probe.known.lexicon import RackSeen, few_words
from companion.games.probe.rules.board import MIN_GUARDED_PLACES, make_table

CANDIDATES: Final = 12
"""Maximum number of fitting words of a rack for which a guess is considered."""
MIN_CERTAINTY, MIN_LAST_CERTAINTY = 0.7, 0.5
"""Least probabilities at which a word is guessed: usually, and at the last chance for a guess."""
FORGETFUL_CERTAINTY: Final = 0.9
"""Least probability of a word at which a forgetful level guesses it."""


def call_word(view: View, told: Memory, player: str, _rng: Random) -> Answer | None:
    """Return the interruption that guesses the likeliest word; None if no word is likely enough."""
    if view["to_act"] is None or player in view["out"]:
        return None
    table = make_table(told.players, told.settings, told.edition)
    best: tuple[float, Answer | None] = 0.0, None
    for n, seen in enumerate(seen_racks(view, told, table)):
        whom, rack = told.players[table.owner(n)], table.racks[n]
        if whom == player or whom in view["out"] or len(covered_places(seen)) < MIN_GUARDED_PLACES:
            continue
        likely, guess = _likeliest(seen, _called(told, rack))
        if likely >= _needed(told, seen) and likely > best[0]:
            best = likely, {"who": player, "whom": whom, "rack": rack, "guess": guess}
    return best[1]


def _needed(told: Memory, seen: RackSeen) -> float:
    """Return the lowest probability at which the computer player guesses a word."""
    if told.span is not None:
        return 1 - (1 - FORGETFUL_CERTAINTY) * min(1, told.span)
    return MIN_LAST_CERTAINTY if len(covered_places(seen)) == MIN_GUARDED_PLACES else MIN_CERTAINTY


def _called(told: Memory, rack: str) -> frozenset[str]:
    """Return the words that this seat has guessed wrongly for a rack."""
    return frozenset(call["guess"] for call in told.called if call["rack"] == rack)


def _likeliest(seen: RackSeen, called: frozenset[str]) -> tuple[float, str]:
    """Return the likeliest word of a rack and its probability; 0 if too many words fit."""
    words = {text: n for text, n in few_words(seen, CANDIDATES).items() if text not in called}
    best = max(words, default="", key=lambda text: words[text])
    return (words[best] / sum(words.values()), best) if words else (0.0, "")
