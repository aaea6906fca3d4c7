"""Tests of the seats' lamps: which lamps are lit, and how they blink."""

from __future__ import annotations

import time
from collections.abc import Mapping
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.prompts import Answer, Choose, Form, Number, Prompt, Spell
from companion.core.snapshot import Snapshot
from companion.draw.face import DEFAULT_FACE
from companion.menus import menu_stack
from companion.menus.page import MenuFacts
from companion.menus.settings import DEFAULTS
from companion.play.conversation import Conversation
from companion.table.table import ALL_LAMPS_OFF, RunningGame, Table
from hardware.pins import lamps
from hardware.pins.lamps import BLINK_SECONDS, LampBlinker
from hardware.ports import BLINK_QUICKLY, BLINK_SLOWLY, LAMP_OFF, LAMP_ON
from tests.helpers import OWN_PARTS_OPTIONS, VIRTUAL_PARTS_OPTIONS, Drive, begin_game, setup_for

ALL = (LAMP_OFF, LAMP_ON, BLINK_SLOWLY, BLINK_QUICKLY)
SEATED = ("Ann", "Bob", "Cid")


def table(turn: str | None, prompt: Prompt | None, **changes: Any) -> Table:
    """Return a table of three players: `turn` is the active player, and the game asks `prompt`."""
    now = Snapshot("probe", SEATED, {}, prompt, {"to_act": turn}, (), 0, 0, 0, None, "", None)
    return Table(RunningGame(now, DEFAULT_FACE))._replace(**changes)


def questions(given: Mapping[str, Answer]) -> Prompt | None:
    if not given:
        return Choose("who", None, SEATED)
    return None if "n" in given else Number("n", "Ann", 1, 3, 1)


FORM = Conversation(Form("interrupt", None, questions))
ASKED = Number("n", "Bob", 1, 3, 1)

# --- which lamps ----------------------------------------------------------------------------------


def test_without_a_game_all_lamps_are_out() -> None:
    assert Table().lamp_states == ALL_LAMPS_OFF


def test_the_turn_blinks_slowly_and_whoever_is_asked_shines() -> None:
    assert table("Ann", ASKED).lamp_states == (BLINK_SLOWLY, LAMP_ON, LAMP_OFF, LAMP_OFF)
    assert table("Bob", ASKED).lamp_states == (LAMP_OFF, LAMP_ON, LAMP_OFF, LAMP_OFF)
    assert table("Cid", None).lamp_states == (LAMP_OFF, LAMP_OFF, BLINK_SLOWLY, LAMP_OFF)
    assert table(None, None).lamp_states == ALL_LAMPS_OFF


def test_whoever_the_curtain_names_is_asked() -> None:
    assert table("Ann", None, curtain="Cid").lamp_states == (
        BLINK_SLOWLY,
        LAMP_OFF,
        LAMP_ON,
        LAMP_OFF,
    )


def test_whoever_interrupts_blinks_quickly() -> None:
    form = FORM.with_answer("Cid")
    assert table("Bob", ASKED, talk=form).lamp_states == (
        LAMP_ON,
        BLINK_SLOWLY,
        BLINK_QUICKLY,
        LAMP_OFF,
    )
    form = FORM.with_answer("Ann")
    assert table("Bob", ASKED, talk=form).lamp_states == (
        BLINK_QUICKLY,
        BLINK_SLOWLY,
        LAMP_OFF,
        LAMP_OFF,
    )


def test_while_it_is_asked_who_interrupts_all_whom_it_may_be_blink_quickly() -> None:
    assert table("Bob", ASKED, talk=FORM).lamp_states == (
        BLINK_QUICKLY,
        BLINK_QUICKLY,
        BLINK_QUICKLY,
        LAMP_OFF,
    )


def test_a_game_shows_its_turn_on_the_lamps_and_its_menu_the_turn_alone() -> None:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS, seed="0"), (6, 1)))
    drive.resume()
    patterns = drive.fake.lamps.patterns
    assert patterns[-1] == (LAMP_OFF, LAMP_ON, LAMP_OFF, LAMP_OFF)
    drive.press("back")
    assert patterns[-1] == (LAMP_OFF, BLINK_SLOWLY, LAMP_OFF, LAMP_OFF)


def test_a_word_that_waits_for_its_players_yes_is_no_interruption() -> None:
    asked = Conversation(Spell("word", "Ann", 12, ()), is_pending=True)
    doubt = asked.with_unlisted_word_question("zyx", ("french",))
    assert table("Bob", ASKED, talk=doubt).lamp_states == (
        LAMP_ON,
        BLINK_SLOWLY,
        LAMP_OFF,
        LAMP_OFF,
    )


def test_while_the_menus_are_open_only_the_turn_shines() -> None:
    menus = menu_stack.open_menus(MenuFacts((), DEFAULTS, (), (), 0, "probe"))
    assert table("Ann", ASKED, menus=menus).lamp_states == (
        BLINK_SLOWLY,
        LAMP_OFF,
        LAMP_OFF,
        LAMP_OFF,
    )


def test_somebody_who_only_wants_to_look_is_handed_the_box_by_lamp() -> None:
    drive = Drive(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, seed="2"), (6, 1)))
    drive.resume()
    drive.press("back")
    drive.choose("look")
    drive.choose("Harris")
    assert drive.fake.lamps.patterns[-1] == (BLINK_SLOWLY, LAMP_ON, LAMP_OFF, LAMP_OFF)


# --- blinking -------------------------------------------------------------------------------------


def test_a_slow_lamp_wakes_the_machine_less_than_once_a_second() -> None:
    assert (
        lamps.seconds_to_lamp_change((BLINK_SLOWLY, LAMP_ON, LAMP_OFF, LAMP_OFF), 0)
        == BLINK_SECONDS[BLINK_SLOWLY]
        > 1
    )
    assert (
        lamps.seconds_to_lamp_change((BLINK_SLOWLY, BLINK_SLOWLY, BLINK_SLOWLY, BLINK_SLOWLY), 0)
        == BLINK_SECONDS[BLINK_SLOWLY]
    )


def test_what_does_not_blink_never_changes() -> None:
    assert lamps.seconds_to_lamp_change((LAMP_ON, LAMP_OFF, LAMP_ON, LAMP_OFF), 3.3) is None


def test_a_blinking_lamp_begins_lit_and_is_dark_for_as_long() -> None:
    for kind in (BLINK_SLOWLY, BLINK_QUICKLY):
        half = BLINK_SECONDS[kind]
        found = [lamps.lit_lamps_at_time((kind,), half * n / 2) for n in range(8)]
        assert found == [(True,), (True,), (False,), (False,)] * 2


@given(st.lists(st.sampled_from(ALL), min_size=4, max_size=4), st.floats(0, 1e4))
def test_nothing_changes_before_the_next_change(lights: list[str], elapsed: float) -> None:
    due = lamps.seconds_to_lamp_change(lights, elapsed)
    if due is None:
        assert not {*lights} & {*BLINK_SECONDS}
    elif due > 0.001:
        assert lamps.lit_lamps_at_time(lights, elapsed) == lamps.lit_lamps_at_time(
            lights, elapsed + due * 0.99
        )


class Bulbs:
    """Lamps that note every set of lit lamps. `enough` is set after `wanted` different sets."""

    def __init__(self, wanted: int = 10**9) -> None:
        self.seen: list[tuple[bool, ...]] = []
        self.enough, self._wanted = Event(), wanted

    def __call__(self, lit: tuple[bool, ...]) -> None:
        self.seen.append(lit)
        if len({*self.seen}) >= self._wanted:
            self.enough.set()


def test_lamps_that_do_not_blink_need_no_thread() -> None:
    bulbs = Bulbs()
    blinker = LampBlinker(bulbs)
    blinker.show((LAMP_ON, LAMP_OFF, LAMP_OFF, LAMP_OFF))
    blinker.show((LAMP_OFF, LAMP_ON, LAMP_OFF, LAMP_OFF))
    assert blinker._thread is None
    assert bulbs.seen == [(True, False, False, False), (False, True, False, False)]
    blinker.close()
    assert bulbs.seen[-1] == (False,) * 4


def test_a_lamp_blinks_by_itself_until_it_shall_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BLINK_SECONDS, BLINK_QUICKLY, 0.01)
    bulbs = Bulbs(2)
    blinker = LampBlinker(bulbs)
    blinker.show((BLINK_QUICKLY, LAMP_ON, LAMP_OFF, LAMP_OFF))
    assert bulbs.enough.wait(60)
    assert {*bulbs.seen} == {(True, True, False, False), (False, True, False, False)}
    blinker.show((LAMP_OFF, LAMP_ON, LAMP_OFF, LAMP_OFF))
    blinker.close()
    blinker.close()
    assert bulbs.seen[-1] == (False,) * 4
    assert blinker._thread is not None
    assert not blinker._thread.is_alive()


def test_the_thread_sleeps_while_nothing_blinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BLINK_SECONDS, BLINK_QUICKLY, 0.01)
    bulbs = Bulbs(2)
    blinker = LampBlinker(bulbs)
    blinker.show((BLINK_QUICKLY, LAMP_OFF, LAMP_OFF, LAMP_OFF))
    assert bulbs.enough.wait(60)
    blinker.show((LAMP_OFF, LAMP_OFF, LAMP_OFF, LAMP_OFF))
    waits: list[float | None] = []
    asleep = Event()
    wait = blinker._news.wait

    def noted(timeout: float | None = None) -> bool:
        waits.append(timeout)
        asleep.set()
        return wait(timeout)

    monkeypatch.setattr(blinker._news, "wait", noted)
    blinker.show((LAMP_ON, LAMP_OFF, LAMP_OFF, LAMP_OFF))
    assert asleep.wait(60)
    assert waits[-1] is None
    blinker.close()


def test_a_slow_lamp_begins_anew_when_somebody_else_is_asked() -> None:
    bulbs = Bulbs()
    blinker = LampBlinker(bulbs)
    blinker.show((BLINK_SLOWLY, LAMP_ON, LAMP_OFF, LAMP_OFF))
    blinker.show((LAMP_ON, BLINK_SLOWLY, LAMP_OFF, LAMP_OFF))
    assert bulbs.seen[-1] == (True, True, False, False)
    assert time.monotonic() - blinker._since < 60
    blinker.close()
