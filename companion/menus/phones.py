"""Menu pages about phones: show how to join, list connected phones, and admit a phone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.core.prompts import Prompt, legal_answers
from companion.draw import phones as drawn
from companion.menus.commands import GiveSeatToPhone
from companion.menus.page import (
    PLAYER_ANSWER_PREFIX,
    MenuPage,
    MenuPageState,
    PageResult,
    PhoneFacts,
    list_question_function,
    open_page,
)
from companion.menus.settings_pages import change_settings
from companion.press.cursor import Cursor, selected_answer
from companion.say.words import Words


def _lines(state: MenuPageState) -> tuple[str, ...]:
    phones = state.facts.phones or PhoneFacts()
    first = ("network",) if phones.network else ()
    return (
        *first,
        "scan",
        "typed",
        *(f"{PLAYER_ANSWER_PREFIX}{name}" for name in state.facts.settings["phones"]),
    )


def _on_phones(state: MenuPageState, value: str) -> PageResult:
    if value.startswith(PLAYER_ANSWER_PREFIX):
        return state._replace(page="phone", who=value.removeprefix(PLAYER_ANSWER_PREFIX)), ()
    return open_page(state, "home" if state.facts.playing is None else "menu")


def _draw(words: Words, state: MenuPageState, prompt: Prompt, cursor: Cursor) -> bytes:
    value, every, phones = (
        selected_answer(prompt, cursor),
        legal_answers(prompt),
        state.facts.phones or PhoneFacts(),
    )
    at = every.index(value)
    if value.startswith(PLAYER_ANSWER_PREFIX):
        name = value.removeprefix(PLAYER_ANSWER_PREFIX)
        return drawn.phone_status_frame(name, at, len(every), words, is_here=name in phones.here)
    if not phones.code:
        return drawn.hidden_qr_code_frame(words)
    if value == "network" and phones.network is not None:
        return drawn.wifi_qr_frame(*phones.network, at, len(every), words)
    if value == "scan":
        return drawn.link_qr_frame(phones.url, phones.code, at, len(every), words)
    return drawn.typed_address_frame((phones.url, phones.also, phones.name), phones.code, words)


def _read(
    words: Words, state: MenuPageState, prompt: Prompt, cursor: Cursor
) -> tuple[str, int, int] | None:
    value, every, phones = (
        selected_answer(prompt, cursor),
        legal_answers(prompt),
        state.facts.phones or PhoneFacts(),
    )
    name = value.removeprefix(PLAYER_ANSWER_PREFIX)
    if value.startswith(PLAYER_ANSWER_PREFIX) and name not in phones.here:
        return words("box.say.ear.phone_gone", who=name), every.index(value), len(every)
    if not phones.code or value.startswith(PLAYER_ANSWER_PREFIX):
        return None
    text = words("box.say.ear.phone", url=phones.url, code=", ".join(phones.code))
    return text, every.index(value), len(every)


def _on_phone(state: MenuPageState, value: str) -> PageResult:
    if value == "keep":
        return open_page(state, "phones")
    phones = dict(state.facts.settings["phones"])
    phones.pop(state.who, None)
    return change_settings(state, {"phones": phones}, "phones")


def _on_joining(state: MenuPageState, value: str) -> PageResult:
    return state, (GiveSeatToPhone(state.who),) if value == "yes" else ()


PAGES: Final[Mapping[str, MenuPage]] = {
    "phones": MenuPage(
        list_question_function(_lines), _on_phones, draw=_draw, read=_read, large=False
    ),
    "phone": MenuPage(list_question_function(("keep", "remove")), _on_phone),
    "joining": MenuPage(list_question_function(("yes", "no")), _on_joining, in_front=True),
}
