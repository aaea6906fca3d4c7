"""What a table has said of its own board: an edition that the box writes, beside the record.

The box may write nothing into the configuration folder, where users keep editions of their own; so
what it was taught stands in `editions/<game>.toml` of the folder that the record is in, and counts
where there is none of the user's. What nobody has said yet is UNKNOWN there, and is asked for when
the game comes upon it.
"""

from __future__ import annotations

import json
import os
import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from companion.catalog import editions, walk
from companion.catalog.walk import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from companion.core.game import Said

HEAD: Final = (
    "# What a table has said of its own board. The companion wrote this, and asks for what is",
    '# "unknown". Move it into the folder of your own editions to change it by hand.',
)
_NOTE: Final = re.compile(r"# (\S+) = .*")


def status(game: str, folder: Path | None, taught: Path | None) -> str:
    """How a board stands: "assumed" or "taught"; "" if it cannot be taught, or need not."""
    if taught is None or editions.teachable(game) is None:
        return ""
    if folder is not None and editions.own_file(game, folder).exists():
        return ""
    return "taught" if editions.own_file(game, taught).exists() else "assumed"


def teach(
    game: str, folder: Path, data: Mapping[str, Any], players: Iterable[str], day: str
) -> None:
    """Keep an edition, of which these players have said on that `day` what is new in it.

    Raises OSError; nothing is written then.
    """
    file, by = editions.own_file(game, folder), tuple(players)
    before = _notes(file) if file.exists() else {}
    said = {
        _name(place): _note(_name(place), value, by, day)
        for place in walk.places(game, data)
        if (value := walk.at(data, place)) != UNKNOWN
    }
    kept = {name: old for name, old in before.items() if _says(old, said.get(name))}
    _write(game, folder, data, said | kept)


def confirm(game: str, folder: Path, players: Iterable[str], day: str) -> None:
    """The board is as it was assumed: these players say so on that `day`. Raises OSError."""
    _write(game, folder, editions.load(game), {"all": _note("all", "as assumed", players, day)})


def learn(
    game: str, folder: Path, before: Collection[Said], now: Collection[Said], day: str
) -> None:
    """Write down what a table has said of its board `now`, and no more what it has taken back.

    That is what it had said `before` and has no longer. Raises OSError; what was written before
    stands then. Nothing is learned that was forgotten.
    """
    file = editions.own_file(game, folder)
    if before == now or not file.exists():
        return
    data, notes = editions.load(game, None, folder), _notes(file)
    for one in (one for one in before if one not in now):
        _set(data, one.path, UNKNOWN)
        notes.pop(_name(one.path), None)
    new = [one for one in now if one not in before]
    data = with_said(data, new)
    for one in new:
        name = _name(one.path)
        notes[name] = _note(name, one.value, one.by, day)
    _write(game, folder, data, notes)


def with_said(edition: Mapping[str, Any], said: Iterable[Said]) -> dict[str, Any]:
    """An edition with what players have said of their board."""
    data = deepcopy(dict(edition))
    for one in said:
        _set(data, one.path, one.value)
    return data


def forget(game: str, folder: Path) -> None:
    """Forget what was said: the board is as it is assumed. Raises OSError."""
    editions.own_file(game, folder).unlink(missing_ok=True)


def _set(data: Any, path: tuple[str | int, ...], value: str) -> None:
    *way, last = path
    for step in way:
        data = data[step]
    data[last] = value


def _name(path: tuple[str | int, ...]) -> str:
    return ".".join(map(str, path))


def _note(name: str, value: str, by: Iterable[str], day: str) -> str:
    """Who has said what, and on which day, if that is known."""
    return f"# {name} = {value}: {', '.join((*by, day) if day else by)}"


def _says(old: str, new: str | None) -> bool:
    """Whether two notes say the same, whoever said it."""
    return new is not None and old.split(": ", maxsplit=1)[0] == new.split(": ")[0]


def _notes(file: Path) -> dict[str, str]:
    """Who said what, by its name in the file."""
    lines = file.read_text("utf-8").splitlines()
    return {found[1]: line for line in lines if (found := _NOTE.fullmatch(line))}


def _write(game: str, folder: Path, data: Mapping[str, Any], notes: Mapping[str, str]) -> None:
    """Another file in the place of the old one, at once or not at all."""
    file = editions.own_file(game, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(".new")
    text = "\n".join((*HEAD, "#", *notes.values(), "", *_lines(data), ""))
    with new.open("w", encoding="utf-8") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    new.replace(file)


def _lines(data: Mapping[str, Any]) -> Iterable[str]:
    """An edition as TOML: values first, then its tables."""
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
    """A value of an edition, as JSON and TOML write it alike."""
    return json.dumps(value, ensure_ascii=False)
