"""Paths of a game's parts, which are in `rules/`, `shown/` or `known/`, or beside `__init__.py`."""

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
"""The folder of each part of a game, by the part's name without a suffix."""


def game_part_path(game: Path, file: str) -> Path:
    """Return the path of a part in a game's folder; the part may be missing.

    If the part is not in its folder of PART_FOLDERS, the path is beside `__init__.py`.
    """
    inner = game / PART_FOLDERS[file.partition(".")[0]] / file
    return inner if inner.exists() else game / file


def import_game_part(game: str, name: str) -> ModuleType | None:
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
