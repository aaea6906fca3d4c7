"""GPIO pins without polling: a gpiozero pin factory over libgpiod.

Any gpiozero program can use it, by its name or as an object:

    GPIOZERO_PIN_FACTORY=gpiod python program.py

    from gpiozero import DigitalInputDevice
    from gpiozero_gpiod import GpiodFactory
    button = DigitalInputDevice(17, pull_up=True, bounce_time=0.01, pin_factory=GpiodFactory())

The kernel watches the lines, debounces them and gives each edge its time. `bounce_time` is the time
in seconds for which a level must last to count. One thread sleeps until an edge occurs. lgpio, the
default of gpiozero, polls a watched pin 2,000 times a second instead.

Inputs with pull, bounce time and edges are supported, and outputs, but not PWM. A handler runs on
the thread of the pins, and the next edge waits for its end. If a handler raises an exception,
`threading.excepthook` reports the exception, and the pins continue.
"""

from __future__ import annotations

import errno
import os
import select
from datetime import timedelta
from pathlib import Path
from threading import Lock, RLock, Thread, current_thread
from typing import Any, Final

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero.exc import (
    BadPinFactory,
    GPIOPinInUse,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
)
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

__all__ = ["ChipError", "GpiodFactory", "GpiodPin", "PinWatcher", "find_chip"]

CHIP_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chips with the header's pins: Pi 5, Pi 4, and earlier (also Zero 2 W).

Chip numbers depend on the kernel; line numbers are the BCM numbers.
"""
CONSUMER_NAME: Final = "gpiozero"
"""The user of a line as `gpioinfo` shows it."""
MAX_STORED_EDGES: Final = 64
"""Unread edges that the kernel stores per line; then the oldest are lost."""

_PULLS: Final = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_EDGES: Final = {
    "both": Edge.BOTH,
    "rising": Edge.RISING,
    "falling": Edge.FALLING,
    "none": Edge.NONE,
}
_RISING: Final = gpiod.EdgeEvent.Type.RISING_EDGE


_WHY: Final = {
    "no_chip": "no GPIO chip of a Raspberry Pi: this machine has no GPIO chip",
    "other_chips": "no GPIO chip of a Raspberry Pi: {found}",
    "shut_chip": "{file} cannot be opened: {why}",
}


class ChipError(BadPinFactory):  # type: ignore[misc] # gpiozero has no types
    """There is no chip with a Pi's pins, or it cannot be opened.

    `reason` is "no_chip", "other_chips" or "shut_chip", and `fields` its values, for programs with
    their own messages.
    """

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(_WHY[reason].format_map(fields))
        self.reason, self.fields = reason, fields


def find_chip(folder: Path = Path("/dev")) -> str:
    """Return the path of the chip with the header's pins. Raise ChipError if there is none."""
    seen = []
    for path in sorted(folder.glob("gpiochip*")):
        try:
            with gpiod.Chip(str(path)) as chip:
                label = chip.get_info().label
        except OSError as error:
            label = error.strerror or type(error).__name__
        if label in CHIP_LABELS:
            return str(path)
        seen.append(f"{path.name} = {label}")
    raise ChipError("other_chips" if seen else "no_chip", found="; ".join(seen))


class GpiodFactory(LocalPiFactory):  # type: ignore[misc] # gpiozero has no types
    """A factory for the pins of this Pi.

    `chip` is a path, such as /dev/gpiochip4; None: find it. Raise ChipError if none can be opened.
    """

    def __init__(self, chip: str | None = None) -> None:
        super().__init__()
        self._path = chip or find_chip()
        try:
            self.chip = gpiod.Chip(self._path)
        except OSError as error:
            raise ChipError("shut_chip", file=self._path, why=error) from error
        self.pin_class = GpiodPin
        self.watcher = PinWatcher()

    def close(self) -> None:
        """Release all lines and the chip; safe to call twice."""
        super().close()
        self.watcher.close()
        self.chip.close()

    def __repr__(self) -> str:
        return f"<gpiozero_gpiod.GpiodFactory on {self._path}>"


class GpiodPin(LocalPiPin):  # type: ignore[misc] # gpiozero has no types
    """A line of the chip, requested at its first use, until it is closed.

    As gpiozero expects: `function` "input" or "output", `pull` "up", "down" or "floating", `bounce`
    in seconds or None, `edges` "both", "rising", "falling" or "none".
    """

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self.lock = RLock()
        self._request: gpiod.LineRequest | None = None
        self._forget()

    def _forget(self) -> None:
        self._output = self._watched = False
        self._pull = self._info.pull or "floating"
        self._bounce: float | None = None
        self._edges = "both"

    def close(self) -> None:
        """Make the line an input again, and release it; safe to call twice."""
        self.when_changed = None
        with self.lock:
            if self._request is None:
                return
            if self._output:  # with some kernels a released line stays an output
                self._forget()
                self._configure()
            self._request.release()
            self._request = None
            self._forget()

    # --- the line ---

    def _configure(self, value: Value = Value.INACTIVE) -> gpiod.LineRequest:
        """Request or reconfigure the line. Raise GPIOPinInUse, or OSError."""
        config: dict[Any, Any] = {self._number: self._settings(value)}
        if self._request is not None:
            self._request.reconfigure_lines(config)
            return self._request
        try:
            self._request = self._factory.chip.request_lines(
                config=config, consumer=CONSUMER_NAME, event_buffer_size=MAX_STORED_EDGES
            )
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            user = self._factory.chip.get_line_info(self._number).consumer
            raise GPIOPinInUse(f"{self!r} is in use by {user or 'the kernel'}") from error
        return self._request

    def _settings(self, value: Value) -> gpiod.LineSettings:
        if self._output:
            return gpiod.LineSettings(direction=Direction.OUTPUT, output_value=value)
        return gpiod.LineSettings(
            direction=Direction.INPUT,
            bias=_PULLS[self._pull],
            debounce_period=timedelta(seconds=self._bounce or 0),
            edge_detection=_EDGES[self._edges] if self._watched else Edge.NONE,
        )

    @property
    def _line(self) -> gpiod.LineRequest:
        return self._request or self._configure()

    def _change(self, **settings: Any) -> None:
        """Change attributes and reconfigure the line; if that fails, nothing has changed."""
        with self.lock:
            before = {name: getattr(self, name) for name in settings}
            self.__dict__.update(settings)
            try:
                self._configure()
            except (OSError, GPIOPinInUse):
                self.__dict__.update(before)
                raise

    # --- gpiozero's interface ---

    def output_with_state(self, state: object) -> None:
        """Make the line an output with this level from the beginning."""
        with self.lock:
            self.when_changed = None
            self._output = True
            self._configure(_level(state))

    def _get_function(self) -> str:
        return "output" if self._output else "input"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        self.when_changed = None
        self._change(_output=value == "output")

    def _get_state(self) -> int:
        with self.lock:
            return int(bool(self._line.get_value(self._number)))

    def _set_state(self, value: object) -> None:
        if not self._output:
            raise PinSetInput(f"cannot set state of pin {self!r}")
        with self.lock:
            self._line.set_value(self._number, _level(value))

    def _get_pull(self) -> str:
        return self._pull

    def _set_pull(self, value: str) -> None:
        if self._output:
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        if value not in _PULLS:
            raise PinInvalidPull(f'invalid pull "{value}" for pin {self!r}')
        if self._info.pull not in ("", value):
            raise PinFixedPull(f"{self!r} has a physical pull-{self._info.pull} resistor")
        self._change(_pull=value)

    def _get_bounce(self) -> float | None:
        return self._bounce

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and value < 0:
            raise PinInvalidBounce("bounce must be 0 or greater")
        self._change(_bounce=value or None)

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in _EDGES:
            raise PinInvalidEdges(f'invalid edge specification "{value}" for pin {self!r}')
        self._change(_edges=value)

    def _enable_event_detect(self) -> None:
        self._change(_watched=True)
        self._factory.watcher.add(self._line.fd, self)

    def _disable_event_detect(self) -> None:
        if self._request is not None and self._watched:
            self._factory.watcher.remove(self._request.fd)
            self._change(_watched=False)

    # --- in the watcher's thread ---

    def read(self) -> gpiod.EdgeEvent | None:
        """Return the oldest unread edge; None if there is none, or if no handler is set."""
        with self.lock:
            if self._request is None or not self._watched:
                return None
            if not self._request.wait_edge_events(0):
                return None
            return self._request.read_edge_events(1)[0]

    def report_edge(self, edge: gpiod.EdgeEvent) -> None:
        """Pass an edge to the pin's handler, with the kernel's time."""
        self._call_when_changed(edge.timestamp_ns / 1e9, int(edge.event_type is _RISING))

    def _call_when_changed(self, ticks: float, state: int) -> None:
        """Call the handler as gpiozero does, unless it was removed since the edge was read."""
        reference = self._when_changed
        if reference is None:
            return
        handler = reference()
        if handler is None:  # the handler's object was deleted without being closed
            self.when_changed = None
        else:
            handler(ticks, state)


def _level(state: object) -> Value:
    return Value.ACTIVE if state else Value.INACTIVE


class PinWatcher:
    """One thread for all watched pins, which sleeps in the kernel until an edge occurs."""

    def __init__(self) -> None:
        self._pins: dict[int, GpiodPin] = {}
        self._lock = Lock()
        self._poll = select.epoll()
        self._end = os.eventfd(0, os.EFD_CLOEXEC)
        self._poll.register(self._end, select.EPOLLIN)
        self._thread: Thread | None = None
        self._closed = False

    def add(self, fd: int, pin: GpiodPin) -> None:
        """Start to watch a pin's line."""
        with self._lock:
            self._pins[fd] = pin
            self._poll.register(fd, select.EPOLLIN)
            if self._thread is None:
                self._begin()

    def remove(self, fd: int) -> None:
        """Stop watching a line. Never waits, not even for a running handler."""
        with self._lock:
            self._poll.unregister(fd)
            del self._pins[fd]

    def close(self) -> None:
        """Stop the thread; safe to call twice, and from a handler."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            os.eventfd_write(self._end, 1)
        if self._thread is not None and self._thread is not current_thread():
            self._thread.join()
        self._poll.close()
        os.close(self._end)

    def _begin(self) -> None:
        self._thread = Thread(target=self._run, name="pins", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        """Report edges until the end. If a handler raises, another thread continues."""
        try:
            while not self._closed:
                self._tell_ready()
        finally:
            if not self._closed:
                self._begin()

    def _tell_ready(self) -> None:
        """Wait for edges, and report the oldest one of every line."""
        for fd, _ in self._poll.poll():
            pin = self._pins.get(fd)
            edge = None if pin is None else pin.read()
            if pin is not None and edge is not None:
                pin.report_edge(edge)
