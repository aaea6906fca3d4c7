"""The menu of a running game, and the menu pages that only this menu opens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.prompts import Prompt
from companion.draw import screens
from companion.draw.canvas import wrap_text
from companion.draw.parts import ROW_LETTERS
from companion.menus import computer_players, new_game, text_pages, your_board
from companion.menus.commands import (
    CloseMenu,
    ExplainShownFacts,
    GiveHint,
    HandOverBoxForSecret,
    LeaveGameForFirstScreen,
    MenuRequest,
    OpenOutOfTurnQuestion,
    RedoAnswer,
    RepeatSpeech,
    ShowScore,
    UndoAnswer,
)
from companion.menus.page import (
    MenuPage,
    MenuPageState,
    PageResult,
    list_question_function,
    menu_line_indices_as_text,
    open_page,
    phones_menu_lines,
    service_menu_lines,
)
from companion.menus.settings import SPEECH_LEVELS
from companion.press.cursor import Cursor
from companion.say.words import Words

MAX_TEXT_ROWS: Final = 6
"""Number of text rows between a page's title and the button labels."""
_WISHES: Final[Mapping[str, MenuRequest]] = {
    "go_on": CloseMenu(),
    "standing": ShowScore(),
    "again": RepeatSpeech(),
    "undo": UndoAnswer(),
    "redo": RedoAnswer(),
    "why": ExplainShownFacts(),
    "hint": GiveHint(),
    "leave": LeaveGameForFirstScreen(),
}
_LEADS: Final = ("settings", "look", "seats", "phones", "setup", "printed", "there", "said")


def _lines(state: MenuPageState) -> tuple[str, ...]:
    facts = state.facts
    undo = ("undo",) if facts.undoable else ()
    redo = ("redo",) if facts.redoable else ()
    look = ("look",) if facts.secrets else ()
    spoken = facts.settings["heard"] in SPEECH_LEVELS[:2] and not facts.settings["silent"]
    ear = facts.settings["ear"] or bool(facts.there)
    again = ("said",) if ear else ("again",) if spoken else ()
    there = ("there",) if ear else ()
    book = ("rules",) if facts.book else ()
    book = ("setup", *book) if new_game.setup_page_menu_lines(state) else book
    book = ("printed", *book) if your_board.has_printed_board(state) else book
    hint = ("hint",) if facts.hint else ()
    seats = ("seats",) if computer_players.replaceable_player_lines(state) else ()
    played = ("standing", *again, *undo, *redo, *hint, "why")
    game = (*facts.anytime, *there, *played, *book, *look, *seats)
    return (
        "go_on",
        *game,
        *phones_menu_lines(state),
        *service_menu_lines(state),
        "settings",
        "leave",
    )


def _on_menu(state: MenuPageState, value: str) -> PageResult:
    if value in _LEADS or value in state.facts.services:
        return open_page(state, value)
    if value == "rules":
        return text_pages.open_rule_book_headings(state, str(state.facts.playing))
    if value in state.facts.anytime:
        return state, (OpenOutOfTurnQuestion(value),)
    return state, (_WISHES[value],)


def _label(words: Words, state: MenuPageState, value: str) -> str | None:
    facts = state.facts
    return words(f"{facts.playing}.menu.{value}") if value in facts.anytime else None


# --- audio mode: the present state, and past sentences --------------------------------------------


def _sentences(state: MenuPageState) -> tuple[str, ...]:
    return state.facts.there if state.page == "there" else state.facts.said


def _sentence(words: Words, state: MenuPageState, value: str) -> str:
    sentences = _sentences(state)
    return sentences[int(value)] if sentences else words("box.say.ear.nothing")


def _draw(words: Words, state: MenuPageState, prompt: Prompt, cursor: Cursor) -> bytes:
    indices = range(len(_sentences(state)) or 1)
    sheets = [
        wrap_text(_sentence(words, state, str(n)), ROW_LETTERS)[:MAX_TEXT_ROWS] for n in indices
    ]
    title, legend = words(f"box.page.{prompt.name}"), words("box.legend.leaf")
    return screens.text_page_frame(title, sheets, cursor, legend)


def _close(state: MenuPageState, _: Any) -> PageResult:
    return state, (CloseMenu(),)


_WALKED: Final = MenuPage(
    list_question_function(lambda state: menu_line_indices_as_text(_sentences(state)) or ("0",)),
    _close,
    _sentence,
    draw=_draw,
    large=False,
)
PAGES: Final[Mapping[str, MenuPage]] = {
    "menu": MenuPage(list_question_function(_lines), _on_menu, _label),
    "look": MenuPage(
        list_question_function(lambda state: state.facts.secrets),
        lambda state, value: (state, (HandOverBoxForSecret(value),)),
    ),
    "there": _WALKED,
    "said": _WALKED,
}
