"""The first screen.

This module imports no other menu page, so that the box draws the first screen quickly.
"""

from __future__ import annotations

from typing import Final

from companion.catalog.registry import already_found_game_names, find_game
from companion.draw.parts import fit_names_in_rows
from companion.menus.commands import BeginGame, ComputeStatistics, ResumeGame
from companion.menus.page import (
    MenuFacts,
    MenuPage,
    MenuPageState,
    PageResult,
    catalogue_menu_line_hint,
    list_question_function,
    open_page,
    phones_menu_lines,
    rematch_options,
    service_menu_lines,
)
from companion.record.journal import GameSummary
from companion.say.words import Words


def _lines(state: MenuPageState) -> tuple[str, ...]:
    unfinished = ("resume",) if state.facts.unfinished else ()
    past = ("games",) if state.facts.past else ()
    again = ("rematch",) if state.facts.past else ()
    people = ("people",) if _has_people(state.facts) else ()
    others = (*phones_menu_lines(state), *service_menu_lines(state))
    lines = (*unfinished, "new", *past, *people, "rules", *others, "settings")
    # put *again* second: an accidental second press would select the first line
    return (*lines[:1], *again, *lines[1:])


def _has_people(facts: MenuFacts) -> bool:
    over = any(summary.winners is not None for summary in facts.past)
    return over and facts.everybody is not None


def _game(state: MenuPageState, value: str) -> GameSummary | None:
    return state.facts.unfinished[0] if value == "resume" else None


def _line(words: Words, state: MenuPageState, value: str) -> str | None:
    if value != "rematch":
        return None
    return words("box.again", game=words.game_title(state.facts.past[0].game))


def _more(words: Words, state: MenuPageState, value: str) -> str:
    if value != "rematch":
        return catalogue_menu_line_hint(words, state, value)
    last = state.facts.past[0]
    if who := _next_to_begin(last):
        return f"{fit_names_in_rows(last.players, 1)}|{words('box.again.begins', who=who)}"
    keys = (f"box.again.{name}.{chosen}" for name, chosen in last.options.items())
    with_what = ", ".join(words(key) for key in keys if words.has_sentence(key))
    return f"{fit_names_in_rows(last.players, 1)}|{with_what}"


def _next_to_begin(last: GameSummary) -> str:
    """Return the player who begins if the people of the game `last` play again.

    Return "" if the rules choose the first player, or if the game is not installed.
    """
    if last.game not in already_found_game_names():
        return ""
    game = find_game(last.game)
    options = rematch_options(last, game)
    begins = next((option for option in game.options if option.by_seat), None)
    return "" if begins is None else last.players[begins.values.index(options[begins.name])]


def _on_home(state: MenuPageState, value: str) -> PageResult:
    match value:
        case "rematch":
            return state, (_rematch(state),)
        case "resume" if len(state.facts.unfinished) > 1:
            return open_page(state, "unfinished")
        case "resume":
            return state, (ResumeGame(state.facts.unfinished[0].id),)
        case "new":
            return open_page(state, "game")
        case _:
            return state._replace(page=value), (ComputeStatistics(),) if value == "people" else ()


def _rematch(state: MenuPageState) -> BeginGame:
    last = state.facts.past[0]
    options = rematch_options(last, find_game(last.game))
    return BeginGame(last.game, last.players, options, again=True, programs=last.programs)


HOME_PAGE: Final = MenuPage(list_question_function(_lines), _on_home, _line, _more, game=_game)
