"""The settings: a table with a row for each setting, and checks of recorded values.

A recorded value may be damaged or come from another version of the program. The box starts even if
a recorded value is invalid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from operator import not_
from typing import Any, Final, NamedTuple

from checked_input.checks import (
    Check,
    OptionalKey,
    ValueMistake,
    anything,
    boolean,
    both,
    condition,
    first_mistake,
    list_of,
    mapping_of,
    nullable,
    number,
    one_of,
    pattern,
    table,
    text,
    whole_number,
)
from companion.say.words import LANGUAGES, Words

SPEECH_LEVELS: Final = ("everything", "scores", "mistakes", "nothing")
"""Names of the speech levels: the box speaks everything, scores, mistakes, or nothing."""
MAX_VOLUME: Final = 10
MAX_SPELT_LETTERS: Final = 10
"""Maximum number of letters in a spelt name."""
HOURS: Final = range(24)
SECONDS_PER_HOUR: Final = 3600
"""Number of seconds in an hour."""
MAX_UPTIME_SECONDS: Final = 2**31
"""Maximum time in seconds that a setting accepts as the machine's running time: 68 years."""
VOICE_SPEEDS: Final = tuple(range(100, 221, 20))
"""Selectable speeds of a voice, in words a minute."""
TOKEN_HASH_PATTERN: Final = re.compile("[0-9a-f]{64}")
"""Pattern of the stored SHA-256 hash of a phone's token."""


_TEXTS: Final = list_of(text())
_HOUR: Final = number(HOURS[0], HOURS[-1])
_LOUDNESS: Final = number(1, MAX_VOLUME)
_SPEED: Final = both(
    whole_number, condition(VOICE_SPEEDS.__contains__, ", ".join(map(str, VOICE_SPEEDS)))
)


def hour_from_clock_setting(clock: Mapping[str, int], now: float) -> int | None:
    """Return the present hour, computed from the setting `clock`.

    Return None if `clock` is not set. `now` is the present time in seconds on the monotonic clock.
    """
    if not clock.keys() >= {"hour", "up"}:
        return None
    return (clock["hour"] + int(now - clock["up"]) // SECONDS_PER_HOUR) % len(HOURS)


def _by_language(check: Check) -> Check:
    return table(dict.fromkeys(LANGUAGES, OptionalKey(check)))


class SettingDefinition(NamedTuple):
    """The default value of a setting, the check of its values, and its place in the menu.

    - `is_line`: if True, the settings menu has a line for the setting.
    - `label`: None if the catalogue has the line's text, else a function that returns the text.
    - `turned`: None if the menu line opens a page, else a function that returns the next value of
      the setting.
    - `values`: the values that the setting's page offers, if these values are fixed texts.
    """

    default: Any
    check: Check
    is_line: bool = False
    label: Callable[[Words, Mapping[str, Any]], str] | None = None
    turned: Callable[[Any], Any] | None = None
    values: tuple[str, ...] = ()


def _worded(name: str) -> Callable[[Words, Mapping[str, Any]], str]:
    return lambda words, now: words(f"box.option.settings.{name}.{now[name]}")


def _numbered(name: str) -> Callable[[Words, Mapping[str, Any]], str]:
    return lambda words, now: words(f"box.option.settings.{name}", n=now[name])


def _switch(name: str, *, default: bool = False) -> SettingDefinition:
    return SettingDefinition(default, boolean, True, _worded(name), turned=not_)


def _choice(name: str, values: tuple[str, ...]) -> SettingDefinition:
    return SettingDefinition(values[0], one_of(*values), True, _worded(name), values=values)


def _loudness(name: str, default: int) -> SettingDefinition:
    return SettingDefinition(default, _LOUDNESS, True, _numbered(name))


def _quiet(words: Words, now: Mapping[str, Any]) -> str:
    begins, ends = now["quiet_from"], now["quiet_to"]
    if begins is None:
        return words("box.option.settings.quiet.off")
    return words("box.option.settings.quiet.on", begins=begins, ends=ends)


def _by_ear(words: Words, now: Mapping[str, Any]) -> str:
    return words(f"box.option.settings.ear.{now['ear']}", n=len(now["ears"]))


SETTINGS: Final[Mapping[str, SettingDefinition]] = {
    "volume": _loudness("volume", 7),
    "heard": _choice("heard", SPEECH_LEVELS),
    "speech": _choice("speech", ("normal", "short", "teaching")),
    "voices": SettingDefinition({}, _by_language(text()), True),
    "loudspeaker": SettingDefinition("", text(), True),
    "silent": _switch("silent"),
    "effects": _switch("effects", default=True),
    "voice": _switch("voice", default=True),
    "sounds": SettingDefinition("", text(), True),
    "clock": SettingDefinition(
        {}, table(hour=OptionalKey(_HOUR), up=OptionalKey(number(0, MAX_UPTIME_SECONDS))), True
    ),
    "quiet_from": SettingDefinition(None, nullable(_HOUR), True, _quiet),
    "language": SettingDefinition(
        "en",
        one_of(*LANGUAGES),
        True,
        turned=lambda language: "fr" if language == "en" else "en",
    ),
    "languages": SettingDefinition({}, mapping_of(one_of(*LANGUAGES)), True),
    "trust": _switch("trust", default=True),
    "hints": _switch("hints"),
    "nudge": _switch("nudge"),
    "timer": _choice("timer", ("off", "30", "60", "90", "120", "180")),
    "quietest": _loudness("quietest", 1),
    "loudest": _loudness("loudest", MAX_VOLUME),
    "stick": _switch("stick"),
    "ear": SettingDefinition(False, boolean, True, _by_ear),
    "large": _switch("large"),
    "speeds": SettingDefinition({}, _by_language(_SPEED)),
    "quiet_to": SettingDefinition(7, _HOUR),
    "names": SettingDefinition([], _TEXTS),
    "called": SettingDefinition("", text()),
    "left_out": SettingDefinition([], _TEXTS),
    "hidden": SettingDefinition([], list_of(whole_number)),
    "phones": SettingDefinition({}, mapping_of(text(pattern(TOKEN_HASH_PATTERN)))),
    "boards": SettingDefinition([], _TEXTS),
    "services": SettingDefinition({}, mapping_of(text())),
    "service_data": SettingDefinition({}, mapping_of(mapping_of(anything))),
    "ears": SettingDefinition([], _TEXTS),
}
"""The settings by name, in menu order. Settings without a menu line come last."""
DEFAULTS: Final[Mapping[str, Any]] = {name: row.default for name, row in SETTINGS.items()}


def settings_menu_lines(
    *, voices: bool, outputs: bool, sounds: bool, clock: bool
) -> tuple[str, ...]:
    """Return the menu lines of the settings menu.

    - `voices`: if True, the menu offers a choice of voices.
    - `outputs`: if True, the menu offers a choice of sound cards.
    - `sounds`: if True, the menu offers a choice of sound sets.
    - `clock`: if True, the machine's clock is set, and the menu has no line for the hour.
    """
    no_choice = {
        "voices": not voices,
        "loudspeaker": not outputs,
        "sounds": not sounds,
        "clock": clock,
    }
    lines = (name for name, row in SETTINGS.items() if row.is_line)
    return tuple(name for name in lines if not no_choice.get(name, False))


def setting_line_label(words: Words, name: str, now: Mapping[str, Any]) -> str | None:
    """Return the text of a setting's menu line, or None to use the catalogue's sentence."""
    worded = SETTINGS[name].label
    return None if worded is None else worded(words, now)


def setting_value_mistake(name: str, value: Any) -> ValueMistake | None:
    """Return the mistake in a setting's value, or None if the value is valid."""
    return first_mistake(SETTINGS[name].check, value, name)


def invalid_settings(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of settings whose values are invalid, alone or in combination."""
    wrong = [
        key
        for key, value in settings.items()
        if key in SETTINGS and setting_value_mistake(key, value)
    ]
    lo, hi = (settings.get(key, DEFAULTS[key]) for key in ("quietest", "loudest"))
    if not {"quietest", "loudest"} & {*wrong} and lo > hi:
        wrong += ("quietest", "loudest")
    return tuple(wrong)


def settings_with_defaults(settings: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return all settings by name. A default replaces each invalid value.

    - `language`: the language to use if `settings` contains no valid language.
    """
    wrong = invalid_settings(settings)
    valid = {key: value for key, value in settings.items() if key not in wrong}
    # if one volume limit is invalid, replace both limits: a default could contradict the other
    if {"quietest", "loudest"} & {*wrong}:
        valid = {key: value for key, value in valid.items() if key not in ("quietest", "loudest")}
    return {**DEFAULTS, "language": language, **valid}
