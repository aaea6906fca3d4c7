"""Buttons on GPIO pins, debounced by the kernel, and a knob."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import RLock
from typing import Any, Final

from hardware.pins import early, gpio
from hardware.ports import DOWN, UP, Edge
from hardware.wiring import FOUR_BUTTONS, Board

DEBOUNCE_SECONDS: Final = 0.008
"""The time in seconds for which a level must last: no press is lost or doubled (measured).

The kernel counts in ticks of 4 ms and rounds up: 10 ms would become 12 to 16 ms, longer than a
press of 30 ms is stable on a switch that bounces for 15 ms.
"""


class PinButtons:
    """Buttons on GPIO pins, and a knob. Without `debounce` (seconds) every bounce is an edge.

    `kept` is the kernel's record of earlier presses (`hardware.pins.early`).
    """

    def __init__(
        self,
        board: Board = FOUR_BUTTONS,
        *,
        debounce: float | None = DEBOUNCE_SECONDS,
        kept: int | None = None,
    ) -> None:
        self._board, self._debounce, self._kept = board, debounce, kept
        self._devices: list[Any] = []

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Pass every edge to `put`, in the thread of the pins.

        Recorded edges come first, then a button that is held already. Raise HardwareError if a pin
        is not available.
        """
        zero = gpio.load_gpiozero()
        try:
            contacts = {
                pin: of_one
                for button, pins in self._board.buttons.items()
                for of_one in (ButtonContacts(button, put),)
                for pin in pins
            }
            if self._kept is not None:
                for pin, down, at in early.read_recorded_edges(self._kept):
                    if pin in contacts:  # otherwise the presses were recorded for another board
                        contacts[pin].change_pin(pin, down=down, at=at)
                self._kept = None
            for pin, of_one in contacts.items():
                device = zero.DigitalInputDevice(pin, pull_up=True, bounce_time=self._debounce)
                self._devices.append(device)
                of_one.watch_pin(device, pin)
            if self._board.knob:
                knob = zero.RotaryEncoder(*self._board.knob, max_steps=0)
                self._devices.append(knob)
                knob.when_rotated_clockwise = _click(put, UP)
                knob.when_rotated_counter_clockwise = _click(put, DOWN)
        except gpio.pin_exceptions() as error:
            self.close()
            raise gpio.pin_error(error) from error

    def recording_request(self) -> str:
        """Return the request with which the kernel records presses at the next start.

        "" if the kernel does not watch the buttons.
        """
        chip = getattr(gpio.load_gpiozero().Device.pin_factory, "chip", None)
        if chip is None:
            return ""
        request = early.make_recording_request(self._board, DEBOUNCE_SECONDS).hex()
        try:
            return f"{chip.path} {chip.get_info().label} {request}"
        except gpio.pin_exceptions() as error:
            sys.stderr.write(f"companion: no presses before the next start: {error}\n")
            return ""

    def close(self) -> None:
        """Release the pins even if they are gone; safe to call twice."""
        devices, self._devices = self._devices, []
        for device in devices:
            with suppress(*gpio.pin_exceptions()):
                device.close()


class ButtonContacts:
    """The pins of one button, which is down while any of them is."""

    def __init__(self, button: str, put: Callable[[Edge], None]) -> None:
        self._button, self._put = button, put
        self._down: set[int] = set()
        self._lock = RLock()

    def watch_pin(self, device: Any, pin: int) -> None:
        """Report the edges of a pin from now on, and first its present level."""
        device.when_activated = self._teller(pin, down=True)
        device.when_deactivated = self._teller(pin, down=False)
        with self._lock:  # edges in the meantime are reported after it
            self.change_pin(pin, down=device.is_active, retained=device.is_active)

    def _teller(self, pin: int, *, down: bool) -> Callable[[], None]:
        """Return a callback without parameters, because gpiozero counts a handler's parameters."""
        return lambda: self.change_pin(pin, down=down)

    def change_pin(
        self, pin: int, *, down: bool, at: float | None = None, retained: bool = False
    ) -> None:
        """Handle a pin that is down or up since `at` (s; None: now). `retained` as in `Edge`."""
        with self._lock:
            before = bool(self._down)
            (self._down.add if down else self._down.discard)(pin)
            if bool(self._down) != before:
                since = time.monotonic() if at is None else at
                self._put(Edge(self._button, down, since, retained))


def _click(put: Callable[[Edge], None], button: str) -> Callable[[], None]:
    """Return the callback of a knob's detent: a press without length."""

    def tell() -> None:
        now = time.monotonic()
        put(Edge(button, True, now))
        put(Edge(button, False, now))

    return tell
