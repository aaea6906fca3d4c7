"""Blinking lamps: one thread for all, asleep while none blinks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Condition, Thread
from time import monotonic
from typing import Final

from hardware.ports import BLINK_QUICKLY, BLINK_SLOWLY, LAMP_ON, SEATS, HardwareError

BLINK_SECONDS: Final = {BLINK_SLOWLY: 1.5, BLINK_QUICKLY: 0.2}
"""The time in seconds for which a blinking lamp is lit, and dark."""

LitLamps = tuple[bool, ...]


def lit_lamps(lights: Sequence[str], elapsed: float) -> LitLamps:
    """Return the lamps that are lit `elapsed` seconds after the start. Blinking begins lit."""
    return tuple(
        light == LAMP_ON
        or (light in BLINK_SECONDS and int(elapsed / BLINK_SECONDS[light]) % 2 == 0)
        for light in lights
    )


def seconds_to_change(lights: Sequence[str], elapsed: float) -> float | None:
    """Return the seconds from `elapsed` until a lamp changes; None if none does."""
    halves = {BLINK_SECONDS[light] for light in lights if light in BLINK_SECONDS}
    return min((half - elapsed % half for half in halves), default=None)


class Blinker:
    """Calls `light(lit)` whenever a lamp changes, from any thread, one call at a time.

    A HardwareError of `light` ends the blinking; the next `show` retries and raises it.
    """

    def __init__(self, light: Callable[[LitLamps], None]) -> None:
        self._light = light
        self._news = Condition()
        self._lights: tuple[str, ...] = ()
        self._since = 0.0
        self._thread: Thread | None = None
        self._closing = False

    def show(self, lights: Sequence[str]) -> None:
        """Start a new pattern; see `hardware.Lamps`."""
        with self._news:
            self._lights, self._since = tuple(lights), monotonic()
            self._light(lit_lamps(self._lights, 0))
            if self._thread is not None:
                self._news.notify()
            elif seconds_to_change(self._lights, 0) is not None:
                self._thread = Thread(target=self._serve, name="lamps", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Put all lamps out for good; safe to call twice."""
        with self._news:
            self._closing = True
            self._news.notify()
            thread = self._thread
        if thread is not None:
            thread.join()
        with suppress(HardwareError):  # a missing lamp is out
            self._light((False,) * len(SEATS))

    def _serve(self) -> None:
        """Wait for the next change or the next pattern, until the end."""
        with self._news:
            try:
                while not self._closing:
                    elapsed = monotonic() - self._since
                    self._light(lit_lamps(self._lights, elapsed))
                    self._news.wait(seconds_to_change(self._lights, elapsed))
            except HardwareError:
                self._thread = None  # the next `show` tries again, and raises the error
