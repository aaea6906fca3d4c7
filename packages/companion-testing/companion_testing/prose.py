"""Checks that texts of facts are complete sentences without their titles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from companion_testing.met import some
from companion_testing.table import Told

if TYPE_CHECKING:
    from companion.say.words import Words
    from companion_testing.met import Met
    from companion_testing.table import Telling

STARTS: Final = re.compile(r"\W*[^\W_a-zà-öø-ÿœ]")
ENDS: Final = re.compile(r".*(?:[.!?…][”»\s]*|[■□][+\d]*)", re.DOTALL)
"""Matches a complete text; a row of signs, such as chips, needs no full stop."""


def complete(met: Met, words: Words) -> Telling:
    """The text of a fact begins with a capital letter or a number, and ends as a sentence."""
    for cue in some(met.cues.values(), lambda cue: cue.name):
        text = words.text(cue)
        if text and not is_complete(text):
            yield Told(f"{cue.name} is no complete sentence: {text!r}", met.place(cue))


def is_complete(text: str) -> bool:
    """Return True if the first letter is no small one and the last sign ends a sentence."""
    return bool(STARTS.match(text) and ENDS.fullmatch(text))
