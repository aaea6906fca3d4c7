"""Tests of the box with fake hardware: whole games on four buttons, and all kinds of failures."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.box import runner, screen
from companion.box.dimming_and_lock import DIM_AND_DARK_SECONDS
from companion.box.events import BoxQuitRequested, HardwareTrouble
from companion.box.loop import Loop
from companion.box.system import Machine
from companion.catalog import editions
from companion.core.chance import Chance
from companion.core.game import Cue
from companion.draw import screens
from companion.games.barney_miller.shown.face import FACE
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.press.controls import LOOK_HOLD_SECONDS
from companion.press.cursor import HOLD_SECONDS
from companion.press.wheel import DONE_PLACE
from companion.record.entry import Entry
from companion.record.journal import Journal, RepairResult
from companion.table import frames
from companion.table.moves import overlay_change_due_at
from companion.table.table import ALL_LAMPS_OFF
from hardware.mock import FakeBox, FakeDisplay, FakeLamps, FakeSpeaker
from hardware.ports import (
    BACK,
    BLINK_SLOWLY,
    BUTTONS,
    DOWN,
    LAMP_OFF,
    LAMP_ON,
    OK,
    SEATS,
    UP,
    Box,
    Edge,
    HardwareError,
)
from tests.helpers import (
    NOW_SECONDS,
    OWN_PARTS_OPTIONS,
    PLAYER_NAMES,
    VIRTUAL_PARTS_OPTIONS,
    Drive,
    begin_game,
    called_documented_functions,
    documented_functions,
    fail_to_save,
    long_lane_params,
    max_examples,
    raise_full_disk,
    session_words,
    setup_for,
    words_for,
)
from tests.scenes import probe

TOLD: Final = {"deck": "own", "die": "real", "track": "ask"}
HIDDEN: Final = {"deck": "virtual", "die": "real", "track": "ask"}
FIRST: Final = (1, 6)  # Harris rolls highest: Fish plays the first card
WIN: Final = (4, 5, 0, 3)  # Fish, Harris, Fish; Harris goes over: Fish wins


def playing(*answers: Any, **changes: Any) -> Drive:
    """Return a game of two with real cards and an unknown board, after `answers`."""
    drive = Drive(
        begin_game(setup_for(changes.pop("options", TOLD)), (*FIRST, *answers)), **changes
    )
    drive.resume()
    drive.speaker.heard.clear()
    return drive


def new_game(drive: Drive, *, players: Sequence[str] = PLAYER_NAMES[:2], **options: str) -> None:
    """Begin a new game through the menus, with one OK of each player for the shuffle code."""
    drive.new()
    drive.choose(len(players))
    for player in players:
        drive.choose(player)
    if options:
        drive.press(BACK)
    for name, value in options.items():
        while dict(drive.state.options)[name] != value:
            drive.choose(name)
    drive.choose("start")
    drive.skip()
    for _ in players:
        drive.press(OK)


def random_press(drive: Drive, rng: random.Random) -> None:
    """Press a random button that tends to advance the game."""
    asked = drive.table.press_context
    if asked.overlay:
        drive.press(rng.choice([OK, OK, UP, BACK]))
        return
    if asked.curtain is not None:
        drive.down(OK)
        drive.wait(LOOK_HOLD_SECONDS)
    drive.press(*rng.choices([UP, DOWN], k=rng.choice([0, 0, 0, 1, 2])))
    if asked.curtain is not None:
        drive.up(OK)
    drive.press(OK)


def play_to_the_end(drive: Drive, rng: random.Random) -> None:
    for _ in range(20_000):
        if drive.session.standing.pending_prompt is None and not drive.moments:
            return
        random_press(drive, rng)
    pytest.fail("the game does not end")


def asked(drive: Drive) -> Any:
    prompt = drive.table.menu_or_game_prompt
    assert prompt is not None
    return prompt


def named(drive: Drive) -> tuple[str, ...]:
    return drive.state.players


def seen_since() -> Drive:
    """Return a game in which a player has seen a new hand, so that an undo needs agreement."""
    setup = setup_for(VIRTUAL_PARTS_OPTIONS)
    session = Session.begin(Journal(None), setup, 0)
    answers, rng = [], random.Random(2)
    while not any(cue.name == "picked_up" for cue in session.standing.snapshot.cues):
        assert session.standing.pending_prompt is not None
        answers.append(random_answer(session.standing.pending_prompt, rng))
        session.answer(answers[-1], 0)
    who = next(c for c in session.standing.snapshot.cues if c.name == "picked_up").facts["who"]
    drive = Drive(begin_game(setup, answers))
    drive.resume()
    drive.press(SEATS[setup.players.index(who)], seconds=1)
    return drive


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("deck", "language"),
    [("own", "en"), ("virtual", "fr"), *long_lane_params([("own", "fr"), ("virtual", "en")])],
)
def test_a_whole_game_is_played_on_the_buttons_alone(deck: str, language: str) -> None:
    drive = Drive(language=language)
    new_game(drive, players=PLAYER_NAMES[1:4], deck=deck)
    number = drive.session.number
    play_to_the_end(drive, random.Random(f"{deck} {language}"))
    snapshot = drive.session.standing.snapshot
    assert snapshot.outcome is not None
    words = session_words(drive.session, language)
    assert drive.frame == screens.standing_frame(snapshot, words, drive.table.cursor, FACE)
    assert drive.journal.game_summary(number).winners == snapshot.outcome.winners
    drive.press(OK)
    assert drive.page == "home"
    assert drive.fake.lamps.patterns[-1] == ALL_LAMPS_OFF
    drive.skip()  # a remark about a rare game, if there is one
    drive.choose("games")
    drive.press(OK)
    told = drive.front.facts
    assert told["chance"] == drive.loop.shown_screen_words()("box.past.straight")


def test_a_press_composes_one_frame_for_the_one_that_it_shows() -> None:
    drive = playing()
    drive.press(OK)
    drive.skip()
    shown = len(drive.frames)
    composed = mock.Mock(wraps=frames.table_frame)
    with mock.patch.object(screen, "table_frame", composed):
        drive.press(OK)
    assert len(drive.frames) == shown + 1
    assert composed.call_count == 1


@pytest.mark.long
def test_nothing_is_drawn_twice_in_a_whole_game() -> None:
    drive = Drive()
    new_game(drive)
    play_to_the_end(drive, random.Random(7))
    assert all(one != other for one, other in pairwise(drive.frames))


# --- order of effects -----------------------------------------------------------------------------


def spied(drive: Drive) -> list[str]:
    """Return a list that collects, in order, what the box does from now on."""
    log: list[str] = []
    show, append, hear = (
        drive.fake.display.show,
        drive.journal.append_entries_to_game,
        drive.speaker._hear,
    )

    def spy_show(frame: bytes) -> None:
        log.append("frame")
        show(frame)

    def spy_append(game: int, entries: Any) -> None:
        if kept := list(entries):
            log.append("record")
            append(game, kept)

    def spy_hear(item: str) -> None:
        log.append(item)
        hear(item)

    drive.fake.display.show = spy_show  # type: ignore[method-assign]
    drive.journal.append_entries_to_game = spy_append  # type: ignore[method-assign]
    drive.speaker._hear = spy_hear  # type: ignore[method-assign]
    return log


def test_the_frame_is_shown_then_the_answer_is_written_and_then_it_is_heard() -> None:
    drive = playing("gang:molls")
    drive.turn_to(2)
    log = spied(drive)
    drive.press(OK)
    assert log[:2] == ["frame", "record"]
    assert log[2:] == ["hush", "♪ accepted", "en: Two.", "♪ your_turn", "en: Harris’s card?"]


def test_an_answer_goes_the_way_that_the_runner_tells() -> None:
    drive, told = playing("gang:molls"), documented_functions(runner)
    drive.turn_to(2)
    drive.wait(1)
    drive.down(OK)
    assert called_documented_functions(told, lambda: drive.up(OK)) == told


def test_a_verdict_is_written_before_it_is_heard() -> None:
    drive = playing("gang:caps", *WIN[:-1])
    drive.turn_to(3)
    log = spied(drive)
    drive.press(OK)
    assert log[:4] == ["frame", "record", "hush", "♪ accepted"]
    assert log[4:6] == ["♪ over_ten", "en: Over ten: Fish wins the round."]
    assert log.count("record") == 1


def test_a_secret_is_written_down_as_seen_before_it_is_shown() -> None:
    drive = playing("gang:molls", options=HIDDEN)
    log = spied(drive)
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS)
    assert log[:3] == ["record", "frame", "♪ secret_shown"]
    drive.up(OK)
    assert log[3:] == ["frame", "♪ secret_hidden"]


def test_an_answer_that_can_not_be_written_has_not_happened_and_can_be_pressed_again() -> None:
    drive = playing("gang:caps", *WIN[:-1])
    drive.turn_to(3)
    before, append = drive.session.standing.snapshot, drive.journal.append_entries_to_game
    question = drive.frame
    drive.journal.append_entries_to_game = raise_full_disk  # type: ignore[method-assign]
    drive.press(OK)
    assert drive.session.standing.snapshot == before
    assert drive.front.facts["code"] == "record"
    assert len(drive.moments) == 1
    assert drive.speaker.heard[-2:] == [
        "♪ refused", "en: The answer could not be saved. Nothing else was lost.",
    ]  # fmt: skip
    drive.press(OK)
    assert drive.frame == question
    drive.press(OK)
    drive.journal.append_entries_to_game = append  # type: ignore[method-assign]
    drive.press(OK)
    assert drive.session.standing.snapshot == before
    drive.press(OK)
    assert drive.session.standing.snapshot.position == before.position + 1
    assert drive.front.name == "round_won"


def test_an_undo_that_can_not_be_written_has_not_happened() -> None:
    drive = playing("gang:molls", 4)
    before = drive.session.standing.snapshot
    drive.journal.append_entries_to_game = raise_full_disk  # type: ignore[method-assign]
    drive.press(BACK, seconds=1.1)
    assert drive.session.standing.snapshot == before
    assert [cue.name for cue in drive.moments[0].cues] == ["refused"]


def test_a_secret_that_can_not_be_written_down_as_seen_is_not_shown() -> None:
    drive = playing("gang:molls", options=HIDDEN)
    curtain = drive.frame
    shown = len(drive.frames)
    drive.journal.append_entries_to_game = raise_full_disk  # type: ignore[method-assign]
    drive.down(OK)
    drive.wait(2)
    assert drive.table.cursor.looking is None
    drive.up(OK)
    drive.press(OK)
    assert drive.frame == curtain
    assert len(drive.frames) == shown + 2
    drive.press(OK)
    assert drive.front.facts["code"] == "look_first"


def test_an_answer_out_of_turn_that_can_not_be_written_can_be_pressed_again() -> None:
    drive = probe.menu(probe.at("en", *probe.NORMAL), "correct", "Emily")
    drive.turn_to(-25)
    before, question = drive.session.standing.snapshot, drive.frame
    fail_to_save(drive)
    assert drive.front.facts["code"] == "record"
    drive.press(OK)
    assert drive.frame == question
    drive.press(OK)
    assert drive.session.standing.snapshot.position == before.position + 1


def test_a_setting_that_can_not_be_written_stays_as_it_was() -> None:
    drive = Drive()
    drive.choose("settings")
    drive.choose("volume")
    change, drive.journal.save_settings = drive.journal.save_settings, raise_full_disk  # type: ignore[method-assign]
    drive.choose(3)
    assert drive.settings["volume"] == 7
    assert drive.speaker.volume == 70
    drive.press(OK)
    assert drive.page == "volume"
    drive.journal.save_settings = change  # type: ignore[method-assign]
    drive.press(OK)
    assert drive.settings["volume"] == 3


def test_a_game_that_can_not_be_written_down_does_not_begin() -> None:
    drive = Drive()
    drive.new()
    drive.choose(2)
    drive.choose("Fish")
    drive.choose("Harris")
    begin, drive.journal.save_new_game = drive.journal.save_new_game, raise_full_disk  # type: ignore[method-assign]
    drive.press(OK)
    drive.press(OK)
    assert drive.page == "setup"
    drive.journal.save_new_game = begin  # type: ignore[method-assign]
    drive.press(OK)
    assert drive.journal.game_numbers() == [1]
    assert drive.session.number == 1


# --- the event loop -------------------------------------------------------------------------------


@pytest.mark.long
def test_a_burst_of_edges_is_handled_in_order_and_none_is_lost() -> None:
    drive = playing("gang:molls")
    shown, at = len(drive.frames), drive.table.cursor.at
    places = 11
    turns = [random.Random(1).choice([UP, UP, DOWN]) for _ in range(2_000)]
    for i, button in enumerate(turns):
        drive.loop.inbox.put(Edge(button, True, i / 1000))
        drive.loop.inbox.put(Edge(button, False, i / 1000 + 0.0005))
    drive.loop.inbox.put(BoxQuitRequested())
    drive.loop.run()
    assert drive.table.cursor.at == (at + turns.count(UP) - turns.count(DOWN)) % places
    assert len(drive.frames) <= shown + 2
    snapshot, words = drive.session.standing.snapshot, session_words(drive.session, "en")
    assert drive.frame == screens.question_frame(
        snapshot, asked(drive), drive.table.cursor, words, FACE
    )


def test_answers_in_a_burst_are_all_taken() -> None:
    drive = playing("gang:molls")
    before = drive.session.standing.snapshot.undoable
    for i in range(4):  # ▲ turns the wheel from the card that makes ten to a 0
        for button, at in ((UP, i), (OK, i + 0.5)):
            drive.loop.inbox.put(Edge(button, True, at))
            drive.loop.inbox.put(Edge(button, False, at + 0.1))
    drive.pump()
    assert drive.session.standing.snapshot.undoable == before + 4


def test_a_hold_counts_by_the_edges_times_even_if_the_loop_was_busy() -> None:
    drive = playing("gang:molls", 4)
    drive.loop.inbox.put(Edge(BACK, True, 100.0))
    drive.loop.inbox.put(Edge(BACK, False, 100.0 + HOLD_SECONDS))
    drive.pump()
    assert drive.page is None
    assert drive.front.name == "undone"


def test_an_idle_box_never_wakes_up() -> None:
    for drive in (Drive(), playing("gang:molls")):
        assert drive.loop.seconds_until_due == pytest.approx(DIM_AND_DARK_SECONDS[0], abs=0.03)
        drive.wait(3600)
        assert drive.loop.seconds_until_due is None


def test_quit_ends_the_loop_and_says_goodbye() -> None:
    drive = Drive()
    drive.loop.inbox.put(BoxQuitRequested())
    drive.loop.run()
    drive.loop.close()
    assert drive.frame == screens.farewell_frame(drive.loop.shown_screen_words())
    assert drive.speaker.heard[-1] == "♪ goodbye"
    assert drive.buttons.closed
    assert drive.fake.display.closed
    assert drive.speaker.closed
    assert drive.fake.lamps.closed


def test_edges_may_come_from_any_thread() -> None:
    drive = playing("gang:molls")
    at = drive.table.cursor.at

    def turn() -> None:
        for i in range(100):
            drive.loop.inbox.put(Edge(UP, True, float(i)))
            drive.loop.inbox.put(Edge(UP, False, i + 0.1))
        drive.loop.inbox.put(BoxQuitRequested())

    thread = threading.Thread(target=turn)
    thread.start()
    drive.loop.run()
    thread.join()
    assert drive.table.cursor.at == (at + 100) % 11


# --- undo -----------------------------------------------------------------------------------------


def test_holding_back_takes_back_across_players_one_answer_a_hold() -> None:
    drive = playing("gang:molls", 4, 3)
    totals = []
    for _ in range(2):
        drive.press(BACK, seconds=1.1)
        drive.skip()
        totals.append(drive.session.standing.snapshot.view["total"])
    assert totals == [4, 0]
    assert drive.session.standing.pending_prompt is not None
    assert drive.session.standing.pending_prompt.who == "Fish"


def test_holding_back_takes_back_across_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    drive = Drive(begin_game(setup_for(TOLD), (*FIRST, "gang:molls"), Journal(path)))
    drive.resume()
    drive.choose(4)
    drive.loop.close()
    drive.journal.close()
    again = Drive(Journal(path))
    again.resume()
    assert again.session.standing.snapshot.view["total"] == 4
    again.press(BACK, seconds=1.1)
    assert again.session.standing.snapshot.view["total"] == 0
    again.skip()
    again.press(BACK)
    again.choose("redo")
    assert again.session.standing.snapshot.view["total"] == 4
    again.journal.close()


@pytest.mark.parametrize(
    ("language", "recap"),
    [("en", "Fish played 4. Total four."), ("fr", "Fish a joué 4. Total\u00a0: quatre.")],
)
def test_resume_says_the_last_answer_and_the_total_first(language: str, recap: str) -> None:
    drive = Drive(begin_game(setup_for(TOLD), (*FIRST, "gang:molls", 4)), language)
    drive.resume()
    drive.wait(5)
    said = [line for line in drive.speaker.heard if line.startswith(f"{language}: ")]
    assert said[0] == f"{language}: {recap}"
    assert "Harris" in said[-1]


def test_recap_of_a_resumed_game_goes_with_the_first_ok() -> None:
    drive = Drive(begin_game(setup_for(TOLD), (*FIRST, "gang:molls", 4)))
    drive.choose("resume")
    assert drive.front.name == "resumed"
    drive.press(OK)
    assert drive.table.overlays.front_overlay is None
    assert drive.session.standing.snapshot.view["total"] == 4


def test_recap_turns_to_the_standing_and_back() -> None:
    drive = Drive(begin_game(setup_for(TOLD), (*FIRST, "gang:molls", 4)))
    drive.choose("resume")
    recap = drive.frame
    drive.press("down")
    standing = drive.frame
    drive.press("up")
    assert drive.frame == recap != standing
    drive.press(OK)
    drive.press(BACK)
    drive.choose("standing")
    assert drive.frame == standing


def test_resume_without_an_answer_shows_the_standing() -> None:
    drive = Drive(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS)))
    drive.choose("resume")
    assert drive.table.overlays.is_score_in_front


def test_taking_back_past_a_seen_secret_asks_the_table_and_is_written_down() -> None:
    drive = seen_since()
    before = drive.session.standing.snapshot
    drive.press(BACK, seconds=1.1)
    assert drive.session.standing.pending_prompt is not None
    assert drive.session.standing.pending_prompt.name == "agree_undo"
    assert "en: Somebody has seen a secret since then. Does everybody agree to undo it?" in (
        drive.speaker.heard
    )
    drive.choose("no")
    assert drive.session.standing.snapshot.position == before.position
    drive.press(BACK, seconds=1.1)
    drive.choose("yes")
    assert drive.session.standing.snapshot.position < before.position
    undos = [
        e
        for e in drive.journal.read_game_header_and_lines(drive.session.number)[1]
        if e.kind == "undo"
    ]
    assert [entry.value for entry in undos] == [True]


def test_there_is_nothing_to_take_back_at_first_and_the_box_says_so() -> None:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS)))
    drive.resume()
    drive.press(BACK, seconds=1.1)
    assert drive.front.facts == {"code": "nothing_to_undo"}
    assert drive.speaker.heard[-2:] == ["♪ refused", "en: There is nothing to take back."]


# --- the first screen, settings -------------------------------------------------------------------


def test_the_box_never_goes_on_by_itself() -> None:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS)))
    drive.wait(3600)
    assert drive.page == "home"
    assert drive.loop.running_session is None
    assert drive.table.menu_or_game_prompt is not None
    drive.press(OK, OK)  # the first press wakes the display
    assert drive.session.number == 1


def test_several_unfinished_games_are_a_list() -> None:
    drive = Drive(
        begin_game(setup_for(VIRTUAL_PARTS_OPTIONS), (), begin_game(setup_for(OWN_PARTS_OPTIONS)))
    )
    drive.choose("resume")
    assert drive.page == "unfinished"
    drive.choose("1")
    assert drive.session.game_setup.options["deck"] == "own"


def test_a_game_of_another_box_or_a_damaged_one_is_not_listed() -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    journal.save_new_game({"game": "chess", "players": ["Ann", "Bob"]}, (), NOW_SECONDS)
    journal.game_numbers = lambda: [9, 2, 1]  # type: ignore[method-assign]
    drive = Drive(journal)
    drive.choose("games")
    assert asked(drive)[2] == ("1", "delete")


def test_settings_outlive_the_box(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    drive = Drive(Journal(path))
    drive.choose("settings")
    drive.choose("volume")
    drive.choose(3)
    drive.choose("heard")
    drive.choose("scores")
    drive.choose("language")
    drive.loop.close()
    drive.journal.close()
    again = Drive(Journal(path))
    assert again.speaker.volume == 30
    assert again.settings["heard"] == "scores"
    assert again.loop.shown_screen_words().language == "fr"
    again.journal.close()


def test_settings_are_the_same_after_going_back_and_forth() -> None:
    drive = Drive()
    drive.choose("settings")
    drive.choose("volume")
    drive.choose(2)
    drive.press(BACK)
    assert drive.page == "home"
    drive.choose("settings")
    assert drive.state.facts.settings["volume"] == 2


def test_volume_keeps_between_its_floor_and_its_ceiling() -> None:
    drive = Drive()
    drive.choose("settings")
    drive.choose("quietest")
    drive.choose(5)
    drive.choose("loudest")
    drive.choose(8)
    drive.choose("volume")
    assert asked(drive)[2:4] == (5, 8)
    drive.choose(8)
    assert drive.speaker.volume == 80
    drive.choose("loudest")
    drive.choose(6)
    assert drive.speaker.volume == 60
    drive.choose("loudest")
    drive.choose(2)
    assert drive.speaker.volume == 20
    assert drive.settings["quietest"] == 2


def test_a_player_is_asked_in_the_own_language() -> None:
    journal = begin_game(setup_for(TOLD), FIRST)
    journal.save_setting("languages", {"Harris": "fr"}, 0)
    drive = Drive(journal)
    drive.resume()
    drive.choose("gang:molls")
    drive.skip()
    english = session_words(drive.session, "en")
    french = session_words(drive.session, "fr")
    prompt, cursor = drive.session.standing.pending_prompt, drive.table.cursor
    assert prompt is not None
    assert drive.frame == screens.question_frame(
        drive.session.standing.snapshot, prompt, cursor, english, FACE
    )
    drive.choose(2)
    prompt, cursor = drive.session.standing.pending_prompt, drive.table.cursor
    assert prompt is not None
    assert prompt.who == "Harris"
    assert drive.frame == screens.question_frame(
        drive.session.standing.snapshot, prompt, cursor, french, FACE
    )


def test_a_question_is_spoken_in_the_language_of_whoever_is_asked() -> None:
    journal = begin_game(setup_for({**TOLD, "track": "edition"}), (1,))
    journal.save_setting("languages", {"Harris": "fr"}, 0)
    drive = Drive(journal)
    drive.resume()
    drive.choose(6)
    assert drive.speaker.heard[-1] == "fr: Harris."
    assert "en: Harris begins." in drive.speaker.heard


LEVELS: Final = {
    "everything": ["hush", "♪ accepted", "en: Four.", "♪ your_turn", "en: Harris’s card?"],
    "scores": ["hush", "en: Four."],
    "mistakes": [],
    "nothing": [],
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("level", "heard"), LEVELS.items())
def test_what_is_heard_follows_the_level(level: str, heard: list[str]) -> None:
    journal = begin_game(setup_for(TOLD), (*FIRST, "gang:molls"))
    journal.save_setting("heard", level, 0)
    drive = Drive(journal)
    drive.resume()
    drive.speaker.heard.clear()
    drive.choose(4)
    assert drive.speaker.heard == heard
    drive.speaker.heard.clear()
    fail_to_save(drive)
    assert bool(drive.speaker.heard) == (level != "nothing")


def test_names_are_remembered_for_the_next_game() -> None:
    drive = Drive()
    drive.new()
    drive.choose(2)
    drive.walk("spell", "A", DONE_PLACE)
    drive.choose("Yemana")
    drive.choose("start")
    assert drive.settings["names"] == ["A", "Yemana"]
    again = Drive(drive.journal)
    again.new()
    again.choose(2)
    assert asked(again)[2][:4] == ("A", "Yemana", "Fish", "Harris")


def test_back_while_naming_goes_back_one_name() -> None:
    drive = Drive()
    drive.new()
    drive.choose(3)
    drive.choose("Fish")
    drive.walk("spell", "A", DONE_PLACE)
    assert named(drive) == ("Fish", "A")
    drive.press(BACK)
    assert named(drive) == ("Fish",)
    drive.press(BACK)
    assert named(drive) == ()
    drive.press(BACK)
    assert drive.page == "players"


def test_a_name_that_is_taken_is_refused_and_stays_to_be_changed() -> None:
    drive = Drive()
    drive.new()
    drive.choose(2)
    drive.walk("spell", "A", DONE_PLACE)
    drive.walk("spell", "A", DONE_PLACE)
    assert drive.front.facts == {"code": "name_taken"}
    assert "♪ accepted" not in drive.speaker.heard[drive.speaker.heard.index("♪ refused") :]
    drive.press(OK)
    assert drive.page == "spell"
    assert drive.table.cursor.text == "A"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("spoilt", ["track = 3", "\0", "a folder", "x = 1\n" * 3000, "turns"])
def test_with_an_edition_that_can_not_be_used_the_built_in_one_is_played_and_that_is_told(
    tmp_path: Path, spoilt: str, language: str
) -> None:
    file = editions.user_edition_file("barney-miller", tmp_path)
    file.parent.mkdir(parents=True)
    match spoilt:
        case "a folder":
            file.mkdir()
        case "turns":
            file.symlink_to(file)
        case _:
            file.write_text(spoilt, encoding="utf-8")
    drive = Drive(folder=tmp_path, language=language)
    drive.walk("new", 2, "Fish", "Harris", "start")
    said = words_for("barney-miller", language)("box.cue.edition.speech")
    assert drive.front.name == "edition"
    assert f"{language}: {said}" in drive.speaker.heard
    drive.skip()
    assert drive.session.game_setup.edition == editions.load_edition("barney-miller")
    assert drive.session.standing.snapshot.prompt is not None


def test_an_unfinished_game_can_be_left_and_gone_on_with() -> None:
    drive = playing("gang:molls", 4)
    drive.press(BACK)
    drive.choose("leave")
    assert drive.page == "home"
    drive.resume()
    assert drive.session.standing.snapshot.view["total"] == 4


# --- overlays -------------------------------------------------------------------------------------


def test_a_verdict_goes_by_itself_after_the_time_it_takes_to_say_it() -> None:
    drive = playing("gang:caps", *WIN[:-1])
    drive.choose(3)
    assert drive.moments
    drive.wait(1.5)
    assert drive.moments
    drive.wait(10)
    assert not drive.moments
    assert overlay_change_due_at(drive.table) is None


def test_the_end_of_a_game_comes_by_itself_and_stays() -> None:
    drive = Drive()
    new_game(drive)
    rng = random.Random(5)
    while drive.session.standing.pending_prompt is not None:
        random_press(drive, rng)
    drive.wait(60)
    end = drive.shown_frame
    assert not drive.moments, "an overlay covers the final frame"
    drive.wait(3600)
    assert drive.shown_frame == end
    assert drive.session.standing.snapshot.outcome is not None


def test_a_notice_stays_until_ok() -> None:
    drive = playing("gang:molls")
    fail_to_save(drive)
    drive.wait(3600)
    assert drive.moments
    drive.press(OK, OK)  # the first press wakes the display
    assert not drive.moments


def test_a_hold_survives_a_moment_that_would_go_by() -> None:
    drive = playing("gang:caps", *WIN[:-1])
    drive.choose(3)
    until = drive.table.overlays.until
    assert until is not None
    drive.wait(until - drive.buttons.now - 0.5)
    drive.press(BACK, seconds=HOLD_SECONDS)
    assert drive.front.name == "undone"


def test_a_moment_waits_for_the_button_that_asks_why() -> None:
    drive = playing("gang:caps", *WIN[:-1])
    drive.choose(3)
    until = drive.table.overlays.until
    assert until is not None
    drive.wait(until - drive.buttons.now - 0.5)
    drive.press(OK, seconds=HOLD_SECONDS)
    assert [cue.clause for cue in drive.moments[0].cues] == ["BM-7", "BM-9", "BM-5"]


def test_a_button_held_while_another_goes_past_the_moment_does_nothing_afterwards() -> None:
    drive = playing("gang:caps", *WIN[:-1])
    drive.choose(3)
    answered = drive.session.standing.snapshot.undoable
    drive.down(OK)
    while drive.moments:
        drive.press(UP)
    drive.up(OK)
    assert drive.session.standing.snapshot.undoable == answered
    assert not drive.moments


def test_a_press_meant_for_a_moment_never_answers_the_question() -> None:
    drive = playing("gang:caps", *WIN[:-1])
    drive.choose(3)
    answered = drive.session.standing.snapshot.undoable
    until = drive.table.overlays.until
    assert until is not None
    drive.wait(until - drive.buttons.now - 0.05)
    drive.press(OK, seconds=0.3)
    assert drive.session.standing.snapshot.undoable == answered


def test_why_explains_the_moment_or_the_last_ruling_and_is_not_stacked() -> None:
    drive = playing("gang:caps", *WIN)
    drive.press(OK, seconds=1.1)
    assert drive.front.name == "why"
    drive.press(OK, seconds=1.1)
    assert [moment.lead_fact.name for moment in drive.moments] == ["why"]
    drive.press(OK)
    assert not drive.moments


@pytest.mark.long
def test_ok_on_the_last_frame_leads_home() -> None:
    drive = Drive()
    new_game(drive)
    play_to_the_end(drive, random.Random(11))
    drive.press(OK)
    assert drive.page == "home"


# --- failures -------------------------------------------------------------------------------------


class Flaky(FakeLamps):
    def show(self, lights: Sequence[str]) -> None:
        super().show(lights)
        raise HardwareError("The lamps do not answer.", "box")


def faces(*, displays: int = 2, lamps: FakeLamps | None = None) -> tuple[Loop, FakeBox, Box]:
    fake = FakeBox()
    box = Box(
        fake.buttons,
        tuple(FakeDisplay() for _ in range(displays)),
        (FakeSpeaker(), FakeSpeaker()),
        lamps or fake.lamps,
    )
    journal = begin_game(setup_for(TOLD), (*FIRST, "gang:molls"))
    return Loop(box, journal, Machine(lambda: fake.buttons.now, lambda: NOW_SECONDS)), fake, box


def press(loop: Loop, fake: FakeBox, *buttons: str) -> None:
    for button in buttons:
        fake.buttons.press(button)
        while not loop.inbox.empty():
            loop.handle_event(loop.inbox.get())
        loop.draw_postponed_frame()


def test_a_display_that_fails_is_told_once_on_the_others_and_tried_again() -> None:
    loop, fake, box = faces()
    bad, good = box.displays
    assert isinstance(bad, FakeDisplay)
    assert isinstance(good, FakeDisplay)
    loop.start()
    bad.failing = True
    press(loop, fake, OK)
    assert loop._services.stands.table.overlays.queue[0].lead_fact.name == "hardware"
    notice = screens.fact_frame(
        loop._services.stands.table.overlays.queue[0].cues,
        loop.shown_screen_words(),
        loop._services.stands.table.cursor,
        FACE,
    )
    assert good.frames[-1] == notice
    speaker = box.speakers[0]
    assert isinstance(speaker, FakeSpeaker)
    assert speaker.heard.count("en: The display does not answer: check its four wires.") == 1
    press(loop, fake, OK, OK, UP)
    assert not loop._services.stands.table.overlays.queue
    assert sum(frame == notice for frame in good.frames) == 1
    assert all(one != other for one, other in pairwise(good.frames))
    bad.failing = False
    press(loop, fake, SEATS[3])
    assert bad.frames[-1] == good.frames[-1]


def test_a_box_whose_only_display_fails_plays_on_by_ear_and_takes_every_press() -> None:
    loop, fake, box = faces(displays=1)
    (display,) = box.displays
    assert isinstance(display, FakeDisplay)
    loop.start()
    press(loop, fake, OK, OK)
    display.failing = True
    press(loop, fake, UP, UP, OK)
    assert loop.running_session is not None
    assert loop.running_session.standing.snapshot.view["total"] == 1
    assert not loop._services.stands.table.overlays.queue
    display.failing = False
    press(loop, fake, UP)
    assert display.frames[-1] == loop._services.screen.shown_frame


def test_a_speaker_that_fails_is_shown_once_and_the_game_goes_on() -> None:
    loop, fake, box = faces()
    bad, good = box.speakers
    assert isinstance(bad, FakeSpeaker)
    assert isinstance(good, FakeSpeaker)
    loop.start()
    press(loop, fake, OK, OK)
    bad.failing = True
    press(loop, fake, UP, UP, OK)
    assert loop.running_session is not None
    assert loop.running_session.standing.snapshot.view["total"] == 1
    assert loop._services.stands.table.overlays.queue[0].lead_fact.name == "hardware"
    assert "en: One." in good.heard
    fake.buttons.wait(60)
    loop.tick(fake.buttons.now)
    assert not loop._services.stands.table.overlays.queue
    press(loop, fake, OK)
    assert not loop._services.stands.table.overlays.queue
    bad.failing = False
    press(loop, fake, OK)
    assert bad.heard[-1] == good.heard[-1]


def test_lamps_that_fail_do_not_stop_the_game() -> None:
    loop, fake, box = faces(lamps=Flaky())
    loop.start()
    press(loop, fake, OK, OK, OK, OK)
    assert loop.running_session is not None
    display = box.displays[0]
    assert isinstance(display, FakeDisplay)
    note = Cue("hardware", {"part": "box", "message": "The lamps do not answer."})
    shown = screens.fact_frame(
        (note,), loop.shown_screen_words(), loop._services.stands.table.cursor, FACE
    )
    assert display.frames.count(shown) == 1


def test_trouble_that_hardware_reports_by_itself_is_shown_once() -> None:
    drive = playing("gang:molls")
    for _ in range(3):
        drive.loop.inbox.put(HardwareTrouble(HardwareError("no sound", "sound")))
        drive.pump()
    assert len(drive.moments) == 1
    drive.wait(60)
    assert not drive.moments


def test_a_repaired_record_is_told_at_the_start() -> None:
    journal = Journal(None)
    journal.unannounced_repair = RepairResult(12, 3, "games-damaged.db")
    drive = Drive(journal)
    assert drive.front.name == "damaged"
    assert "en: The record was damaged. The box saved what it could read." in drive.speaker.heard
    drive.press(OK)
    assert drive.page == "home"


def test_a_loudspeaker_is_made_after_the_first_frame() -> None:
    fake, order = FakeBox(), list[str]()
    late = FakeSpeaker()

    def loudspeaker(_: object) -> FakeSpeaker:
        order.append(f"{len(fake.display.frames)} frame")
        return late

    loop = Loop(fake.box, Journal(None), Machine(float, int, loudspeaker=loudspeaker))
    loop.start()
    assert order == ["1 frame"]
    assert late.heard == ["♪ ready"]


# --- lamps and secrets ----------------------------------------------------------------------------


def test_the_lamp_of_whoever_is_asked_is_lit() -> None:
    drive = playing("gang:molls")
    lamps = drive.fake.lamps.patterns
    assert lamps[-1] == (LAMP_ON, LAMP_OFF, LAMP_OFF, LAMP_OFF)
    drive.choose(2)
    assert lamps[-1] == (LAMP_OFF, LAMP_ON, LAMP_OFF, LAMP_OFF)
    drive.press(BACK)
    assert lamps[-1] == (LAMP_OFF, BLINK_SLOWLY, LAMP_OFF, LAMP_OFF)
    drive.choose("leave")
    assert lamps[-1] == ALL_LAMPS_OFF


def hidden(seed: str) -> tuple[list[bytes], list[bytes], Drive]:
    """Play through a game with secret cards. Return frames without and with a held button."""
    setup = setup_for(HIDDEN, seed=seed, players=PLAYER_NAMES[:3])
    drive = Drive(begin_game(setup, (1, 2, 6)))
    free: list[bytes] = []
    held: list[bytes] = []
    show = drive.fake.display.show

    def sorted_show(frame: bytes) -> None:
        (held if drive.table.cursor.held else free).append(frame)
        show(frame)

    drive.fake.display.show = sorted_show  # type: ignore[method-assign]
    drive.resume()
    drive.choose("gang:molls")
    drive.skip()
    drive.press(UP, OK, OK, DOWN)
    drive.press(OK, seconds=1)
    drive.press(SEATS[1], seconds=1)
    drive.press(SEATS[2], seconds=2)
    drive.down(SEATS[0])
    drive.wait(1)
    drive.press(UP, BACK, BACK)
    drive.up(SEATS[0])
    drive.press(BACK)
    drive.choose("standing")
    drive.press(OK, BACK)
    drive.choose("look")
    drive.choose("Harris")
    drive.press(OK, OK, UP)
    drive.press(OK, seconds=1)
    drive.press(OK)
    drive.press(BACK, seconds=1.2)
    drive.skip()
    drive.press(BACK)
    drive.choose("redo")
    drive.skip()
    return free, held, drive


@pytest.mark.long
def test_hidden_cards_are_in_no_frame_sound_or_lamp_while_no_button_is_held() -> None:
    one, other = hidden("one"), hidden("other")
    hands = [
        drive.session.standing.view_with_player_secrets("Fish")["cards"]
        for _, _, drive in (one, other)
    ]
    assert hands[0] != hands[1]
    assert one[0] == other[0]
    assert one[2].speaker.heard == other[2].speaker.heard
    assert one[2].fake.lamps.patterns == other[2].fake.lamps.patterns
    assert one[1] != other[1]


def test_an_answer_closes_whatever_somebody_was_looking_at() -> None:
    drive = playing("gang:molls", options=HIDDEN)
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS)
    drive.press(UP)
    drive.up(OK)
    drive.down(SEATS[1])
    drive.wait(LOOK_HOLD_SECONDS)
    assert drive.table.cursor.looking == "Harris"
    drive.press(OK)
    assert drive.table.cursor.looking is None


def test_a_look_from_the_menu_ends_with_the_button_and_the_game_goes_on() -> None:
    drive = playing("gang:molls", options=HIDDEN)
    question = drive.frame
    drive.press(BACK)
    drive.choose("look")
    drive.choose("Harris")
    drive.press(OK)
    assert drive.front.facts == {"code": "look_first"}
    drive.press(OK)
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS)
    assert drive.table.cursor.looking == "Harris"
    drive.up(OK)
    assert drive.frame == question


# --- random presses -------------------------------------------------------------------------------


def walked(*values: Any) -> Drive:
    drive = Drive()
    drive.walk(*values)
    return drive


PAGES: Final[tuple[Callable[[], Drive], ...]] = (
    Drive,
    lambda: Drive(
        begin_game(
            setup_for(VIRTUAL_PARTS_OPTIONS),
            (),
            begin_game(setup_for(OWN_PARTS_OPTIONS, mixing=True)),
        )
    ),
    lambda: playing("gang:molls", options=HIDDEN),
    lambda: playing("gang:caps", *WIN),
    seen_since,
    lambda: walked("settings"),
    lambda: walked("new", 2, "spell"),
    lambda: walked("new", 3, "Fish"),
)
"""Boxes on many pages."""


def storm(drive: Drive, script: Sequence[tuple[str, bool, float]]) -> None:
    for button, down, seconds in script:
        drive.loop.inbox.put(Edge(button, down, drive.buttons.now))
        drive.pump()
        if seconds > 0.1:
            drive.wait(seconds)
        looking = drive.table.cursor.looking
        assert looking is None or drive.table.cursor.held


@pytest.mark.long
@settings(max_examples=max_examples(25))
@given(
    st.sampled_from(PAGES),
    st.lists(st.tuples(st.sampled_from(BUTTONS), st.booleans(), st.floats(0, 1.5)), max_size=60),
)
def test_no_storm_of_presses_breaks_the_box(page: Callable[[], Drive], script: Any) -> None:
    storm(page(), script)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("page", range(len(PAGES)))
def test_five_hundred_random_edges_never_break_the_box(page: int) -> None:
    rng = random.Random(page)
    script = [
        (rng.choice(BUTTONS), rng.random() < 0.5, rng.choice([0, 0, 0, 0, 0.2, 0.5, 1.1]))
        for _ in range(500)
    ]
    drive = PAGES[page]()
    storm(drive, script)
    assert len(drive.shown_frame) == len(drive.frame)
    for number in drive.journal.game_numbers():
        drive.journal.read_game_header_and_lines(number)


def test_a_seed_is_fresh_for_every_game() -> None:
    seeds = set()
    for _ in range(3):
        drive = Drive()
        new_game(drive)
        seeds.add(drive.session.game_setup.chance.seed)
        assert isinstance(drive.session.game_setup.chance, Chance)
    assert len(seeds) == 3


def test_a_notice_and_what_it_says_belong_together() -> None:
    journal = begin_game(setup_for(TOLD), (*FIRST, "gang:molls"))
    journal.append_entries_to_game(1, [Entry("answer", "play_card", "Fish", 99, NOW_SECONDS)])
    drive = Drive(journal)
    drive.choose("resume")
    note = Cue("rules_changed", {"answer": 4})
    assert drive.front == note
    words = session_words(drive.session, "en")
    assert drive.frame == screens.fact_frame((note,), words, drive.table.cursor, FACE)
