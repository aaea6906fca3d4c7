"""Tests of the search for a game's modules: in a folder of their kind, or beside `__init__.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.catalog import layout, registry

ABSENT = "absent_module_of_a_test"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / f"game_{tmp_path.name}"
    (folder / "shown").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "shown" / "__init__.py").touch()
    return folder


@pytest.mark.parametrize("where", ["", "shown"])
def test_a_part_is_found_beside_init_and_in_its_folder(game: Path, where: str) -> None:
    (game / where / "face.py").write_text("FACE = 1\n", "utf-8")
    (game / where / "page.js").touch()

    module = layout.import_game_submodule(game.name, "face")

    assert module is sys.modules[".".join(filter(None, (game.name, where, "face")))]
    assert layout.game_file_path(game, "page.js") == game / where / "page.js"


def test_a_part_in_its_folder_hides_one_beside_init(game: Path) -> None:
    for where in ("", "shown"):
        (game / where / "face.py").touch()
        (game / where / "page.css").touch()

    module = layout.import_game_submodule(game.name, "face")

    assert module is not None
    assert module.__name__ == f"{game.name}.shown.face"
    assert layout.game_file_path(game, "page.css") == game / "shown" / "page.css"


@pytest.mark.parametrize("name", ["face", "figures"])
def test_a_game_without_a_part_has_none_of_it(game: Path, name: str) -> None:
    assert layout.import_game_submodule(game.name, name) is None
    assert not layout.game_file_path(game, f"{name}.py").exists()


@pytest.mark.parametrize("where", ["", "shown"])
def test_a_missing_import_of_a_part_is_raised(game: Path, where: str) -> None:
    (game / where / "face.py").write_text(f"import {ABSENT}\n", "utf-8")

    with pytest.raises(ModuleNotFoundError, match=ABSENT):
        layout.import_game_submodule(game.name, "face")


@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_a_built_in_game_keeps_its_parts_in_folders(game: str) -> None:
    files = {file.name for file in registry.game_folder(game).iterdir()} - {"__pycache__"}
    assert files == {"__init__.py", "rules", "shown", "known"}
