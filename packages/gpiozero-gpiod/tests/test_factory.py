"""Tests of the pin factory on simulated GPIO lines.

`Lines` replaces `gpiod.Chip`. Settings and values are gpiod's own classes, so that the simulation
cannot accept other values. The tests in `tests/system/rig` use real kernel lines.
"""

from __future__ import annotations

import errno
import os
import threading
import tomllib
from collections import deque
from collections.abc import Iterator
from datetime import timedelta
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Self

import gpiod
import pytest
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero import PWMLED, DigitalInputDevice, DigitalOutputDevice
from gpiozero.exc import (
    BadPinFactory,
    GPIOPinInUse,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinPWMUnsupported,
    PinSetInput,
)

from gpiozero_gpiod import GpiodFactory, find_header_gpio_chip

PI_4: Final = 0xC03112
RISING, FALLING = gpiod.EdgeEvent.Type.RISING_EDGE, gpiod.EdgeEvent.Type.FALLING_EDGE


class Request:
    """A requested line that refuses the calls that the kernel and gpiod refuse."""

    def __init__(self, chip: Lines, offset: int, settings: gpiod.LineSettings) -> None:
        self.chip, self.offset = chip, offset
        self.fd, self._other = os.pipe()
        self.edges: deque[SimpleNamespace] = deque()
        self.released = False
        self._set(settings)

    def _set(self, settings: gpiod.LineSettings) -> None:
        assert settings.direction is not Direction.AS_IS, "a line must be set to a direction"
        if settings.direction is Direction.OUTPUT:
            assert settings.edge_detection is Edge.NONE, "EINVAL: edges of an output"
            assert settings.debounce_period == timedelta(), "EINVAL: an output does not bounce"
            self.chip.levels[self.offset] = int(bool(settings.output_value))
        elif self.offset not in self.chip.driven:
            self.chip.levels[self.offset] = int(settings.bias is Bias.PULL_UP)
        self.settings = settings
        self.chip.history.append((self.offset, settings))

    def _live(self) -> None:
        if self.released:
            raise gpiod.RequestReleasedError

    def reconfigure_lines(self, config: dict[int, gpiod.LineSettings]) -> None:
        self._live()
        assert set(config) == {self.offset}
        self._set(config[self.offset])

    def get_value(self, line: int) -> Value:
        self._live()
        assert line == self.offset
        return Value(self.chip.levels[line])

    def set_value(self, line: int, value: Value) -> None:
        self._live()
        assert self.settings.direction is Direction.OUTPUT, "EPERM: not an output"
        self.chip.levels[line] = int(bool(value))

    def wait_edge_events(self, timeout: float) -> bool:
        self._live()
        assert timeout == 0
        return bool(self.edges)

    def read_edge_events(self, most: int) -> list[SimpleNamespace]:
        self._live()
        assert self.edges, "this would block for ever"
        assert most == 1
        os.read(self.fd, 1)
        return [self.edges.popleft()]

    def edge(self, edge: SimpleNamespace) -> None:
        self.edges.append(edge)
        os.write(self._other, b".")

    def release(self) -> None:
        if not self.released:
            self.released = True
            del self.chip.claimed[self.offset]
            os.close(self.fd)
            os.close(self._other)


class Lines:
    """A GPIO chip whose lines the test drives. `now` is the time in seconds."""

    def __init__(self, label: str = "pinctrl-bcm2711") -> None:
        self.label = label
        self.now = 0.0
        self.levels: dict[int, int] = dict.fromkeys(range(58), 0)
        self.driven: set[int] = set()
        self.claimed: dict[int, Request] = {}
        self.others: dict[int, str] = {}
        self.history: list[tuple[int, gpiod.LineSettings]] = []
        self.closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing, because a test reads the label of this chip only."""

    def get_info(self) -> SimpleNamespace:
        return SimpleNamespace(label=self.label)

    def get_line_info(self, line: int) -> SimpleNamespace:
        return SimpleNamespace(consumer=self.others.get(line, ""))

    def request_lines(
        self, config: dict[int, gpiod.LineSettings], consumer: str, event_buffer_size: int
    ) -> Request:
        assert not self.closed
        assert (consumer, event_buffer_size) == ("gpiozero", 64)
        ((offset, settings),) = config.items()
        if offset in self.claimed or offset in self.others:
            raise OSError(errno.EBUSY, "Device or resource busy")
        self.claimed[offset] = Request(self, offset, settings)
        return self.claimed[offset]

    def close(self) -> None:
        self.closed = True

    def drive(self, line: int, level: int) -> None:
        """Set the level of a line, as a button does."""
        self.driven.add(line)
        changed = self.levels[line] != level
        self.levels[line] = level
        request = self.claimed.get(line)
        if request is None or not changed:
            return
        wanted = request.settings.edge_detection
        if wanted is Edge.BOTH or wanted is (Edge.RISING if level else Edge.FALLING):
            kind = RISING if level else FALLING
            request.edge(SimpleNamespace(event_type=kind, timestamp_ns=int(self.now * 1e9)))


class Heard:
    """The edges that a handler received. `until` waits for the pins' thread without sleeping."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self._news = threading.Condition()

    def add(self, item: Any) -> None:
        with self._news:
            self.items.append(item)
            self._news.notify_all()

    def until(self, expected: list[Any]) -> None:
        with self._news:
            assert self._news.wait_for(lambda: len(self.items) >= len(expected), 10), self.items
        assert self.items == expected


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    chip = Lines()
    monkeypatch.setattr(gpiod, "Chip", lambda _: chip)
    monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: PI_4)
    return chip


@pytest.fixture
def factory(lines: Lines) -> Iterator[GpiodFactory]:
    assert not lines.closed
    made = GpiodFactory("/dev/gpiochip0")
    yield made
    made.close()
    assert not lines.claimed
    assert lines.closed


def button(factory: GpiodFactory, pin: int = 17) -> tuple[Any, Heard]:
    device, heard = DigitalInputDevice(pin, pull_up=True, pin_factory=factory), Heard()
    device.when_activated = lambda: heard.add("down")
    device.when_deactivated = lambda: heard.add("up")
    return device, heard


# --- The chip -------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"])
def test_the_chip_is_found_by_its_label_whatever_its_number(
    label: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = {"gpiochip0": "raspberrypi-exp-gpio", "gpiochip1": "brcmvirt-gpio", "gpiochip4": label}
    for name in labels:
        (tmp_path / name).touch()
    monkeypatch.setattr(gpiod, "Chip", lambda path: Lines(labels[Path(path).name]))

    assert find_header_gpio_chip(tmp_path) == str(tmp_path / "gpiochip4")


def test_without_a_pis_chip_the_others_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr(gpiod, "Chip", lambda _: Lines("INT34C5:00"))

    with pytest.raises(BadPinFactory, match="gpiochip0 = INT34C5:00"):
        find_header_gpio_chip(tmp_path)
    with pytest.raises(BadPinFactory, match="this machine has no GPIO chip"):
        find_header_gpio_chip(tmp_path / "nowhere")


def test_a_chip_that_does_not_open_is_no_factory(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(gpiod, "Chip", refuse)

    with pytest.raises(BadPinFactory, match="Permission denied"):
        GpiodFactory("/dev/gpiochip0")


def test_gpiozero_finds_the_factory_by_its_name() -> None:
    group = "gpiozero_pin_factories"
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    declared = project["project"]["entry-points"][group]["gpiod"]

    assert EntryPoint("gpiod", declared, group).load() is GpiodFactory


# --- Inputs ---------------------------------------------------------------------------------------


def test_a_button_is_pulled_up_and_debounced_by_the_kernel(
    factory: GpiodFactory, lines: Lines
) -> None:
    device = DigitalInputDevice(17, pull_up=True, bounce_time=0.01, pin_factory=factory)
    settings = lines.claimed[17].settings

    assert settings.direction is Direction.INPUT
    assert settings.bias is Bias.PULL_UP
    assert settings.debounce_period == timedelta(milliseconds=10)
    assert settings.edge_detection is Edge.BOTH
    assert (device.pin.bounce, device.pull_up, device.pin.edges) == (0.01, True, "both")


def test_edges_are_told_in_their_order(factory: GpiodFactory, lines: Lines) -> None:
    _device, heard = button(factory)

    for _ in range(20):
        lines.drive(17, 0)
        lines.drive(17, 1)

    heard.until(["down", "up"] * 20)


def test_an_edge_has_the_kernels_time(factory: GpiodFactory, lines: Lines) -> None:
    pin, heard = factory.pin(17), Heard()

    def note(ticks: float, state: int) -> None:
        heard.add((ticks, state))

    pin.pull = "up"
    pin.when_changed = note
    lines.now = 12.5
    lines.drive(17, 0)
    lines.now = 13.25
    lines.drive(17, 1)

    heard.until([(12.5, 0), (13.25, 1)])


def test_a_button_that_is_held_at_the_start_is_active_without_an_edge(
    factory: GpiodFactory, lines: Lines
) -> None:
    lines.drive(17, 0)

    device, heard = button(factory)
    lines.drive(17, 1)

    heard.until(["up"])
    assert not device.is_active


def test_only_the_edges_that_are_asked_for_are_told(factory: GpiodFactory, lines: Lines) -> None:
    pin, heard = factory.pin(17), Heard()

    def note(_: float, state: int) -> None:
        heard.add(state)

    pin.edges = "rising"
    pin.when_changed = note
    for level in (1, 0, 1, 0):
        lines.drive(17, level)

    heard.until([1, 1])


def test_a_line_that_nobody_watches_has_no_edges(factory: GpiodFactory, lines: Lines) -> None:
    pin = factory.pin(17)
    pin.function = "input"

    assert lines.claimed[17].settings.edge_detection is Edge.NONE


def test_a_handler_that_was_forgotten_disarms_its_pin(factory: GpiodFactory, lines: Lines) -> None:
    pin, (_device, other) = factory.pin(17), button(factory, 27)

    def note(_: float, __: int) -> None:
        """Do nothing; no reference keeps this handler alive."""

    pin.when_changed = note
    del note
    lines.drive(17, 1)
    lines.drive(27, 0)

    other.until(["down"])
    lines.drive(27, 1)
    other.until(["down", "up"])
    assert lines.claimed[17].settings.edge_detection is Edge.NONE


def test_a_line_can_be_watched_again(factory: GpiodFactory, lines: Lines) -> None:
    pin, heard = factory.pin(17), Heard()

    def note(_: float, state: int) -> None:
        heard.add(state)

    pin.when_changed = note
    pin.when_changed = None
    lines.drive(17, 1)
    pin.when_changed = note
    lines.drive(17, 0)

    heard.until([0])


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("function", "alt5", PinInvalidFunction),
        ("pull", "sideways", PinInvalidPull),
        ("edges", "no", PinInvalidEdges),
        ("bounce", -0.1, PinInvalidBounce),
        ("state", 1, PinSetInput),
    ],
)
def test_what_an_input_can_not_be_is_refused(
    factory: GpiodFactory, name: str, value: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        setattr(factory.pin(17), name, value)


def test_a_pin_with_a_resistor_of_its_own_keeps_its_pull(
    factory: GpiodFactory, lines: Lines
) -> None:
    with pytest.raises(PinFixedPull):
        factory.pin(2).pull = "down"

    factory.pin(2).pull = "up"
    assert lines.claimed[2].settings.bias is Bias.PULL_UP


# --- Outputs --------------------------------------------------------------------------------------


def test_a_lamp_has_its_level_from_the_first_moment(factory: GpiodFactory, lines: Lines) -> None:
    lamp = DigitalOutputDevice(22, initial_value=True, pin_factory=factory)
    outputs = [s.output_value for _, s in lines.history if s.direction is Direction.OUTPUT]

    assert outputs == [Value.ACTIVE]
    assert lines.levels[22] == lamp.value == 1


def test_a_lamp_goes_on_and_off(factory: GpiodFactory, lines: Lines) -> None:
    lamp = DigitalOutputDevice(22, pin_factory=factory)

    lamp.on()
    assert lines.levels[22] == 1
    lamp.off()
    assert lines.levels[22] == 0


def test_a_lamp_that_is_closed_drives_no_more(factory: GpiodFactory, lines: Lines) -> None:
    lamp = DigitalOutputDevice(22, initial_value=True, pin_factory=factory)

    lamp.close()

    assert lines.history[-1][1].direction is Direction.INPUT
    assert lines.levels[22] == 0
    assert 22 not in lines.claimed


def test_an_output_has_no_pull_and_no_pwm(factory: GpiodFactory) -> None:
    pin = factory.pin(22)
    pin.function = "output"

    with pytest.raises(PinFixedPull):
        pin.pull = "up"
    with pytest.raises(PinPWMUnsupported):
        PWMLED(23, pin_factory=factory)


# --- Claiming and closing -------------------------------------------------------------------------


def test_a_line_that_another_program_has_is_named_with_its_user(
    factory: GpiodFactory, lines: Lines
) -> None:
    lines.others = {17: "spi0 CS0", 22: ""}

    with pytest.raises(GPIOPinInUse, match="GPIO17 is in use by spi0 CS0"):
        DigitalInputDevice(17, pin_factory=factory)
    with pytest.raises(GPIOPinInUse, match="the kernel"):
        DigitalOutputDevice(22, pin_factory=factory)


def test_a_setting_that_fails_leaves_the_pin_as_it_was(factory: GpiodFactory, lines: Lines) -> None:
    lines.others = {17: "x"}
    pin = factory.pin(17)

    with pytest.raises(GPIOPinInUse):
        pin.pull = "up"

    assert pin.pull == "floating"


def test_a_closed_button_gives_its_line_back_and_can_be_made_again(
    factory: GpiodFactory, lines: Lines
) -> None:
    device, _ = button(factory)
    device.close()
    assert not lines.claimed

    _again, heard = button(factory)
    lines.drive(17, 0)

    heard.until(["down"])


def test_a_handler_may_close_its_own_button(factory: GpiodFactory, lines: Lines) -> None:
    device, heard = button(factory)

    def end() -> None:
        device.close()
        heard.add("closed")

    device.when_activated = end
    lines.drive(17, 0)

    heard.until(["closed"])
    assert not lines.claimed


def test_a_handler_may_close_the_factory(lines: Lines) -> None:
    factory = GpiodFactory("/dev/gpiochip0")
    device, heard = button(factory)

    def end() -> None:
        factory.close()
        heard.add("closed")

    device.when_activated = end
    thread = factory.watcher._thread
    lines.drive(17, 0)

    heard.until(["closed"])
    assert thread is not None
    thread.join(60)
    assert not thread.is_alive()


def test_an_edge_that_nobody_wants_any_more_is_not_told(
    factory: GpiodFactory, lines: Lines
) -> None:
    pin, heard = factory.pin(17), Heard()

    def note(_: float, state: int) -> None:
        heard.add(state)

    pin.when_changed = note
    assert pin.read_edge() is None  # returns at once
    stale = SimpleNamespace(event_type=RISING, timestamp_ns=0)
    pin.when_changed = None
    pin.report_edge(stale)
    assert pin.read_edge() is None

    assert heard.items == []
    assert 17 in lines.claimed


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_handler_that_raises_is_reported_and_the_pins_go_on(
    factory: GpiodFactory, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported = Heard()
    monkeypatch.setattr(threading, "excepthook", lambda args: reported.add(args.exc_type))
    device, heard = button(factory)

    def fail() -> None:
        raise ZeroDivisionError

    device.when_activated = fail
    lines.drive(17, 0)
    reported.until([ZeroDivisionError])
    lines.drive(17, 1)

    heard.until(["up"])


def test_one_thread_watches_all_pins_and_ends_with_the_factory(lines: Lines) -> None:
    factory = GpiodFactory("/dev/gpiochip0")
    before = threading.active_count()

    made = [button(factory, pin) for pin in (5, 6, 13, 19, 16, 20, 21, 26)]
    assert threading.active_count() == before + 1
    for number, (_, heard) in zip((5, 6, 13, 19, 16, 20, 21, 26), made, strict=True):
        lines.drive(number, 0)
        heard.until(["down"])
    factory.close()
    factory.close()

    assert threading.active_count() == before
    assert not lines.claimed


def test_a_factory_that_watched_nothing_ends_too(lines: Lines) -> None:
    factory = GpiodFactory("/dev/gpiochip0")
    assert "gpiochip0" in repr(factory)

    factory.close()

    assert lines.closed
