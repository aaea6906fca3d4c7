"""The sound card, which comes later than the box after power-on: what is to sound waits for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardware import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.player import Mixer

PATIENCE: Final = 20.0
"""Seconds from the box's start within which a sound card may come."""
SOON: Final = 0.5
"""Seconds between two looks whether it is there."""
DEVICES: Final = Path("/dev/snd")


class NotYetError(HardwareError):
    """There is no sound device, but it may still come: what is to sound is kept."""


def is_there(folder: Path = DEVICES) -> bool:
    """Whether ALSA has something to play on that this user may use.

    Where the box was not told to use ALSA, whatever it plays on is there.
    """
    if os.environ.get("SDL_AUDIODRIVER") != "alsa":
        return True
    return any(os.access(device, os.W_OK) for device in folder.glob("pcmC*p"))


class Awaited:
    """Opens the sound device with `open_mixer`, once it is there or nobody waits for it any more.

    Before that neither SDL nor ALSA is asked: they keep what they saw first.
    """

    def __init__(
        self,
        open_mixer: Callable[[], Mixer],
        clock: Callable[[], float],
        there: Callable[[], bool] = is_there,
    ) -> None:
        self._open, self._clock, self._there = open_mixer, clock, there
        self._until = clock() + PATIENCE

    def __call__(self) -> Mixer:
        """Open it. Raises NotYetError, or any other HardwareError of it."""
        if self._clock() < self._until and not self._there():
            raise NotYetError("There is no sound device yet.", "sound")
        return self._open()
