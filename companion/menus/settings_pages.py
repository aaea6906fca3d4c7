"""The pages of the settings menu. The module `settings` defines the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.core.prompts import Answer, Number, Prompt
from companion.draw.parts import ROW_LETTERS
from companion.hear.policy import voice_and_speed_for_language
from companion.menus import settings
from companion.menus.commands import ChangeSettings, PlaySound, SpeakVoiceSamples, StartBoxDiagnosis
from companion.menus.page import (
    PLAYER_ANSWER_PREFIX,
    MenuPage,
    MenuPageState,
    PageResult,
    list_question_function,
    open_page,
)
from companion.menus.settings import MAX_VOLUME
from companion.say.words import LANGUAGES, Words

HOURS: Final = tuple(map(str, settings.HOURS))


def change_settings(
    state: MenuPageState, values: Mapping[str, Answer], page: str | None = None
) -> PageResult:
    """Return the next page with changed settings, and the command that saves the settings.

    - `page`: the name of the next page, or None for the open page.
    """
    facts = state.facts._replace(settings={**state.facts.settings, **values})
    return state._replace(facts=facts, page=page or state.page), (ChangeSettings(values),)


def _on_settings(state: MenuPageState, value: str) -> PageResult:
    if value == "checkup":
        return state._replace(page=value), (StartBoxDiagnosis(),)
    turned = settings.SETTINGS[value].turned
    if turned is None:
        return open_page(state, value)
    return change_settings(state, {value: turned(state.facts.settings[value])})


def _settings(state: MenuPageState) -> tuple[str, ...]:
    facts = state.facts
    shown = settings.settings_menu_lines(
        voices=bool(facts.voices),
        outputs=_has_outputs(state),
        sounds=bool(facts.sound_sets),
        clock=facts.has_clock,
    )
    return (*shown, "checkup") if facts.examines else shown


def _setting(words: Words, state: MenuPageState, value: str) -> str | None:
    return (
        None
        if value == "checkup"
        else settings.setting_line_label(words, value, state.facts.settings)
    )


# --- pages of values ------------------------------------------------------------------------------


def _ask_value(state: MenuPageState) -> Prompt:
    now, name = state.facts.settings, state.page
    if settings.SETTINGS[name].values:
        return _values(state)
    if name != "volume":
        return Number(name, None, 1, MAX_VOLUME, now[name])
    lo, hi = now["quietest"], now["loudest"]
    return Number("volume", None, lo, hi, min(max(now["volume"], lo), hi))


_values: Final = list_question_function(
    lambda state: settings.SETTINGS[state.page].values,
    lambda state: state.facts.settings[state.page],
)


def _on_value(state: MenuPageState, value: Answer) -> PageResult:
    name, values = state.page, {state.page: value}
    after = {**state.facts.settings, name: value}
    if name in ("quietest", "loudest") and after["quietest"] > after["loudest"]:
        values = {"quietest": value, "loudest": value}
    return change_settings(state, values, "settings")


# --- quiet hours ----------------------------------------------------------------------------------


def _begins(state: MenuPageState) -> str:
    begins = state.facts.settings["quiet_from"]
    return "off" if begins is None else str(begins)


def _ends(state: MenuPageState) -> tuple[str, ...]:
    return tuple(hour for hour in HOURS if int(hour) != state.facts.settings["quiet_from"])


def _hour(words: Words, _: MenuPageState, value: str) -> str | None:
    return None if value == "off" else words("box.hour", n=value)


def _on_quiet_from(state: MenuPageState, value: str) -> PageResult:
    if value == "off":
        return change_settings(state, {"quiet_from": None}, "settings")
    return change_settings(state, {"quiet_from": int(value)}, "quiet_to")


# --- the hour, if the machine has no clock --------------------------------------------------------


def _now(state: MenuPageState) -> str | None:
    hour = settings.hour_from_clock_setting(state.facts.settings["clock"], state.facts.up)
    return None if hour is None else str(hour)


def _on_clock(state: MenuPageState, value: str) -> PageResult:
    return change_settings(state, {"clock": {"hour": int(value), "up": state.facts.up}}, "settings")


# --- languages, and players in audio mode ---------------------------------------------------------


def _players(state: MenuPageState) -> tuple[str, ...]:
    return (*dict.fromkeys(state.facts.settings["names"]),) or ("nobody",)


def _language(words: Words, state: MenuPageState, value: str) -> str | None:
    if value == "nobody":
        return None
    now = state.facts.settings
    language = now["languages"].get(value, now["language"])
    return words("box.languages.line", who=value, language=language.upper())


def _on_languages(state: MenuPageState, value: str) -> PageResult:
    if value == "nobody":
        return open_page(state, "settings")
    languages = dict(state.facts.settings["languages"])
    if value in languages:
        del languages[value]
    else:
        languages[value] = "fr" if state.facts.settings["language"] == "en" else "en"
    return change_settings(state, {"languages": languages})


def _listener(words: Words, state: MenuPageState, value: str) -> str:
    now, who = state.facts.settings, value.removeprefix(PLAYER_ANSWER_PREFIX)
    if value == "all":
        return words(f"box.option.ear.all.{now['ear']}")
    return words(f"box.option.ear.one.{who in now['ears']}", who=who)


def _on_ear(state: MenuPageState, value: str) -> PageResult:
    if value == "all":
        return change_settings(state, {"ear": not state.facts.settings["ear"]})
    who, listeners = value.removeprefix(PLAYER_ANSWER_PREFIX), state.facts.settings["ears"]
    ears = [name for name in listeners if name != who]
    return change_settings(state, {"ears": ears if who in listeners else [*listeners, who]})


# --- voices ---------------------------------------------------------------------------------------


def _voice_lines(_: MenuPageState) -> tuple[str, ...]:
    lines = (f"{kind}_{language}" for language in LANGUAGES for kind in ("voice", "speed"))
    return ("practice", *lines)


def _voice_line(words: Words, state: MenuPageState, value: str) -> str | None:
    kind, _, language = value.partition("_")
    if kind not in ("voice", "speed"):
        return None
    name, speed = voice_and_speed_for_language(state.facts.settings, language)
    if kind == "speed":
        return words(f"box.option.voices.{value}", n=speed)
    name = name or state.facts.voices[language][0]
    return words("box.option.voices.voice", language=language.upper(), name=name)


def _whole(_words: Words, _state: MenuPageState, value: str) -> str:
    return f"{value[:ROW_LETTERS]}|{value[ROW_LETTERS:]}" if len(value) > ROW_LETTERS - 2 else ""


def _on_voice(state: MenuPageState, value: str) -> PageResult:
    kind, _, language = state.page.partition("_")
    now = state.facts.settings
    chosen = value if kind == "voice" else int(value)
    voice = value if kind == "voice" else now["voices"].get(language, "")
    state, wishes = change_settings(
        state, {f"{kind}s": {**now[f"{kind}s"], language: chosen}}, "voices"
    )
    return state, (*wishes, SpeakVoiceSamples(language, voice, 1))


def _on_practice(state: MenuPageState, value: str) -> PageResult:
    language, _, voice = value.partition(" ")
    return state, (SpeakVoiceSamples(language, voice, 3),)


def _voice_page(language: str) -> MenuPage:
    return MenuPage(
        list_question_function(
            lambda state: state.facts.voices[language],
            lambda state: state.facts.settings["voices"].get(language),
        ),
        _on_voice,
        lambda _words, _state, value: str(value),
        _whole,
    )


def _speed_page(language: str) -> MenuPage:
    return MenuPage(
        list_question_function(
            tuple(map(str, settings.VOICE_SPEEDS)),
            lambda state: str(voice_and_speed_for_language(state.facts.settings, language)[1]),
        ),
        _on_voice,
        lambda words, _, value: words("box.speed", n=value),
    )


# --- the loudspeaker ------------------------------------------------------------------------------


def _has_outputs(state: MenuPageState) -> bool:
    return len(state.facts.outputs) > 1 or bool(state.facts.settings["loudspeaker"])


def _outputs(state: MenuPageState) -> tuple[str, ...]:
    chosen = state.facts.settings["loudspeaker"]
    return ("usual", *dict.fromkeys(filter(None, (*state.facts.outputs, chosen))))


def _output(_words: Words, _state: MenuPageState, value: str) -> str | None:
    return None if value == "usual" else value


def _on_output(state: MenuPageState, value: str) -> PageResult:
    language = state.facts.settings["language"]
    voice, _ = voice_and_speed_for_language(state.facts.settings, language)
    state, wishes = change_settings(state, {"loudspeaker": "" if value == "usual" else value})
    return state, (*wishes, SpeakVoiceSamples(language, voice, 1))


# --- the set of sounds ----------------------------------------------------------------------------


def _sets(state: MenuPageState) -> tuple[str, ...]:
    chosen = state.facts.settings["sounds"]
    return ("usual", *dict.fromkeys(filter(None, (*state.facts.sound_sets, chosen))))


def _set(_words: Words, _state: MenuPageState, value: str) -> str | None:
    return None if value in ("usual", "bells") else value


def _on_set(state: MenuPageState, value: str) -> PageResult:
    state, wishes = change_settings(state, {"sounds": "" if value == "usual" else value})
    return state, (*wishes, PlaySound("ready"))


SETTING_VALUE_PAGE: Final = MenuPage(_ask_value, _on_value)
"""The menu page for every setting without a special page."""
PAGES: Final[Mapping[str, MenuPage]] = {
    "settings": MenuPage(
        list_question_function(_settings),
        _on_settings,
        _setting,
    ),
    "quiet_from": MenuPage(list_question_function(("off", *HOURS), _begins), _on_quiet_from, _hour),
    "clock": MenuPage(list_question_function(HOURS, _now), _on_clock, _hour),
    "quiet_to": MenuPage(
        list_question_function(_ends, lambda state: str(state.facts.settings["quiet_to"])),
        lambda state, value: change_settings(state, {"quiet_to": int(value)}, "settings"),
        _hour,
    ),
    "languages": MenuPage(list_question_function(_players), _on_languages, _language),
    "ear": MenuPage(
        list_question_function(
            lambda state: (
                "all", *(f"{PLAYER_ANSWER_PREFIX}{name}" for name in state.facts.settings["names"])
            )
        ),
        _on_ear,
        _listener,
    ),
    "loudspeaker": MenuPage(
        list_question_function(
            _outputs, lambda state: state.facts.settings["loudspeaker"] or "usual"
        ),
        _on_output,
        _output,
        _whole,
    ),
    "sounds": MenuPage(
        list_question_function(_sets, lambda state: state.facts.settings["sounds"] or "usual"),
        _on_set,
        _set,
        _whole,
    ),
    "voices": MenuPage(list_question_function(_voice_lines), open_page, _voice_line),
    **{f"voice_{language}": _voice_page(language) for language in LANGUAGES},
    **{f"speed_{language}": _speed_page(language) for language in LANGUAGES},
    "practice": MenuPage(
        list_question_function(
            lambda state: (
                *(f"{lang} {name}" for lang in LANGUAGES for name in state.facts.voices[lang]),
            )
        ),
        _on_practice,
        lambda _words, _state, value: str(value),
        _whole,
    ),
}  # fmt: skip
