"""Menu pages about recorded games (resume, review, delete) and about their players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from companion.core.prompts import Prompt
from companion.draw import screens
from companion.draw.canvas import wrap_text
from companion.draw.parts import ROW_LETTERS
from companion.figures.lookup import PeopleAndGroupStatistics
from companion.menus.commands import (
    LeaveGameForFirstScreen,
    ResumeGame,
    ShowFinishedGameReview,
    ShowPersonOrGroupStatistics,
)
from companion.menus.game_summaries import describe_recorded_game, recorded_game_line_text
from companion.menus.page import (
    PLAYER_ANSWER_PREFIX,
    MenuFacts,
    MenuPage,
    MenuPageState,
    PageResult,
    catalogue_menu_line_hint,
    list_question_function,
    open_page,
)
from companion.menus.settings_pages import change_settings
from companion.press.cursor import Cursor
from companion.record.journal import GameSummary
from companion.say.decimals import format_decimal
from companion.say.words import Words

SECONDS_PER_HOUR: Final = 3600


def _numbers(summaries: tuple[GameSummary, ...]) -> tuple[str, ...]:
    return tuple(str(summary.id) for summary in summaries)


def _summary(facts: MenuFacts, number: str) -> GameSummary | None:
    return next((s for s in (*facts.past, *facts.unfinished) if str(s.id) == number), None)


def _game(state: MenuPageState, value: str) -> GameSummary | None:
    return _summary(state.facts, value)


def _label(words: Words, state: MenuPageState, value: str) -> str | None:
    summary = _summary(state.facts, value)
    return None if summary is None else recorded_game_line_text(words, summary)


def _on_unfinished(state: MenuPageState, value: str) -> PageResult:
    return open_page(state, value) if value == "delete" else (state, (ResumeGame(int(value)),))


def _on_games(state: MenuPageState, value: str) -> PageResult:
    if value == "delete":
        return open_page(state, value)
    game = next(summary for summary in state.facts.past if summary.id == int(value))
    return state, (
        ResumeGame(game.id) if game.winners is None else ShowFinishedGameReview(game.id),
    )


# --- deleting a game ------------------------------------------------------------------------------


def _doomed(words: Words, state: MenuPageState, _: str) -> str:
    summary = _summary(state.facts, state.number)
    assert summary is not None  # noqa: S101 - the game was chosen
    return describe_recorded_game(words, summary, state.facts)


def _on_deleting(state: MenuPageState, value: str) -> PageResult:
    """Hide a game from all lists. The record keeps the entries of the game."""
    if value == "no":
        return open_page(state, "delete")
    hidden = [*state.facts.settings["hidden"], int(state.number)]
    state, wishes = change_settings(state, {"hidden": hidden})
    return state, (*wishes, LeaveGameForFirstScreen())


# --- statistics -----------------------------------------------------------------------------------


def _people(state: MenuPageState) -> tuple[str, ...]:
    everybody = state.facts.everybody
    if everybody is None or isinstance(everybody, int):
        return ("wait",)
    return (*(f"{PLAYER_ANSWER_PREFIX}{person.name}" for person in everybody.people), "together")


def _name(_words: Words, _state: MenuPageState, value: str) -> str | None:
    return (
        value.removeprefix(PLAYER_ANSWER_PREFIX) if value.startswith(PLAYER_ANSWER_PREFIX) else None
    )


def _about(words: Words, state: MenuPageState, value: str) -> str:
    everybody = state.facts.everybody
    if (
        everybody is None
        or isinstance(everybody, int)
        or not value.startswith(PLAYER_ANSWER_PREFIX)
    ):
        return catalogue_menu_line_hint(words, state, value)
    return describe_person_statistics(words, value.removeprefix(PLAYER_ANSWER_PREFIX), everybody)


def describe_person_statistics(words: Words, name: str, everybody: PeopleAndGroupStatistics) -> str:
    """Return a text with a person's share of won games, and the person's hours of play."""
    person = next(person for person in everybody.people if person.name == name)
    won, hours = person.all, person.seconds / SECONDS_PER_HOUR
    share = words("box.people.of", wins=won.wins, games=won.games)
    return words("box.hint.person", share=share, hours=format_decimal(hours, words.language))


def _counting(words: Words, state: MenuPageState, _: Prompt, cursor: Cursor) -> bytes | None:
    if not isinstance(state.facts.everybody, int):
        return None
    rows = wrap_text(words("box.people.counting", n=state.facts.everybody), ROW_LETTERS)
    return screens.text_page_frame(
        words("box.page.people"), (rows,), cursor, words("box.legend.back")
    )


def _on_people(state: MenuPageState, value: str) -> PageResult:
    if value == "wait":
        return open_page(state, "home")
    return state, (
        ShowPersonOrGroupStatistics(
            value.removeprefix(PLAYER_ANSWER_PREFIX)
            if value.startswith(PLAYER_ANSWER_PREFIX)
            else None
        ),
    )


def _deletable(
    games_of: Callable[[MenuFacts], tuple[GameSummary, ...]],
) -> Callable[[MenuPageState], Prompt]:
    return list_question_function(lambda state: (*_numbers(games_of(state.facts)), "delete"))


PAGES: Final[Mapping[str, MenuPage]] = {
    "unfinished": MenuPage(
        _deletable(lambda facts: facts.unfinished), _on_unfinished, _label, game=_game
    ),
    "games": MenuPage(_deletable(lambda facts: facts.past), _on_games, _label, game=_game),
    "delete": MenuPage(
        list_question_function(lambda state: _numbers(state.facts.past)),
        lambda state, value: (state._replace(page="deleting", number=value), ()),
        _label,
        game=_game,
    ),
    "deleting": MenuPage(list_question_function(("no", "yes")), _on_deleting, hint=_doomed),
    "people": MenuPage(
        list_question_function(_people), _on_people, _name, _about, draw=_counting, large=False
    ),
}
