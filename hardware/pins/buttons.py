"""Buttons and a rotary encoder on GPIO pins, debounced by the kernel."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import RLock
from typing import Any, Final

from hardware.pins import edge_recording, gpio
from hardware.ports import DOWN, UP, Edge
from hardware.wiring import DEFAULT_BOARD, Board

DEBOUNCE_SECONDS: Final = 0.008
"""Seconds for which the level of a pin must be stable before the pin reports an edge.

In measurements with 8 ms, no press was lost or doubled. A longer time could lose a press of 30 ms
on a switch that bounces for 15 ms.
"""


class PinButtons:
    """Buttons and a rotary encoder on GPIO pins.

    - `debounce`: the debounce time in seconds, or None to report every bounce of a contact as an
      edge.
    - `kept`: the file descriptor of the edges that the kernel has recorded, or None if the kernel
      recorded no edges (see `hardware.pins.edge_recording`).
    """

    def __init__(
        self,
        board: Board = DEFAULT_BOARD,
        *,
        debounce: float | None = DEBOUNCE_SECONDS,
        kept: int | None = None,
    ) -> None:
        self._board, self._debounce, self._kept = board, debounce, kept
        self._devices: list[Any] = []

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Call `put` with every later edge of a button, on the thread that watches the pins.

        First call `put` with the edges that the kernel recorded, and with an edge for each button
        that a player already holds down. Raise HardwareError if a pin is not available.
        """
        zero = gpio.load_gpiozero()
        try:
            contacts = {
                pin: of_one
                for button, pins in self._board.buttons.items()
                for of_one in (ButtonPins(button, put),)
                for pin in pins
            }
            if self._kept is not None:
                for pin, down, at in edge_recording.read_recorded_edges(self._kept):
                    if pin in contacts:  # ignore an edge of a pin that is not a button
                        contacts[pin].handle_pin_change(pin, down=down, at=at)
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
        except gpio.pin_exception_classes() as error:
            self.close()
            raise gpio.hardware_error_for_pin(error) from error

    def next_start_recording_request(self) -> str:
        """Return the request with which the kernel records button presses at the next start.

        The text contains the path and the label of the GPIO chip, and the request's bytes in
        hexadecimal. Return "" if the box polls its pins, because the kernel records presses only
        without polling. If the GPIO chip fails, print the reason on standard error and return "".
        """
        chip = getattr(gpio.load_gpiozero().Device.pin_factory, "chip", None)
        if chip is None:
            return ""
        request = edge_recording.make_edge_recording_request(self._board, DEBOUNCE_SECONDS).hex()
        try:
            return f"{chip.path} {chip.get_info().label} {request}"
        except gpio.pin_exception_classes() as error:
            sys.stderr.write(f"companion: no presses before the next start: {error}\n")
            return ""

    def close(self) -> None:
        """Release all pins, even if a pin no longer exists; safe to call twice."""
        devices, self._devices = self._devices, []
        for device in devices:
            with suppress(*gpio.pin_exception_classes()):
                device.close()


class ButtonPins:
    """Pins of one button. The button is down while a contact at any of the pins is closed."""

    def __init__(self, button: str, put: Callable[[Edge], None]) -> None:
        self._button, self._put = button, put
        self._down: set[int] = set()
        self._lock = RLock()

    def watch_pin(self, device: Any, pin: int) -> None:
        """Report the current level of `pin` now, and each later edge when the edge happens.

        `device`: gpiozero's input device for the pin.
        """
        device.when_activated = self._teller(pin, down=True)
        device.when_deactivated = self._teller(pin, down=False)
        with self._lock:  # report a pin that is already down, because no edge of this pin follows
            self.handle_pin_change(pin, down=device.is_active, retained=device.is_active)

    def _teller(self, pin: int, *, down: bool) -> Callable[[], None]:
        """Return a callback without parameters, to which gpiozero passes no arguments."""
        return lambda: self.handle_pin_change(pin, down=down)

    def handle_pin_change(
        self, pin: int, *, down: bool, at: float | None = None, retained: bool = False
    ) -> None:
        """Handle a pin that went down or up, and report an edge if the button's state changes.

        - `at`: the monotonic time (s) of the change, or None for the current time.
        - `retained` is True if the pin was already down when the box began to listen.
        """
        with self._lock:
            before = bool(self._down)
            (self._down.add if down else self._down.discard)(pin)
            if bool(self._down) != before:
                since = time.monotonic() if at is None else at
                self._put(Edge(self._button, down, since, retained))


def _click(put: Callable[[Edge], None], button: str) -> Callable[[], None]:
    """Return a callback that presses and releases `button`, for a step of a rotary encoder."""

    def tell() -> None:
        now = time.monotonic()
        put(Edge(button, True, now))
        put(Edge(button, False, now))

    return tell
