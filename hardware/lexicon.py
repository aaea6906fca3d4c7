"""What an engine would say wrong, and what it is told in its place.

The names of a game are respelled by the game, for they are the same in every engine's mouth; here
is what belongs to the engines: espeak-ng reads « 2e » as « deux e », with its own voice, with
mbrola's and in Piper, which takes its phonemes; and Piper knows no « … », so that the pause before
a card is named would be lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hardware.voices import PICO, PIPER

if TYPE_CHECKING:
    from collections.abc import Mapping

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
_SIGNS: Final[Mapping[str, Mapping[str, str]]] = {PIPER: {"…": ","}, PICO: {"…": "..."}}
"""Signs that an engine does not pause at, and ones that it does."""


def said(text: str, engine: str, language: str) -> str:
    """Give what that engine is told to say `text` right."""
    ordinals = _ORDINALS[language]
    text = _ENDINGS[language].sub(
        lambda found: _FIRST.get(found[2], ordinals[int(found[1]) - 1]), text
    )
    if language == "fr":
        text = _LONGER.sub(r"\1ème", text)
    for sign, other in _SIGNS.get(engine, {}).items():
        text = text.replace(sign, other)
    return text
