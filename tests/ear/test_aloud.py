"""Tests of audio mode: the sentences at each step, in the room and in one ear."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from companion.box.reader import CODE_WORD_DELAY_SECONDS
from companion.catalog import editions, registry
from companion.core.game import Cue, Game
from companion.core.prompts import Form, is_answered_by_box, legal_answers
from companion.core.snapshot import Snapshot
from companion.draw.face import load_face
from companion.hear.policy import AudioModePlayers
from companion.menus.words import menu_words
from companion.press.controls import AUDIO_MODE_HOLD_SECONDS, HELP_HOLD_SECONDS, LOOK_HOLD_SECONDS
from companion.press.cursor import Cursor
from companion.record.journal import Journal
from companion.table.aloud import SpokenScreen, spoken_game_state, spoken_screen
from companion.table.overlays import Overlay
from companion.table.table import RunningGame, Table
from companion_testing import playing
from companion_testing.playing import Playout
from companion_testing.table import tables_of_all_option_combinations
from companion_testing.twins import _hides, _Twins, find_answer_with_hidden_difference
from hardware.mock import FakeBox
from hardware.ports import BACK, DOWN, OK, UP
from tests.helpers import (
    VIRTUAL_PARTS_OPTIONS,
    Drive,
    begin_game,
    long_lane_params,
    setup_for,
    words_for,
)

TOLD: Final = {"deck": "own", "die": "real", "track": "ask"}


def box(
    *answers: Any,
    options: dict[str, str] = TOLD,
    language: str = "en",
    own: bool = True,
    **settings: Any,
) -> Drive:
    """Return a game of Fish and Harris in audio mode, before the first sentence."""
    journal = begin_game(setup_for(options), answers)
    journal.save_settings({"ear": True, "language": language, **settings}, 0)
    drive = Drive(journal, language, fake=FakeBox(ear=own))
    drive.resume()
    drive.speaker.heard.clear()
    return drive


def said(drive: Drive) -> list[str]:
    """Return the sentences that the room has heard."""
    return [text[4:] for text in drive.speaker.heard if text[2:4] == ": "]


def whispered(drive: Drive, who: str = "Fish") -> list[str]:
    """Return the sentences that only one player has heard."""
    heard = drive.fake.ears[who].heard if who in drive.fake.ears else []
    return [text[4:] for text in heard if text[2:4] == ": "]


# --- the thumb ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "places"), [
    ("en", ["Seven. 8 of 11", "Eight. 9 of 11", "Seven. 8 of 11"]),
    ("fr", ["Sept. 8 sur 11", "Huit. 9 sur 11", "Sept. 8 sur 11"]),
])  # fmt: skip
def test_a_step_with_the_rules_says_the_option_with_its_place(
    language: str, places: list[str]
) -> None:
    drive = box(1, 6, "gang:molls", language=language, speech="teaching")
    drive.turn_to(6)
    drive.speaker.heard.clear()
    drive.press(DOWN, DOWN, UP)
    assert said(drive) == places


def test_a_step_cuts_the_one_before() -> None:
    drive = box(1, 6)
    drive.press(UP, UP)
    assert drive.speaker.heard == [
        *("hush", "en: Start. 9 of 9"),
        *("hush", "en: Insufficient Evidence."),
    ]


def test_nothing_is_said_of_a_step_where_nobody_plays_by_ear() -> None:
    drive = box(1, 6, ear=False)
    drive.press(UP, UP, DOWN)
    assert said(drive) == []


def test_one_player_alone_can_play_by_ear() -> None:
    drive = box(1, 6, ear=False, ears=["Harris"])
    asked = drive.table.menu_or_game_prompt
    assert asked is not None
    drive.press(UP)
    assert bool(said(drive)) == (asked.who in (None, "Harris"))


@pytest.mark.parametrize(("language", "word"), [("en", "Ten seconds."), ("fr", "Dix secondes.")])
def test_the_turn_timers_word_is_heard_once_and_no_reminder_speaks(
    language: str, word: str
) -> None:
    drive = box(1, 6, "gang:molls", language=language, timer="60", nudge=True)
    drive.press(UP)
    drive.speaker.heard.clear()
    drive.wait(40)
    assert word not in said(drive)
    drive.wait(80)
    assert said(drive) == [word]
    assert drive.speaker.heard.count("♪ your_turn") == 1


def test_ok_held_for_three_seconds_on_the_first_screen_turns_it_on_and_off() -> None:
    drive = Drive()
    drive.press(OK, seconds=AUDIO_MODE_HOLD_SECONDS + 0.1)
    assert drive.settings["ear"] is True
    assert any(text.startswith("Audio mode: on.") for text in said(drive))
    drive.skip()
    drive.press(OK, seconds=AUDIO_MODE_HOLD_SECONDS + 0.1)
    assert drive.settings["ear"] is False


def test_a_box_that_was_silenced_is_heard_when_it_is_played_by_ear() -> None:
    journal = Journal(None)
    journal.save_settings({"silent": True, "quiet_from": 10, "quiet_to": 14}, 0)
    drive = Drive(journal)
    drive.press(OK, seconds=AUDIO_MODE_HOLD_SECONDS + 0.1)
    assert any(text.startswith("Audio mode: on.") for text in said(drive))


def test_the_first_screen_says_its_lines_and_what_more_there_is_of_them() -> None:
    journal = Journal(None)
    journal.save_setting("ear", True, 0)
    drive = Drive(journal)
    assert "New game. 1 of 3" in said(drive)
    drive.press(DOWN)
    assert said(drive)[-2:] == ["Rules.", menu_words("en")("box.hint.home.rules")]


def test_an_hour_is_not_read_as_the_recorded_game_of_that_number() -> None:
    journal = begin_game(setup_for(TOLD), (1, 6))
    journal.save_setting("ear", True, 0)
    drive = Drive(journal)
    drive.walk("settings", "quiet_from")
    drive.speaker.heard.clear()
    drive.turn_to("1")
    assert not [text for text in said(drive) if "Harris" in text]


def test_a_display_that_rests_need_not_be_woken_by_ear() -> None:
    drive = box(1, 6)
    drive.wait(3600)
    drive.speaker.heard.clear()
    drive.press(UP)
    assert said(drive) == ["Start. 9 of 9"]


def test_a_locked_box_says_so() -> None:
    drive = box(1, 6)
    drive.down(BACK)
    drive.down(UP)
    drive.wait(2.1)
    drive.up(BACK)
    drive.up(UP)
    drive.speaker.heard.clear()
    drive.press(DOWN)
    assert said(drive)[-1] == menu_words("en")("box.say.ear.locked")


def test_a_moment_that_only_a_picture_tells_has_nothing_to_say() -> None:
    drive = box(1, 6)
    playing = drive.table.playing
    assert playing is not None
    words = words_for("probe", "en")
    drawn = Cue(
        "card_idle", {"who": "Fish", "card": {"kind": "own_dot", "n": None}, "rack": None}, "PR-5"
    )
    table = drive.table.with_overlay(Overlay((drawn,)))
    found = spoken_screen(table, lambda _: words, lambda _: {})
    assert found is not None
    assert all(found.lead)


# --- the survey, and earlier sentences ------------------------------------------------------------


def test_ok_held_for_two_seconds_walks_through_all_that_is_there() -> None:
    drive = box(1, 6)
    drive.press(OK, seconds=HELP_HOLD_SECONDS + 0.1)
    found = said(drive)
    assert drive.page == "there"
    assert any(" 1 of " in text for text in found)
    drive.press(BACK)
    assert drive.page is None


@pytest.mark.sampled(1)
@pytest.mark.parametrize("asked", [(), ("seat2",)], ids=["ruling", "help_over_ruling"])
def test_a_ruling_is_read_when_all_that_is_there_is_asked_for_in_front_of_it(
    asked: tuple[str, ...],
) -> None:
    drive = box(1, 6)
    drive.press(BACK)
    drive.choose("why")
    assert drive.front.name == "why"
    for button in asked:
        drive.press(button, seconds=HELP_HOLD_SECONDS + 0.1)
        assert drive.front.name == "help"
    drive.press(OK, seconds=HELP_HOLD_SECONDS + 0.1)
    assert drive.page == "there"
    assert not drive.moments


def test_a_fact_of_the_game_is_in_its_words_with_a_page_of_the_box_behind_it() -> None:
    drive = box(1, 6)
    drive.press(OK)
    drive.skip()
    drive.press(BACK)
    drive.choose("undo")
    drive.press(OK, seconds=HELP_HOLD_SECONDS + 0.1)
    assert (drive.front.name, drive.page) == ("undone", "there")
    assert "Shopping Molls" in drive.loop.shown_screen_words().fact_title_and_text(drive.front)


def test_the_menu_goes_back_through_what_was_said() -> None:
    drive = box(1, 6)
    drive.press(BACK)
    drive.choose("said")
    assert drive.page == "said"
    assert any(" 1 of " in text for text in said(drive))
    drive.press(OK)
    assert drive.page is None


# --- secrets --------------------------------------------------------------------------------------


def hand(*, own: bool = True) -> Drive:
    """Return a game in which a player must play a card from a hidden hand."""
    drive = box(options=VIRTUAL_PARTS_OPTIONS, own=own)
    while drive.table.menu_or_game_prompt is None or not drive.table.menu_or_game_prompt.private:
        drive.press(OK)
    drive.speaker.heard.clear()
    return drive


def test_a_secret_is_heard_by_one_and_not_shown() -> None:
    drive = hand()
    prompt, curtain = drive.table.menu_or_game_prompt, drive.frame
    assert prompt is not None
    drive.press(OK, seconds=1.0)
    who = str(prompt.who)
    assert whispered(drive, who)[0].startswith("Your cards: ")
    assert drive.table.cursor.looking == who  # the curtain stays: no secret is displayed
    assert drive.frame == curtain
    assert whispered(drive, who)[-1].endswith(f"of {len(prompt.options)}")  # type: ignore[union-attr]
    drive.press(DOWN)
    assert said(drive) == []
    drive.press(OK)
    assert said(drive)


def test_without_an_ear_the_box_says_that_a_secret_is_shown() -> None:
    drive = hand(own=False)
    assert drive.table.menu_or_game_prompt is not None
    who = str(drive.table.menu_or_game_prompt.who)
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS + 0.1)
    assert said(drive) == [menu_words("en")("box.say.ear.showing", who=who)]
    drive.up(OK)
    assert drive.table.cursor.looking is None


def test_a_letter_has_its_word_after_a_pause() -> None:
    journal = Journal(None)
    journal.save_setting("ear", True, 0)
    drive = Drive(journal)
    drive.walk("new", 2, "spell")
    drive.press(OK, DOWN)
    letter = said(drive)[-1].partition(".")[0]
    drive.wait(CODE_WORD_DELAY_SECONDS + 0.1)
    assert said(drive)[-1][0] == letter[0]
    assert " of " not in said(drive)[-1]


# --- twin games -----------------------------------------------------------------------------------


def room(game: Game[Any], playout: Playout, state: Any) -> tuple[SpokenScreen | None, ...]:
    """Return the texts for the room in a state: the question, a curtain, a choice, a look.

    Raise AssertionError if another player hears an open secret.
    """
    players = playout.table.players
    prompt, view = game.ask(state), game.view(state, None)
    if isinstance(prompt, Form) or is_answered_by_box(prompt):
        return ()
    snapshot = Snapshot(game.name, players, playout.table.options, prompt, view,
                        (), 0, 0, 0, game.outcome(state), "", None)  # fmt: skip
    words = words_for(game.name, "en", playout.table.edition)
    face = load_face(game.name)
    table = Table(
        RunningGame(snapshot, face, (), players),
        ears=AudioModePlayers(everybody=True, has_private_output=True),
    )
    found = [spoken_screen(table, lambda _: words, lambda who: game.view(state, who))]
    if prompt is not None and prompt.private:
        for looking in (None, prompt.who):
            one = table._replace(cursor=Cursor(at=0, looking=looking, listening=bool(looking)))
            told = spoken_screen(one, lambda _: words, lambda who: game.view(state, who))
            assert told is not None
            assert told.to == looking
            found += [told] if looking is None else []
    text = SpokenScreen((), "", lead=spoken_game_state(RunningGame(snapshot, face), words))
    return (*found, text)


class Alike(_Twins):
    """Twin games that compare only the sentences for the room."""

    def __init__(self, playout: Playout, *given: Any, **named: Any) -> None:
        super().__init__(playout, *given, **named)
        self.playout, self.compared_rooms = playout, 0

    def _seen(self, at: int) -> Iterator[str]:
        del at
        game = self.game
        self.compared_rooms += 1
        one, two = (room(game, self.playout, state) for state in (self.one, self.two))
        if one != two and game.ask(self.one) == game.ask(self.two):
            yield f"the room hears of {one} and of {two}"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "game", ["barney-miller", "kojak", "probe", *long_lane_params(["baretta"])]
)
def test_twin_games_are_read_to_the_room_alike(game: str) -> None:
    found = registry.find_game(game)
    compared = 0
    for table in list(tables_of_all_option_combinations(found, editions.load_edition(game)))[:3]:
        playout = playing.play_random_game(table, 0)
        hidden = [n for n, move in enumerate(playout.moves) if _hides(found, move)]
        for at in hidden[:3]:
            shown = lambda n, player: found.view(playout.moves[n].after, player)  # noqa: B023, E731
            value = find_answer_with_hidden_difference(
                playout.moves[at], playout.new_random_generator
            )
            twin = Alike(playout, at, value, shown)
            assert [what for what, _ in twin.find_noticeable_differences()] == []
            compared += twin.compared_rooms
    assert compared or game == "kojak"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("language", "third"), [
    ("en", "3 times: Shopping Molls. 3 answers so far."),
    ("fr", "3 fois : Shopping Molls. 3 réponses jusqu’ici."),
])  # fmt: skip
def test_a_run_of_equal_places_on_a_walk_is_heard_with_its_length(
    language: str, third: str, tmp_path: Path
) -> None:
    journal = Journal(None)
    journal.save_settings({"ear": True, "language": language}, 0)
    drive = Drive(journal, language, fake=FakeBox(ear=True), taught=tmp_path)
    drive.new("barney-miller")
    drive.walk("these 2", "start", "teach")
    for _ in range(3):
        drive.speaker.heard.clear()
        drive.choose("gang:molls")
        drive.wait(5)
    assert third in " ".join(said(drive)).replace("\xa0", " ")


@pytest.mark.parametrize(("language", "stop", "second"), [
    ("en", "To stop, take the last line: later, in play.", "1 answer so far."),
    ("fr", "Pour arrêter, prenez la dernière ligne : plus tard, en jeu.", "1 réponse jusqu’ici."),
])  # fmt: skip
def test_the_walk_round_a_board_says_how_to_stop_and_how_far_it_is(
    language: str, stop: str, second: str, tmp_path: Path
) -> None:
    journal = Journal(None)
    journal.save_settings({"ear": True, "language": language}, 0)
    drive = Drive(journal, language, fake=FakeBox(ear=True), taught=tmp_path)
    drive.new("kojak")
    drive.walk("these 2", "start", "teach")
    drive.wait(20)
    told = " ".join(said(drive)).replace("\xa0", " ")
    assert stop in told
    drive.speaker.heard.clear()
    prompt = drive.table.menu_or_game_prompt
    assert prompt is not None
    drive.choose(legal_answers(prompt)[0])
    drive.wait(5)
    assert second in " ".join(said(drive))
