"""Tests of the end of the box: switched off by a player, ended by the system, or closed."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from companion.box import system
from companion.box.dimming_and_lock import DIM_AND_DARK_SECONDS
from companion.box.events import BoxQuitRequested, HardwareTrouble
from companion.box.farewell import FAREWELL_SECONDS
from companion.box.loop import Loop
from companion.cmd import places, repair_screens, start
from companion.draw import box_frames, screens
from companion.games.barney_miller.shown.face import FACE
from companion.press.chords import BAR_STEPS_BY_CHORD, OFF_CHORD
from companion.record.journal import Journal, JournalError
from companion.table.table import ALL_LAMPS_OFF
from hardware.mock import FakeBox
from hardware.ports import BACK, OK, UP, Edge, HardwareError
from tests.helpers import OWN_PARTS_OPTIONS, Drive, begin_game, setup_for
from tests.scenes.box import held, holding, locked, playing, stuck


def is_closed(journal: Journal) -> bool:
    try:
        journal.save_setting("volume", 3, 0)
    except JournalError:
        return True
    return False


class Switch:
    """A fake power switch that counts its calls."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


# --- by hand --------------------------------------------------------------------------------------


def test_three_seconds_of_back_and_ok_switch_the_machine_off() -> None:
    switch = Switch()
    drive = holding(playing("en", switch), BACK, OK, seconds=2.99)
    assert switch.times == 0
    drive.wait(0.01)
    assert switch.times == 1
    assert is_closed(drive.journal)
    assert drive.frame == box_frames.power_off_frame(drive.loop.shown_screen_words())
    assert drive.fake.lamps.patterns[-1] == ALL_LAMPS_OFF
    assert drive.speaker.heard[-1] == "♪ goodbye"


def test_the_loop_ends_and_the_last_frame_stays_for_as_long_as_there_is_power() -> None:
    drive = holding(playing("en", Switch()), BACK, OK, seconds=3)
    safe, sounds = drive.frame, drive.speaker.heard.count("♪ goodbye")
    drive.loop.run()
    drive.loop.close()
    assert drive.frame == safe
    assert drive.fake.display.kept
    assert drive.speaker.heard.count("♪ goodbye") == sounds
    assert drive.buttons.closed
    assert drive.fake.lamps.closed


def test_letting_go_in_time_switches_nothing_off() -> None:
    switch = Switch()
    drive = held(playing("en", switch), BACK, OK, seconds=2.9)
    drive.wait(10)
    assert switch.times == 0
    assert not is_closed(drive.journal)


def test_edges_count_by_their_own_times_even_if_the_loop_was_busy() -> None:
    for seconds, times in ((2.99, 0), (3.0, 1)):
        switch = Switch()
        drive = playing("en", switch)
        now = drive.buttons.now
        for edge in (Edge(BACK, True, now), Edge(OK, True, now), Edge(OK, False, now + seconds)):
            drive.loop.inbox.put(edge)
        drive.pump()
        assert switch.times == times


def test_nothing_that_happens_after_it_is_shown() -> None:
    drive = holding(playing("en", Switch()), BACK, OK, seconds=3)
    shown = len(drive.frames)
    for event in (
        HardwareTrouble(HardwareError("no sound", "sound")),
        Edge(OK, False, 99.0),
        BoxQuitRequested(),
    ):
        drive.loop.inbox.put(event)
    drive.pump()
    assert drive.loop.is_over
    assert len(drive.frames) == shown


def test_a_locked_box_can_be_switched_off() -> None:
    switch = Switch()
    drive = locked("en", switch)
    holding(drive, BACK, OK, seconds=3)
    assert switch.times == 1


def test_a_dark_box_can_be_switched_off_with_one_hold() -> None:
    switch = Switch()
    drive = playing("en", switch)
    drive.wait(DIM_AND_DARK_SECONDS[1])
    holding(drive, BACK, OK, seconds=3)
    assert switch.times == 1
    assert drive.fake.display.percent == 100


def test_the_menus_can_be_switched_off_too() -> None:
    switch = Switch()
    holding(Drive(power_off=switch), OK, BACK, seconds=3)
    assert switch.times == 1


def test_a_machine_that_does_not_go_off_says_so_each_time_and_the_game_goes_on() -> None:
    drive = playing("en", stuck)
    for _ in range(2):
        held(drive, BACK, OK, seconds=3)
        assert [moment.lead_fact.name for moment in drive.moments] == ["hardware"]
        assert drive.frame == screens.fact_frame(
            drive.moments[0].cues, drive.loop.shown_screen_words(), drive.table.cursor, FACE
        )
        drive.press(OK)
        assert not drive.moments
    drive.press(OK)
    assert not is_closed(drive.journal)
    assert drive.session.standing.snapshot.undoable == 3


def test_a_face_that_is_no_machine_does_not_offer_it() -> None:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS), (6, 1)))
    drive.resume()
    frame, lines = drive.frame, len(drive.journal.read_game_header_and_lines(1)[1])
    drive.down(BACK)
    drive.down(OK)
    drive.wait(0.9)
    bars = [
        box_frames.held_buttons_frame(
            OFF_CHORD, n, BAR_STEPS_BY_CHORD[OFF_CHORD], drive.loop.shown_screen_words()
        )
        for n in range(BAR_STEPS_BY_CHORD[OFF_CHORD])
    ]
    assert drive.frame not in bars
    drive.wait(3)
    assert not drive.loop.is_over
    assert drive.frame == frame  # OK was held too long for a gesture
    assert len(drive.journal.read_game_header_and_lines(1)[1]) == lines


# --- ended by the system --------------------------------------------------------------------------


def test_a_machine_says_goodbye_for_a_second_with_its_record_closed_and_lamps_out() -> None:
    drive = playing("en", Switch())
    drive.loop.inbox.put(BoxQuitRequested())
    drive.pump()
    assert drive.frame == screens.farewell_frame(drive.loop.shown_screen_words())
    assert is_closed(drive.journal)
    assert drive.fake.lamps.patterns[-1] == ALL_LAMPS_OFF
    drive.wait(FAREWELL_SECONDS - 0.01)
    assert not drive.loop.is_over
    drive.wait(0.02)
    assert drive.loop.is_over
    drive.loop.close()
    assert drive.fake.display.closed
    assert not drive.fake.display.kept
    assert drive.speaker.heard.count("♪ goodbye") == 1


def test_a_dimmed_box_says_goodbye_brightly() -> None:
    drive = playing("en", Switch())
    drive.wait(DIM_AND_DARK_SECONDS[1])
    drive.loop.inbox.put(BoxQuitRequested())
    drive.pump()
    assert drive.fake.display.percent == 100


def test_presses_do_not_keep_a_box_that_has_said_goodbye() -> None:
    drive = playing("en", Switch())
    drive.loop.inbox.put(BoxQuitRequested())
    drive.pump()
    goodbye = drive.frame
    for _ in range(20):
        drive.buttons.press(OK, UP, BACK)
        drive.pump()
    assert drive.loop.is_over
    assert drive.frame == goodbye


def test_a_face_that_is_closed_ends_at_once() -> None:
    drive = Drive()
    drive.loop.inbox.put(BoxQuitRequested())
    drive.pump()
    assert drive.loop.is_over
    assert not is_closed(drive.journal)


@pytest.mark.skipif(not hasattr(os, "kill"), reason="no signals here")
def test_sigterm_ends_the_service_once_its_goodbye_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeBox()
    path = tmp_path / "games.db"
    monkeypatch.setattr(places, "record_file", lambda: path)
    monkeypatch.setattr(start, "_loudspeaker", lambda *_, **__: fake.speaker)
    before = signal.getsignal(signal.SIGTERM)
    asked: list[float] = []
    inbox = SimpleQueue[Any]()

    def stop() -> None:
        end = time.monotonic() + 60
        # without the handler, SIGTERM would end the tests
        while signal.getsignal(signal.SIGTERM) == before:
            if time.monotonic() > end:
                inbox.put(BoxQuitRequested())
                return
            os.sched_yield()
        asked.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGTERM)

    stopper = threading.Thread(target=stop)
    stopper.start()
    try:
        start.run_until_quit(
            fake.box, repair_screens.open_or_repair_record(fake.box.displays), inbox
        )
    finally:
        stopper.join()
        signal.signal(signal.SIGTERM, before)
    assert 0 < FAREWELL_SECONDS < 2
    assert time.monotonic() - asked[0] >= FAREWELL_SECONDS
    assert fake.display.closed
    assert not fake.display.kept
    assert fake.lamps.closed


def test_the_pi_is_given_its_switch_and_other_faces_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch = Switch()
    monkeypatch.setattr(system, "power_off", switch)
    monkeypatch.setattr(places, "record_file", lambda: tmp_path / "games.db")
    monkeypatch.setattr(start, "run_box_loop", hold_both)
    start.run_until_quit(FakeBox().box, repair_screens.open_or_repair_record(), SimpleQueue())
    assert switch.times == 1
    hold_both(start.make_box_loop(FakeBox().box, Journal(None)))
    assert switch.times == 1


def hold_both(loop: Loop) -> None:
    """Hold BACK and OK together for three seconds."""
    loop.start()
    now = time.monotonic()
    for down, seconds in ((True, 0.0), (False, 3.0)):
        for button in (BACK, OK):
            loop.handle_event(Edge(button, down, now + seconds))
