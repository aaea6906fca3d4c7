"""Respelling of texts that only some speech engines pronounce wrongly.

The engine espeak-ng reads « 2e » as « deux e », also with mbrola's voices. Piper uses the phonemes
of espeak-ng, and also reads « deux e ». This module replaces such ordinals by words.

Some sentences contain the sign « … » before the name of a card. Only espeak-ng pauses at this sign.
For other engines, this module replaces the sign by a comma, at which all engines pause.

The names in a game are not respelled here, because each game defines the spellings of names.
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
"""Words for the ordinals from first to twelfth, by language."""
_ENDINGS: Final = {
    "en": re.compile(r"\b(1[0-2]|[1-9])(st|nd|rd|th)\b"),
    "fr": re.compile(r"\b(1[0-2]|[1-9])(er|re|ère|e|ème|nd|nde)\b"),
}
_LONGER: Final = re.compile(r"\b(\d+)e\b")


def respell_for_engine(text: str, engine: str, language: str) -> str:
    """Return `text`, respelled so that `engine` pronounces the text correctly in `language`."""
    ordinals = _ORDINALS[language]
    text = _ENDINGS[language].sub(
        lambda match: _FIRST.get(match[2], ordinals[int(match[1]) - 1]), text
    )
    if language == "fr":
        text = _LONGER.sub(r"\1ème", text)
    return text if engine == ESPEAK else text.replace("…", ",")
