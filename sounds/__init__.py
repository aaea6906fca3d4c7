"""The cues: short sounds, all of one family. `compose.py` made the files beside this one."""

from __future__ import annotations

import wave
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent


def names(*more: Path) -> tuple[str, ...]:
    """Every cue of the box and of `more` folders, in the order of the alphabet."""
    return tuple(
        sorted({file.stem for folder in (_FOLDER, *more) for file in folder.glob("*.wav")})
    )


BELLS: Final = _FOLDER / "bells"
"""The classic set of cues."""


def sets(own: Path) -> dict[str, Path]:
    """Return the folders of all sets but the usual one, by name: the bells, then those in `own`.

    own: a folder of folders; one with a WAV file in it is a set.
    """
    folders = sorted(own.iterdir()) if own.is_dir() else []
    found = {folder.name: folder for folder in folders if any(folder.glob("*.wav"))}
    return {"bells": BELLS, **found}


def path(name: str, *more: Path, chosen: Path | None = None) -> Path:
    """Return the file of the cue `name`, a WAV file.

    `chosen` is the folder of a set, which is searched first; then come the box's own folder, and
    `more`, in order. Raises FileNotFoundError, with the names that there are, if there is no such
    cue.
    """
    for folder in (*filter(None, (chosen,)), _FOLDER, *more):
        file = folder / f"{name}.wav"
        if file.parent == folder and file.is_file():
            return file
    raise FileNotFoundError(f"no sound {name!r}; there are: {', '.join(names(*more))}")


@cache
def seconds(file: Path) -> float:
    """Return how long the WAV file plays (s). Raises OSError, or ValueError if it is no WAV."""
    try:
        with wave.open(str(file)) as read:
            return float(read.getnframes() / read.getframerate())
    except (wave.Error, EOFError) as error:
        raise ValueError(f"{file} is no WAV file: {error}") from error
