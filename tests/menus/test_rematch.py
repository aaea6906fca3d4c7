"""Tests of a rematch with the same people: three presses from the end, and never by accident."""

from __future__ import annotations

from typing import Final

import pytest

from companion.catalog import registry
from companion.menus import menu_stack
from companion.menus.commands import BeginGame
from companion.menus.new_game import setup_text_or_options_page
from companion.menus.words import menu_line_hint, menu_words
from companion.play.answer_history import GameSetup
from companion.play.record_header import setup_from_record_header
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from tests.helpers import NOW_SECONDS, Drive, begin_game, setup_for
from tests.system.bench import pressed
from tests.table.test_statistics_pages import last_press

BIS: Final = {"en": "Barney Miller again", "fr": "Barney Miller bis"}
CHOSEN: Final = {"deck": "own", "dice": "companion", "wounded": "up", "criminals": "choose"}
"""Options of Baretta: the criminals are chosen before everybody presses for the dice."""
REAL: Final = {"en": "real cards, real die", "fr": "vos cartes, votre dé"}


def over(game: str) -> tuple[Journal, GameSetup]:
    """Return a record with one finished game, and the setup of this game."""
    journal = pressed.over(game)
    return journal, setup_from_record_header(journal.read_game_header_and_lines(1)[0])


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_a_rematch_is_two_presses_and_has_the_same_people_and_the_same_ways(game: str) -> None:
    journal, setup = over(game)
    drive = Drive(journal)
    drive.press("down", "ok")
    again = drive.session.game_setup
    assert (again.game.name, again.players) == (game, setup.players)
    assert dict(again.options) | {"begins": "1"} == dict(setup.options) | {"begins": "1"}
    assert again.chance.seed != setup.chance.seed


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_a_rematch_is_three_presses_to_its_first_question_however_many_play(
    game: str, players: int
) -> None:
    assert pressed.again(game, players) <= 3


def test_from_the_end_of_a_game_again_is_three_presses_and_no_double_press_begins_it() -> None:
    drive = last_press(None)
    drive.services.turn.save_settings({"trust": False})
    drive.skip()
    drive.press("ok")
    drive.press("ok", gap=0.0)
    assert drive.page == "home"
    drive.press("ok")
    assert drive.session.standing.pending_prompt is not None
    assert drive.session.standing.pending_prompt.name == "mix"
    drive.skip()  # the overlay with the seats
    drive.press("up")
    assert drive.session.standing.pending_prompt.name != "mix"
    told = [line for line in drive.journal.read_game_header_and_lines(3)[1] if line.kind == "press"]
    assert len({line.who for line in told}) == len(drive.session.game_setup.players)
    assert len({line.value for line in told}) == 1


def test_where_the_sheet_says_nothing_the_next_seat_begins_and_all_keep_their_places() -> None:
    journal, setup = over("probe")
    page, begins = Drive(journal).state, []
    for _ in range(3):
        _, (begin,) = menu_stack.page_after_answer(page, "rematch")
        assert isinstance(begin, BeginGame)
        assert begin.players == setup.players
        begins.append(begin.options["begins"])
        newest = page.facts.past[0]._replace(options=begin.options)
        page = page._replace(facts=page.facts._replace(past=(newest,)))
    assert begins == ["2", "1", "2"]


@pytest.mark.parametrize(("language", "begins"), [("en", "begins"), ("fr", "commence")])
def test_again_names_the_next_seat_where_the_rules_leave_it_open(
    language: str, begins: str
) -> None:
    journal, setup = over("probe")
    page = Drive(journal, language).state
    below = menu_line_hint(menu_words(language), page, "rematch")
    assert below.endswith(f"|{setup.players[1]} {begins}")


def test_new_game_of_the_same_people_says_who_began_and_turns_the_seats() -> None:
    journal, setup = over("probe")
    drive = Drive(journal)
    drive.choose("new")
    drive.choose("probe")
    group = f"these {len(setup.players)}"
    began = menu_line_hint(menu_words("en"), drive.state, group)
    assert began.endswith(f"|{setup.players[0]} began.")
    drive.choose(group)
    assert dict(drive.state.options)["begins"] == "2"


def test_new_game_of_other_people_begins_with_the_first_seat() -> None:
    journal, setup = over("probe")
    drive = Drive(journal)
    drive.choose("new")
    drive.choose("probe")
    page = setup_text_or_options_page(drive.state._replace(players=setup.players[::-1]))
    assert dict(page.options)["begins"] == "1"


def test_one_press_for_all_is_said_and_shown_so() -> None:
    journal, _ = over("kojak")
    journal.save_settings({"trust": False}, NOW_SECONDS)
    drive = Drive(journal)
    with draw_frames_on_recording_canvas():
        drive.press("down", "ok")
        drive.skip()  # the overlay with each player's car
        drive.services.screen.show_frame()
    assert any("One press for all." in text for _, _, text, _ in RecordingCanvas.last.texts)
    assert any("stands for all of you" in heard for heard in drive.speaker.heard)
    assert not any("Everybody presses" in heard for heard in drive.speaker.heard)


def test_one_press_stands_for_all_after_what_is_chosen_before_it_too() -> None:
    journal = begin_game(setup_for(CHOSEN, game="baretta", players=("Ann", "Bob")))
    journal.save_settings({"trust": False}, NOW_SECONDS)
    drive = Drive(journal)
    drive.choose("rematch")
    drive.choose("killer")
    drive.choose("hijacker")
    drive.skip()
    drive.press("up")
    told = [
        (line.question, line.who)
        for line in drive.journal.read_game_header_and_lines(2)[1]
        if line.kind != "box"
    ]
    assert told == [("accused", "Ann"), ("accused", "Bob"), ("mix", "Ann"), ("mix", "Bob")]


def test_a_game_that_was_left_can_be_played_again_too_behind_going_on_with_it() -> None:
    journal, _ = over("barney-miller")
    drive = Drive(journal)
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.options[:2] == ("new", "rematch")  # type: ignore[union-attr]
    drive.press("down", "ok")
    drive.skip()
    drive.press("back")
    drive.choose("leave")
    assert drive.table.menu_or_game_prompt.options[:3] == ("resume", "rematch", "new")  # type: ignore[union-attr]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_as_last_time_says_the_game_the_people_the_cards_and_the_die(language: str) -> None:
    options = {"deck": "own", "die": "real"}
    for game, bis in (("barney-miller", BIS[language]), ("kojak", None)):
        journal, _ = over(game)
        page = Drive(journal, language).state
        last = page.facts.past[0]._replace(options=options)
        page = page._replace(facts=page.facts._replace(past=(last,)))
        words = menu_words(language)
        assert bis in (
            None,
            words.answer_label("home", "rematch", menu_stack.page_placeholder_values(page)),
        )
        below = menu_line_hint(words, page, "rematch")
        assert all(who[:4] in below for who in last.players)
        assert REAL[language] in below


def test_an_option_that_there_is_no_more_is_played_as_usual() -> None:
    journal, _ = over("barney-miller")
    summary = journal.game_summary(1)
    assert summary.options["deck"] in ("own", "virtual")
    drive = Drive(journal)
    page = drive.state
    old = summary._replace(options={"deck": "of wood"})
    facts = page.facts._replace(past=(old,))

    _, (begin,) = menu_stack.page_after_answer(page._replace(facts=facts), "rematch")
    assert begin.options["deck"] == "own"  # type: ignore[union-attr]
