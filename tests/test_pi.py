"""A box on a Pi's pins, on gpiozero's and luma's own fakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from luma.oled.device import ssd1306

from hardware import DOWN, OK, UP, Edge, HardwareError, pi

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    before = Device.pin_factory
    Device.pin_factory = MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = before


class Wire:
    """A bus that keeps what was sent as data, or breaks."""

    def __init__(self) -> None:
        self.sent = b""
        self.broken = False

    def command(self, *codes: int) -> None:
        assert all(0 <= code < 256 for code in codes)

    def cleanup(self) -> None:
        self.broken = False

    def data(self, data: Any) -> None:
        if self.broken:
            raise OSError(121, "Remote I/O error")
        self.sent = bytes(data)


def names(edges: list[Edge]) -> list[tuple[str, bool]]:
    return [(edge.button, edge.down) for edge in edges]


def test_a_button_to_ground_gives_a_down_and_an_up_edge(factory: MockFactory) -> None:
    buttons, edges = pi.PinButtons(), list[Edge]()
    buttons.listen(edges.append)

    factory.pin(pi.WIRING[OK]).drive_low()
    factory.pin(pi.WIRING[OK]).drive_high()

    assert names(edges) == [(OK, True), (OK, False)]
    assert edges[0].time <= edges[1].time
    buttons.close()


def test_a_button_held_at_the_start_gives_its_down_edge_first(factory: MockFactory) -> None:
    buttons, edges = pi.PinButtons(), list[Edge]()
    factory.pin(pi.WIRING[UP]).drive_low()
    buttons.listen(edges.append)

    factory.pin(pi.WIRING[DOWN]).drive_low()

    assert names(edges) == [(UP, True), (DOWN, True)]
    buttons.close()


def turn(factory: MockFactory, first: int, second: int) -> None:
    for pin in (first, second):
        factory.pin(pin).drive_low()
    for pin in (first, second):
        factory.pin(pin).drive_high()


def test_a_detent_of_the_knob_is_a_press_of_up_or_down(factory: MockFactory) -> None:
    buttons, edges = pi.PinButtons(), list[Edge]()
    buttons.listen(edges.append)

    turn(factory, *pi.KNOB)
    turn(factory, *reversed(pi.KNOB))

    assert names(edges) == [(UP, True), (UP, False), (DOWN, True), (DOWN, False)]
    buttons.close()


def test_closed_buttons_give_their_pins_back(factory: MockFactory) -> None:
    buttons = pi.PinButtons()

    buttons.close()
    buttons.close()

    assert all(pin.when_changed is None for pin in factory.pins.values())
    pi.PinButtons().close()


def test_lamps_follow_their_seats(factory: MockFactory) -> None:
    lamps = pi.PinLamps()

    lamps.show((False, True, False, False))

    assert [bool(factory.pin(pin).state) for pin in pi.LAMPS] == [False, True, False, False]
    lamps.close()


def test_a_frame_arrives_on_the_wire_as_it_was_drawn() -> None:
    wire = Wire()
    frame = bytes(i * 7 % 256 for i in range(1024))

    pi.Oled(ssd1306(wire)).show(frame)

    assert wire.sent == frame


def test_a_display_that_was_unplugged_is_named_and_can_still_be_closed() -> None:
    wire = Wire()
    oled = pi.Oled(ssd1306(wire))
    wire.broken = True

    with pytest.raises(HardwareError, match="four wires") as raised:
        oled.show(bytes(1024))
    oled.close()

    assert raised.value.part == "display"
    wire.broken = False  # luma clears the display when the program ends


def test_a_machine_without_pins_is_told_apart_and_told_what_to_wire() -> None:
    if pi.is_pi():
        pytest.skip("this machine is a Raspberry Pi")

    with pytest.raises(HardwareError, match="Raspberry Pi"):
        pi.open_box()

    assert all(str(pin) in pi.wiring() for pin in pi.WIRING.values())
