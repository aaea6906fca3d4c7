"""Edition files beside the record, with the values of printed boards that players entered.

If the user has written no edition of a game, the box uses the file `editions/<game>.toml` beside
the record. The box cannot write into the configuration folder, which contains users' editions.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from companion.catalog import board_tour, editions
from companion.catalog.board_tour import UNKNOWN_BOARD_VALUE
from companion.core.game import Edition, EnteredBoardValue

FILE_HEADER: Final = (
    "# What a table has said of its own board. The companion wrote this, and asks for what is",
    '# "unknown". Move it into the folder of your own editions to change it by hand.',
)
_NOTE: Final = re.compile(r"# (\S+) = .*")


def board_entry_status(game: str, folder: Path | None, taught: Path | None) -> str:
    """Return the status of the data about a game's printed board.

    The status is "taught" if players have entered the board. The status is "assumed" if players can
    enter the board but have not entered the board. The status is "" if players cannot enter the
    board, or if the user has written an edition.

    - `folder`: the folder with users' editions.
    - `taught`: the folder with entered editions.
    """
    if taught is None or editions.board_tour_plan(game) is None:
        return ""
    if folder is not None and editions.user_edition_file(game, folder).exists():
        return ""
    return "taught" if editions.user_edition_file(game, taught).exists() else "assumed"


def save_entered_board(
    game: str, folder: Path, data: Mapping[str, Any], players: Iterable[str], day: str
) -> None:
    """Save the printed board `data`, with a note about who entered the new values and when.

    - `players`: the players who entered the new values.
    - `day`: the date on which the players entered the new values.

    If the file cannot be written, raise OSError and leave the old file unchanged.
    """
    file, by = editions.user_edition_file(game, folder), tuple(players)
    before = _notes(file) if file.exists() else {}
    new_notes = {
        _name(place): _note(_name(place), value, by, day)
        for place in board_tour.enterable_board_places(game, data)
        if (value := board_tour.edition_value_at_path(data, place)) != UNKNOWN_BOARD_VALUE
    }
    old_notes = {name: old for name, old in before.items() if _says(old, new_notes.get(name))}
    _write(game, folder, data, new_notes | old_notes)


def confirm_assumed_board(game: str, folder: Path, players: Iterable[str], day: str) -> None:
    """Save that `players` have confirmed the assumed board on the date `day`.

    Raise OSError if saving fails.
    """
    _write(
        game, folder, editions.load_edition(game), {"all": _note("all", "as assumed", players, day)}
    )


def save_entered_values(
    game: str,
    folder: Path,
    before: Collection[EnteredBoardValue],
    now: Collection[EnteredBoardValue],
    day: str,
) -> None:
    """Save the values of the printed board that players entered in a game; delete undone values.

    If the board's file was deleted since the last save, save nothing.

    - `before`: the values that players had entered at the last save.
    - `now`: the values that players have entered up to now.
    - `day`: today's date as text.

    If the file cannot be written, raise OSError and leave the old file unchanged.
    """
    file = editions.user_edition_file(game, folder)
    if before == now or not file.exists():
        return
    data, notes = editions.load_edition(game, None, folder), _notes(file)
    for entered in (entered for entered in before if entered not in now):
        _set(data, entered.path, UNKNOWN_BOARD_VALUE)
        notes.pop(_name(entered.path), None)
    new = [entered for entered in now if entered not in before]
    data = edition_with_entered_values(data, new)
    for entered in new:
        name = _name(entered.path)
        notes[name] = _note(name, entered.value, entered.by, day)
    _write(game, folder, data, notes)


def edition_with_entered_values(
    edition: Edition, values: Iterable[EnteredBoardValue]
) -> dict[str, Any]:
    """Return a copy of an edition (the data of a printed board) with entered values."""
    data = deepcopy(dict(edition))
    for entered in values:
        _set(data, entered.path, entered.value)
    return data


def delete_entered_board(game: str, folder: Path) -> None:
    """Delete the values that players entered for a board. The box then uses the assumed values.

    Raise OSError if the file cannot be deleted.
    """
    editions.user_edition_file(game, folder).unlink(missing_ok=True)


def _set(data: Any, path: tuple[str | int, ...], value: str) -> None:
    *way, last = path
    for step in way:
        data = data[step]
    data[last] = value


def _name(path: tuple[str | int, ...]) -> str:
    return ".".join(map(str, path))


def _note(name: str, value: str, by: Iterable[str], day: str) -> str:
    return f"# {name} = {value}: {', '.join((*by, day) if day else by)}"


def _says(old: str, new: str | None) -> bool:
    """Return True if two comments of an edition file state the same value for the same place."""
    return new is not None and old.split(": ", maxsplit=1)[0] == new.split(": ")[0]


def _notes(file: Path) -> dict[str, str]:
    lines = file.read_text("utf-8").splitlines()
    return {match[1]: line for line in lines if (match := _NOTE.fullmatch(line))}


def _write(game: str, folder: Path, data: Mapping[str, Any], notes: Mapping[str, str]) -> None:
    file = editions.user_edition_file(game, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(".new")
    text = "\n".join((*FILE_HEADER, "#", *notes.values(), "", *_lines(data), ""))
    with new.open("w", encoding="utf-8") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    new.replace(file)


def _lines(data: Mapping[str, Any]) -> Iterable[str]:
    tables = {key: value for key, value in data.items() if _is_table(value)}
    yield from (f"{key} = {_value(value)}" for key, value in data.items() if key not in tables)
    for key, value in tables.items():
        several = isinstance(value, list)
        for table in value if several else (value,):
            yield ""
            yield f"[[{key}]]" if several else f"[{key}]"
            yield from (f"{json.dumps(name)} = {_value(inner)}" for name, inner in table.items())


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    )


def _value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
