"""Menu pages about the players' printed board: the assumed data, and a tour of the places.

The boards were printed in the 1970s, so the box assumes a part of the boards' data. The box
announces this assumption. The tour asks players about each board place, and saves each answer at
once (`companion.catalog.board_tour`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from companion.catalog import board_tour, editions
from companion.core.game import Cue
from companion.core.prompts import Choose, Number, Prompt
from companion.draw import screens
from companion.draw.canvas import wrap_text
from companion.draw.contain import load_face_with_fallbacks
from companion.draw.errors import face_error_logger_for_listing
from companion.draw.face import Face
from companion.draw.parts import ROW_LETTERS
from companion.menus.commands import (
    BeginGame,
    CloseMenu,
    SavePrintedBoardDecision,
    SpeakFacts,
    Wishes,
)
from companion.menus.page import (
    MenuPage,
    MenuPageState,
    PageResult,
    chosen_game,
    list_question_function,
    menu_line_indices_as_text,
    open_page,
)
from companion.menus.settings_pages import change_settings
from companion.press.cursor import Cursor
from companion.say.words import Words

BOARD_UNDECIDED, BOARD_AS_ASSUMED, BOARD_ENTERED = "assumed", "settled", "taught"
"""States of a printed board's data.

- BOARD_UNDECIDED: the players have not decided yet.
- BOARD_AS_ASSUMED: the players have accepted the assumed data.
- BOARD_ENTERED: the players have entered the data.
"""
START_TOUR, CONTINUE_TOUR, VIEW_DATA, ACCEPT_ASSUMED, CONFIRM_ASSUMED, DELETE_ENTERED = (
    "teach",
    "go_on",
    "see",
    "assumed",
    "mine",
    "forget",
)
"""Choices of the players on the page about the printed board.

- START_TOUR, CONTINUE_TOUR: start the tour of the board; continue an unfinished tour.
- VIEW_DATA: show the known data.
- ACCEPT_ASSUMED: play with the assumed data, which can differ from the printed board.
- CONFIRM_ASSUMED: confirm that the printed board has the assumed data.
- DELETE_ENTERED: delete the entered data.
"""
BOARD_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    BOARD_UNDECIDED: (ACCEPT_ASSUMED, START_TOUR, VIEW_DATA, CONFIRM_ASSUMED),
    BOARD_AS_ASSUMED: (START_TOUR, VIEW_DATA, CONFIRM_ASSUMED),
    BOARD_ENTERED: (VIEW_DATA, START_TOUR, DELETE_ENTERED),
}
"""The choices that a menu page offers for each state of a board, the preselected choice first."""
END_TOUR_CHOICE: Final = "later"
"""Choice that ends the tour of the board.

The game asks for the remaining board places during play.
"""
TEXT_ROWS: Final = 6
"""Number of text rows below a page's title."""


# --- the question ---------------------------------------------------------------------------------


def begin_game_command(state: MenuPageState) -> BeginGame:
    """Return the command that starts the game with the chosen players and options."""
    options, programs = dict(state.options), dict(state.programs)
    return BeginGame(chosen_game(state).name, state.players, options, programs=programs)


def open_printed_board_choice_page(state: MenuPageState, *, starts: bool = False) -> PageResult:
    """Open the page with the choices about the players' printed board. Announce assumed data.

    If `starts` is True, the game starts after the answer.
    """
    state = state._replace(starts=starts)
    commands = (SpeakFacts((Cue("assumed"),)),) if state.board != BOARD_ENTERED else ()
    return state._replace(page="board"), commands


def _lines(state: MenuPageState) -> tuple[str, ...]:
    lines, name = BOARD_CHOICES[state.board], chosen_game(state).name
    data = state.facts.printed(name) if state.board == BOARD_ENTERED else {}
    unfinished = (
        data and board_tour.next_step_for_unknown_values(name, data, state.players) is not None
    )
    return (CONTINUE_TOUR, *lines) if unfinished else lines


def _on_board(state: MenuPageState, value: str) -> PageResult:
    game = chosen_game(state).name
    if value == VIEW_DATA:
        return open_page(state, "printed")
    if value in (START_TOUR, CONTINUE_TOUR):
        shown = (
            board_tour.edition_with_blank_board(game)
            if value == START_TOUR
            else state.facts.printed(game)
        )
        return state._replace(page="walk", shown=shown), (
            SpeakFacts((Cue("walk", {"walks": game}),)),
        )
    settled = state._replace(page="options", board=BOARD_AS_ASSUMED)
    if value == ACCEPT_ASSUMED:
        page, wishes = change_settings(settled, {"boards": [*state.facts.settings["boards"], game]})
        return page, (*wishes, *_start(page))
    learn = SavePrintedBoardDecision(game, value, state.players)
    page = settled if value == DELETE_ENTERED else settled._replace(board=BOARD_ENTERED)
    return page, (learn, *_start(page))


def _start(state: MenuPageState) -> Wishes:
    return (begin_game_command(state),) if state.starts else ()


# --- the tour -------------------------------------------------------------------------------------


def _step(state: MenuPageState) -> board_tour.TourStep:
    step = board_tour.next_step_for_unknown_values(
        chosen_game(state).name, state.shown, state.players
    )
    assert step is not None  # noqa: S101 - the page is left when all is known
    return step


def _ask_walk(state: MenuPageState) -> Prompt:
    step = _step(state)
    options = (*step.question.options, END_TOUR_CHOICE)
    likely = board_tour.likeliest_tour_answer(chosen_game(state).name, state.shown, step)
    weights = tuple(int(option == likely) for option in options) if likely else ()
    return Choose("walk", None, options, weights, facts={"walked": state})


def next_board_tour_question(language: str, state: MenuPageState) -> str:
    """Return the board tour's next question, with the sentences of the game's catalogue."""
    return game_words_with_printed_names(state, language).board_tour_question(_step(state).question)


def _so_far(words: Words, state: MenuPageState) -> str:
    game, step = chosen_game(state).name, _step(state)
    n, run = (
        board_tour.count_entered_board_places(game, state.shown),
        board_tour.count_equal_values_before_step(state.shown, step),
    )
    if not n:
        return words.fact_speech(Cue("walk", {"walks": game}))
    so_far = words("box.walk.so_far", n=n)
    if run <= 1:
        return so_far
    *way, at = step.place
    value = board_tour.edition_value_at_path(state.shown, (*way, int(at) - 1))
    place = game_words_with_printed_names(state, words.language).answer_label(
        step.question.name, value, {}
    )
    return f"{words('box.walk.run', n=run, place=place)} {so_far}"


def _place(words: Words, state: MenuPageState, value: str) -> str | None:
    if value == END_TOUR_CHOICE:
        return None
    return game_words_with_printed_names(state, words.language).answer_label(
        _step(state).question.name, value, {}
    )


def _hint(words: Words, state: MenuPageState, value: str) -> str:
    return (
        words("box.hint.walk.later")
        if value == END_TOUR_CHOICE
        else next_board_tour_question(words.language, state)
    )


def _on_walk(state: MenuPageState, value: str) -> PageResult:
    game = chosen_game(state).name
    if value == END_TOUR_CHOICE:
        if board_tour.indices_of_unknown_loops(game, state.shown):
            return open_page(state, "spaces")
        return _kept(state, state.shown)
    shown = board_tour.edition_with_tour_answer(game, state.shown, _step(state), value)
    if board_tour.next_step_for_unknown_values(game, shown, state.players) is None:
        return _kept(state, shown)
    return state._replace(shown=shown), (
        SavePrintedBoardDecision(game, START_TOUR, state.players, shown),
    )


def _kept(state: MenuPageState, shown: Mapping[str, Any]) -> PageResult:
    learn = SavePrintedBoardDecision(chosen_game(state).name, START_TOUR, state.players, shown)
    return state._replace(page="options", board=BOARD_ENTERED, shown={}, counted=()), (learn,)


def _spaces(state: MenuPageState) -> Prompt:
    game, counted = chosen_game(state).name, state.counted
    board = editions.board_tour_plan(game) or editions.BoardTourPlan()
    n = board_tour.indices_of_unknown_loops(game, state.shown)[len(counted)]
    lo = board_tour.min_loop_length(game, state.shown, n)
    asked = {"counted": f"{game}.count.{board.counted_lists[n]}"}
    start = max(lo, (board.start, *counted)[-1])
    return Number("spaces", None, lo, board.hi, start, facts=asked)


def _on_spaces(state: MenuPageState, value: int) -> PageResult:
    counted, game = (*state.counted, value), chosen_game(state).name
    if len(counted) < len(board_tour.indices_of_unknown_loops(game, state.shown)):
        return state._replace(counted=counted), ()
    return _kept(state, board_tour.edition_with_loop_lengths(game, state.shown, counted))


# --- the known board, page by page ----------------------------------------------------------------


def _data(state: MenuPageState) -> Mapping[str, Any]:
    return state.shown or state.facts.printed(_game(state))


def _game(state: MenuPageState) -> str:
    return state.facts.playing or chosen_game(state).name


def game_words_with_printed_names(state: MenuPageState, language: str) -> Words:
    """Return a game's sentences, filled in with the names on the players' printed board."""
    game = _game(state)
    return Words(
        language,
        _face(game),
        _data(state),
        face_error_logger_for_listing(game).log_missing_sentence,
        game=game,
    )


@lru_cache(maxsize=8)
def _face(game: str) -> Face:
    return load_face_with_fallbacks(game, face_error_logger_for_listing(game))


def has_printed_board(state: MenuPageState) -> bool:
    """Return True if the running or chosen game has a printed board, and the box has its data."""
    return bool(_data(state)) and editions.board_tour_plan(_game(state)) is not None


def printed_board_pages(state: MenuPageState, language: str) -> tuple[tuple[str, ...], ...]:
    """Return the data of the printed board in rows, page by page.

    If the data are assumed, the first row states the assumption.
    """
    words = game_words_with_printed_names(state, language)
    status = state.facts.board(_game(state))
    first = (words("box.board.guess"),) if status == BOARD_UNDECIDED else ()
    rows = [
        wrap_text(text, ROW_LETTERS) for text in (*first, *_face(_game(state)).spoken_board(words))
    ]
    return tuple(
        tuple(of[at : at + TEXT_ROWS]) for of in rows for at in range(0, max(1, len(of)), TEXT_ROWS)
    )


def _ask_printed(state: MenuPageState) -> Prompt:
    return Choose(
        "printed",
        None,
        menu_line_indices_as_text(printed_board_pages(state, state.facts.settings["language"])),
    )


def _draw(words: Words, state: MenuPageState, _: Prompt, cursor: Cursor) -> bytes:
    sheets = printed_board_pages(state, state.facts.settings["language"])
    return screens.text_page_frame(
        words("box.page.printed"), sheets, cursor, words("box.legend.leaf")
    )


def _read(words: Words, state: MenuPageState, _: Prompt, cursor: Cursor) -> tuple[str, int, int]:
    sheets = printed_board_pages(state, words.language)
    return " ".join(sheets[cursor.at]), cursor.at, len(sheets)


def _close(state: MenuPageState, _: str) -> PageResult:
    return (state, (CloseMenu(),)) if state.facts.playing else open_page(state, "board")


PAGES: Final[Mapping[str, MenuPage]] = {
    "board": MenuPage(list_question_function(_lines), _on_board),
    "walk": MenuPage(_ask_walk, _on_walk, _place, _hint, said=_so_far, hint_is_said=False),
    "spaces": MenuPage(_spaces, _on_spaces),
    "printed": MenuPage(_ask_printed, _close, draw=_draw, read=_read, large=False),
}
