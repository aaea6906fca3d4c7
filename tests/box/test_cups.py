"""Tests of rare kinds of questions on the buttons: look at a secret, forms, and acts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.catalog import registry
from companion.core.chance import Chance
from companion.core.prompts import Question, Roll
from companion.draw import screens
from companion.draw.dice import ROLL_PICTURE_COUNT
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.press.cursor import HOLD_SECONDS, Cursor
from companion_testing.face_recording import (
    RecordingCanvas,
    draw_frames_on_recording_canvas,
    game_words_for_edition,
)
from hardware.ports import BACK, DOWN, OK, SEATS
from tests.cups import GAME, State, install
from tests.helpers import NOW_SECONDS, Drive, begin_game
from tests.installed import PackageShop, shop

PLAYERS = ("Ann", "Bob")
BIDS = ({"count": 1, "face": 7}, {"count": 3, "face": 10})


@pytest.fixture(autouse=True)
def installed(tmp_path: Path) -> Iterator[PackageShop]:
    for found in shop(tmp_path / "site"):
        install(found)
        yield found


def played(*answers: object) -> Drive:
    setup = GameSetup(GAME, PLAYERS, {}, {}, Chance("5eed"), mixing=False)
    drive = Drive(begin_game(setup, answers))
    drive.resume()
    return drive


def shaken(*answers: object) -> Drive:
    """Return a game in which all players have thrown their dice under the cups and have bid."""
    return played("throw", "throw", *BIDS, *answers)


def test_who_rolls_in_private_by_a_press_shows_the_dice_to_no_one() -> None:
    drive = played()
    drive.press(OK)
    assert not any(moment.throw for moment in drive.moments)
    assert drive.session.standing.view_with_player_secrets("Ann")["own"]


def test_a_public_roll_of_ten_sides_is_seen_turning_and_lies_with_its_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ask(state: State) -> Question | None:
        prompt = GAME.ask(state)
        return prompt._replace(private=False) if isinstance(prompt, Roll) else prompt

    game = GAME._replace(ask=ask)
    monkeypatch.setattr(registry, "find_game_of_record", lambda *_: game)
    drive = played()
    drive.press(OK)
    (rolled, *_) = drive.moments
    assert rolled.throw is not None
    drive.wait(0.45)
    words = drive.loop.shown_screen_words()
    step = ROLL_PICTURE_COUNT - 1
    lying = screens.rolling_dice_frame(rolled.throw, words, drive.table.cursor, step)
    assert drive.frame == lying


def test_ok_held_for_a_second_looks_behind_a_public_question_as_long_as_it_is_held() -> None:
    drive = shaken()
    table = drive.frame
    drive.down(OK)
    drive.wait(HOLD_SECONDS - 0.05)
    assert drive.table.cursor.looking is None
    drive.wait(0.1)
    assert drive.table.cursor.looking == "Ann"
    assert drive.frame != table
    drive.up(OK)
    assert drive.table.cursor.looking is None
    assert drive.frame == table
    assert drive.session.standing.pending_prompt is not None
    assert drive.session.standing.pending_prompt.who == "Ann"


def test_a_question_that_can_be_looked_behind_says_so_in_its_legend() -> None:
    for drive, looks in ((shaken(), True), (played("throw"), False)):
        with draw_frames_on_recording_canvas():
            drive.draw_table_frame()
        legend = " ".join(text for row, _, text, _ in RecordingCanvas.last.texts if row == 7)
        assert ("hold OK: look" in legend) == looks, legend


def test_ok_held_at_a_question_without_a_look_shows_no_one_a_secret() -> None:
    drive = played("throw")
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.who == "Bob"
    drive.down(OK)
    drive.wait(HOLD_SECONDS + 0.1)
    assert drive.table.cursor.looking is None


def test_a_look_behind_a_question_is_written_down_and_an_undo_past_it_needs_the_table() -> None:
    drive = shaken()
    drive.press(OK, seconds=HOLD_SECONDS + 0.1)
    drive.press(DOWN, OK)
    assert drive.session.standing.snapshot.view["spoken"] == ["yes"]
    seen = [
        entry
        for entry in drive.journal.read_game_header_and_lines(drive.session.number)[1]
        if entry.kind == "seen"
    ]
    assert [entry.who for entry in seen] == ["Ann"]


def test_a_short_press_answers_a_question_that_can_be_looked_behind() -> None:
    drive = shaken()
    drive.press(OK, seconds=0.9)
    assert drive.session.standing.snapshot.view["spoken"] == ["no"]


def test_who_looks_behind_a_question_sees_no_other_secret_than_the_own() -> None:
    drive = shaken("no")
    drive.down(OK)
    drive.wait(HOLD_SECONDS + 0.1)
    assert drive.table.cursor.looking == "Bob"


def test_the_table_lifts_cup_by_cup_with_ok_or_any_players_button() -> None:
    drive = shaken("no", "no")
    drive.press(OK)
    drive.skip()
    assert len(drive.session.standing.snapshot.view["lifted"]) == 1
    drive.press(SEATS[1])
    assert len(drive.session.standing.snapshot.view["lifted"]) == 2
    assert drive.session.standing.snapshot.outcome is not None


def test_an_undo_past_a_lifted_cup_is_asked_of_the_table() -> None:
    drive = shaken("no", "no", "lift")
    assert drive.session.standing.undo_needs_agreement


def test_a_bid_of_two_parts_is_one_answer_one_line_and_one_undo() -> None:
    drive = played("throw", "throw")
    drive.choose(2)
    assert drive.table.talk is not None
    assert drive.session.standing.snapshot.view["bids"] == []
    drive.choose(5)
    assert drive.table.talk is None
    assert drive.session.standing.snapshot.view["bids"] == [[2, 5]]
    answer = drive.journal.read_game_header_and_lines(drive.session.number)[1][-1]
    assert (answer.question, answer.who, answer.value) == ("bid", "Ann", {"count": 2, "face": 5})
    drive.skip()
    drive.press(BACK, seconds=HOLD_SECONDS + 0.1)
    assert drive.session.standing.snapshot.view["bids"] == []
    assert "Ann: 2 times 5" in drive.loop.shown_screen_words().fact_text(drive.front)


def test_back_goes_from_the_second_part_of_a_bid_to_the_first_and_then_to_the_menu() -> None:
    drive = played("throw", "throw")
    drive.choose(2)
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.name == "face"
    drive.press(BACK)
    assert drive.table.talk is None
    assert drive.table.menu_or_game_prompt.name == "count"
    drive.press(BACK)
    assert drive.page == "menu"


def test_a_bid_can_be_looked_behind_in_each_of_its_parts() -> None:
    drive = played("throw", "throw")
    drive.choose(2)
    drive.down(OK)
    drive.wait(HOLD_SECONDS + 0.1)
    assert drive.table.cursor.looking == "Ann"
    drive.up(OK)
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.name == "face"


def test_a_game_that_stands_at_a_bid_goes_on_there() -> None:
    drive = played("throw", "throw", BIDS[0])
    again = Session.resume(
        drive.journal, drive.session.number, drive.session.game_setup, NOW_SECONDS
    )
    assert again.standing.snapshot.form is not None
    assert again.standing.snapshot.view == drive.session.standing.snapshot.view
    assert again.standing.snapshot.prompt == drive.session.standing.snapshot.prompt


def test_what_a_game_says_of_its_beginning_is_shown_before_its_first_question() -> None:
    drive = Drive()
    drive.new("cups")
    drive.walk(2, "Ann", "Bob", "start")
    assert drive.front.name == "begun"
    drive.skip()
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.name == "throw"


def test_a_game_says_in_its_own_words_what_there_is_to_look_at() -> None:
    with draw_frames_on_recording_canvas():
        screens.secret_curtain_frame("Ann", Cursor(), game_words_for_edition("cups", "en", {}))
    assert "Under your cup" in {text for *_, text, _ in RecordingCanvas.last.texts}
