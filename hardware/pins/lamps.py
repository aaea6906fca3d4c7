"""Controller of blinking lamps. One thread serves all lamps, and sleeps while no lamp blinks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Condition, Thread
from time import monotonic
from typing import Final

from hardware.ports import BLINK_QUICKLY, BLINK_SLOWLY, LAMP_ON, SEATS, HardwareError

BLINK_SECONDS: Final = {BLINK_SLOWLY: 1.5, BLINK_QUICKLY: 0.2}
"""Table from a blinking lamp's state to the length (s) of each lit phase and each dark phase."""

LitLamps = tuple[bool, ...]


def lit_lamps_at_time(lights: Sequence[str], elapsed: float) -> LitLamps:
    """Return a tuple with an element for each lamp: True if the lamp is lit at the time `elapsed`.

    `elapsed`: the seconds since the lamps began to show `lights`. A blinking lamp begins with a lit
    phase.
    """
    return tuple(
        light == LAMP_ON
        or (light in BLINK_SECONDS and int(elapsed / BLINK_SECONDS[light]) % 2 == 0)
        for light in lights
    )


def seconds_to_lamp_change(lights: Sequence[str], elapsed: float) -> float | None:
    """Return the seconds until the next lamp goes on or off, or None if no lamp blinks.

    `elapsed`: the seconds since the lamps began to show `lights`.
    """
    halves = {BLINK_SECONDS[light] for light in lights if light in BLINK_SECONDS}
    return min((half - elapsed % half for half in halves), default=None)


class LampBlinker:
    """Thread-safe controller that calls `light(lit)` whenever a lamp must change.

    `lit` has an element for each lamp: True if the lamp must be lit. Different threads call
    `light`, but never at the same time. If `light` raises HardwareError, the lamps stop blinking.
    The next call of `show` calls `light` again and raises the HardwareError.
    """

    def __init__(self, light: Callable[[LitLamps], None]) -> None:
        self._light = light
        self._news = Condition()
        self._lights: tuple[str, ...] = ()
        self._since = 0.0
        self._thread: Thread | None = None
        self._closing = False

    def show(self, lights: Sequence[str]) -> None:
        """Show `lights`, which has a state such as BLINK_SLOWLY for each lamp, from now on."""
        with self._news:
            self._lights, self._since = tuple(lights), monotonic()
            self._light(lit_lamps_at_time(self._lights, 0))
            if self._thread is not None:
                self._news.notify()
            elif seconds_to_lamp_change(self._lights, 0) is not None:
                self._thread = Thread(target=self._serve, name="lamps", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop the thread and switch all lamps off; safe to call twice."""
        with self._news:
            self._closing = True
            self._news.notify()
            thread = self._thread
        if thread is not None:
            thread.join()
        with suppress(HardwareError):  # a failed lamp is already dark, so ignore the error
            self._light((False,) * len(SEATS))

    def _serve(self) -> None:
        with self._news:
            try:
                while not self._closing:
                    elapsed = monotonic() - self._since
                    self._light(lit_lamps_at_time(self._lights, elapsed))
                    self._news.wait(seconds_to_lamp_change(self._lights, elapsed))
            except HardwareError:
                self._thread = None  # no report here: the next call of `show` raises this error
