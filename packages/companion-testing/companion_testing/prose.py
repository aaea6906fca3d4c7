"""Checks that texts of facts are complete sentences without their titles."""

from __future__ import annotations

import re
from typing import Final

from companion.say.words import Words
from companion_testing.met import ObservedGames, sample_by_name
from companion_testing.table import Fault, Faults

START_PATTERN: Final = re.compile(r"\W*[^\W_a-zà-öø-ÿœ]")
END_PATTERN: Final = re.compile(r".*(?:[.!?…][”»\s]*|[■□][+\d]*)", re.DOTALL)
"""Matches a complete text; a row of signs, such as chips, needs no full stop."""


def check_complete_texts(met: ObservedGames, words: Words) -> Faults:
    """The text of a fact begins with a capital letter or a number, and ends as a sentence."""
    for cue in sample_by_name(met.cues.values(), lambda cue: cue.name):
        text = words.text(cue)
        if text and not is_complete(text):
            yield Fault(f"{cue.name} is no complete sentence: {text!r}", met.place(cue))


def is_complete(text: str) -> bool:
    """Return True if the first letter is no small one and the last sign ends a sentence."""
    return bool(START_PATTERN.match(text) and END_PATTERN.fullmatch(text))
