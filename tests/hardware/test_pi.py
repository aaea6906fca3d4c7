"""Tests of a box on a Pi's pins, with gpiozero's mock pins and a model of the display's chip."""

from __future__ import annotations

import os
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from gpiozero import Device, DigitalInputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from companion.box.events import HardwareTrouble
from companion.cmd import opening, places, start
from companion.record.journal import Journal
from gpiozero_gpiod import GpioChipError
from hardware.boards import user_board
from hardware.boards.board_file import load_known_board
from hardware.display import bus, oled, panel
from hardware.pins import edge_recording, gpio, pi
from hardware.pins.buttons import ButtonPins, PinButtons
from hardware.pins.lamps import BLINK_SECONDS
from hardware.ports import (
    BACK,
    BLINK_QUICKLY,
    BLINK_SLOWLY,
    DOWN,
    LAMP_OFF,
    LAMP_ON,
    OK,
    SEATS,
    UP,
    Edge,
    HardwareError,
)
from hardware.wiring import DEFAULT_BOARD
from tests.english import english_error, raises_english
from tests.hardware.chip import Chip, Kernel

if TYPE_CHECKING:
    from companion.box.events import Inbox

ROOT = Path(__file__).parents[2]
NOISE = bytes(i * 7 % 256 for i in range(1024))
PIN = {name: pins[0] for name, pins in DEFAULT_BOARD.buttons.items()}


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    before = Device.pin_factory
    Device.pin_factory = MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = before


@pytest.fixture
def on_a_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi, "is_raspberry_pi", lambda: True)


def names(edges: list[Edge]) -> list[tuple[str, bool]]:
    return [(edge.button, edge.down) for edge in edges]


# --- Buttons --------------------------------------------------------------------------------------


def test_a_button_to_ground_gives_a_down_and_an_up_edge(factory: MockFactory) -> None:
    buttons, edges = PinButtons(), list[Edge]()
    buttons.listen(edges.append)

    factory.pin(PIN[OK]).drive_low()
    factory.pin(PIN[OK]).drive_high()

    assert names(edges) == [(OK, True), (OK, False)]
    assert edges[0].time <= edges[1].time
    buttons.close()


class HeldPin(MockPin):  # type: ignore[misc]
    """A pin that is connected to ground: unlike in MockPin, a pull-up does not change its state."""

    def _set_pull(self, value: str) -> None:
        self._pull = value


def test_a_button_held_at_the_start_gives_its_down_edge_first(factory: MockFactory) -> None:
    buttons, edges = PinButtons(), list[Edge]()
    factory.pin(PIN[UP], pin_class=HeldPin)
    buttons.listen(edges.append)

    factory.pin(PIN[DOWN]).drive_low()
    factory.pin(PIN[UP]).drive_high()

    assert names(edges) == [(UP, True), (DOWN, True), (UP, False)]
    assert [edge.retained for edge in edges] == [True, False, False]
    buttons.close()


def kept(*edges: tuple[str, bool, float]) -> int:
    """Return a file descriptor with edges that the kernel recorded before the box started."""
    reading, writing = os.pipe()
    for button, down, at in edges:
        os.write(writing, edge_recording._EVENT.pack(int(at * 1e9), 1 if down else 2, PIN[button]))
    os.close(writing)
    return reading


def test_what_was_pressed_before_comes_first_with_its_times_and_what_is_held_comes_once(
    factory: MockFactory,
) -> None:
    edges = list[Edge]()
    factory.pin(PIN[UP], pin_class=HeldPin)
    before = kept((OK, True, 1.0), (UP, True, 1.25), (OK, False, 1.5), (BACK, True, 2.0))
    buttons = PinButtons(kept=before)

    buttons.listen(edges.append)
    factory.pin(PIN[UP]).drive_high()

    assert edges[:4] == [
        Edge(OK, True, 1.0), Edge(UP, True, 1.25), Edge(OK, False, 1.5), Edge(BACK, True, 2.0),
    ]  # fmt: skip
    assert names(edges[4:]) == [(BACK, False), (UP, False)], "BACK was released in between"
    buttons.close()


def test_a_button_with_several_pins_is_down_while_any_of_them_is(factory: MockFactory) -> None:
    buttons, edges = PinButtons(load_known_board("adafruit-oled-bonnet")), list[Edge]()
    buttons.listen(edges.append)

    factory.pin(4).drive_low()
    factory.pin(6).drive_low()
    factory.pin(4).drive_high()
    factory.pin(5).drive_low()
    factory.pin(6).drive_high()

    assert names(edges) == [(OK, True), (BACK, True), (OK, False)]
    buttons.close()


def test_an_edge_that_comes_while_a_held_button_is_told_comes_after_it() -> None:
    edges = list[Edge]()
    contacts = ButtonPins(OK, edges.append)

    class Held:
        """A held pin. Reading it also calls its handler, as the pins' thread may do."""

        when_activated: Any = None
        when_deactivated: Any = None

        @property
        def is_active(self) -> bool:
            self.when_activated()
            return True

    held = Held()
    contacts.watch_pin(held, PIN[OK])
    held.when_deactivated()

    assert names(edges) == [(OK, True), (OK, False)]


def turn(factory: MockFactory, first: int, second: int) -> None:
    for pin in (first, second):
        factory.pin(pin).drive_low()
    for pin in (first, second):
        factory.pin(pin).drive_high()


def test_a_detent_of_the_knob_is_a_press_of_up_or_down(factory: MockFactory) -> None:
    buttons, edges = PinButtons(), list[Edge]()
    buttons.listen(edges.append)

    turn(factory, *DEFAULT_BOARD.knob)
    turn(factory, *reversed(DEFAULT_BOARD.knob))

    assert names(edges) == [(UP, True), (UP, False), (DOWN, True), (DOWN, False)]
    buttons.close()


def test_closed_buttons_give_their_pins_back(factory: MockFactory) -> None:
    buttons = PinButtons()
    buttons.listen(lambda _: None)

    buttons.close()
    buttons.close()

    assert all(pin.when_changed is None for pin in factory.pins.values())
    buttons.listen(lambda _: None)
    buttons.close()


def test_a_pin_that_is_taken_is_told_and_the_others_are_given_back(factory: MockFactory) -> None:
    taken = DigitalInputDevice(PIN[OK])
    buttons = PinButtons()

    with raises_english(HardwareError, match="GPIO13 is already in use") as raised:
        buttons.listen(lambda _: None)

    assert raised.value.part == "buttons"
    assert factory.pin(PIN[UP]).when_changed is None
    taken.close()
    buttons.listen(lambda _: None)
    buttons.close()


# --- Which pins -----------------------------------------------------------------------------------


@pytest.fixture
def no_factory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)


@pytest.mark.usefixtures("no_factory")
def test_pins_are_watched_over_libgpiod_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    made = MockFactory()
    monkeypatch.setattr("gpiozero_gpiod.GpiodFactory", lambda: made)

    assert gpio.load_gpiozero().Device.pin_factory is made


@pytest.mark.usefixtures("no_factory")
def test_without_gpiod_gpiozero_chooses_and_one_line_says_what_it_costs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero_gpiod", None)
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/companion")
    monkeypatch.delenv("LG_WD", raising=False)

    assert gpio.load_gpiozero().Device.pin_factory is None
    assert capsys.readouterr().err.splitlines() == [f"companion: {gpio.POLLING_NOTICE}"]
    assert os.environ["LG_WD"] == "/run/companion"


@pytest.mark.usefixtures("no_factory")
def test_whoever_has_chosen_other_pins_gets_those(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")

    buttons = PinButtons()
    buttons.listen(lambda _: None)

    assert isinstance(Device.pin_factory, MockFactory)
    assert capsys.readouterr().err == ""
    buttons.close()
    Device.pin_factory.reset()


@pytest.mark.usefixtures("no_factory")
def test_a_machine_without_a_gpio_chip_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise GpioChipError("other_chips", found="gpiochip0 = other")

    monkeypatch.setattr("gpiozero_gpiod.GpiodFactory", refuse)

    with raises_english(HardwareError, match="gpiochip0 = other") as raised:
        PinButtons().listen(lambda _: None)
    why = raised.value.fields["why"]  # each language has a sentence for this error
    assert isinstance(why, HardwareError)
    assert (why.reason, why.fields) == ("other_chips", {"found": "gpiochip0 = other"})


def test_the_pins_have_the_same_name_for_gpiozero_with_the_box_as_alone() -> None:
    names = [
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"][
            "entry-points"
        ]["gpiozero_pin_factories"]
        for folder in (".", "packages/gpiozero-gpiod")
    ]
    assert names == [{"gpiod": "gpiozero_gpiod:GpiodFactory"}] * 2


def test_the_box_says_of_chips_what_the_pins_say() -> None:
    facts = {"found": "a", "file": "b", "why": "c"}
    for reason in ("no_chip", "other_chips", "shut_chip"):
        assert str(GpioChipError(reason, **facts)) == english_error(
            HardwareError.from_reason(reason, **facts)
        )


def test_without_gpiozero_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)

    with raises_english(HardwareError, match="pip install gpiozero"):
        PinButtons().listen(lambda _: None)


# --- Lamps ----------------------------------------------------------------------------------------


def test_lamps_follow_their_seats(factory: MockFactory) -> None:
    lamps = pi.PinLamps()

    lamps.show((LAMP_OFF, LAMP_ON, LAMP_OFF, LAMP_ON))
    lamps.show((LAMP_OFF, LAMP_ON, LAMP_OFF, LAMP_OFF))

    lit = {seat: bool(factory.pin(pin).state) for seat, pin in DEFAULT_BOARD.lamps.items()}
    assert lit == dict(zip(SEATS, (False, True, False, False), strict=True))
    lamps.close()
    lamps.close()


def test_a_seat_without_a_lamp_stays_dark(factory: MockFactory) -> None:
    board = DEFAULT_BOARD._replace(lamps={SEATS[1]: 17})
    lamps = pi.PinLamps(board)

    lamps.show((LAMP_ON, LAMP_ON, BLINK_SLOWLY, BLINK_QUICKLY))

    assert factory.pin(17).state
    assert len(factory.pins) == 1
    lamps.close()


def test_lamps_blink_on_their_pins_and_are_out_when_closed(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BLINK_SECONDS, BLINK_QUICKLY, 0.03)  # longer than a thread may wait
    lamps = pi.PinLamps()
    pins = [factory.pin(DEFAULT_BOARD.lamps[seat]) for seat in SEATS[:2]]
    lamps.show((BLINK_QUICKLY, LAMP_ON, LAMP_OFF, LAMP_OFF))
    seen: set[bool] = set()
    deadline = time.monotonic() + 60
    while len(seen) < 2 and time.monotonic() < deadline:
        seen.add(bool(pins[0].state))
        assert pins[1].state
    assert seen == {True, False}

    lamps.close()

    assert len(factory.pins) == 2
    assert lamps._blinker._thread is not None
    assert not lamps._blinker._thread.is_alive()


def test_a_lamp_whose_pin_is_taken_is_told(factory: MockFactory) -> None:
    first, second = pi.PinLamps(), pi.PinLamps()
    first.show((LAMP_ON, LAMP_OFF, LAMP_OFF, LAMP_OFF))

    with raises_english(HardwareError, match="in use"):
        second.show((LAMP_ON, LAMP_OFF, LAMP_OFF, LAMP_OFF))

    first.close()
    assert factory.pins


# --- The whole box --------------------------------------------------------------------------------


def test_a_machine_without_pins_is_told_apart() -> None:
    if pi.is_raspberry_pi():
        pytest.skip("this machine is a Raspberry Pi")

    with raises_english(HardwareError, match="Raspberry Pi"):
        pi.open_box_on_pins(print)


@pytest.mark.usefixtures("on_a_pi")
@pytest.mark.parametrize("place", bus.I2C_ADDRESSES)
def test_without_a_file_the_box_finds_out_which_display_answers(place: int) -> None:
    chip = Chip()
    kernel = Kernel({place: chip})
    with kernel.patched():
        box = pi.open_box_on_pins(print)
        box.displays[0].show(NOISE)
        kernel.until(lambda: chip.on)
        box.close()

    assert chip.frame == NOISE
    assert box.lamps is not None


@pytest.mark.usefixtures("on_a_pi")
def test_without_a_file_and_without_a_display_there_is_no_box() -> None:
    kernel = Kernel()
    with kernel.patched(), raises_english(HardwareError, match="four wires") as raised:
        pi.open_box_on_pins(print)

    assert raised.value.part == "display"


@pytest.mark.usefixtures("on_a_pi")
def test_a_display_that_a_file_promises_may_come_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel, "RETRY_SECONDS", 0.01)
    user_board.own_board_path(tmp_path).write_text('like = "adafruit-oled-bonnet"\n', "utf-8")
    chip, reported = Chip(), Event()
    kernel = Kernel({0x3C: chip})
    kernel.plugged = False
    with kernel.patched():
        box = pi.open_box_on_pins(lambda _: reported.set(), tmp_path)
        box.displays[0].show(NOISE)
        assert reported.wait(60)
        kernel.plugged = True
        kernel.until(lambda: chip.on)
        box.close()

    assert box.lamps is None


@pytest.mark.usefixtures("on_a_pi")
def test_a_display_that_fails_is_told_in_the_inbox_of_the_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "config_folder", lambda: tmp_path)
    user_board.own_board_path(tmp_path).write_text('like = "adafruit-oled-bonnet"\n', "utf-8")
    inbox: Inbox = SimpleQueue()
    with Kernel().patched():
        box = opening.open_hardware(inbox, None)
        app = start.make_box_loop(box, Journal(None), inbox)
        box.displays[0].show(NOISE)
        told = app.inbox.get(timeout=60)
        box.close()

    assert isinstance(told, HardwareTrouble)
    assert told.error.part == "display"


@pytest.mark.usefixtures("on_a_pi")
def test_a_display_on_spi_has_its_pins_from_the_board(tmp_path: Path, factory: MockFactory) -> None:
    user_board.own_board_path(tmp_path).write_text('like = "waveshare-oled-hat"\n', "utf-8")
    chip = Chip("sh1106")
    kernel = Kernel(spi=chip)
    dc, reset = factory.pin(24), factory.pin(25)
    write = kernel.write

    def clocked(file: int, payload: bytes) -> int:
        kernel.dc = bool(dc.state)
        return write(file, payload)

    kernel.write = clocked  # type: ignore[method-assign]
    with kernel.patched():
        box = pi.open_box_on_pins(print, tmp_path)
        box.displays[0].show(NOISE)
        kernel.until(lambda: chip.on)
        assert reset.state
        box.close()

    assert chip.frame == oled.turn_frame_upside_down(NOISE)
