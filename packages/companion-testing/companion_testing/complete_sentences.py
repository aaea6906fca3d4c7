"""Checks of the texts about events of a game: each text is a complete sentence."""

from __future__ import annotations

import re
from typing import Final

from companion.say.words import Words
from companion_testing.observed_games import ObservedGames, sample_values_per_name
from companion_testing.table import Faults, GameFault

SENTENCE_START_PATTERN: Final = re.compile(r"\W*[^\W_a-zà-öø-ÿœ]")
SENTENCE_END_PATTERN: Final = re.compile(r".*(?:[.!?…][”»\s]*|[■□][+\d]*)", re.DOTALL)
"""Pattern of the end of a text: a punctuation mark, or a row of signs, such as chip signs."""


def check_fact_texts_are_sentences(met: ObservedGames, words: Words) -> Faults:
    """Every text of a fact begins with a capital letter or number, and ends as a sentence."""
    for cue in sample_values_per_name(met.cues.values(), lambda cue: cue.name):
        text = words.fact_text(cue)
        if text and not has_sentence_start_and_end(text):
            yield GameFault(
                f"{cue.name} is no complete sentence: {text!r}", met.first_place_of_fact(cue)
            )


def has_sentence_start_and_end(text: str) -> bool:
    """Return True if a text does not begin with a small letter, and ends with a final mark."""
    return bool(SENTENCE_START_PATTERN.match(text) and SENTENCE_END_PATTERN.fullmatch(text))
