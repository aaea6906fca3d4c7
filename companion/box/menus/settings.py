"""What the box can be set to: its defaults, and whether a value that was recorded is one of them.

A record can be of another version, or damaged; the box plays on all the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from companion.say.words import LANGUAGES, VERBOSITIES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LEVELS: Final = ("everything", "scores", "mistakes", "nothing")
"""What is heard, from all to silence."""
LOUDEST: Final = 10
LONGEST_NAME: Final = 10
"""Letters of a name that is spelt."""
HOURS: Final = range(24)
SPEEDS: Final = tuple(range(100, 221, 20))
"""Words a minute that a voice can speak."""
HASH: Final = re.compile("[0-9a-f]{64}")
"""What is kept of a phone's token."""
DEFAULTS: Final[Mapping[str, Any]] = {
    "language": "en",
    "languages": {},
    "volume": 7,
    "quietest": 1,
    "loudest": LOUDEST,
    "heard": "everything",
    "speech": "normal",
    "voices": {},
    "speeds": {},
    "silent": False,
    "trust": False,
    "quiet_from": None,
    "quiet_to": 7,
    "names": [],
    "left_out": [],
    "hidden": [],
    "phones": {},
    "stick": False,
    "boards": [],
    "evening": {},
    "ear": False,
    "ears": [],
    "large": False,
}


def _is_loudness(value: Any) -> bool:
    return type(value) is int and 1 <= value <= LOUDEST


def _is_hour(value: Any) -> bool:
    return type(value) is int and value in HOURS


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _are_phones(value: Any) -> bool:
    """Whether these are hashes of tokens, by the names of players."""
    return isinstance(value, dict) and all(
        isinstance(kept, str) and HASH.fullmatch(kept) for kept in value.values()
    )


def _is_by_language(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, dict) and all(
        language in LANGUAGES and fits(own) for language, own in value.items()
    )


LEGAL: Final[Mapping[str, Callable[[Any], bool]]] = {
    "language": lambda value: value in LANGUAGES,
    "languages": lambda value: (
        isinstance(value, dict) and all(language in LANGUAGES for language in value.values())
    ),
    "volume": _is_loudness,
    "quietest": _is_loudness,
    "loudest": _is_loudness,
    "heard": lambda value: value in LEVELS,
    "speech": lambda value: value in VERBOSITIES,
    "voices": lambda value: _is_by_language(value, lambda voice: isinstance(voice, str)),
    "speeds": lambda value: _is_by_language(
        value, lambda speed: type(speed) is int and speed in SPEEDS
    ),
    "silent": lambda value: isinstance(value, bool),
    "trust": lambda value: isinstance(value, bool),
    "quiet_from": lambda value: value is None or _is_hour(value),
    "quiet_to": _is_hour,
    "names": _are_texts,
    "left_out": _are_texts,
    "hidden": lambda value: isinstance(value, list) and all(type(n) is int for n in value),
    "phones": _are_phones,
    "stick": lambda value: isinstance(value, bool),
    "boards": _are_texts,
    "evening": lambda value: isinstance(value, dict),
    "ear": lambda value: isinstance(value, bool),
    "ears": _are_texts,
    "large": lambda value: isinstance(value, bool),
}
"""Whether a value is one that the setting can have."""


def illegal(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The settings whose values can not be, or not together."""
    wrong = [key for key, value in settings.items() if key in LEGAL and not LEGAL[key](value)]
    lo, hi = (settings.get(key, DEFAULTS[key]) for key in ("quietest", "loudest"))
    if not {"quietest", "loudest"} & {*wrong} and lo > hi:
        wrong += ("quietest", "loudest")
    return tuple(wrong)


def legal(settings: Mapping[str, Any], language: str) -> dict[str, Any]:
    """All settings, each with a legal value; `language` is the box's, if nobody has set another."""
    wrong = illegal(settings)
    found = {key: value for key, value in settings.items() if key not in wrong}
    if {"quietest", "loudest"} & {*wrong}:  # what is left of the two need not fit the default
        found = {key: value for key, value in found.items() if key not in ("quietest", "loudest")}
    return {**DEFAULTS, "language": language, **found}
