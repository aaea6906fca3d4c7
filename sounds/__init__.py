"""The cues: short sounds, all of one family. `compose.py` made the files beside this one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

LOUDNESS: Final = -16.0
"""How loud every cue is, in dBFS: the RMS of its loudest 200 ms, silence after it included."""

_FOLDER: Final = Path(__file__).parent


def names() -> tuple[str, ...]:
    """Every cue that can be heard, in the order of the alphabet."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.wav")))


def path(name: str) -> Path:
    """Where the cue `name` is kept: 16-bit mono WAV at 44,100 Hz.

    Raises FileNotFoundError, with the names that there are, if there is no such cue.
    """
    file = _FOLDER / f"{name}.wav"
    if file.parent != _FOLDER or not file.is_file():
        raise FileNotFoundError(f"no sound {name!r}; there are: {', '.join(names())}")
    return file
