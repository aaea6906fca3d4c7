"""Respell texts that a speech engine would pronounce wrongly.

The face of a game respells the game's names. This module respells texts that only some engines
pronounce wrongly. espeak-ng reads « 2e » as « deux e », in its own voices and in mbrola's. Piper
uses the phonemes of espeak-ng, and reads « 2e » in the same way. Only espeak-ng pauses at « … »,
which stands before the name of a card. Piper and the modules of speech-dispatcher do not pause at «
… ». At a comma all engines pause for a fifth to a third of a second.
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
"""The words for the first twelve ordinals, by language. Engines pronounce later ordinals well
enough.
"""
_ENDINGS: Final = {
    "en": re.compile(r"\b(1[0-2]|[1-9])(st|nd|rd|th)\b"),
    "fr": re.compile(r"\b(1[0-2]|[1-9])(er|re|ère|e|ème|nd|nde)\b"),
}
_LONGER: Final = re.compile(r"\b(\d+)e\b")


def respell(text: str, engine: str, language: str) -> str:
    """Return `text`, respelled so that `engine` pronounces it correctly in `language`."""
    ordinals = _ORDINALS[language]
    text = _ENDINGS[language].sub(
        lambda match: _FIRST.get(match[2], ordinals[int(match[1]) - 1]), text
    )
    if language == "fr":
        text = _LONGER.sub(r"\1ème", text)
    return text if engine == ESPEAK else text.replace("…", ",")
