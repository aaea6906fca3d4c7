"""A pin factory for gpiozero that uses libgpiod and watches GPIO pins without polling.

Any gpiozero program can use the factory, by its name or as an object:

    GPIOZERO_PIN_FACTORY=gpiod python program.py

    from gpiozero import DigitalInputDevice
    from gpiozero_gpiod import GpiodFactory
    button = DigitalInputDevice(17, pull_up=True, bounce_time=0.01, pin_factory=GpiodFactory())

The kernel watches the pins, debounces the pins, and records the time of each edge. `bounce_time` is
the number of seconds for which a new level must last to count as an edge. The factory's thread
sleeps until an edge occurs. In contrast, lgpio, the default pin library of gpiozero, polls a
watched pin 2,000 times a second.

The factory supports outputs, and inputs with pull, bounce time and edges. The factory does not
support PWM. All handlers run on one thread, so each handler delays the next edge. If a handler
raises an exception, `threading.excepthook` reports the exception, and the factory continues to
watch the pins.
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

__all__ = ["GpioChipError", "GpiodFactory", "GpiodPin", "PinWatcher", "find_header_gpio_chip"]

CHIP_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the GPIO chips whose lines are the pins of the Raspberry Pi's header.

The Pi 5 has the label `pinctrl-rp1`, and the Pi 4 has `pinctrl-bcm2711`. Earlier models and the
Zero 2 W have `pinctrl-bcm2835`. The number in a chip's path, such as 4 in /dev/gpiochip4, depends
on the kernel. The number of a line on these chips is its BCM number.
"""
CONSUMER_NAME: Final = "gpiozero"
"""Name that `gpioinfo` shows as the user of a line."""
MAX_STORED_EDGES: Final = 64
"""Number of unread edges (changes of level) that the kernel stores for each line.

If more edges arrive, the kernel drops the oldest edges.
"""

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


class GpioChipError(BadPinFactory):  # type: ignore[misc] # gpiozero has no types
    """The error for a missing or unreadable GPIO chip.

    - `reason`: "no_chip", "other_chips" or "shut_chip".
    - `fields`: the values for the message.

    Programs that print their own error messages use `reason` and `fields`.
    """

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(_WHY[reason].format_map(fields))
        self.reason, self.fields = reason, fields


def find_header_gpio_chip(folder: Path = Path("/dev")) -> str:
    """Return the path of the GPIO chip that controls the header's pins.

    Raise GpioChipError if `folder` has no such chip.
    """
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
    raise GpioChipError("other_chips" if seen else "no_chip", found="; ".join(seen))


class GpiodFactory(LocalPiFactory):  # type: ignore[misc] # gpiozero has no types
    """The pin factory for the pins of a Raspberry Pi.

    - `chip`: the path of the GPIO chip, such as /dev/gpiochip4, or None to search for the chip.

    Raise GpioChipError if the chip cannot be found or opened.
    """

    def __init__(self, chip: str | None = None) -> None:
        super().__init__()
        self._path = chip or find_header_gpio_chip()
        try:
            self.chip = gpiod.Chip(self._path)
        except OSError as error:
            raise GpioChipError("shut_chip", file=self._path, why=error) from error
        self.pin_class = GpiodPin
        self.watcher = PinWatcher()

    def close(self) -> None:
        """Release all pins and the chip. A second call has no effect."""
        super().close()
        self.watcher.close()
        self.chip.close()

    def __repr__(self) -> str:
        return f"<gpiozero_gpiod.GpiodFactory on {self._path}>"


class GpiodPin(LocalPiPin):  # type: ignore[misc] # gpiozero has no types
    """A pin of the GPIO chip. The first use of the pin requests its line from the kernel.

    The attributes have gpiozero's values:

    - `function`: "input" or "output".
    - `pull`: "up", "down" or "floating".
    - `bounce`: seconds, or None.
    - `edges`: "both", "rising", "falling" or "none".
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
        """Make the pin an input again and release its line. A second call has no effect."""
        self.when_changed = None
        with self.lock:
            if self._request is None:
                return
            if self._output:  # make the pin an input, because a released output may keep its level
                self._forget()
                self._configure()
            self._request.release()
            self._request = None
            self._forget()

    # --- the line ---

    def _configure(self, value: Value = Value.INACTIVE) -> gpiod.LineRequest:
        """Request the pin's line from the kernel, or change the line's settings.

        Raise GPIOPinInUse if another program uses the line, and OSError if the kernel refuses the
        settings.
        """
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
        """Set attributes and the line's settings.

        If the kernel refuses the settings, restore the attributes.
        """
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
        """Make the pin an output whose first level is `state`."""
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
        self._factory.watcher.watch_pin(self._line.fd, self)

    def _disable_event_detect(self) -> None:
        if self._request is not None and self._watched:
            self._factory.watcher.unwatch_pin(self._request.fd)
            self._change(_watched=False)

    # --- in the watcher's thread ---

    def read_edge(self) -> gpiod.EdgeEvent | None:
        """Return the pin's oldest unread edge, or None if no edge is waiting."""
        with self.lock:
            if self._request is None or not self._watched:
                return None
            if not self._request.wait_edge_events(0):
                return None
            return self._request.read_edge_events(1)[0]

    def report_edge(self, edge: gpiod.EdgeEvent) -> None:
        """Call the pin's handler with an edge and the time that the kernel recorded."""
        self._call_when_changed(edge.timestamp_ns / 1e9, int(edge.event_type is _RISING))

    def _call_when_changed(self, ticks: float, state: int) -> None:
        """Call the handler as gpiozero does, unless the program has removed the handler."""
        reference = self._when_changed
        if reference is None:
            return
        handler = reference()
        if handler is None:  # remove a handler whose object no longer exists
            self.when_changed = None
        else:
            handler(ticks, state)


def _level(state: object) -> Value:
    return Value.ACTIVE if state else Value.INACTIVE


class PinWatcher:
    """One thread that watches all pins. The thread sleeps in the kernel until an edge occurs."""

    def __init__(self) -> None:
        self._pins: dict[int, GpiodPin] = {}
        self._lock = Lock()
        self._poll = select.epoll()
        self._end = os.eventfd(0, os.EFD_CLOEXEC)
        self._poll.register(self._end, select.EPOLLIN)
        self._thread: Thread | None = None
        self._closed = False

    def watch_pin(self, fd: int, pin: GpiodPin) -> None:
        """Start watching `pin`, whose line has the file descriptor `fd`."""
        with self._lock:
            self._pins[fd] = pin
            self._poll.register(fd, select.EPOLLIN)
            if self._thread is None:
                self._begin()

    def unwatch_pin(self, fd: int) -> None:
        """Stop watching the pin with the file descriptor `fd`.

        The pin's handler may still be running when this method returns.
        """
        with self._lock:
            self._poll.unregister(fd)
            del self._pins[fd]

    def close(self) -> None:
        """Stop the thread. A handler can call this method, and a second call has no effect."""
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
        """Report edges until `close` is called.

        If a handler raises an exception, a new thread continues to report edges.
        """
        try:
            while not self._closed:
                self._tell_ready()
        finally:
            if not self._closed:
                self._begin()

    def _tell_ready(self) -> None:
        """Wait for edges, and report the oldest edge of every pin that has edges."""
        for fd, _ in self._poll.poll():
            pin = self._pins.get(fd)
            edge = None if pin is None else pin.read_edge()
            if pin is not None and edge is not None:
                pin.report_edge(edge)
