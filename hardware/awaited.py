"""The sound card, which comes later than the box after power-on: what is to sound waits for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from hardware import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable

M = TypeVar("M")

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


def awaited(
    open_mixer: Callable[[], M], clock: Callable[[], float], there: Callable[[], bool] = is_there
) -> Callable[[], M]:
    """What opens the sound device, once it is there or nobody waits for it any more.

    It raises NotYetError, or what `open_mixer` raises. Before the device is there neither SDL nor
    ALSA is asked: they keep what they saw first.
    """
    until = clock() + PATIENCE

    def opened() -> M:
        if clock() < until and not there():
            raise NotYetError("There is no sound device yet.", "sound")
        return open_mixer()

    return opened
