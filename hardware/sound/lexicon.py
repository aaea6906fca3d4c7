"""What an engine would say wrong, and what it is told in its place.

The names of a game are respelled by the game, for they are the same in every engine's mouth; here
is what belongs to the engines. espeak-ng reads « 2e » as « deux e », with its own voice, with
mbrola's and in Piper, which takes its phonemes. And it alone pauses at « … », before a card is
named: Piper and the modules of speech-dispatcher would go straight on. At a comma all of them pause
for a fifth to a third of a second.
"""

from __future__ import annotations

import re
from typing import Final

from hardware.sound.voices import ESPEAK

_FIRST: Final = {"er": "premier", "re": "première", "ère": "première"}
_ORDINALS: Final = {
    "en": ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
           "tenth", "eleventh", "twelfth"),
    "fr": ("premier", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième",
           "huitième", "neuvième", "dixième", "onzième", "douzième"),
}  # fmt: skip
"""The first twelve; above that a figure and its ending are said well enough."""
_ENDINGS: Final = {
    "en": re.compile(r"\b(1[0-2]|[1-9])(st|nd|rd|th)\b"),
    "fr": re.compile(r"\b(1[0-2]|[1-9])(er|re|ère|e|ème|nd|nde)\b"),
}
_LONGER: Final = re.compile(r"\b(\d+)e\b")


def respell(text: str, engine: str, language: str) -> str:
    """Give what that engine is told to say `text` right."""
    ordinals = _ORDINALS[language]
    text = _ENDINGS[language].sub(
        lambda found: _FIRST.get(found[2], ordinals[int(found[1]) - 1]), text
    )
    if language == "fr":
        text = _LONGER.sub(r"\1ème", text)
    return text if engine == ESPEAK else text.replace("…", ",")
