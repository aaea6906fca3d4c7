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
"""Table from a part of a game to the folder of this part.

The name of a part is the name of a file without its suffix, or the name of a folder.
"""


def game_file_path(game: Path, file: str) -> Path:
    """Return the path at which a game's file is expected. The file may be missing.

    If PART_FOLDERS names a folder without this file, return a path in the game's own folder.
    """
    inner = game / PART_FOLDERS[file.partition(".")[0]] / file
    return inner if inner.exists() else game / file


def import_game_submodule(game: str, name: str) -> ModuleType | None:
    """Import and return a module of a game; None if the game has no such module.

    - `game`: the name of the game's Python module.
    - `name`: the short name of the module to import, such as "face".
    """
    folder = f"{game}.{PART_FOLDERS[name]}"
    for module, absent in ((f"{folder}.{name}", {folder}), (f"{game}.{name}", set())):
        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            if error.name not in {module, *absent}:
                raise
    return None
