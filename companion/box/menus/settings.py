"""What the box can be set to: a table with one row a setting, and what holds of a recorded value.

A record can be of another version, or damaged; the box plays on all the same.
"""

from __future__ import annotations

import re
from operator import not_
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.say.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.say.words import Words

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


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


class Setting(NamedTuple):
    """A row of the table: what a setting is at first, and whether it can have a value.

    Of one that is a line of the menu: `label` words the line, None where a sentence without values
    will do; `turned` gives the value that follows at a press, None where the line opens a page;
    `values` are what that page has to choose from, if they are texts and always the same.
    """

    default: Any
    is_legal: Callable[[Any], bool]
    is_line: bool = False
    label: Callable[[Words, Mapping[str, Any]], str] | None = None
    turned: Callable[[Any], Any] | None = None
    values: tuple[str, ...] = ()


def _worded(name: str) -> Callable[[Words, Mapping[str, Any]], str]:
    """A line with a sentence of its own for each value."""
    return lambda words, now: words(f"box.option.settings.{name}.{now[name]}")


def _numbered(name: str) -> Callable[[Words, Mapping[str, Any]], str]:
    """A line with the number that is set."""
    return lambda words, now: words(f"box.option.settings.{name}", n=now[name])


def _switch(name: str, *, default: bool = False) -> Setting:
    """A line that is on or off."""
    return Setting(default, _is_switch, True, _worded(name), turned=not_)


def _choice(name: str, values: tuple[str, ...]) -> Setting:
    """A line that opens a page of values; the first one holds until another is chosen."""
    return Setting(values[0], values.__contains__, True, _worded(name), values=values)


def _loudness(name: str, default: int) -> Setting:
    """A line that opens the wheel of a loudness."""
    return Setting(default, _is_loudness, True, _numbered(name))


def _quiet(words: Words, now: Mapping[str, Any]) -> str:
    """The line of the quiet hours."""
    begins, ends = now["quiet_from"], now["quiet_to"]
    if begins is None:
        return words("box.option.settings.quiet.off")
    return words("box.option.settings.quiet.on", begins=begins, ends=ends)


def _by_ear(words: Words, now: Mapping[str, Any]) -> str:
    """The line of those who play by ear: everybody, or so many."""
    return words(f"box.option.settings.ear.{now['ear']}", n=len(now["ears"]))


TABLE: Final[Mapping[str, Setting]] = {
    "volume": _loudness("volume", 7),
    "heard": _choice("heard", LEVELS),
    "speech": _choice("speech", ("normal", "short", "teaching")),
    "voices": Setting(
        {},
        lambda value: _is_by_language(value, lambda voice: isinstance(voice, str)),
        True,
    ),
    "silent": _switch("silent"),
    "quiet_from": Setting(None, lambda value: value is None or _is_hour(value), True, _quiet),
    "language": Setting(
        "en",
        lambda value: value in LANGUAGES,
        True,
        turned=lambda language: "fr" if language == "en" else "en",
    ),
    "languages": Setting(
        {},
        lambda value: (
            isinstance(value, dict) and all(language in LANGUAGES for language in value.values())
        ),
        True,
    ),
    "trust": _switch("trust", default=True),
    "hints": _switch("hints"),
    "quietest": _loudness("quietest", 1),
    "loudest": _loudness("loudest", LOUDEST),
    "stick": _switch("stick"),
    "ear": Setting(False, _is_switch, True, _by_ear),
    "large": _switch("large"),
    "speeds": Setting(
        {},
        lambda value: _is_by_language(value, lambda speed: type(speed) is int and speed in SPEEDS),
    ),
    "quiet_to": Setting(7, _is_hour),
    "names": Setting([], _are_texts),
    "called": Setting("", lambda value: isinstance(value, str)),
    "left_out": Setting([], _are_texts),
    "hidden": Setting(
        [], lambda value: isinstance(value, list) and all(type(n) is int for n in value)
    ),
    "phones": Setting({}, _are_phones),
    "boards": Setting([], _are_texts),
    "evening": Setting({}, lambda value: isinstance(value, dict)),
    "ears": Setting([], _are_texts),
}
"""All settings, a row each: the lines of the menu in their order, then what the box keeps."""
DEFAULTS: Final[Mapping[str, Any]] = {name: row.default for name, row in TABLE.items()}


def lines(*, voices: bool) -> tuple[str, ...]:
    """The lines of the menu of settings; `voices`: there are some to choose from."""
    found = (name for name, row in TABLE.items() if row.is_line)
    return tuple(name for name in found if voices or name != "voices")


def label(words: Words, name: str, now: Mapping[str, Any]) -> str | None:
    """A line of that menu in words; None where a fixed sentence will do."""
    worded = TABLE[name].label
    return None if worded is None else worded(words, now)


def illegal(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The settings whose values can not be, or not together."""
    wrong = [
        key for key, value in settings.items() if key in TABLE and not TABLE[key].is_legal(value)
    ]
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
