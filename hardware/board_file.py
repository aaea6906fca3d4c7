"""A board's file: what it says, on top of the board that it is like, and all of its mistakes.

`hardware/boards/*.toml` are the known boards, and examples for one's own, which may begin with one:

    like = "adafruit-oled-bonnet"
    [buttons]
    back = 5
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from handwritten import source
from handwritten.checks import Slip, no_such
from handwritten.mistakes import FileMistake, shown
from handwritten.nearest import nearest
from hardware import BACK, BUTTONS, DOWN, OK, SEATS, UP, HardwareError
from hardware.oled import CHIPS
from hardware.wiring import Board, BoardError, Luma, Screen, SoundWiring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from handwritten.source import Source

FOLDER: Final = Path(__file__).parent / "boards"
"""Where the known boards are."""
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
LCDS: Final = (
    "ili9341", "ili9486", "ili9488", "pcd8544", "st7567", "st7735", "st7789", "uc1701x",
)  # fmt: skip
"""luma.lcd's panels, as far as they have pixels. A board may name one where luma.lcd is missing:
that is told when the box is opened."""

Place: TypeAlias = tuple[str, ...]
"""A table, or a key in a table."""
Judge: TypeAlias = "Callable[[object], str | None]"
"""What a value should have been, as a FileMistake has it in `expected`; None if it is right."""


def names() -> list[str]:
    """The boards that are known."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def known(name: str) -> Board:
    """A board by its name, one of `names()`."""
    return read(place(name))


def place(name: str) -> Path:
    """The file of a known board."""
    return FOLDER / f"{name}.toml"


def read(file: Path) -> Board:
    """The board in a file. Raises BoardError with every mistake in it."""
    data, line_of = _parsed(file)
    found = list(_wrong(data)) or list(_missing(data))  # a misspelt word is not missing too
    if not found:
        board = _board(data)
        found = list(_clashes(board)) or list(_unfit(board.display))
    if found:
        mistakes = (FileMistake(file, line_of(place), code, facts) for place, code, facts in found)
        raise BoardError(sorted(mistakes, key=lambda mistake: mistake.line))
    return board


def _parsed(file: Path) -> Source:
    """A file's data, on top of the board that it is `like`; the lines are the file's own."""
    try:
        own, line_of = source.read(file)
    except source.Unreadable as error:
        mistake = FileMistake(file, error.line, error.code, error.facts)
        raise BoardError([mistake]) from error
    like = own.get("like")
    if like is None:
        return source.Source(own, line_of)
    if like not in names():
        facts = {"kind": "known board", **no_such(str(like), names())}
        raise BoardError([FileMistake(file, line_of(("like",)), "unknown_word", facts)])
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
        _sound(data["sound"]) if data.get("sound", {}).keys() - {"ear"} else None,
        data.get("sound", {}).get("ear", ""),
    )


def _sound(lines: dict[str, Any]) -> SoundWiring:
    return SoundWiring(lines["overlay"], _several(lines.get("high")))


def _display(lines: dict[str, Any]) -> Screen | Luma:
    if "driver" not in lines:
        return Screen(**lines)
    named = {_FIELDS.get(key, key): value for key, value in lines.items()}
    options = {key: named.pop(key) for key in _OPTIONS if key in named}
    port = named.get("port", int(named.get("bus") == "i2c"))
    pins = tuple(named.get("pins", ()))
    del named["driver"]
    return Luma(**named | {"options": options, "port": port, "pins": pins})


_FIELDS: Final = {"device": "chip", "interface": "bus", "ce": "device"}
"""Where luma's words for a display are others than ours."""
_OPTIONS: Final = ("width", "height", "rotate", "h_offset", "v_offset", "bgr")
"""What luma is told of a panel, besides its bus."""


# --- Mistakes -------------------------------------------------------------------------------------


def _wrong(data: dict[str, Any]) -> Iterator[Slip]:
    """What is wrong with a board's lines, one by one."""
    for table, lines in data.items():
        if table not in _TABLES:
            yield Slip((table,), "unknown_key", no_such(table, _TABLES))
        elif not isinstance(lines, dict):
            yield Slip((table,), "wrong_type", {"found": table, "expected": "table"})
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


def _judged_line(table: str, keys: Mapping[str, Judge], key: str, value: object) -> Iterator[Slip]:
    found = f"{table}.{key}"
    if key not in keys and keys is _TABLES["display"] and key in _ONLY_LUMA:
        yield Slip((table, key), "unknown_key", {"found": found, "expected": 'driver = "luma"'})
    elif key not in keys:
        yield Slip((table, key), "unknown_key", no_such(key, keys) | {"found": found})
    elif (expected := keys[key](value)) is not None:
        yield _bad((table, key), f"{found} = {shown(value)}", expected)


def _bad(place: Place, found: str, expected: str) -> Slip:
    return Slip(place, "bad_value", {"found": found, "expected": expected})


def _missing(data: dict[str, Any]) -> Iterator[Slip]:
    """What a board lacks whose lines are all right."""
    yield from (_lacks(t, f"[{t}]") for t in ("display", "buttons") if t not in data)
    needed = {
        "display": _needed(data.get("display", {})),
        "knob": ("a", "b"),
        "sound": ("overlay",) if "high" in data.get("sound", {}) else (),
    }
    for table, keys in needed.items():
        lacks = (key for key in keys if key not in data.get(table, keys))
        yield from (_lacks(table, f"{table}.{key}") for key in lacks)
    screen = data.get("display", {})
    if screen.get("interface") == "ftdi" and {"dc", "address"} <= screen.keys():
        yield _bad(("display", "address"), "display.address", "no_dc_beside_it")
    turned = (UP, DOWN) if "knob" in data else ()
    for name in (UP, DOWN, OK, BACK):
        if "buttons" in data and name not in data["buttons"] and name not in turned:
            yield _lacks("buttons", f"buttons.{name}")


def _lacks(table: str, found: str) -> Slip:
    return Slip((table,), "missing", {"found": found})


def _needed(screen: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys without which a display is not known."""
    if "driver" not in screen:
        return ("chip", "bus", "dc") if screen.get("bus") == "spi" else ("chip", "bus")
    if screen.get("device") in EMULATED:
        return ()
    lines = {"spi": ("dc",), "parallel": ("rs", "e", "pins"), "ftdi": ("dc / address",)}
    if screen.keys() & {"dc", "address"}:
        lines["ftdi"] = ()
    return ("device", "interface", *lines.get(screen.get("interface", ""), ()))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _pin(value: object) -> str | None:
    if _is_number(value) and value in PINS:
        return None
    return "a_GPIO_number_from_2_to_27"


def _pins(value: object) -> str | None:
    if isinstance(value, list) and value and all(_pin(pin) is None for pin in value):
        return None
    return None if _pin(value) is None else "a_GPIO_number_from_2_to_27,_or_several_in_[_]"


def _within(least: int, most: int, shown: str) -> Judge:
    def judge(value: object) -> str | None:
        fits = isinstance(value, int) and _is_number(value) and least <= value <= most
        return None if fits else shown

    return judge


def _one_of(*words: str) -> Judge:
    return lambda value: None if value in words else ", ".join(map(shown, words))


def _eight_pins(value: object) -> str | None:
    eight = isinstance(value, list) and len(value) == BITS and _pins(value) is None
    return None if eight else "eight_GPIO_numbers_in_[_],_that_of_D0_first"


def _text(value: object) -> str | None:
    return None if isinstance(value, str) else "text"


def _overlay(value: object) -> str | None:
    """It goes into the firmware's config.txt as it is."""
    fits = isinstance(value, str) and re.fullmatch(r"[a-z0-9][a-z0-9_-]*", value)
    return None if fits else "the_name_of_an_overlay_in_quotation_marks"


def _driver(value: object) -> str | None:
    if value != "luma":
        return '"luma"'
    return "luma.oled_to_be_there:_pip_install_luma.oled" if luma_driver() is None else None


def _panel(value: object) -> str | None:
    if not isinstance(value, str):
        return "the_name_of_a_panel_in_luma,_in_quotation_marks"
    if (luma := luma_driver()) is None or value in LCDS or value in (panels := luma.known()):
        return None
    if value in EMULATED:
        return "luma.emulator_to_be_there:_pip_install_luma.emulator"
    near = nearest(value, panels)
    return shown(near) if near else "a_panel_that_luma_knows"


def luma_driver() -> Any:
    """Our driver on top of luma; None if luma is not there."""
    try:
        from hardware import luma  # noqa: PLC0415 - with Pillow, only for who wants it
    except ImportError:
        return None
    return luma


def _flag(value: object) -> str | None:
    return None if isinstance(value, bool) else "boolean"


_PORT: Final = _within(0, 22, "the_number_of_the_bus:_1_for_I2C,_0_for_SPI")
_ADDRESS: Final = _within(0x08, 0x77, "an_I2C_address:_0x3c_or_0x3d")
_CE: Final = _within(0, 2, "0_for_CE0,_1_for_CE1")
_OFFSET: Final = _within(0, 4095, "a_number_of_pixels")
_SIDE: Final = _within(1, 4096, "a_number_of_pixels")
_SPEED: Final = _within(500_000, 52_000_000, "bits_a_second:_500000_to_52000000")
_AD: Final = _within(4, 15, "the_number_of_the_adapter's_line:_4_for_AD4")

_TABLES: Final[dict[str, dict[str, Judge]]] = {
    "display": {
        "chip": _one_of(*CHIPS),
        "bus": _one_of("i2c", "spi"),
        "port": _PORT,
        "address": _ADDRESS,
        "device": _CE,
        "dc": _pin,
        "reset": _pin,
        "upside_down": _flag,
    },
    "buttons": dict.fromkeys(BUTTONS, _pins),
    "knob": dict.fromkeys(("a", "b"), _pin),
    "lamps": dict.fromkeys(SEATS, _pin),
    "sound": {"overlay": _overlay, "high": _pins, "ear": _text},
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
    "rotate": _within(0, 3, "0_to_3_quarter_turns_clockwise"),
    "h_offset": _OFFSET,
    "v_offset": _OFFSET,
    "bgr": _flag,
    "light": _pin,
}
"""The keys of every display that luma drives."""

_ONLY_LUMA: Final = {*_LUMA, *chain.from_iterable(_INTERFACES.values())} - {*_TABLES["display"]}


def taken(board: Board) -> set[int]:
    """The pins that a board uses, its display's bus included."""
    return {*_bus_pins(board.display), *(pin for _, pin in _used(board))}


def _clashes(board: Board) -> Iterator[Slip]:
    """Pins that are used twice, or are the display's bus's."""
    found = _bus_pins(board.display)
    for place, pin in _used(board):
        name = ".".join(place)
        if pin in found:
            yield Slip(place, "taken", {"found": f"{name} = {pin}", "by": found[pin]})
        else:
            found[pin] = name


def _bus_pins(screen: Screen | Luma) -> dict[int, str]:
    """The pins of a display's bus, and what they are.

    MISO may be the display's own D/C: it sends nothing back.
    """
    lines = {"i2c": I2C_PINS, "spi": SPI_PINS}.get(screen.bus, {}).get(screen.port, {})
    return {
        pin: f"{screen.bus.upper()} ({line})"
        for pin, line in lines.items()
        if not (line.startswith("CE") and line != f"CE{screen.device}")
        and not (line == "MISO" and pin == screen.dc)
    }


def _used(board: Board) -> Iterator[tuple[Place, int]]:
    screen = board.display
    if screen.bus != "ftdi":  # whose lines are its own
        yield from (
            (("display", key), pin)
            for key in ("dc", "reset", "rs", "e", "pins", "light")
            for pin in _several(getattr(screen, key, None))
        )
    for name, pins in board.buttons.items():
        yield from ((("buttons", name), pin) for pin in pins)
    for contact, pin in zip("ab", board.knob, strict=False):
        yield ("knob", contact), pin
    for seat, pin in board.lamps.items():
        yield ("lamps", seat), pin
    for pin in board.sound.high if board.sound is not None else ():
        yield ("sound", "high"), pin


def _several(pins: int | tuple[int, ...] | None) -> tuple[int, ...]:
    return pins if isinstance(pins, tuple) else () if pins is None else (pins,)


def _unfit(screen: Screen | Luma) -> Iterator[Slip]:
    """A panel of luma's that has no such size, or not enough pixels."""
    if isinstance(screen, Screen) or not screen.bus:
        return
    luma = luma_driver()
    if screen.chip not in luma.known():
        return
    try:
        luma.made(screen, luma.Serial())
    except HardwareError as error:
        key = next((key for key in _OPTIONS if key in screen.options), "device")
        yield Slip(("display", key), "unfit", {"found": f"display.{key}", "reason": error})
