"""Tests of a stuck button: reported after 20 seconds, and all other buttons still work."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.box.dimming_and_lock import BRIGHTNESS_LEVELS, STUCK_AFTER_SECONDS
from hardware.mock import FakeBox
from hardware.ports import BACK, DOWN, OK, SEATS, UP, Edge
from tests.helpers import Drive, begin_game, setup_for

TOLD = {"deck": "own", "die": "real", "track": "edition"}


def hung(button: str, language: str = "en") -> Drive:
    """Return a box with a button that has been down for too long."""
    drive = Drive(language=language)
    drive.down(button)
    drive.wait(STUCK_AFTER_SECONDS + 1)
    return drive


def held_at_the_start(button: str) -> Drive:
    """Return a box that starts with a button down: its edge comes first."""
    drive = Drive(start=False)
    drive.loop.start()
    drive.fake.buttons.press_and_hold(button)
    drive.pump()
    drive.wait(STUCK_AFTER_SECONDS + 1)
    return drive


@pytest.mark.sampled(1)
@pytest.mark.parametrize("button", [UP, DOWN])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_up_or_down_that_hangs_is_told_after_twenty_seconds(button: str, language: str) -> None:
    drive = Drive(language=language)
    drive.down(button)
    drive.wait(STUCK_AFTER_SECONDS - 0.1)
    assert all(moment.lead_fact.name != "stuck" for moment in drive.moments)
    drive.wait(0.2)
    assert drive.front.name == "stuck"
    assert drive.front.facts == {"button": button}
    said = {("en", UP): "Up is stuck.", ("en", DOWN): "Down is stuck."}
    said |= {("fr", UP): "Haut reste enfoncé.", ("fr", DOWN): "Bas reste enfoncé."}
    assert any(said[language, button] in line for line in drive.speaker.heard)


@pytest.mark.parametrize("button", [OK, BACK, SEATS[0]])
def test_any_button_that_is_down_when_the_box_begins_is_told(button: str) -> None:
    drive = held_at_the_start(button)
    assert drive.front.name == "stuck"


def test_a_button_that_is_held_over_a_secret_does_not_hang() -> None:
    drive = Drive()
    drive.wait(5)
    drive.down(OK)
    drive.wait(10 * STUCK_AFTER_SECONDS)
    assert all(moment.lead_fact.name != "stuck" for moment in drive.moments)


def test_it_turns_nothing_any_more_and_the_others_do_what_they_did() -> None:
    drive = hung(UP)
    drive.press(OK)
    assert not drive.moments
    at = drive.table.cursor.at
    drive.wait(60)
    assert drive.table.cursor.at == at
    drive.press(DOWN)
    assert drive.table.cursor.at != at
    page = drive.page
    drive.press(OK)
    assert drive.page != page


def test_a_pair_with_it_means_nothing_and_a_hold_of_others_means_what_it_did() -> None:
    drive = hung(UP)
    drive.press(OK)
    drive.press(BACK, seconds=3)
    assert not drive.is_locked
    drive.press(DOWN, seconds=1.5)
    assert drive.settings["silent"] is False


def test_the_display_goes_dark_over_it() -> None:
    drive = hung(UP)
    drive.press(OK)
    drive.wait(1000)
    assert drive.fake.display.percent == BRIGHTNESS_LEVELS[-1]


def test_it_turns_again_when_it_has_moved_and_is_told_again_when_it_hangs_again() -> None:
    drive = hung(UP)
    drive.press(OK)
    drive.up(UP)
    at = drive.table.cursor.at
    drive.press(UP)
    assert drive.table.cursor.at != at
    drive.down(UP)
    drive.wait(STUCK_AFTER_SECONDS + 1)
    assert drive.front.name == "stuck"


def test_both_are_told_if_both_hang() -> None:
    drive = Drive()
    drive.down(UP)
    drive.wait(0.1)
    drive.down(DOWN)
    drive.wait(STUCK_AFTER_SECONDS + 1)
    told = [m.lead_fact.facts["button"] for m in drive.moments if m.lead_fact.name == "stuck"]
    assert sorted(told) == [DOWN, UP]


def test_a_game_is_played_on_beside_it() -> None:
    drive = Drive(begin_game(setup_for(TOLD)))
    drive.resume()
    drive.down(UP)
    drive.wait(STUCK_AFTER_SECONDS + 1)
    drive.skip()
    position = drive.session.standing.snapshot.position
    drive.press(DOWN, OK)
    assert drive.session.standing.snapshot.position == position + 1


def test_an_edge_that_comes_late_finds_that_it_hung() -> None:
    drive = Drive()
    drive.down(UP)
    drive.buttons.now += STUCK_AFTER_SECONDS + 5
    drive.loop.handle_event(Edge(OK, True, drive.buttons.now))
    assert drive.front.name == "stuck"


# --- buttons that are down when the box starts ------------------------------------------------


class RetainingBox(FakeBox):
    """A box whose buttons report levels or edges from before the start."""

    def __init__(self, *edges: Edge) -> None:
        super().__init__()
        self.box, self._edges = self.box._replace(buttons=self), edges
        self._listen, self.close = self.buttons.listen, self.buttons.close

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Report the earlier edges first."""
        for edge in self._edges:
            put(edge)
        self._listen(put)


def retaining(*edges: Edge) -> tuple[Drive, list[str]]:
    """Return a box that starts after these edges, and the list of its calls of power_off."""
    ends: list[str] = []
    fake = RetainingBox(*edges)
    return Drive(fake=fake, power_off=lambda: ends.append("off")), ends


@pytest.mark.sampled(2)
@pytest.mark.parametrize("retained", [True, False])
@pytest.mark.parametrize("buttons", [(BACK, OK), (OK, BACK), (BACK, UP), (OK,), (BACK,)])
def test_buttons_down_before_the_start_hold_nothing(
    buttons: tuple[str, ...], *, retained: bool
) -> None:
    edges = [Edge(button, True, -0.01, retained) for button in buttons]
    drive, ends = retaining(*edges)
    screen = drive.frame
    for _ in range(15):
        drive.wait(1)
        assert (ends, drive.is_locked, drive.settings["ear"]) == ([], False, False)
        assert (drive.frame, drive.moments) == (screen, ())


@pytest.mark.parametrize("button", [OK, BACK, DOWN, SEATS[0]])
def test_a_retained_level_that_goes_is_no_press(button: str) -> None:
    drive, _ = retaining(Edge(button, True, -0.01, retained=True))
    screen, page = drive.frame, drive.page
    drive.wait(0.3)
    drive.loop.inbox.put(Edge(button, False, drive.buttons.now))
    drive.pump()
    assert (drive.frame, drive.page) == (screen, page)


def test_one_retained_level_makes_no_chord_of_the_other_button() -> None:
    drive, ends = retaining(Edge(BACK, True, -0.01, retained=True))
    drive.wait(1)
    drive.down(OK)
    drive.wait(10)
    assert ends == []


@pytest.mark.long
def test_a_chord_pressed_after_the_retained_level_has_gone_switches_off() -> None:
    drive, ends = retaining(Edge(OK, True, -0.01, retained=True))
    drive.loop.inbox.put(Edge(OK, False, drive.buttons.now))
    drive.pump()
    drive.wait(1)
    drive.down(OK)
    drive.down(BACK)
    drive.wait(3.1)
    assert ends == ["off"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("joins", [BACK, UP, DOWN, SEATS[0]])
@pytest.mark.parametrize("stays", [True, False])
def test_ok_that_another_button_has_joined_toggles_no_audio_mode(
    joins: str, *, stays: bool
) -> None:
    drive = Drive()
    drive.wait(1)
    drive.down(OK)
    drive.wait(1)
    drive.down(joins)
    drive.wait(0.2)
    if not stays:
        drive.up(joins)
    drive.wait(1.9)
    assert drive.settings["ear"] is False
