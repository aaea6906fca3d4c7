"""A board's file: what it says, on top of the board that it is like, and all of its mistakes."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from handwritten import source
from handwritten.mistakes import told
from handwritten.nearest import hint
from hardware import BACK, BUTTONS, DOWN, OK, SEATS, UP, HardwareError
from hardware.boards import FOLDER, Board, BoardError, Luma, Screen, names
from hardware.oled import CHIPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from handwritten.source import Source

PINS: Final = range(2, 28)
"""The header's GPIO numbers, but for 0 and 1, which a HAT's own memory is on."""
I2C_PINS: Final = {1: {2: "SDA", 3: "SCL"}}
"""Pins of each I2C bus that the header has in any Pi."""
SPI_PINS: Final = {
    0: {9: "MISO", 10: "MOSI", 11: "SCLK", 8: "CE0", 7: "CE1"},
    1: {19: "MISO", 20: "MOSI", 21: "SCLK", 18: "CE0", 17: "CE1", 16: "CE2"},
}

BITS: Final = 8
"""Lines for data of a parallel bus."""
EMULATED: Final = ("asciiart", "asciiblock", "capture", "gifanim", "pygame")
"""luma.emulator's panels, which are on no bus."""

Place: TypeAlias = tuple[str, ...]
"""A table, or a key in a table."""
Judge: TypeAlias = "Callable[[object], str | None]"
"""What a value should have been; None if it is right."""


def read(file: Path) -> Board:
    """The board in a file. Raises BoardError with every mistake in it."""
    data, line_of = _parsed(file)
    found = list(_wrong(data)) or list(_missing(data))  # a misspelt word is not missing too
    if not found:
        board = _board(data)
        found = list(_clashes(board)) or list(_unfit(board.display))
    if found:
        lines = sorted((line_of(place), what) for place, what in found)
        raise BoardError([told(file, line, what) for line, what in lines])
    return board


def _parsed(file: Path) -> Source:
    """A file's data, on top of the board that it is `like`; the lines are the file's own."""
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


_OTHER: Final = {"driver", "bus", "interface"}
"""Keys with which a user's own display is another one than the known board's."""


def _merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A known board with a user's own lines; a display of another kind replaces it wholly."""
    merged = dict(base)
    for table, lines in own.items():
        if table == "like":
            continue
        under = base.get(table, {})
        if not isinstance(lines, dict) or (table == "display" and _OTHER & lines.keys()):
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
        _display(data["display"]),
        buttons,
        tuple(knob[contact] for contact in ("a", "b")) if knob else (),
        data.get("lamps", {}),
    )


def _display(lines: dict[str, Any]) -> Screen | Luma:
    if "driver" not in lines:
        return Screen(**lines)
    named = {_FIELDS.get(key, key): value for key, value in lines.items()}
    options = {key: named.pop(key) for key in ("width", "height", "rotate") if key in named}
    port = named.get("port", int(named.get("bus") == "i2c"))
    pins = tuple(named.get("pins", ()))
    del named["driver"]
    return Luma(**named | {"options": options, "port": port, "pins": pins})


_FIELDS: Final = {"device": "chip", "interface": "bus", "ce": "device"}
"""Where luma's words for a display are others than ours."""


# --- Mistakes -------------------------------------------------------------------------------------


def _wrong(data: dict[str, Any]) -> Iterator[tuple[Place, str]]:
    """What is wrong with a board's lines, one by one."""
    for table, lines in data.items():
        if table not in _TABLES:
            yield (table,), f"no table {table!r}{_near(table, _TABLES)}"
        elif not isinstance(lines, dict):
            yield (table,), f"{table} is a table: write [{table}], and below it a line a pin"
        else:
            keys = _keys(lines) if table == "display" else _TABLES[table]
            for key, value in lines.items():
                yield from _judged_line(table, keys, key, value)


def _keys(lines: Mapping[str, Any]) -> Mapping[str, Judge]:
    """The keys that a display may have: ours, or luma's with those of its interface."""
    if "driver" not in lines:
        return _TABLES["display"]
    if lines.get("device") in EMULATED:
        return {key: judge for key, judge in _LUMA.items() if key != "interface"}
    interface = str(lines.get("interface"))
    buses = [_INTERFACES[interface]] if interface in _INTERFACES else _INTERFACES.values()
    return {**_LUMA, **{key: judge for bus in buses for key, judge in bus.items()}}


def _judged_line(
    table: str, keys: Mapping[str, Judge], key: str, value: object
) -> Iterator[tuple[Place, str]]:
    name = f"{table}.{key}"
    if key not in keys and keys is _TABLES["display"] and key in _ONLY_LUMA:
        yield (table, key), f'{name} is for luma: write driver = "luma", too'
    elif key not in keys:
        yield (table, key), f"no {name}{_near(key, keys)}"
    elif (expected := keys[key](value)) is not None:
        yield (table, key), f"{name} is {_shown(value)}; expected: {expected}"


def _missing(data: dict[str, Any]) -> Iterator[tuple[Place, str]]:
    """What a board lacks whose lines are all right."""
    yield from (((t,), f"there is no [{t}]") for t in ("display", "buttons") if t not in data)
    needed = {"display": _needed(data.get("display", {})), "knob": ("a", "b")}
    for table, keys in needed.items():
        lacks = (key for key in keys if key not in data.get(table, keys))
        yield from (((table,), f"[{table}] lacks {key}") for key in lacks)
    screen = data.get("display", {})
    if screen.get("interface") == "ftdi" and {"dc", "address"} <= screen.keys():
        yield (
            ("display", "address"),
            "display.address is I2C's, and dc is SPI's: leave one of them out",
        )
    turned = (UP, DOWN) if "knob" in data else ()
    for name in (UP, DOWN, OK, BACK):
        if "buttons" in data and name not in data["buttons"] and name not in turned:
            yield ("buttons",), f"there is no {name} button: nobody could play"


def _needed(screen: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys without which a display is not known."""
    if "driver" not in screen:
        return ("chip", "bus", "dc") if screen.get("bus") == "spi" else ("chip", "bus")
    if screen.get("device") in EMULATED:
        return ()
    lines = {"spi": ("dc",), "parallel": ("rs", "e", "pins"), "ftdi": ("dc or address",)}
    if screen.keys() & {"dc", "address"}:
        lines["ftdi"] = ()
    return ("device", "interface", *lines.get(screen.get("interface", ""), ()))


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


def _within(least: int, most: int, shown: str) -> Judge:
    def judge(value: object) -> str | None:
        fits = isinstance(value, int) and _is_number(value) and least <= value <= most
        return None if fits else shown

    return judge


def _one_of(*words: str) -> Judge:
    return lambda value: None if value in words else " or ".join(f'"{word}"' for word in words)


def _eight_pins(value: object) -> str | None:
    eight = isinstance(value, list) and len(value) == BITS and _pins(value) is None
    return None if eight else "eight GPIO numbers in [ ], that of D0 first"


def _text(value: object) -> str | None:
    return None if isinstance(value, str) else 'a text in " "'


def _driver(value: object) -> str | None:
    if value != "luma":
        return '"luma"'
    return "luma.oled to be there: pip install luma.oled" if _luma() is None else None


def _panel(value: object) -> str | None:
    if not isinstance(value, str):
        return "the name of a panel in luma, in quotation marks"
    if (luma := _luma()) is None or value in (panels := luma.known()):
        return None
    if value in EMULATED:
        return "luma.emulator to be there: pip install luma.emulator"
    return f"a panel that luma knows{_near(value, panels)}"


def _luma() -> Any:
    """Our driver on top of luma; None if luma is not there."""
    try:
        from hardware import luma  # noqa: PLC0415 - with Pillow, only for who wants it
    except ImportError:
        return None
    return luma


def _flag(value: object) -> str | None:
    return None if isinstance(value, bool) else "true or false"


_PORT: Final = _within(0, 22, "the number of the bus: 1 for I2C, 0 for SPI")
_ADDRESS: Final = _within(0x08, 0x77, "an I2C address: 0x3c or 0x3d")
_CE: Final = _within(0, 2, "0 for CE0, 1 for CE1")
_SELECT: Final = _within(0, 2, '0 for CE0, 1 for CE1 (a name needs driver = "luma", too)')
_SIDE: Final = _within(1, 4096, "a number of pixels")
_SPEED: Final = _within(500_000, 52_000_000, "bits a second: 500000 to 52000000")
_AD: Final = _within(4, 15, "the number of the adapter's line: 4 for AD4")

_TABLES: Final[dict[str, dict[str, Judge]]] = {
    "display": {
        "chip": _one_of(*CHIPS),
        "bus": _one_of("i2c", "spi"),
        "port": _PORT,
        "address": _ADDRESS,
        "device": _SELECT,
        "dc": _pin,
        "reset": _pin,
        "upside_down": _flag,
    },
    "buttons": dict.fromkeys(BUTTONS, _pins),
    "knob": dict.fromkeys(("a", "b"), _pin),
    "lamps": dict.fromkeys(SEATS, _pin),
}
"""The tables and their keys, each with what tells what it should have been."""

_INTERFACES: Final[dict[str, dict[str, Judge]]] = {
    "i2c": {"port": _PORT, "address": _ADDRESS},
    "spi": {"port": _PORT, "ce": _CE, "dc": _pin, "reset": _pin, "speed": _SPEED},
    "parallel": {"rs": _pin, "e": _pin, "pins": _eight_pins},
    "ftdi": {"url": _text, "address": _ADDRESS, "dc": _AD, "reset": _AD, "speed": _SPEED},
}
"""The buses that luma has panels on, each with its keys."""

_LUMA: Final[dict[str, Judge]] = {
    "driver": _driver,
    "device": _panel,
    "interface": _one_of(*_INTERFACES),
    "width": _SIDE,
    "height": _SIDE,
    "rotate": _within(0, 3, "0 to 3 quarter turns clockwise"),
}
"""The keys of every display that luma drives."""

_ONLY_LUMA: Final = {*_LUMA, *chain.from_iterable(_INTERFACES.values())} - {*_TABLES["display"]}


def _clashes(board: Board) -> Iterator[tuple[Place, str]]:
    """Pins that are used twice, or are the display's bus's."""
    taken = _bus_pins(board.display)
    for place, pin in _used(board):
        name = ".".join(place)
        if pin in taken:
            yield place, f"{name}: GPIO {pin} is {taken[pin]} already; take another pin"
        else:
            taken[pin] = name


def _bus_pins(screen: Screen | Luma) -> dict[int, str]:
    """The pins of a display's bus, and what they are."""
    lines = {"i2c": I2C_PINS, "spi": SPI_PINS}.get(screen.bus, {}).get(screen.port, {})
    return {
        pin: f"{screen.bus.upper()}'s ({line})"
        for pin, line in lines.items()
        if not line.startswith("CE") or line == f"CE{screen.device}"
    }


def _used(board: Board) -> Iterator[tuple[Place, int]]:
    screen = board.display
    if screen.bus != "ftdi":  # whose lines are its own
        yield from (
            (("display", key), pin)
            for key in ("dc", "reset", "rs", "e", "pins")
            for pin in _several(getattr(screen, key, None))
        )
    for name, pins in board.buttons.items():
        yield from ((("buttons", name), pin) for pin in pins)
    for contact, pin in zip("ab", board.knob, strict=False):
        yield ("knob", contact), pin
    for seat, pin in board.lamps.items():
        yield ("lamps", seat), pin


def _several(pins: int | tuple[int, ...] | None) -> tuple[int, ...]:
    return pins if isinstance(pins, tuple) else () if pins is None else (pins,)


def _unfit(screen: Screen | Luma) -> Iterator[tuple[Place, str]]:
    """A panel of luma's that has no such size, or not enough pixels."""
    if isinstance(screen, Screen) or not screen.bus:
        return
    luma = _luma()
    try:
        luma.made(screen, luma.Serial())
    except HardwareError as error:
        key = next(
            (key for key in ("width", "height", "rotate") if key in screen.options), "device"
        )
        yield ("display", key), f"display.{key}: {error}"
