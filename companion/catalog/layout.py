"""Paths of a game's parts: in `rules/`, `shown/` or `known/`, or beside `__init__.py`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

PART_FOLDERS: Final = {
    "clauses": "rules",
    **dict.fromkeys(("face", "locale", "page", "sheet", "sounds"), "shown"),
    **dict.fromkeys(("edition", "figures"), "known"),
}
"""Folder of each part of a game, by the part's name without a suffix."""


def part_path(game: Path, file: str) -> Path:
    """Return the path of a part in the folder of a game; the part may be missing.

    A part is in its folder of PART_FOLDERS if that folder has the part. Otherwise the part is
    beside `__init__.py`.
    """
    inner = game / PART_FOLDERS[file.partition(".")[0]] / file
    return inner if inner.exists() else game / file


def import_part(game: str, name: str) -> ModuleType | None:
    """Import the part `name` of the game whose module is `game`.

    Return None if the part is missing.
    """
    folder = f"{game}.{PART_FOLDERS[name]}"
    for module, absent in ((f"{folder}.{name}", {folder}), (f"{game}.{name}", set())):
        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            if error.name not in {module, *absent}:
                raise
    return None
