"""Tests of the way from the first screen to the first question of a game: few presses."""

from __future__ import annotations

from itertools import product

import pytest

from companion.catalog import registry
from companion.draw.canvas import load_font
from companion.menus import new_game
from companion.menus import text_pages as book
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from hardware.ports import BACK, BUTTONS, DOWN, OK
from tests.helpers import NOW_SECONDS, OWN_PARTS_OPTIONS, Drive, begin_game, setup_for
from tests.system.bench import pressed

every_game = pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def turned(game: str, players: int) -> int:
    """Return the number of presses that turn the pages about setting up the game."""
    usual = tuple(
        (option.name, option.proposed_value) for option in registry.find_game(game).options
    )
    return len(book.setup_text_pages(game, usual, players, "en")) - 1


@pytest.mark.sampled(1)
@every_game
def test_two_players_move_after_six_presses_and_the_pages_of_the_set_up_eight_at_most(
    game: str,
) -> None:
    assert pressed.started(game, 2) - turned(game, 2) <= 6
    assert pressed.started(game, 2) <= 8


@pytest.mark.sampled(1)
@every_game
def test_three_players_move_after_seven_presses_and_the_pages_of_the_set_up_nine_at_most(
    game: str,
) -> None:
    assert pressed.started(game, 3) - turned(game, 3) <= 7
    assert pressed.started(game, 3) <= 9


@pytest.mark.sampled(1)
@every_game
def test_the_game_and_the_people_of_last_time_are_the_first_that_are_offered(game: str) -> None:
    drive = Drive(pressed.over(game))
    drive.choose("new")
    assert drive.table.cursor.at == registry.BUILT_IN_GAMES.index(game)
    drive.press(OK, OK)
    assert drive.state.players == drive.journal.game_summary(1).players


@pytest.mark.sampled(1)
@every_game
@every_language
def test_every_way_of_playing_says_how_it_is_set_up_in_letters_that_there_are(
    game: str, language: str
) -> None:
    rules, letters = registry.find_game(game), load_font("small")
    ways = [[(option.name, value) for value in option.values] for option in rules.options]
    found = set()
    for n, chosen in product(rules.seats, product(*ways)):
        pages = book.setup_text_pages(game, chosen, n, language)
        found.add(pages)
        assert 0 < len(pages) <= 8
        for row in (row for page in pages for row in page):
            assert 0 < len(row) <= 21
            assert all(
                letter.isspace() or any(letters.glyph_columns(letter)[0]) for letter in row
            ), row
    assert len(found) >= 2


@every_game
@every_language
def test_a_page_of_how_to_set_up_ends_between_two_sentences(game: str, language: str) -> None:
    rules = registry.find_game(game)
    options = tuple((option.name, option.values[0]) for option in rules.options)
    pages = book.setup_text_pages(game, options, 2, language)
    long = "One sentence that is so long that " + "it goes on and on, " * 8 + "and ends."
    assert all(page[-1].endswith((".", "!", "?")) for page in pages)
    assert [len(page) for page in book.split_text_into_pages(f"First. {long} Last.")] == [
        1,
        6,
        4,
        1,
    ]
    assert book.split_text_into_pages("One.|Two.") == (("One.", "Two."),)


def test_ok_turns_the_pages_of_how_to_set_up_and_begins_on_the_last() -> None:
    drive = Drive()
    drive.walk("new", "these 2")
    count = len(new_game.setup_page_menu_lines(drive.state))
    assert (drive.page, count > 1) == ("setup", True)
    for n in range(count):
        assert drive.table.cursor.at == n
        drive.press(OK)
    assert drive.session.game_setup.players == ("Fish", "Harris")


def test_back_leads_from_the_setting_up_to_the_ways_of_playing_and_to_the_names() -> None:
    drive = Drive()
    drive.walk("new", 2, "Fish", "Yemana")
    pages = [drive.page]
    for _ in range(3):
        drive.press(BACK)
        pages.append(drive.page)
    assert pages == ["setup", "options", "name", "name"]


def test_what_is_set_up_follows_the_way_that_is_chosen() -> None:
    drive = Drive()
    drive.walk("new", "these 2")
    own = drive.frames[-1]
    drive.press(DOWN)
    assert drive.frames[-1] != own
    drive.press(BACK)
    drive.walk("deck", "setup")
    drive.press(DOWN)
    virtual = drive.frames[-1]
    drive.choose("start")
    assert drive.session.game_setup.options["deck"] == "virtual"
    assert virtual not in (own, drive.frames[-1])


def test_the_menu_of_a_game_says_how_it_was_set_up() -> None:
    options = {o.name: o.values[0] for o in registry.find_game("kojak").options}
    drive = Drive(begin_game(setup_for(options, game="kojak")))
    drive.resume()
    drive.press(BACK)
    drive.choose("setup")
    assert drive.page == "setup"
    drive.press(OK)
    assert drive.page == "menu"


# --- the code of the seed -------------------------------------------------------------------------


def begun_by(players: int = 3, **settings: bool) -> Drive:
    """Begin a new game of `players` people on a box with `settings`."""
    journal = Journal(None)
    journal.save_settings(settings, NOW_SECONDS)
    drive = Drive(journal)
    drive.walk("new", f"these {players}", "start")
    return drive


def mixing() -> Drive:
    drive = begun_by(trust=False)
    drive.skip()  # the overlay with the seats
    return drive


def test_all_may_press_at_once_on_one_frame() -> None:
    drive = mixing()
    code = drive.session.standing.snapshot.code
    for button in BUTTONS[:3]:
        with draw_frames_on_recording_canvas():
            drive.draw_table_frame()
        assert any(code[:4] in text for _, _, text, _ in RecordingCanvas.last.texts)
        drive.down(button)
    assert drive.table.menu_or_game_prompt is None or drive.table.menu_or_game_prompt.name != "mix"


def test_that_everybody_presses_is_said_once() -> None:
    drive = mixing()
    said = [text for text in drive.speaker.heard if "Everybody presses" in text]
    drive.press(OK, OK)
    assert len(said) == 1
    assert [text for text in drive.speaker.heard if "Everybody presses" in text] == said


def test_the_code_of_chance_needs_no_press_and_no_frame_until_the_settings_ask_for_it() -> None:
    drive = begun_by()
    assert not drive.session.game_setup.mixing
    assert drive.table.menu_or_game_prompt is None or drive.table.menu_or_game_prompt.name != "mix"
    # the code exists although it is not shown
    assert len(drive.session.standing.snapshot.code) == 8
    drive = Drive()
    drive.walk("settings", "trust")
    assert drive.settings["trust"] is False


@every_language
def test_the_code_is_called_after_the_chance_for_not_every_game_shuffles(language: str) -> None:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS, mixing=True)), language)
    with draw_frames_on_recording_canvas():
        drive.resume()
    title = next(text for page, _, text, _ in RecordingCanvas.last.texts if page == 0)
    assert title == {"en": "CODE OF CHANCE", "fr": "CODE DU HASARD"}[language]
