"""Menu pages about computer players: add a computer player, and choose its level and name.

During a game, the pages give the seat of a leaving player to a computer player, or the seat of a
computer player to a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.core.prompts import LEAVING_PLAYER_QUESTION, Prompt, Spell
from companion.menus.commands import ChangeSeatPlayer, CloseMenu, GiveAnswer, RestartComputerPlayers
from companion.menus.page import (
    PLAYER_ANSWER_PREFIX,
    MenuPage,
    MenuPageState,
    PageResult,
    chosen_game,
    list_question_function,
    open_page,
)
from companion.menus.settings import MAX_SPELT_LETTERS
from companion.play.adapting import ADAPTIVE_LEVEL
from companion.say.words import Words

DEFAULT_COMPUTER_PLAYER_NAME: Final = "Chip"
"""Name of a computer player if the players choose no other name."""
LEVELS: Final = ("friend", "learner", "strong", ADAPTIVE_LEVEL)
"""Names of the computer players' levels. The most popular level is first."""
PERSON_CHOICE, EMPTY_SEAT_CHOICE = "person", "nobody"
"""Answers: PERSON_CHOICE gives a seat to a person, EMPTY_SEAT_CHOICE leaves a seat empty."""
RESTART_CHOICE: Final = "restart"
"""Answer that restarts the process of the computer players."""


def lines_for_adding_computer_player(state: MenuPageState) -> tuple[str, ...]:
    """Return a tuple with the menu line that adds a computer player.

    Return () if the game or the number of players allows no computer player, or if no computer
    player can connect.
    """
    allowed = state.facts.can_seat_computer_players and len(state.programs) < state.seats - 1
    return ("box",) if allowed and chosen_game(state).computer is not None else ()


def new_computer_player_name(state: MenuPageState) -> str:
    """Return a name that no other player has, for the new computer player.

    Prefer the name that the players chose for their last computer player.
    """
    last_name: str = state.facts.settings["called"]
    taken = {name.casefold() for name in state.players}
    numbered = (f"{DEFAULT_COMPUTER_PLAYER_NAME} {n}" for n in range(2, 100))
    names = (*filter(None, (last_name,)), DEFAULT_COMPUTER_PLAYER_NAME, *numbered)
    return next(name for name in names if name.casefold() not in taken)


def computer_name_line_label(words: Words, state: MenuPageState, value: str) -> str | None:
    """Return the text of the menu line with the computer player's name.

    Return None for other menu lines.
    """
    return (
        words("box.option.level.call", name=new_computer_player_name(state))
        if value == "call"
        else None
    )


def computer_name_question(state: MenuPageState) -> Prompt:
    """Return the question that asks for the computer player's name."""
    return Spell("call", None, MAX_SPELT_LETTERS, (new_computer_player_name(state),))


def with_options_playable_by_computer(state: MenuPageState) -> MenuPageState:
    """Return the page with options that suit computer players.

    With some values of an option, a person must hold a computer player's cards. If a computer
    player plays, replace these values.
    """
    hands, values = chosen_game(state).options_without_computer_players, dict(state.options)
    for option in chosen_game(state).options if state.programs else ():
        needing = hands.get(option.name, ())
        if values[option.name] in needing:
            values[option.name] = next(value for value in option.values if value not in needing)
    return state._replace(options=tuple(values.items()))


# --- a player leaves -----------------------------------------------------------------------------


def replaceable_player_lines(state: MenuPageState) -> tuple[str, ...]:
    """Return the menu lines of the players who can be replaced.

    If only one person plays, this person cannot be replaced.
    """
    return tuple(
        f"{PLAYER_ANSWER_PREFIX}{who}" for who in state.facts.seats if _instead(state, who)
    )


def _instead(state: MenuPageState, who: str) -> tuple[str, ...]:
    facts = state.facts
    people = [other for other in facts.seats if other not in facts.programs]
    if people == [who]:
        return ()
    allowed = facts.can_seat_computer_players
    box = LEVELS if facts.stand_in and allowed else ()
    again = (
        (RESTART_CHOICE, PERSON_CHOICE) if allowed else (PERSON_CHOICE,)
    )  # preselect the restart (first line), which does not change who plays the seat
    return (again if who in facts.programs else box) + (EMPTY_SEAT_CHOICE,) * facts.goes_on


def _plays_on(words: Words, state: MenuPageState, value: str) -> str:
    state = state._replace(who=value.removeprefix(PLAYER_ANSWER_PREFIX))
    instead = next(choice for choice in _instead(state, state.who) if choice != RESTART_CHOICE)
    if instead in LEVELS:
        return words("box.hint.seats.box", who=state.who)
    return _left_to(words, state, instead)


def _on_seats(state: MenuPageState, value: str) -> PageResult:
    state = state._replace(who=value.removeprefix(PLAYER_ANSWER_PREFIX))
    instead = _instead(state, state.who)
    return open_page(state, "stand_in") if len(instead) > 1 else _on_stand_in(state, instead[0])


def _on_stand_in(state: MenuPageState, value: str) -> PageResult:
    if value == RESTART_CHOICE:
        return state, (RestartComputerPlayers(),)
    if value == EMPTY_SEAT_CHOICE and len(state.facts.seats) == 2:  # noqa: PLR2004 - the leaving player, and one more
        return open_page(state, "gone")
    if value == EMPTY_SEAT_CHOICE:
        return state, (GiveAnswer(state.who, LEAVING_PLAYER_QUESTION),)
    return state, (ChangeSeatPlayer(state.who, None if value == PERSON_CHOICE else value),)


def _on_gone(state: MenuPageState, value: str) -> PageResult:
    return (
        (state, (GiveAnswer(state.who, LEAVING_PLAYER_QUESTION),))
        if value == "yes"
        else (state, (CloseMenu(),))
    )


def _ends(words: Words, state: MenuPageState, _: str) -> str:
    (stays,) = (who for who in state.facts.seats if who != state.who)
    return words("box.hint.seats.last", who=stays)


def _left_to(words: Words, state: MenuPageState, value: str) -> str:
    if value in LEVELS:
        return words(f"box.hint.level.{value}")
    stay = [who for who in state.facts.seats if who != state.who]
    if value == EMPTY_SEAT_CHOICE and len(stay) == 1:
        return words("box.hint.seats.last", who=stay[0])
    return words(f"box.hint.seats.{value}", who=state.who)


PAGES: Final[Mapping[str, MenuPage]] = {
    "seats": MenuPage(
        list_question_function(replaceable_player_lines),
        _on_seats,
        lambda _words, _state, value: str(value).removeprefix(PLAYER_ANSWER_PREFIX),
        _plays_on,
    ),
    "stand_in": MenuPage(
        list_question_function(lambda state: _instead(state, state.who)),
        _on_stand_in,
        hint=_left_to,
    ),
    "gone": MenuPage(list_question_function(lambda _: ("no", "yes")), _on_gone, hint=_ends),
}
