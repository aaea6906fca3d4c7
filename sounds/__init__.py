"""The sounds of the box: short, and of one family. `compose.py` made the files in this folder."""

from __future__ import annotations

import wave
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent


def sound_names(*more: Path) -> tuple[str, ...]:
    """Return every sound of the box and of `more` folders, in alphabetical order."""
    return tuple(
        sorted({file.stem for folder in (_FOLDER, *more) for file in folder.glob("*.wav")})
    )


BELLS_FOLDER: Final = _FOLDER / "bells"
"""The classic set of sounds."""


def sound_sets(parent: Path) -> dict[str, Path]:
    """Return the folders of all sets except the default one, by name.

    They are the bells, then the sets in `parent`: a folder of folders; each one with a WAV file is
    a set.
    """
    folders = sorted(parent.iterdir()) if parent.is_dir() else []
    sets = {folder.name: folder for folder in folders if any(folder.glob("*.wav"))}
    return {"bells": BELLS_FOLDER, **sets}


def sound_path(name: str, *more: Path, chosen: Path | None = None) -> Path:
    """Return the file of the sound `name`, a WAV file.

    `chosen` is the folder of a set, which is searched first; then come the box's own folder, and
    `more`, in order. Raise FileNotFoundError with the available names if there is no such sound.
    """
    for folder in (*filter(None, (chosen,)), _FOLDER, *more):
        file = folder / f"{name}.wav"
        if file.parent == folder and file.is_file():
            return file
    raise FileNotFoundError(f"no sound {name!r}; there are: {', '.join(sound_names(*more))}")


@cache
def sound_seconds(file: Path) -> float:
    """Return the length of the WAV file (s). Raise OSError, or ValueError if it is no WAV."""
    try:
        with wave.open(str(file)) as read:
            return float(read.getnframes() / read.getframerate())
    except (wave.Error, EOFError) as error:
        raise ValueError(f"{file} is no WAV file: {error}") from error
