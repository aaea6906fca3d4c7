"""The paths of a game's files, which are in `rules/`, `shown/`, `known/` or the game's folder."""

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
"""The folder of each part of a game. A part is a file or folder, named without its suffix."""


def game_file_path(game: Path, file: str) -> Path:
    """Return the path of a game's file; the file may be missing.

    If the file is not in its folder of PART_FOLDERS, return a path in the game's folder itself.
    """
    inner = game / PART_FOLDERS[file.partition(".")[0]] / file
    return inner if inner.exists() else game / file


def import_game_module(game: str, name: str) -> ModuleType | None:
    """Import and return the module `name`, such as "face", of the game whose module is `game`.

    Return None if the game has no such module.
    """
    folder = f"{game}.{PART_FOLDERS[name]}"
    for module, absent in ((f"{folder}.{name}", {folder}), (f"{game}.{name}", set())):
        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            if error.name not in {module, *absent}:
                raise
    return None
