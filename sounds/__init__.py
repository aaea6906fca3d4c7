"""The sounds of the box: short WAV files in one style, which `compose.py` wrote."""

from __future__ import annotations

import wave
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent


def sound_names(*more: Path) -> tuple[str, ...]:
    """Return the sorted names of the sounds in the folder `sounds/` and in the folders `more`."""
    return tuple(
        sorted({file.stem for folder in (_FOLDER, *more) for file in folder.glob("*.wav")})
    )


BELLS_FOLDER: Final = _FOLDER / "bells"
"""Folder of the classic sound set, whose name is "bells"."""


def sound_set_folders_by_name(parent: Path) -> dict[str, Path]:
    """Return a table from the name of each sound set to the folder of the set.

    The table omits the default set. The first set in the table is "bells". Each folder in `parent`
    that has a WAV file is another set.
    """
    folders = sorted(parent.iterdir()) if parent.is_dir() else []
    sets = {folder.name: folder for folder in folders if any(folder.glob("*.wav"))}
    return {"bells": BELLS_FOLDER, **sets}


def find_sound_file(name: str, *more: Path, chosen: Path | None = None) -> Path:
    """Return the path of the WAV file of the sound `name`.

    The function first searches `chosen`, the folder of the chosen sound set. The function then
    searches the folder `sounds/`, and last the folders `more`. Raise FileNotFoundError with the
    available names if no folder has the sound.
    """
    for folder in (*filter(None, (chosen,)), _FOLDER, *more):
        file = folder / f"{name}.wav"
        if file.parent == folder and file.is_file():
            return file
    raise FileNotFoundError(f"no sound {name!r}; there are: {', '.join(sound_names(*more))}")


@cache
def sound_length_in_seconds(file: Path) -> float:
    """Return the length of a WAV file in seconds.

    Raise OSError if the file cannot be read, and ValueError if the file is not a WAV file.
    """
    try:
        with wave.open(str(file)) as read:
            return float(read.getnframes() / read.getframerate())
    except (wave.Error, EOFError) as error:
        raise ValueError(f"{file} is no WAV file: {error}") from error
