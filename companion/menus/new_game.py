"""Menu pages that set up a new game: game, players, set-up text and options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.catalog.registry import find_game
from companion.core.game import Game
from companion.core.prompts import Prompt, Spell
from companion.draw import screens
from companion.draw.canvas import shorten_text
from companion.draw.parts import fit_names_in_rows
from companion.menus import computer_players, text_pages, your_board
from companion.menus.commands import RefusePress
from companion.menus.page import (
    MenuFacts,
    MenuPage,
    MenuPageState,
    PageResult,
    catalogue_menu_line_hint,
    chosen_game,
    list_question_function,
    menu_line_indices_as_text,
    open_page,
    recorded_options_or_defaults,
    rematch_options,
)
from companion.menus.settings import MAX_SPELT_LETTERS
from companion.menus.settings_pages import change_settings
from companion.menus.your_board import BOARD_AS_ASSUMED, BOARD_UNDECIDED
from companion.press.cursor import Cursor
from companion.record.journal import GameSummary
from companion.say.words import MAX_NAME_LETTERS, Words

MAX_REMEMBERED_NAMES: Final = 12
FORBIDDEN_NAMES: Final = ("open", "nobody")
"""Names that players cannot use, because the text protocol uses these words as answers."""
OWN_PARTS_LINE: Final = "own"
"""Name of the menu line that selects the players' own cards and dice with one press."""
OWN_PARTS_VALUES: Final = {"deck": ("own",), "die": ("none", "real"), "dice": ("none", "real")}
"""Option values for the players' own cards or dice.

For each option, the box uses the first of the game's values that is in this table.
"""
PLAYER_GROUP_ANSWER_PREFIX: Final = "these "
"""Prefix of answers that select a whole group of people, such as the players of the last game.

The number of players follows the prefix.
"""


# --- the game and its players ---------------------------------------------------------------------


def select_game(state: MenuPageState, value: str) -> PageResult:
    """Select a game, and open the page that asks for the number of players."""
    game, options = find_game(value), _proposed(state.facts, find_game(value))
    board = state.facts.board(value)
    if board == BOARD_UNDECIDED and value in state.facts.settings["boards"]:
        board = BOARD_AS_ASSUMED
    begun = state._replace(page="players", game=game, options=options, board=board)
    return begun._replace(players=(), programs=()), ()


def _proposed(facts: MenuFacts, game: Game[Any]) -> tuple[tuple[str, str], ...]:
    """Return the proposed options for a game.

    Propose the options with which the game was last played. If an option selects the first player
    by seat, propose the option's default.
    """
    last = _last_game(facts, game)
    proposed = {option.name: option.proposed_value for option in game.options}
    if last is not None:
        values = recorded_options_or_defaults(last, game)
        proposed |= {
            option.name: values[option.name] for option in game.options if not option.by_seat
        }
    return tuple(proposed.items())


def _last_game(facts: MenuFacts, game: Game[Any]) -> GameSummary | None:
    return next((summary for summary in facts.past if summary.game == game.name), None)


def _newest(state: MenuPageState) -> str | None:
    past = state.facts.past[:1]
    return past[0].game if past else None


def recent_player_groups(state: MenuPageState) -> dict[str, tuple[str, ...]]:
    """Return a table of the groups of people that one press can select.

    Each key is the answer of a menu line: PLAYER_GROUP_ANSWER_PREFIX and the number of players.
    """
    seats, names = chosen_game(state).seats, _names(state._replace(players=()))
    past = [game.players for game in state.facts.past[:1] if len(game.players) in seats]
    others = (names[:n] for n in seats if n <= len(names) and n not in map(len, past))
    return {f"{PLAYER_GROUP_ANSWER_PREFIX}{len(players)}": players for players in (*past, *others)}


def _names(state: MenuPageState) -> tuple[str, ...]:
    names = (*state.facts.settings["names"], *chosen_game(state).names)
    taken = {name.casefold() for name in state.players}
    return tuple(name for name in dict.fromkeys(names) if name.casefold() not in taken)


def _seen(state: MenuPageState) -> tuple[str, ...]:
    past = (who for summary in state.facts.past for who in summary.players)
    taken = {name.casefold() for name in state.players}
    names = dict.fromkeys((*_names(state), *past))
    return tuple(name for name in names if name.casefold() not in taken)


def _people(words: Words, state: MenuPageState, value: str | int) -> str:
    likely = recent_player_groups(state)
    if isinstance(value, int):
        return words("box.others" if likely else "box.players", n=value)
    return words("box.these", n=len(likely[value]), names=", ".join(likely[value]))


def _who(words: Words, state: MenuPageState, value: str | int) -> str:
    if isinstance(value, int):
        return ""
    players, last = recent_player_groups(state)[value], _last_game(state.facts, chosen_game(state))
    if last is None or last.players != players or not (who := state.facts.told(last.id).first):
        return fit_names_in_rows(players, 2)
    began = words("box.these.began", who=shorten_text(who, MAX_NAME_LETTERS))
    return f"{fit_names_in_rows(players, 1)}|{began}"


def _on_players(state: MenuPageState, value: str | int) -> PageResult:
    if isinstance(value, int):
        return state._replace(page="name", seats=value), ()
    players, past = recent_player_groups(state)[value], state.facts.past[:1]
    programs = past[0].programs if past and past[0].players == players else {}
    filled = state._replace(seats=len(players), players=players, programs=tuple(programs.items()))
    return setup_text_or_options_page(filled), ()


def _on_name(state: MenuPageState, value: str) -> PageResult:
    if value == "spell":
        return open_page(state, "spell")
    if value == "box":
        return open_page(state, "level")
    why = _no_name(state, value)
    return (state, (RefusePress(why),)) if why else (_with(state, value), ())


def _no_name(state: MenuPageState, value: str) -> str:
    if value.casefold() in FORBIDDEN_NAMES:
        return "name_forbidden"
    return "name_taken" if value.casefold() in map(str.casefold, state.players) else ""


def _with(state: MenuPageState, name: str) -> MenuPageState:
    players = (*state.players, name)
    state = state._replace(page="name", players=players)
    return state if len(players) < state.seats else setup_text_or_options_page(state)


def _on_level(state: MenuPageState, value: str) -> PageResult:
    if value == "call":
        return open_page(state, value)
    name = computer_players.new_computer_player_name(state)
    return _with(state._replace(programs=(*state.programs, (name, value))), name), ()


def _on_call(state: MenuPageState, value: str) -> PageResult:
    if why := _no_name(state, value):
        return state, (RefusePress(why),)
    return change_settings(state, {"called": value}, "level")


def setup_text_or_options_page(state: MenuPageState) -> MenuPageState:
    """Return the set-up page if the game has a set-up text, or else the page of options.

    If the people of the last game play again and an option selects the first player by seat, select
    the seat after the first player of the last game.
    """
    game = chosen_game(state)
    last = _last_game(state.facts, game)
    if last is not None and last.players == state.players:
        turned = rematch_options(last, game)
        seats = {option.name: turned[option.name] for option in game.options if option.by_seat}
        state = state._replace(options=tuple((dict(state.options) | seats).items()))
    state = computer_players.with_options_playable_by_computer(state)
    return state._replace(page="setup" if setup_page_menu_lines(state) else "options")


def suggested_names_for_next_game(names: list[str], players: tuple[str, ...]) -> list[str]:
    """Return the names to suggest for the next game, with the present players first."""
    return list(dict.fromkeys((*players, *names)))[:MAX_REMEMBERED_NAMES]


# --- set-up and options ---------------------------------------------------------------------------


def _prepares(state: MenuPageState, language: str) -> tuple[tuple[str, ...], ...]:
    facts = state.facts
    if facts.playing is not None:
        return text_pages.setup_text_pages(facts.playing, facts.prepared, facts.seated, language)
    return text_pages.setup_text_pages(
        chosen_game(state).name, state.options, len(state.players), language
    )


def setup_page_menu_lines(state: MenuPageState) -> tuple[str, ...]:
    """Return the menu lines of the set-up text: one line for each page.

    If the game has no set-up text, return (). The line for the last page is "start". The line for
    any other page is the index of the page, counted from 0.
    """
    setup = _prepares(state, state.facts.settings["language"])
    return (*menu_line_indices_as_text(setup)[:-1], "start") if setup else ()


def _draw_setup(words: Words, state: MenuPageState, prompt: Prompt, cursor: Cursor) -> bytes:
    setup = _prepares(state, state.facts.settings["language"])
    is_last = cursor.at == len(setup) - 1
    legend = f"box.legend.setup.{'last' if is_last else 'next'}"
    legend = legend if state.facts.playing is None else "box.legend.leaf"
    return screens.text_page_frame(words(f"box.page.{prompt.name}"), setup, cursor, words(legend))


def _read_setup(
    words: Words, state: MenuPageState, _: Prompt, cursor: Cursor
) -> tuple[str, int, int]:
    setup = _prepares(state, words.language)
    return text_pages.spoken_text_by_page(setup)[cursor.at], cursor.at, len(setup)


def _on_setup(state: MenuPageState, value: str) -> PageResult:
    if state.facts.playing is not None:
        return open_page(state, "menu")
    if value != "start":
        return state._replace(at=int(value) + 1), ()
    return _on_options(state, "start")


def _options(state: MenuPageState) -> tuple[str, ...]:
    chosen = tuple(option.name for option in chosen_game(state).options if len(option.values) > 1)
    setup = ("setup",) if setup_page_menu_lines(state) else ()
    own_parts = (OWN_PARTS_LINE,) if _own(state) else ()
    return ("start", *own_parts, *setup, *chosen, *(("board",) if state.board else ()))


def _own(state: MenuPageState) -> dict[str, str]:
    values = {option.name: option.values for option in chosen_game(state).options}
    own_values = {
        name: own_value
        for name, owns in OWN_PARTS_VALUES.items()
        if (own_value := next((value for value in values.get(name, ()) if value in owns), ""))
    }
    return own_values if len(own_values) > 1 else {}


def _is_own(state: MenuPageState) -> bool:
    options = dict(state.options)
    return all(options[name] in OWN_PARTS_VALUES[name] for name in _own(state))


def _swapped(state: MenuPageState) -> PageResult:
    hands = chosen_game(state).options_without_computer_players if state.programs else {}
    selected = _own(state)
    if _is_own(state):
        values = {option.name: option.values for option in chosen_game(state).options}
        selected = {
            name: next(value for value in values[name][::-1] if value not in OWN_PARTS_VALUES[name])
            for name in selected
        }
    if any(value in hands.get(name, ()) for name, value in selected.items()):
        return state, (RefusePress("box_no_hands"),)
    return state._replace(options=tuple((dict(state.options) | selected).items())), ()


def _option(words: Words, state: MenuPageState, value: str) -> str | None:
    if value == "board":
        return words(f"box.option.board.is.{state.board}")
    if value == OWN_PARTS_LINE:
        return words(f"box.option.options.own.{'yes' if _is_own(state) else 'no'}")
    if value in ("start", "setup"):
        return None
    return words.game_option_value_label(chosen_game(state).name, value, dict(state.options)[value])


def _about(words: Words, state: MenuPageState, value: str) -> str:
    if value in ("board", "start", "setup", OWN_PARTS_LINE):
        return catalogue_menu_line_hint(words, state, value)
    return words.game_option_value_description(
        chosen_game(state).name, value, dict(state.options)[value]
    )


def _on_options(state: MenuPageState, value: str) -> PageResult:
    if value == "setup":
        return open_page(state, value)
    if value == OWN_PARTS_LINE:
        return _swapped(state)
    if value == "board" or (value == "start" and state.board == BOARD_UNDECIDED):
        return your_board.open_printed_board_choice_page(state, starts=value == "start")
    if value == "start":
        return state, (your_board.begin_game_command(state),)
    return _turned(state, value)


def _turned(state: MenuPageState, which: str) -> PageResult:
    """Return the open page with the next value of an option.

    Skip option values with which computer players cannot play.
    """
    hands = (
        chosen_game(state).options_without_computer_players.get(which, ()) if state.programs else ()
    )
    turned = dict(state.options)
    while True:
        turned = dict(_next(state, *pair, which) for pair in turned.items())
        if turned[which] not in hands:
            break
    if hands and turned == dict(state.options):
        return state, (RefusePress("box_no_hands"),)
    return state._replace(options=tuple(turned.items())), ()


def _next(state: MenuPageState, name: str, value: str, which: str) -> tuple[str, str]:
    if name != which:
        return name, value
    option = next(option for option in chosen_game(state).options if option.name == name)
    return name, option.next_value(value, len(state.players))


PAGES: Final[Mapping[str, MenuPage]] = {
    "game": MenuPage(
        list_question_function(lambda state: state.facts.games, _newest),
        select_game,
        lambda words, _, value: words.game_title(value),
    ),
    "players": MenuPage(
        list_question_function(
            lambda state: (*recent_player_groups(state), *chosen_game(state).seats)
        ),
        _on_players,
        _people,
        _who,
        hint_is_said=False,  # skip the spoken hint, because the menu line already names all people
    ),
    "name": MenuPage(
        list_question_function(
            lambda state: (
                *_names(state),
                *computer_players.lines_for_adding_computer_player(state),
                "spell",
            )
        ),
        _on_name,
        lambda _words, _state, value: None if value in ("box", "spell") else str(value),
    ),
    "level": MenuPage(
        list_question_function(lambda _: (*computer_players.LEVELS, "call")),
        _on_level,
        computer_players.computer_name_line_label,
        once=True,
    ),
    "call": MenuPage(computer_players.computer_name_question, _on_call, once=True),
    "spell": MenuPage(
        lambda state: Spell("spell", None, MAX_SPELT_LETTERS, _names(state), known=_seen(state)),
        _on_name,
        once=True,
    ),
    "setup": MenuPage(
        list_question_function(setup_page_menu_lines),
        _on_setup,
        draw=_draw_setup,
        read=_read_setup,
        large=False,
    ),
    "options": MenuPage(list_question_function(_options), _on_options, _option, _about),
}
