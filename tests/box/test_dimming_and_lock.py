"""Tests of the dimmed display, the child lock, and two buttons that are held together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.box.dimming_and_lock import (
    BRIGHTNESS_LEVELS,
    DIM_AND_DARK_SECONDS,
    LOCK_NOTE_SECONDS,
    ButtonGuard,
)
from companion.box.events import HardwareTrouble
from companion.box.timers import REMINDER_SECONDS
from companion.draw import box_frames
from companion.press import chords
from companion.press.actions import Action, RequestHint, RequestSpeechRepeat, ToggleScoreDisplay
from companion.press.chords import (
    BAR_STEP_SECONDS,
    BAR_STEPS_BY_CHORD,
    CHORD_BUTTONS,
    GESTURE_ACTIONS,
    LOCK_CHORD,
    MAX_TAP_SECONDS,
    OFF_CHORD,
    HeldButtons,
)
from companion.press.controls import LOOK_HOLD_SECONDS, OPEN_SECRET_TIMEOUT_SECONDS
from companion.record.journal import Journal
from companion.say.words import LANGUAGES, Words
from companion.table import frames
from companion.table.overlays import NOTE_SECONDS
from companion.table.table import ALL_LAMPS_OFF
from hardware.ports import BACK, BLINK_QUICKLY, BUTTONS, DOWN, OK, SEATS, UP, Edge, HardwareError
from tests.helpers import VIRTUAL_PARTS_OPTIONS, Drive, begin_game, max_examples, setup_for
from tests.scenes import probe
from tests.scenes.box import held, holding, locked, off, playing

DIM, BLACK = BRIGHTNESS_LEVELS[1:]


def hidden() -> Drive:
    """Return a game of two with the box's cards, in which a curtain hides Fish's cards."""
    drive = Drive(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, seed="2"), (6, 1)), power_off=off)
    drive.resume()
    return drive


def asleep(after: float = DIM_AND_DARK_SECONDS[0]) -> Drive:
    drive = playing("en")
    drive.wait(after)
    return drive


def record(journal: Journal) -> int:
    """Return the number of recorded lines."""
    return len(journal.read_game_header_and_lines(1)[1])


# --- dimming --------------------------------------------------------------------------------------


def test_a_display_that_nobody_uses_dims_and_then_goes_dark() -> None:
    drive = playing("en")
    drive.press(UP)
    frame = drive.frame
    drive.wait(DIM_AND_DARK_SECONDS[0] - 1)
    assert drive.fake.display.percent == 100
    drive.wait(1)
    assert drive.fake.display.percent == DIM
    drive.wait(DIM_AND_DARK_SECONDS[1] - DIM_AND_DARK_SECONDS[0])
    assert drive.fake.display.percent == BLACK == 0
    assert drive.frame == frame


def test_a_box_at_rest_wakes_up_twice_and_then_never() -> None:
    drive = playing("en")
    drive.press(UP)
    ticks: list[float] = []
    tick = drive.loop.tick

    def counted(now: float) -> None:
        ticks.append(now)
        tick(now)

    drive.loop.tick = counted  # type: ignore[method-assign]
    drive.wait(10 * DIM_AND_DARK_SECONDS[1])
    assert len(ticks) == len(DIM_AND_DARK_SECONDS)
    assert drive.loop.seconds_until_due is None


@pytest.mark.sampled(4)
@pytest.mark.parametrize("button", BUTTONS)
@pytest.mark.parametrize("after", DIM_AND_DARK_SECONDS)
@pytest.mark.parametrize("seconds", [0.08, 1.5])
def test_a_press_that_wakes_the_display_does_nothing_else(
    button: str, after: float, seconds: float
) -> None:
    drive = asleep(after)
    frame, cursor, lines = drive.frame, drive.table.cursor, record(drive.journal)
    drive.down(button)
    assert drive.fake.display.percent == 100
    drive.wait(seconds)
    drive.up(button)
    assert (drive.frame, drive.table.cursor) == (frame, cursor)
    assert record(drive.journal) == lines
    drive.press(UP)
    assert drive.table.cursor.at != cursor.at


def test_a_display_does_not_rest_while_a_button_is_held() -> None:
    drive = playing("en")
    drive.down(SEATS[0])
    drive.wait(2 * DIM_AND_DARK_SECONDS[1])
    assert drive.fake.display.percent == 100
    drive.up(SEATS[0])
    drive.wait(DIM_AND_DARK_SECONDS[0] - 1)
    assert drive.fake.display.percent == 100
    drive.wait(1)
    assert drive.fake.display.percent == DIM


def test_a_secret_that_somebody_looks_at_stays_bright() -> None:
    drive = hidden()
    drive.down(OK)
    drive.wait(2 * DIM_AND_DARK_SECONDS[1])
    assert drive.table.cursor.looking == "Fish"
    assert drive.fake.display.percent == 100


def test_a_card_can_be_chosen_however_long_the_own_hand_was_looked_at() -> None:
    drive = hidden()
    drive.down(OK)
    drive.wait(2 * DIM_AND_DARK_SECONDS[1])
    at = drive.table.cursor.at
    drive.press(UP)
    assert drive.table.cursor.at != at


def test_a_secret_that_stays_open_without_a_button_stays_bright() -> None:
    drive = probe.spelling("en")
    assert drive.table.cursor.looking is not None
    assert not drive.table.cursor.held
    drive.wait(OPEN_SECRET_TIMEOUT_SECONDS - 1)
    assert drive.fake.display.percent == 100


def test_a_note_about_the_hardware_wakes_the_display() -> None:
    drive = asleep(DIM_AND_DARK_SECONDS[1])
    drive.loop.inbox.put(HardwareTrouble(HardwareError("no sound", "sound")))
    drive.pump()
    assert drive.fake.display.percent == 100
    drive.wait(DIM_AND_DARK_SECONDS[0] + 60)
    assert drive.fake.display.percent == DIM


def test_a_moment_that_moves_keeps_the_display_awake() -> None:
    drive = playing("en")
    drive.loop.inbox.put(HardwareTrouble(HardwareError("no sound", "sound")))
    drive.pump()
    drive.wait(NOTE_SECONDS)
    assert not drive.moments
    drive.wait(DIM_AND_DARK_SECONDS[0] - 1)
    assert drive.fake.display.percent == 100
    drive.wait(1)
    assert drive.fake.display.percent == DIM


def test_the_player_asked_is_reminded_once_after_a_minute_and_a_press_ends_it() -> None:
    drive = playing("en")
    drive.services.turn.save_settings({"nudge": True})
    drive.press(UP)
    heard = len(drive.speaker.heard)
    drive.wait(REMINDER_SECONDS - 1)
    assert not drive.table.nudged
    drive.wait(2)
    assert drive.table.nudged
    assert drive.speaker.heard[heard:] == ["♪ your_turn"]
    assert BLINK_QUICKLY in drive.table.lamp_states
    drive.wait(REMINDER_SECONDS + 1)
    assert drive.speaker.heard[heard:] == ["♪ your_turn"], "a second reminder"
    drive.press(UP)
    assert not drive.table.nudged
    assert BLINK_QUICKLY not in drive.table.lamp_states


def test_nobody_is_reminded_unless_the_settings_say_so_or_while_the_menu_is_open() -> None:
    drive = playing("en")
    drive.wait(2 * REMINDER_SECONDS)
    assert not drive.table.nudged
    drive.services.turn.save_settings({"nudge": True})
    drive.press(BACK)
    drive.wait(2 * REMINDER_SECONDS)
    assert not drive.table.nudged


def sand(drive: Drive) -> int:
    """Return the number of lit columns in the frame's lowest row."""
    return sum(column >> 7 for column in drive.frame[-128:])


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_turn_timer_runs_out_with_a_word_at_ten_seconds_and_no_penalty(language: str) -> None:
    drive = playing(language)
    drive.services.turn.save_settings({"timer": "60"})
    drive.press(UP)
    assert (drive.table.sand, sand(drive)) == (16, 128)
    drive.wait(30)
    assert (drive.table.sand, sand(drive)) == (8, 64)
    heard, position = len(drive.speaker.heard), drive.session.standing.snapshot.position
    drive.wait(19)
    assert drive.speaker.heard[heard:] == []
    drive.wait(2)
    word = {"en": "Ten seconds.", "fr": "Dix secondes."}[language]
    assert [text for text in drive.speaker.heard[heard:] if word in text]
    drive.wait(60)
    assert (drive.table.sand, sand(drive)) == (0, 0)
    assert drive.speaker.heard[heard:] == [f"{language}: {word}"]
    assert drive.session.standing.snapshot.position == position
    drive.services.turn.save_settings({"timer": "off"})
    drive.press(DOWN)
    assert drive.table.sand is None


def test_the_turn_timer_stands_while_the_menu_is_open_and_starts_anew_with_each_player() -> None:
    drive = playing("en")
    drive.services.turn.save_settings({"timer": "60"})
    drive.press(UP)
    drive.wait(30)
    drive.press(BACK)
    drive.wait(60)
    drive.press(BACK)
    assert drive.table.sand == 8
    first = drive.session.standing.snapshot.view["to_act"]
    while drive.session.standing.snapshot.view["to_act"] == first:
        drive.press(OK)
    assert drive.table.sand == 16


def test_lamps_are_out_while_the_display_is_dark() -> None:
    drive = asleep(DIM_AND_DARK_SECONDS[1])
    assert drive.fake.lamps.patterns[-1] == ALL_LAMPS_OFF
    drive.press(UP)
    assert drive.fake.lamps.patterns[-1] == drive.fake.lamps.patterns[-3] != ALL_LAMPS_OFF


def test_a_display_that_can_not_be_dimmed_is_told_and_the_game_goes_on() -> None:
    drive = playing("en")
    drive.fake.display.failing = True
    drive.wait(DIM_AND_DARK_SECONDS[0])
    assert drive.speaker.heard[-1] == "en: The display does not answer: check its four wires."
    assert not drive.moments


@given(st.floats(0, 1e6), st.floats(0, 1e4))
def test_a_rest_is_as_deep_as_it_is_long(since: float, later: float) -> None:
    now = since + later
    depth = sum(now >= since + after for after in DIM_AND_DARK_SECONDS)
    found = ButtonGuard(since, switches_off=False)
    found.tick(now, looking=None)
    assert found.brightness_percent == BRIGHTNESS_LEVELS[depth]
    due = found.due_at(looking=None)
    assert due is None or due > now


# --- two buttons ----------------------------------------------------------------------------------


def edges(*steps: tuple[str, bool, float]) -> HeldButtons:
    hands = HeldButtons()
    for step in steps:
        hands = chords.held_buttons_after_edge(hands, Edge(*step), CHORD_BUTTONS)
    return hands


@pytest.mark.parametrize("chord", CHORD_BUTTONS)
def test_a_chord_is_full_after_its_time_whichever_button_came_first(chord: str) -> None:
    for one, other in (tuple(CHORD_BUTTONS[chord]), tuple(reversed([*CHORD_BUTTONS[chord]]))):
        hands = edges((one, True, 1.0), (other, True, 1.5))
        full = 1.5 + BAR_STEP_SECONDS * BAR_STEPS_BY_CHORD[chord]
        assert chords.held_buttons_and_completed_chord(hands, full - 0.01)[1] is None
        hands, found = chords.held_buttons_and_completed_chord(hands, full)
        assert found == chord
        assert hands.chord_bar_step_due_at is None
        assert chords.held_buttons_and_completed_chord(hands, full + 9) == (hands, None)


def test_off_takes_three_seconds_and_the_lock_two() -> None:
    assert (
        BAR_STEP_SECONDS * BAR_STEPS_BY_CHORD[OFF_CHORD],
        BAR_STEP_SECONDS * BAR_STEPS_BY_CHORD[LOCK_CHORD],
    ) == (
        3,
        2,
    )


@pytest.mark.parametrize("last", [(OK, False), (BACK, False), (UP, True), (SEATS[0], True)])
def test_any_other_edge_ends_a_chord(last: tuple[str, bool]) -> None:
    hands = edges((BACK, True, 0), (OK, True, 0), (*last, 2.9))
    assert hands.busy
    assert chords.held_buttons_and_completed_chord(hands, 60) == (hands, None)


def test_a_chord_does_not_begin_when_a_third_button_comes_up() -> None:
    hands = edges((UP, True, 0), (BACK, True, 0.1), (OK, True, 0.2), (UP, False, 0.3))
    assert hands.chord is None


@given(st.lists(st.tuples(st.sampled_from(BUTTONS), st.booleans()), max_size=60))
def test_hands_are_free_when_all_buttons_are_up(pressed: list[tuple[str, bool]]) -> None:
    down: set[str] = set()
    hands = HeldButtons()
    for n, (button, is_down) in enumerate(pressed):
        (down.add if is_down else down.discard)(button)
        hands = chords.held_buttons_after_edge(
            hands, Edge(button, is_down, float(n)), CHORD_BUTTONS
        )
        assert hands.held == down
        assert hands.chord is None or CHORD_BUTTONS[hands.chord] == down
        assert hands.busy or hands.chord is None
        assert down or not hands.busy


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("first", "second"), [(BACK, OK), (OK, BACK)])
@pytest.mark.parametrize("before", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("seconds", [MAX_TAP_SECONDS, 1.5, 2.9])
def test_back_and_ok_together_neither_take_back_nor_explain_nor_answer(
    first: str, second: str, before: float, seconds: float
) -> None:
    drive = playing("en")
    drive.choose(drive.session.standing.pending_prompt.options[0])  # type: ignore[union-attr]
    drive.skip()
    frame, lines = drive.frame, record(drive.journal)
    drive.down(first)
    drive.wait(before)
    drive.down(second)
    drive.wait(seconds)
    drive.up(first)
    drive.wait(2)
    drive.up(second)
    assert drive.frame == frame
    assert (drive.page, [*drive.moments]) == (None, [])
    assert record(drive.journal) == lines


# --- a tap while BACK is held ---------------------------------------------------------------------


def gesture(drive: Drive, button: str, seconds: float = 0.08) -> None:
    drive.down(BACK)
    drive.wait(0.1)
    drive.press(button, seconds=seconds)
    drive.up(BACK)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("button", "action"),
    [(UP, RequestSpeechRepeat()), (DOWN, ToggleScoreDisplay()), (OK, RequestHint())],
)
@pytest.mark.parametrize("first_up", ["button", BACK])
@pytest.mark.parametrize("late", [False, True])
def test_a_tap_while_back_is_held_is_a_gesture(
    button: str, action: Action, first_up: str, *, late: bool
) -> None:
    up = button if first_up == "button" else BACK
    hands = edges(
        (BACK, True, 0.0),
        (button, True, 0.3),
        (up, False, 0.3 + MAX_TAP_SECONDS * (2 if late else 0.9)),
    )
    assert hands.made == (None if late else action)


@pytest.mark.parametrize("button", GESTURE_ACTIONS)
def test_a_button_that_went_down_before_back_makes_no_gesture(button: str) -> None:
    hands = edges((button, True, 0.0), (BACK, True, 0.1), (BACK, False, 0.2))
    assert hands.made is None


@given(st.lists(st.tuples(st.sampled_from(BUTTONS), st.booleans()), max_size=60))
def test_no_button_alone_makes_a_gesture(pressed: list[tuple[str, bool]]) -> None:
    hands, down = HeldButtons(), set[str]()
    for n, (button, is_down) in enumerate(pressed):
        (down.add if is_down else down.discard)(button)
        hands = chords.held_buttons_after_edge(
            hands, Edge(button, is_down, float(n) / 5), CHORD_BUTTONS
        )
        assert hands.made is None or down <= {BACK, *GESTURE_ACTIONS}


def test_back_held_with_a_tap_of_down_shows_how_it_stands_and_puts_it_away() -> None:
    drive = playing("en")
    frame, lines = drive.frame, record(drive.journal)
    gesture(drive, DOWN)
    assert drive.table.overlays.is_score_in_front
    gesture(drive, DOWN)
    assert (drive.frame, drive.page, record(drive.journal)) == (frame, None, lines)


def test_back_held_with_a_tap_of_up_says_it_again_and_turns_nothing() -> None:
    drive = playing("en")
    frame, said = drive.frame, len(drive.speaker.heard)
    gesture(drive, UP)
    drive.wait(3)
    assert drive.frame == frame
    assert drive.speaker.heard[said:]


def test_back_held_with_a_tap_of_ok_asks_for_a_hint_and_answers_nothing() -> None:
    drive = playing("en")
    lines = record(drive.journal)
    gesture(drive, OK)
    assert drive.front.facts["code"] == "no_hint"  # this box has no program that finds hints
    assert record(drive.journal) == lines


def test_a_gesture_after_a_long_hold_of_back_takes_nothing_back() -> None:
    drive = playing("en")
    lines = record(drive.journal)
    drive.down(BACK)
    drive.wait(1.5)
    drive.press(DOWN)
    drive.up(BACK)
    assert drive.table.overlays.is_score_in_front
    assert record(drive.journal) == lines


def test_no_gesture_is_made_on_a_locked_box_or_over_an_open_secret() -> None:
    drive = locked("en")
    gesture(drive, DOWN)
    assert not drive.table.overlays.is_score_in_front
    drive = hidden()
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS)
    gesture(drive, DOWN)
    assert not drive.table.overlays.is_score_in_front


def test_without_a_game_how_it_stands_is_refused() -> None:
    drive = Drive()
    gesture(drive, DOWN)
    assert drive.page == "home"
    assert not drive.moments


def test_the_bar_fills_and_letting_go_puts_the_game_back() -> None:
    drive = playing("en")
    frame = drive.frame
    shown = len(drive.frames)
    holding(drive, BACK, OK, seconds=2.9)
    words = drive.loop.shown_screen_words()
    steps = BAR_STEPS_BY_CHORD[OFF_CHORD]
    assert drive.frames[shown:] == [
        box_frames.held_buttons_frame(OFF_CHORD, step, steps, words) for step in range(1, steps)
    ]
    drive.up(OK)
    assert drive.frame == frame


def test_a_touch_of_both_buttons_shows_no_bar() -> None:
    drive = playing("en")
    shown, words = len(drive.frames), drive.loop.shown_screen_words()
    held(drive, BACK, OK, seconds=0.2)
    bars = {
        box_frames.held_buttons_frame(OFF_CHORD, n, BAR_STEPS_BY_CHORD[OFF_CHORD], words)
        for n in range(BAR_STEPS_BY_CHORD[OFF_CHORD] + 1)
    }
    assert not bars & {*drive.frames[shown:]}


def test_a_step_of_the_bar_changes_few_bytes() -> None:
    words = Words("en")
    for name, steps in BAR_STEPS_BY_CHORD.items():
        bars = [
            box_frames.held_buttons_frame(name, step, steps, words) for step in range(steps + 1)
        ]
        for one, other in pairwise(bars):
            assert 0 < sum(a != b for a, b in zip(one, other, strict=True)) <= 15


def test_no_chord_begins_while_somebody_looks_at_a_secret() -> None:
    drive = hidden()
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS)
    assert drive.table.cursor.looking == "Fish"
    drive.down(BACK)
    drive.wait(4)
    assert not drive.loop.is_over
    words = drive.loop.shown_screen_words()
    bars = {
        box_frames.held_buttons_frame(OFF_CHORD, n, BAR_STEPS_BY_CHORD[OFF_CHORD], words)
        for n in range(BAR_STEPS_BY_CHORD[OFF_CHORD] + 1)
    }
    assert not bars & {*drive.frames}
    drive.up(BACK)
    drive.up(OK)
    assert drive.table.cursor.looking is None


def test_a_chord_at_a_curtain_shows_no_secret() -> None:
    drive = hidden()
    held(drive, OK, BACK, seconds=2)
    assert drive.table.cursor.looking is None
    assert drive.session.standing.history.last_look_steps == {}


# --- the lock -------------------------------------------------------------------------------------


def test_two_buttons_lock_the_box_and_unlock_it() -> None:
    drive = locked("en")
    words = drive.loop.shown_screen_words()
    assert drive.is_locked
    assert drive.frame == box_frames.locked_box_frame(words)
    held(drive, BACK, UP, seconds=2)
    assert not drive.is_locked
    assert drive.frame == box_frames.unlocked_box_frame(words)
    drive.press(OK)
    assert drive.frame == drive.shown_frame != box_frames.unlocked_box_frame(words)


def test_the_lock_takes_two_seconds() -> None:
    drive = held(playing("en"), BACK, UP, seconds=1.99)
    assert not drive.is_locked


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_press_of_a_locked_box_only_shows_how_to_unlock_it(language: str) -> None:
    drive = locked(language)
    drive.wait(LOCK_NOTE_SECONDS)
    question, words = drive.frame, drive.loop.shown_screen_words()
    assert question != box_frames.locked_box_frame(words)
    cursor, lines = drive.table.cursor, record(drive.journal)
    for button in BUTTONS:
        for seconds in (0.08, 1.5):
            drive.press(button, seconds=seconds)
            shows_score = button in (UP, DOWN)
            assert (drive.frame == box_frames.locked_box_frame(words)) is not shows_score
            assert drive.table.cursor == cursor
            drive.wait(LOCK_NOTE_SECONDS)
            assert drive.frame == question
    assert record(drive.journal) == lines
    assert drive.page is None


def test_pressing_again_shows_it_for_longer() -> None:
    drive = locked("en")
    drive.wait(LOCK_NOTE_SECONDS - 1)
    drive.press(OK)
    drive.wait(LOCK_NOTE_SECONDS - 1)
    assert drive.frame == box_frames.locked_box_frame(drive.loop.shown_screen_words())


def test_a_locked_box_at_rest_is_woken_by_a_press_that_does_nothing_else() -> None:
    drive = locked("en")
    drive.wait(DIM_AND_DARK_SECONDS[1] + 2 * LOCK_NOTE_SECONDS)
    assert drive.fake.display.percent == BLACK
    shown = len(drive.frames)
    drive.press(OK)
    assert drive.fake.display.percent == 100
    assert len(drive.frames) == shown


def test_a_game_on_the_table_goes_on_being_shown_while_the_box_is_locked() -> None:
    drive = locked("en")
    drive.wait(LOCK_NOTE_SECONDS)
    shown = frames.table_frame(
        drive.table, drive.loop.shown_screen_words, drive.session.standing.view_with_player_secrets
    )
    assert drive.frame == shown


def test_a_press_passes_the_word_that_the_box_is_unlocked_and_does_nothing_else() -> None:
    drive = held(locked("en"), BACK, UP, seconds=2)
    cursor = drive.table.cursor
    drive.press(UP)
    assert drive.table.cursor == cursor
    drive.press(UP)
    assert drive.table.cursor.at != cursor.at


def test_the_word_that_the_box_is_unlocked_goes_by_itself() -> None:
    drive = held(locked("en"), BACK, UP, seconds=2)
    drive.wait(LOCK_NOTE_SECONDS)
    assert drive.frame != box_frames.unlocked_box_frame(drive.loop.shown_screen_words())


def pounded(drive: Drive, buttons: Sequence[str]) -> None:
    for n, button in enumerate(buttons):
        drive.press(button, seconds=0.05 * (n % 5))


@settings(max_examples=max_examples(30))
@given(st.lists(st.sampled_from(BUTTONS), max_size=30))
def test_no_child_can_answer_on_a_locked_box(buttons: list[str]) -> None:
    drive = locked("en")
    lines = record(drive.journal)
    pounded(drive, buttons)
    assert record(drive.journal) == lines
    assert drive.page is None
    assert drive.is_locked


def test_a_locked_box_shows_the_score_to_who_turns_the_wheel_and_nothing_else_happens() -> None:
    drive = locked("en")
    drive.wait(LOCK_NOTE_SECONDS)
    before = drive.frame
    drive.press(DOWN)
    score = drive.frame
    drive.press(OK)
    plate = drive.frame
    assert len({before, score, plate}) == 3
    assert score[: 7 * 128] == drive.services.screen.score_frame()[: 7 * 128]  # type: ignore[index]
    drive.wait(6)
    assert drive.frame == before
