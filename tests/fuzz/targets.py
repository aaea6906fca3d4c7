"""The five doors by which text comes in: each takes bytes, and raises only what is a fault."""

from __future__ import annotations

import io
import random
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from companion.catalog import editions, registry
from companion.core.chance import Chance
from companion.door.stdio import Stdio
from companion.play import simulate
from companion.play.session import Session, Setup
from companion.record.entry import ODD, Entry, decode, encode, glance
from companion.record.journal import Journal
from hardware import board_file
from hardware.wiring import BoardError
from tests.door.callers import House
from tests.helpers import begun, printed, setup_for, words_for

if TYPE_CHECKING:
    from collections.abc import Callable

GAME: Final = "barney-miller"


def record(data: bytes) -> None:
    """A line of the record is what was written, or it is damaged."""
    line = data.decode("latin-1")
    with suppress(*ODD):
        assert isinstance(glance(line), Entry)
    with suppress(*ODD):
        assert isinstance(decode(line, 1, 1, 0)[0], Entry)


def edition(data: bytes) -> None:
    """A board file has mistakes that are told, or a game is played on it to its end."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "own.toml"
        file.write_bytes(data)
        for game in map(registry.find, registry.NAMES):
            for mistake in (found := editions.check(game.name, file)):
                assert str(mistake).isprintable()
                assert mistake.line <= data.count(b"\n") + 1
            if not found:
                with_it = editions._read(game.name, file)[0]
                options = {option.name: option.values[0] for option in game.options}
                state = game.setup(game.names[:2], options, with_it)
                simulate.play(game, state, random.Random(1), count=False)


def board(data: bytes) -> None:
    """A board's wiring is one, or its mistakes are told."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "board.toml"
        file.write_bytes(data)
        with suppress(BoardError):
            board_file.read(file)


def stdio(data: bytes) -> None:
    """Each line of a program is done, or answered with an error."""
    game = registry.find(GAME)
    options = {option.name: option.values[0] for option in game.options}
    setup = Setup(game, game.names[:2], options, printed(), Chance("seed"), mixing=False)
    with closing(Journal(None)) as journal:
        session = Session.begin(journal, setup, 0)
        sink = io.StringIO()
        words = words_for(GAME, "en")
        Stdio(session, words, source=io.BytesIO(data), sink=sink, wall=lambda: 0, version="1").run()
        assert "\n" in sink.getvalue()


def door(data: bytes) -> None:
    """Each line that comes to a running box is done, or answered with an error that has a code."""
    game = registry.find(GAME)
    options = {option.name: option.values[0] for option in game.options}
    house = House(begun(setup_for(options, players=("Ann", "Bob"))))
    house.drive.resume()
    callers = house.caller(owner=True), house.caller()
    for line in data.split(b"\n"):
        for caller in callers:
            for message in caller.line(line):
                assert message["type"] != "error" or message["code"]
    assert house.drive.frame


TARGETS: Final[dict[str, Callable[[bytes], None]]] = {
    "record": record, "edition": edition, "board": board, "stdio": stdio, "door": door,
}  # fmt: skip
_LINES: Final = (
    Entry("answer", "play_card", "Fish", 3, 17),
    Entry("game", value={"game": GAME, "players": ["Ann", "Bob"]}),
    Entry("undo", value=True),
)
CORPUS: Final[dict[str, tuple[bytes, ...]]] = {
    "record": tuple(encode(1, 1, entry, 0)[0].encode() for entry in _LINES),
    "edition": tuple(editions.template(game).read_bytes() for game in registry.NAMES),
    "board": tuple(path.read_bytes() for path in sorted(board_file.FOLDER.glob("*.toml"))),
    "door": (
        b'{"watch":true,"after":3,"frames":true}\n{"answer":6}\n{"undo":true}\n{"state":true}\n',
        b'{"join":"Ann","code":"AB12"}\n{"join":"Ann","token":"00"}\n{"look":true}\n{"why":true}',
        b'{"address":{"url":"http://10.0.0.7:80","name":null}}\n{"check":"WORD"}\n{"quit":true}',
        b'{"interrupt":{"who":"Ann","stop":true}}\n{"frame":true}\n{"redo":true}\n{"address":null}',
    ),
    "stdio": (
        b'{"answer":3}\n{"undo":true}\n{"redo":true}\n{"why":true}\n',
        b'{"answer":3,"id":4}\n{"interrupt":{"correct":1}}\n{"state":true}\n{"quit":true}\n',
    ),
}
"""What each door takes, to begin with."""
