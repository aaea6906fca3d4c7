"""What is wired to which pin: boards that are known, and a user's own.

A board is a TOML file: `hardware/boards/*.toml` are the known ones, and examples for one's own,
which is `board.toml` in the configuration folder. It may begin with a known one:

    like = "adafruit-oled-bonnet"
    [buttons]
    back = 5

Without a file the wiring is FOUR_BUTTONS, and no TOML is read before the first frame.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from handwritten.mistakes import told
from handwritten.nearest import hint
from hardware import BACK, BUTTONS, DOWN, OK, SEATS, UP, HardwareError
from hardware.oled import CHIPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from handwritten.source import Source

FOLDER: Final = Path(__file__).parent / "boards"
PINS: Final = range(2, 28)
"""The header's GPIO numbers, but for 0 and 1, which a HAT's own memory is on."""
I2C_PINS: Final = {1: {2: "SDA", 3: "SCL"}}
"""Pins of each I2C bus that the header has in any Pi."""
SPI_PINS: Final = {
    0: {9: "MISO", 10: "MOSI", 11: "SCLK", 8: "CE0", 7: "CE1"},
    1: {19: "MISO", 20: "MOSI", 21: "SCLK", 18: "CE0", 17: "CE1", 16: "CE2"},
}


class Screen(NamedTuple):
    """Where the display is. On I2C `address` None is whichever answers; on SPI `dc` is a pin."""

    chip: str = "ssd1306"
    bus: str = "i2c"
    port: int = 1
    address: int | None = None
    device: int = 0
    dc: int | None = None
    reset: int | None = None
    upside_down: bool = False


class Board(NamedTuple):
    """A whole wiring. A button may have several pins; `knob` is contacts a and b, or nothing."""

    display: Screen
    buttons: Mapping[str, tuple[int, ...]]
    knob: tuple[int, ...] = ()
    lamps: Mapping[str, int] = {}


FOUR_BUTTONS: Final = Board(
    Screen(),
    {UP: (5,), DOWN: (6,), OK: (13,), BACK: (19,)}
    | {seat: (pin,) for seat, pin in zip(SEATS, (16, 20, 21, 26), strict=True)},
    knob=(24, 25),
    lamps=dict(zip(SEATS, (17, 27, 22, 23), strict=True)),
)
"""`four-buttons.toml`, for those who have no file."""


class BoardError(HardwareError):
    """A board's file has `mistakes`: all of them, in the order of their lines."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = tuple(mistakes)


def names() -> list[str]:
    """The boards that are known."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def own_file(folder: Path) -> Path:
    """Where a user's own board is, or would be, in the configuration folder."""
    return folder / "board.toml"


def load(folder: Path | None = None) -> Board:
    """The user's own board, else FOUR_BUTTONS. Raises BoardError."""
    if folder is None or not own_file(folder).exists():
        return FOUR_BUTTONS
    return read(own_file(folder))


def known(name: str) -> Board:
    """A board by its name, one of `names()`."""
    return read(FOLDER / f"{name}.toml")


def read(file: Path) -> Board:
    """The board in a file. Raises BoardError with every mistake in it."""
    data, line_of = _parsed(file)
    found = list(_wrong(data)) or list(_missing(data))  # a misspelt word is not missing too
    if not found:
        board = _board(data)
        found = list(_clashes(board))
    if found:
        lines = sorted((line_of(place), what) for place, what in found)
        raise BoardError([told(file, line, what) for line, what in lines])
    return board


# --- Reading --------------------------------------------------------------------------------------

Place = tuple[str, ...]
"""A table, or a key in a table."""


def _parsed(file: Path) -> Source:
    """A file's data, on top of the board that it is `like`; the lines are the file's own."""
    from handwritten import source  # noqa: PLC0415 - as long as everything before the first frame

    try:
        own, line_of = source.read(file)
    except source.Unreadable as error:
        raise BoardError([told(file, error.line, str(error))]) from error
    like = own.get("like")
    if like is None:
        return source.Source(own, line_of)
    if like not in names():
        what = f"no board {like!r}{_near(like, names())}"
        raise BoardError([told(file, line_of(("like",)), what)])
    base, _ = _parsed(FOLDER / f"{like}.toml")
    return source.Source(_merged(base, own), line_of)


def _merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A known board with a user's own lines; a display of another kind replaces it wholly."""
    merged = dict(base)
    for table, lines in own.items():
        if table == "like":
            continue
        under = base.get(table, {})
        if not isinstance(lines, dict) or (table == "display" and "bus" in lines):
            under = {}
        merged[table] = {**under, **lines} if isinstance(lines, dict) else lines
    return merged


def _board(data: dict[str, Any]) -> Board:
    buttons = {
        name: tuple(pins) if isinstance(pins, list) else (pins,)
        for name, pins in data["buttons"].items()
    }
    knob = data.get("knob", {})
    return Board(
        Screen(**data["display"]),
        buttons,
        tuple(knob[contact] for contact in ("a", "b")) if knob else (),
        data.get("lamps", {}),
    )


# --- Mistakes -------------------------------------------------------------------------------------


def _wrong(data: dict[str, Any]) -> Iterator[tuple[Place, str]]:
    """What is wrong with a board's lines, one by one."""
    for table, lines in data.items():
        if table not in _TABLES:
            yield (table,), f"no table {table!r}{_near(table, _TABLES)}"
        elif not isinstance(lines, dict):
            yield (table,), f"{table} is a table: write [{table}], and below it a line a pin"
        else:
            for key, value in lines.items():
                yield from _judged_line(table, key, value)


def _missing(data: dict[str, Any]) -> Iterator[tuple[Place, str]]:
    """What a board lacks whose lines are all right."""
    yield from (((t,), f"there is no [{t}]") for t in ("display", "buttons") if t not in data)
    screen = data.get("display", {})
    needs = ("chip", "bus", "dc") if screen.get("bus") == "spi" else ("chip", "bus")
    for table, keys in (("display", needs), ("knob", ("a", "b"))):
        if table in data:
            lacks = (key for key in keys if key not in data[table])
            yield from (((table,), f"[{table}] lacks {key}") for key in lacks)
    turned = (UP, DOWN) if "knob" in data else ()
    for name in (UP, DOWN, OK, BACK):
        if "buttons" in data and name not in data["buttons"] and name not in turned:
            yield ("buttons",), f"there is no {name} button: nobody could play"


def _judged_line(table: str, key: str, value: object) -> Iterator[tuple[Place, str]]:
    keys = _TABLES[table]
    if key not in keys:
        yield (table, key), f"no {table}.{key}{_near(key, keys)}"
    elif (expected := keys[key](value)) is not None:
        yield (table, key), f"{table}.{key} is {_shown(value)}; expected: {expected}"


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _near(word: object, words: Iterable[str]) -> str:
    return f"; {hint(str(word), words, 'expected one of: {}')}"


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _pin(value: object) -> str | None:
    if _is_number(value) and value in PINS:
        return None
    return f"a GPIO number from {PINS[0]} to {PINS[-1]}"


def _pins(value: object) -> str | None:
    if isinstance(value, list) and value and all(_pin(pin) is None for pin in value):
        return None
    return None if _pin(value) is None else f"{_pin(None)}, or several in [ ]"


def _within(least: int, most: int, shown: str) -> Callable[[object], str | None]:
    def judge(value: object) -> str | None:
        fits = isinstance(value, int) and _is_number(value) and least <= value <= most
        return None if fits else shown

    return judge


def _one_of(*words: str) -> Callable[[object], str | None]:
    return lambda value: None if value in words else " or ".join(f'"{word}"' for word in words)


def _flag(value: object) -> str | None:
    return None if isinstance(value, bool) else "true or false"


_TABLES: Final[dict[str, dict[str, Callable[[object], str | None]]]] = {
    "display": {
        "chip": _one_of(*CHIPS),
        "bus": _one_of("i2c", "spi"),
        "port": _within(0, 22, "the number of the bus: 1 for I2C, 0 for SPI"),
        "address": _within(0x08, 0x77, "an I2C address: 0x3c or 0x3d"),
        "device": _within(0, 2, "0 for CE0, 1 for CE1"),
        "dc": _pin,
        "reset": _pin,
        "upside_down": _flag,
    },
    "buttons": dict.fromkeys(BUTTONS, _pins),
    "knob": dict.fromkeys(("a", "b"), _pin),
    "lamps": dict.fromkeys(SEATS, _pin),
}
"""The tables and their keys, each with what tells what it should have been."""


def _clashes(board: Board) -> Iterator[tuple[Place, str]]:
    """Pins that are used twice, or are the display's bus's."""
    screen = board.display
    buses = I2C_PINS if screen.bus == "i2c" else SPI_PINS
    taken = {
        pin: f"{screen.bus.upper()}'s ({line})"
        for pin, line in buses.get(screen.port, {}).items()
        if not line.startswith("CE") or line == f"CE{screen.device}"
    }
    for place, pin in _used(board):
        name = ".".join(place)
        if pin in taken:
            yield place, f"{name}: GPIO {pin} is {taken[pin]} already; take another pin"
        else:
            taken[pin] = name


def _used(board: Board) -> Iterator[tuple[Place, int]]:
    for key in ("dc", "reset"):
        pin = getattr(board.display, key)
        if pin is not None:
            yield ("display", key), pin
    for name, pins in board.buttons.items():
        for pin in pins:
            yield ("buttons", name), pin
    for contact, pin in zip("ab", board.knob, strict=False):
        yield ("knob", contact), pin
    for seat, pin in board.lamps.items():
        yield ("lamps", seat), pin
