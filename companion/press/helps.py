"""The help for a button that a player holds for two seconds."""

from __future__ import annotations

from companion.core.game import Cue
from companion.core.prompts import PRESSED_ROLL_QUESTION, Spell
from companion.press.cursor import Cursor, PressContext, is_spelling_secret_word, selected_answer
from companion.press.wheel import (
    CARET_TO_END_PLACE,
    COMMAND_PLACES,
    DONE_PLACE,
    ERASE_PLACE,
    letter_rows,
)
from hardware.ports import BACK, DOWN, OK, UP


def button_explanation_fact(button: str, scene: PressContext, cursor: Cursor, *, back: str) -> Cue:
    """Return the `Cue` "help", which explains a button's present function to a player.

    `back`: the page that BACK opens: "menu" (the game's menu), "page" (the page above), or "home"
    (BACK has no effect).
    """
    return Cue("help", {"does": _does(button, scene, cursor, back)})


def _does(button: str, scene: PressContext, cursor: Cursor, back: str) -> str:
    if button in (UP, DOWN):
        return "turn"
    if scene.overlay:
        return f"{button}.moment" if scene.holds and button in (OK, BACK) else "moment"
    if button not in (OK, BACK):
        if not scene.seats and not _is_paged(scene):
            return "no_seat"
        return "seat" if scene.players or _is_paged(scene) else "bare_seat"
    if isinstance(scene.prompt, Spell) and (does := _spelling(button, scene, cursor)):
        return does
    if button == BACK:
        return f"back.{back}"
    if not scene.holds:
        return "ok.page"
    if scene.prompt is None:
        return "ok.over"
    return "ok.throw" if scene.prompt.name == PRESSED_ROLL_QUESTION else "ok.question"


def _is_paged(scene: PressContext) -> bool:
    """Return True if the prompt is a menu page, where seat buttons have no function."""
    return not scene.holds and scene.curtain is None


def _spelling(button: str, scene: PressContext, cursor: Cursor) -> str:
    """Return the special function of a button while a player spells a word; "" if there is none."""
    if scene.prompt is None or scene.curtain not in (None, cursor.looking):
        return ""
    if button == BACK:
        return "rows" if cursor.row else "back.left" if cursor.letters_before_caret else ""
    if is_spelling_secret_word(cursor, scene.prompt) and not cursor.text:
        return "ok.open"
    place = selected_answer(scene.prompt, cursor)
    if place in COMMAND_PLACES:
        return {DONE_PLACE: "done", CARET_TO_END_PLACE: "end", ERASE_PLACE: "erase"}[place]
    if len(place) == 1:
        return "letter"
    return "row" if place in letter_rows(scene.prompt, cursor.text, cursor.back) else "known"
