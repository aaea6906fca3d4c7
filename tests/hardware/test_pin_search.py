"""Tests of a first start on an unknown board: find each button's pin when it is pressed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from gpiozero import Device, DigitalOutputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.boards import board_file
from hardware.pins import pin_search
from hardware.ports import BACK, DOWN, OK, UP, Edge
from hardware.wiring import DEFAULT_BOARD, BoardFileError, LumaDisplayWiring

UNKNOWN: Final = {UP: 4, DOWN: 17, OK: 27, BACK: 22}
"""Pins of a board that is not a known board."""


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    before = Device.pin_factory
    Device.pin_factory = MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = before


class Held(MockPin):  # type: ignore[misc]
    """A pin that is connected to ground: a pull-up does not change its state."""

    def _set_pull(self, value: str) -> None:
        self._pull = value


def test_each_button_is_found_by_the_pin_that_goes_low(factory: MockFactory) -> None:
    factory.pin(26, pin_class=Held)  # connected to ground from the start
    listening = pin_search.FreePinListener(DEFAULT_BOARD)
    told: list[tuple[str, int | None]] = []

    def press(button: str, pin: int | None) -> None:
        told.append((button, pin))
        if pin is None:
            if button == OK:  # a press of UP's button, which already has a pin
                factory.pin(UNKNOWN[UP]).drive_low()
                factory.pin(UNKNOWN[UP]).drive_high()
            factory.pin(UNKNOWN[button]).drive_low()
            factory.pin(UNKNOWN[button]).drive_high()

    found = pin_search.find_button_pins(listening.edges(), pin_search.REQUIRED_BUTTONS, press)
    listening.close()

    assert found == {button: (pin,) for button, pin in UNKNOWN.items()}
    assert told[:3] == [(UP, None), (UP, 4), (DOWN, None)]
    assert not any(factory._reservations.values())


def test_what_the_display_and_the_sound_use_is_not_listened_to() -> None:
    pirate = board_file.load_known_board("pirate-audio")

    assert {5, 6, 16, 24} <= {*pin_search.candidate_button_pins(pirate)}
    assert not {7, 9, 10, 11, 13, 18, 19, 20, 21, 25} & {*pin_search.candidate_button_pins(pirate)}
    assert not {2, 3, 14, 15} & {*pin_search.candidate_button_pins(DEFAULT_BOARD)}
    assert {19, 20, 21} <= {*pin_search.candidate_button_pins(DEFAULT_BOARD)}


@pytest.mark.usefixtures("factory")
def test_a_pin_that_another_program_has_is_left_alone() -> None:
    taken = DigitalOutputDevice(4)

    listening = pin_search.FreePinListener(DEFAULT_BOARD)

    assert len(listening._buttons) == len(pin_search.candidate_button_pins(DEFAULT_BOARD)) - 1
    listening.close()
    taken.close()


def test_without_any_answer_nothing_is_found() -> None:
    assert pin_search.find_button_pins([Edge("4", False, 0.0)], (UP,), lambda *_: None) == {}


def test_the_file_has_the_display_of_the_likeness_and_the_buttons_that_were_found(
    tmp_path: Path,
) -> None:
    file = tmp_path / "etc" / "board.toml"
    base = board_file.known_board_path("pirate-audio").read_text("utf-8")
    found = {UP: (4,), DOWN: (17,), OK: (27,), BACK: (22,)}

    assert pin_search.save_board_file(file, pin_search.compose_board_file(base, "", found)) is None

    board, likeness = board_file.read_board_file(file), board_file.load_known_board("pirate-audio")
    assert board.buttons == found
    assert (board.display, board.sound) == (likeness.display, likeness.sound)


def test_an_own_file_keeps_what_it_says_but_for_the_buttons(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    own = 'like = "four-buttons"\n\n[display]\nchip = "sh1106"\nbus = "i2c"\n[buttons]\nup = 12\n'
    own += "[lamps]\nseat1 = 12\n"
    file.write_text(own, "utf-8")
    base = board_file.known_board_path("four-buttons").read_text("utf-8")

    before = pin_search.save_board_file(
        file, pin_search.compose_board_file(base, own, {UP: (4,), DOWN: (5,), OK: (6,), BACK: (7,)})
    )

    assert before is not None
    assert before.read_text("utf-8") == own
    board = board_file.read_board_file(file)
    assert not isinstance(board.display, LumaDisplayWiring)
    assert board.display.chip == "sh1106"
    assert board.buttons[UP] == (4,)
    assert board.lamps == {"seat1": 12}


def test_an_own_second_output_leaves_the_boards_sound(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    own = 'like = "pirate-audio"\n[sound]\near = "hw:1"\n'
    base = board_file.known_board_path("pirate-audio").read_text("utf-8")
    found = {UP: (4,), DOWN: (17,), OK: (27,), BACK: (22,)}

    pin_search.save_board_file(file, pin_search.compose_board_file(base, own, found))

    board = board_file.read_board_file(file)
    assert (board.ear, board.sound) == ("hw:1", board_file.load_known_board("pirate-audio").sound)


def test_a_file_with_mistakes_is_not_taken(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text("[display]\n", "utf-8")

    with pytest.raises(BoardFileError):
        pin_search.save_board_file(file, "[buttons]\nup = 99\n")
    assert file.read_text("utf-8") == "[display]\n"
