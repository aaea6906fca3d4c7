"""The texts of the box's menus in each language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from companion.catalog import registry
from companion.core.prompts import Answer, JsonValues
from companion.draw.errors import face_error_logger_for_listing
from companion.menus.game_summaries import describe_game_to_resume, describe_recorded_game
from companion.menus.menu_stack import load_menu_page
from companion.menus.page import MenuPageState
from companion.say.sentences import MissingSentenceError
from companion.say.words import WordingFunctions, Words

if TYPE_CHECKING:
    from companion.core.snapshot import View


@cache
def menu_words(language: str) -> Words:
    """Return the catalogue sentences of the menus in a language."""
    return Words(
        language,
        WordingFunctions(label=variable_menu_line_text, fields=board_question_placeholder_values),
        missing=_without,
    )


def _without(key: str, error: MissingSentenceError) -> None:
    """If `key` belongs to a built-in game, log the missing sentence; otherwise raise `error`."""
    game = key.partition(".")[0]
    if game not in registry.BUILT_IN_GAMES:
        raise error

    face_error_logger_for_listing(game).log_missing_sentence(key, error)


def voice_sample_sentences(language: str) -> tuple[str, ...]:
    """Return the sentences that demonstrate a voice: a name, a number and an ordinal."""
    words = menu_words(language)
    _, second, first, *_ = registry.BUILT_IN_GAMES
    return (
        words("box.say.practice.name", one=words.game_title(first), two=words.game_title(second)),
        words("box.say.practice.number"),
        words("box.say.practice.ordinal"),
    )


def variable_menu_line_text(words: Words, question: str, value: Answer, view: View) -> str | None:
    """Return the text of a menu line that shows a name, a value or an age.

    Return None if the menu line is a fixed sentence of the catalogue.
    """
    state: MenuPageState | None = view.get("open")
    return None if state is None else load_menu_page(question).label(words, state, value)


def board_question_placeholder_values(words: Words, given: JsonValues) -> dict[str, Any]:
    """Return the placeholder values for a question about the printed board of a game."""
    if "walked" in given:
        return {"asked": menu_line_hint(words, given["walked"], "")}
    if "walks" in given:
        key = f"{given['walks']}.walk"
        return {"how": words(key if words.has_sentence(key) else "box.walk")}
    return {"counted": words(given["counted"])} if "counted" in given else {}


def menu_line_hint(words: Words, state: MenuPageState, value: Answer) -> str:
    """Return the hint for the menu line under the cursor (one or two rows), or ""."""
    page = load_menu_page(state.page)
    summary = page.game(state, value)
    if summary is None:
        return page.hint(words, state, value)
    tell = describe_game_to_resume if state.page == "home" else describe_recorded_game
    return tell(words, summary, state.facts)
