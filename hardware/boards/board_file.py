"""Read, merge and check board files.

A board file is a TOML file that describes how the buttons, the display and the sound of a box are
wired. `hardware/boards/*.toml` are the known boards. With the key `like`, a user's file starts from
a known board and changes some keys of this board:

    like = "adafruit-oled-bonnet"
    [buttons]
    back = 5
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from checked_input import source
from checked_input.checks import (
    Check,
    OptionalKey,
    ValueMistake,
    ValuePlace,
    anything,
    boolean,
    condition,
    find_mistakes,
    known_word,
    one_of,
    table,
    text,
)
from checked_input.mistakes import FileMistake, quote_value
from checked_input.nearest import nearest_word
from checked_input.source import Place
from hardware.display.frame_conversions import SMALLEST_PANELS
from hardware.display.oled import OLED_CHIPS
from hardware.ports import BACK, BUTTONS, DOWN, OK, SEATS, UP, HardwareError
from hardware.wiring import Board, BoardFileError, LumaDisplayWiring, OledWiring, SoundWiring

BOARDS_FOLDER: Final = Path(__file__).parent
"""Folder with the files of the known boards."""
GPIO_NUMBERS: Final = range(2, 28)
"""GPIO numbers of the header's pins to which buttons, lamps and displays can be connected.

GPIO 0 and 1 are excluded, because the Pi reads the identification memory of an add-on board through
these pins.
"""
HEADER_PINS: Final = (
    "3V3", "5V", "2", "5V", "3", "GND", "4", "14", "GND", "15",
    "17", "18", "27", "GND", "22", "23", "3V3", "24", "10", "GND",
    "9", "25", "11", "8", "GND", "7", "0", "1", "5", "GND",
    "6", "12", "13", "GND", "19", "16", "26", "20", "GND", "21",
)  # fmt: skip
"""Names of the header's pins at positions 1 to 40: a GPIO number, a voltage or GND."""
UNAMBIGUOUS_GPIO_POSITIONS: Final = {
    place
    for place, name in enumerate(HEADER_PINS, 1)
    if place not in GPIO_NUMBERS and name.isdigit() and int(name) in GPIO_NUMBERS
}
"""Positions of GPIO pins on the header that are not also GPIO numbers, such as position 40."""
I2C_PINS: Final = {1: {2: "SDA", 3: "SCL"}}
"""Pins of each I2C bus: {number of the bus: {GPIO number: name of the pin}}."""
SPI_PINS: Final = {
    0: {9: "MISO", 10: "MOSI", 11: "SCLK", 8: "CE0", 7: "CE1"},
    1: {19: "MISO", 20: "MOSI", 21: "SCLK", 18: "CE0", 17: "CE1", 16: "CE2"},
}
I2S_PINS: Final = {18: "BCLK", 19: "LRC", 21: "DIN"}
"""Pins on which the kernel sends sound: table from a GPIO number to the pin's name.

The names are printed on the amplifier MAX98357A.
"""
RECORDING_OVERLAYS: Final = (
    "googlevoicehat-soundcard", "hifiberry-dacplusadc", "hifiberry-dacplusadcpro", "rpi-codeczero",
    "wm8960-soundcard",
)  # fmt: skip
"""Names of kernel overlays for sound cards that also record, and therefore use GPIO 20.

The file overlays/README of Raspberry Pi describes the overlays.
"""
OVERLAY_PINS: Final[Mapping[str, Mapping[int, str]]] = {
    "hifiberry-dac": I2S_PINS,
    "max98357a": {**I2S_PINS, 4: "SD"},
    **{name: {**I2S_PINS, 20: "PCM_DIN"} for name in RECORDING_OVERLAYS},
}
"""Pins of each kernel overlay for sound: table from an overlay's name to the overlay's pins.

The file overlays/README of Raspberry Pi lists the pins.
"""

EMULATOR_PANELS: Final = ("asciiart", "asciiblock", "capture", "gifanim", "pygame")
"""Names of the panels that the library luma.emulator simulates; these panels need no bus."""
LCD_PANELS: Final = (
    "ili9341", "ili9486", "ili9488", "pcd8544", "st7567", "st7735", "st7789", "uc1701x",
)  # fmt: skip
"""Names of the pixel panels in the library luma.lcd.

A board file can name these panels even if luma.lcd is not installed. In this case, the function
`make_luma_panel` of `hardware.display.luma` raises an error.
"""
E_PAPER_PATTERN: Final = re.compile(r"(?:ssd16|uc8|il0?3|epd|e-?paper|e-?ink)\w*")
"""Pattern for names of e-paper controllers, and for words such as "e-ink"."""
TOO_SMALL_DISPLAYS: Final = {"pioled": "128x32"}
"""Displays that are too small: table from the name of a display's board to the display's size."""


def known_board_names() -> list[str]:
    """Return the names of the known boards, in alphabetical order."""
    return sorted(path.stem for path in BOARDS_FOLDER.glob("*.toml"))


def load_known_board(name: str) -> Board:
    """Return the wiring that the file of the known board `name` describes."""
    return read_board_file(known_board_path(name))


def known_board_path(name: str) -> Path:
    """Return the path of the TOML file of the known board `name`."""
    return BOARDS_FOLDER / f"{name}.toml"


def read_board_file(file: Path) -> Board:
    """Return the wiring that the board file `file` describes.

    Raise BoardFileError if the file has mistakes.
    """
    own, data, line_of = _parse(file)
    value_mistakes = find_mistakes(_BOARD, data, dotted=True)
    if not value_mistakes:
        board = _board(data)
        value_mistakes = list(_clashes(board, own)) or list(_unfit(board.display))
    elif "like" not in own:
        for n, mistake in enumerate(value_mistakes):
            if mistake.code == "missing" and len(mistake.place) == 1:  # a whole table is missing
                value_mistakes[n] = _with_hint(mistake, "like")
                break
    if value_mistakes:
        mistakes = (
            FileMistake(file, line_of(place), code, facts) for place, code, facts in value_mistakes
        )
        raise BoardFileError(sorted(mistakes, key=lambda mistake: mistake.line))
    return board


def _with_hint(mistake: ValueMistake, hint: str, **facts: object) -> ValueMistake:
    return mistake._replace(facts={**mistake.facts, "hint": hint, **facts})


def _parse(file: Path) -> tuple[dict[str, Any], dict[str, Any], Callable[[Place], int]]:
    """Return three values: the user's data, the whole board's data, and a function.

    The user's data are the data in `file`. If the key `like` names a known board, the whole board's
    data are the known board's data, changed by the user's data. Otherwise, the whole board's data
    are the user's data. The function takes the place of a value, and returns the line number of the
    value in `file`. Raise BoardFileError if `file` cannot be read, or if `like` is not valid.
    """
    try:
        data, line_of = source.read_toml(file)
    except source.UnreadableFile as error:
        mistake = FileMistake(file, error.line, error.code, error.facts)
        raise BoardFileError([mistake]) from error
    like = data.get("like")
    if like is None:
        return data, data, line_of
    value_mistakes = [*_too_small(like)] or find_mistakes(
        table(others=True, like=text(known_word("known board", known_board_names()))), data
    )
    if value_mistakes:
        raise BoardFileError(
            FileMistake(file, line_of(place), code, facts) for place, code, facts in value_mistakes
        )
    _, base, _ = _parse(BOARDS_FOLDER / f"{like}.toml")
    return data, _merge(base, data), line_of


def _too_small(like: object) -> Iterator[ValueMistake]:
    if isinstance(like, str) and (size := TOO_SMALL_DISPLAYS.get(like.removeprefix("adafruit-"))):
        reason = HardwareError.from_reason(
            "few_pixels", "display", chip=like, size=size, **SMALLEST_PANELS
        )
        yield ValueMistake(("like",), "unfit", {"found": "like", "reason": reason})


_OTHER: Final = {"driver", "bus", "interface"}
"""Keys of the table [display] that a user sets to describe a display of another kind.

If the user's table has such a key, the user's table replaces the known board's table. Otherwise,
`_merge` adds the user's keys to the known board's table.
"""


def _merge(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return the known board's data `base`, changed by the user's data `changes`.

    If the user's [display] has a key of _OTHER, the user's [display] replaces the known board's
    [display] completely.
    """
    merged = dict(base)
    for name, lines in changes.items():
        if name == "like":
            continue
        under = base.get(name, {})
        if not isinstance(lines, dict) or (name == "display" and _OTHER & lines.keys()):
            under = {}
        merged[name] = {**under, **lines} if isinstance(lines, dict) else lines
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
        _sound(data["sound"]) if data.get("sound", {}).keys() - {"ear", "device"} else None,
        data.get("sound", {}).get("ear", ""),
        data.get("sound", {}).get("device", ""),
    )


def _sound(lines: dict[str, Any]) -> SoundWiring:
    return SoundWiring(lines["overlay"], _several(lines.get("high")))


def _display(lines: dict[str, Any]) -> OledWiring | LumaDisplayWiring:
    named = {_FIELDS.get(key, key): value for key, value in lines.items()}
    port = {"port": int(named.get("bus") == "i2c")}
    if "driver" not in lines:
        return OledWiring(**port | lines)
    options = {key: named.pop(key) for key in _OPTIONS if key in named}
    del named["driver"]
    return LumaDisplayWiring(**port | named | {"options": options})


_FIELDS: Final = {"device": "chip", "interface": "bus", "ce": "device"}
"""Table from some keys of [display] to the fields of LumaDisplayWiring, which have other names."""
_OPTIONS: Final = ("width", "height", "rotate", "h_offset", "v_offset", "bgr")
"""Keys of [display] that the box passes to luma's class for the panel, as keyword arguments."""


# --- Mistakes -------------------------------------------------------------------------------------


def _pin(value: object) -> bool:
    return type(value) is int and value in GPIO_NUMBERS


def _pins(value: object) -> bool:
    return _pin(value) or (isinstance(value, list) and value != [] and all(map(_pin, value)))


def _within(least: int, most: int, expected: str) -> Check:
    return condition(lambda value: type(value) is int and least <= value <= most, expected)


def _driver(value: object, where: ValuePlace) -> Iterator[ValueMistake]:
    yield from one_of("luma")(value, where)
    if value == "luma" and import_luma_driver() is None:
        yield where.bad_value(value, "luma.oled_to_be_there:_pip_install_luma.oled")


def _panel(value: object, where: ValuePlace) -> Iterator[ValueMistake]:
    if not isinstance(value, str):
        yield where.bad_value(value, "the_name_of_a_panel_in_luma,_in_quotation_marks")
        return
    if (
        (luma := import_luma_driver()) is None
        or value in LCD_PANELS
        or value in (panels := luma.installed_panel_kinds_by_name())
    ):
        return
    near = nearest_word(value, panels)
    if slow := [*_e_paper(value, where)]:
        yield from slow
    elif value in EMULATOR_PANELS:
        yield where.bad_value(value, "luma.emulator_to_be_there:_pip_install_luma.emulator")
    else:
        yield where.bad_value(value, quote_value(near) if near else "a_panel_that_luma_knows")


def _chip(value: object, where: ValuePlace) -> Iterator[ValueMistake]:
    yield from [*_e_paper(value, where)] or one_of(*OLED_CHIPS)(value, where)


def _e_paper(value: object, where: ValuePlace) -> Iterator[ValueMistake]:
    if isinstance(value, str) and E_PAPER_PATTERN.fullmatch(value.lower()):
        reason = HardwareError.from_reason("e_paper", "display", chip=value)
        yield where.mistake("unfit", found=where.path, reason=reason)


def import_luma_driver() -> Any:
    """Return the module `hardware.display.luma`, or None if luma is not installed."""
    try:
        from hardware.display import luma  # noqa: PLC0415 - slow; only boards with luma need it
    except ImportError:
        return None
    return luma


def _gpio(holds: Callable[[object], bool], expected: str) -> Check:
    """Return a check of GPIO numbers.

    The error has a hint if a number is a position on the header (see UNAMBIGUOUS_GPIO_POSITIONS).
    """
    check = condition(holds, expected)

    def judge(value: object, where: ValuePlace) -> Iterator[ValueMistake]:
        for mistake in check(value, where):
            for place in value if isinstance(value, list) else [value]:
                if type(place) is int and place in UNAMBIGUOUS_GPIO_POSITIONS:
                    gpio = HEADER_PINS[place - 1]
                    yield _with_hint(mistake, "header_place", place=place, gpio=gpio)
                    return
            yield mistake

    return judge


_PIN: Final = _gpio(_pin, "a_GPIO_number_from_2_to_27")
_SEVERAL: Final = _gpio(_pins, "a_GPIO_number_from_2_to_27,_or_several_in_[_]")
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]*")
"""Pattern of a kernel overlay's name. The installer copies this name into `config.txt`."""
_OVERLAY: Final = condition(
    lambda found: isinstance(found, str) and _NAME.fullmatch(found) is not None,
    "the_name_of_an_overlay_in_quotation_marks",
)
_PORT: Final = _within(0, 22, "the_number_of_the_bus:_1_for_I2C,_0_for_SPI")
_ADDRESS: Final = _within(0x08, 0x77, "an_I2C_address:_0x3c_or_0x3d")
_CE: Final = _within(0, 2, "0_for_CE0,_1_for_CE1")
_OFFSET: Final = _within(0, 4095, "a_number_of_pixels")
_SIDE: Final = _within(1, 4096, "a_number_of_pixels")
_SPEED: Final = _within(500_000, 52_000_000, "bits_a_second:_500000_to_52000000")

_OURS: Final[dict[str, Check | OptionalKey]] = {
    "chip": _chip,
    "bus": one_of("i2c", "spi"),
    "port": OptionalKey(_PORT),
    "address": OptionalKey(_ADDRESS),
    "device": OptionalKey(_CE),
    "dc": OptionalKey(_PIN),
    "reset": OptionalKey(_PIN),
    "upside_down": OptionalKey(boolean),
}
"""Table from a key of [display] to its check, for displays that the box drives without luma."""

_INTERFACES: Final[Mapping[str, dict[str, Check | OptionalKey]]] = {
    "i2c": {"port": OptionalKey(_PORT), "address": OptionalKey(_ADDRESS)},
    "spi": {
        "port": OptionalKey(_PORT), "ce": OptionalKey(_CE), "dc": _PIN,
        "reset": OptionalKey(_PIN), "speed": OptionalKey(_SPEED),
    },
}  # fmt: skip
"""The checks of the keys that describe a luma display's bus.

Table from the name of a bus to a second table, which contains the check of each key.
"""

_LUMA: Final[dict[str, Check | OptionalKey]] = {
    "driver": _driver,
    "device": _panel,
    "interface": one_of(*_INTERFACES),
    "width": OptionalKey(_SIDE),
    "height": OptionalKey(_SIDE),
    "rotate": OptionalKey(_within(0, 3, "0_to_3_quarter_turns_clockwise")),
    "h_offset": OptionalKey(_OFFSET),
    "v_offset": OptionalKey(_OFFSET),
    "bgr": OptionalKey(boolean),
    "light": OptionalKey(_PIN),
}
"""Table from a key of [display] to the key's check, for the keys that all luma displays have."""

_ONLY_LUMA: Final = {*_LUMA, *chain.from_iterable(_INTERFACES.values())} - {*_OURS}


def _screen(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
    if not isinstance(value, dict) or "driver" not in value:
        return _our_screen(value, where)
    if value.get("device") in EMULATOR_PANELS:
        return table({key: of for key, of in _LUMA.items() if key != "interface"})(value, where)
    return _luma_screen(value, where)


def _our_screen(data: Any, where: ValuePlace) -> Iterator[ValueMistake]:
    """Yield the mistakes in the table of a display that the box drives without luma.

    If the table has keys that only luma displays have, the user probably means a luma display. In
    this case, report these keys, but report no missing keys.
    """
    lines = data if isinstance(data, dict) else {}
    keys = _OURS | ({"dc": _PIN} if lines.get("bus") == "spi" else {})
    strange = [key for key in lines if key in _ONLY_LUMA]
    for key in strange:
        key_place = where.at(key)
        yield key_place.mistake("unknown_key", found=key_place.path, expected='driver = "luma"')
    if strange:
        data = {key: value for key, value in data.items() if key not in strange}
        keys = {
            key: OptionalKey(of.check if isinstance(of, OptionalKey) else of)
            for key, of in keys.items()
        }
    yield from table(keys)(data, where)


def _luma_screen(value: dict[str, Any], where: ValuePlace) -> Iterator[ValueMistake]:
    interface = str(value.get("interface"))
    if interface in _INTERFACES:
        keys = _INTERFACES[interface]
    else:  # for an unknown bus, accept the keys of all buses
        keys = {key: OptionalKey(anything) for bus in _INTERFACES.values() for key in bus}
    yield from table(_LUMA | keys)(value, where)


def _buttons(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
    """Yield the mistakes in the table [buttons].

    The buttons UP and DOWN are optional on a board with a rotary encoder.
    """
    needed = {OK, BACK} if "knob" in where.whole else {UP, DOWN, OK, BACK}
    keys = {name: _SEVERAL if name in needed else OptionalKey(_SEVERAL) for name in BUTTONS}
    return table(keys)(value, where)


def _sounds(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
    is_wired = isinstance(value, dict) and "high" in value
    overlay = _OVERLAY if is_wired else OptionalKey(_OVERLAY)
    return table(
        overlay=overlay,
        high=OptionalKey(_SEVERAL),
        ear=OptionalKey(text()),
        device=OptionalKey(text()),
    )(value, where)


_BOARD: Final = table(
    display=_screen,
    buttons=_buttons,
    knob=OptionalKey(table(a=_PIN, b=_PIN)),
    lamps=OptionalKey(table(dict.fromkeys(SEATS, OptionalKey(_PIN)))),
    sound=OptionalKey(_sounds),
)
"""Schema of a whole board file."""


def pins_used_by_board(board: Board) -> set[int]:
    """Return all GPIO numbers that `board` uses, including the pins of the display's bus."""
    bus, used = _bus_pins(board.display), (pin for _, pin in _pin_users(board))
    return {*bus, *_overlay_pins(board), *used}


def display_pin_labels(screen: OledWiring | LumaDisplayWiring) -> list[str]:
    """Return a label for each connected pin of a display's module, such as `SDA GPIO 2`."""
    if screen.bus == "i2c":
        bus_pins, names = I2C_PINS, {"SDA": "SDA", "SCL": "SCL"}
    elif screen.bus == "spi":
        bus_pins, names = SPI_PINS, {"MOSI": "DIN", "SCLK": "CLK", f"CE{screen.device}": "CS"}
    else:
        return []
    gpio_of = {line: pin for pin, line in bus_pins.get(screen.port, {}).items()}
    pins = [(name, gpio_of.get(line)) for line, name in names.items()]
    pins += [("DC", screen.dc), ("RST", screen.reset), ("BL", getattr(screen, "light", None))]
    return [f"{name} GPIO {pin}" for name, pin in pins if pin is not None]


def _clashes(board: Board, own: dict[str, Any]) -> Iterator[ValueMistake]:
    """Yield a mistake for each pin that two parts use.

    `own`: the data of the user's file, without the data of a known board.
    """
    users = {pin: (name, ("display", "bus")) for pin, name in _bus_pins(board.display).items()}
    overlay = f"{board.sound.overlay if board.sound else ''}"
    named = [
        (("sound", "overlay"), pin, f"{overlay} ({line})", f"{overlay} ({line})")
        for pin, line in _overlay_pins(board).items()
    ]
    named += [
        (place, pin, ".".join(place), f"{'.'.join(place)} = {pin}")
        for place, pin in _pin_users(board)
    ]
    for place, pin, name, found in named:
        other, other_place = users.setdefault(pin, (name, place))
        if (other, other_place) == (name, place):
            continue
        mistake = ValueMistake(place, "taken", {"found": found, "by": other})
        for user, (part, key) in ((name, place), (other, other_place)):
            if "like" in own and key not in own.get(part, {}):
                like = quote_value(own["like"])
                mistake = _with_hint(mistake, "inherited", inherited=user, like=like)
        yield mistake


def _bus_pins(screen: OledWiring | LumaDisplayWiring) -> dict[int, str]:
    """Return a table from each GPIO number of a display's bus to the pin's name.

    A display sends no data to the Pi, so the display's pin D/C can use the GPIO number of MISO. If
    the pin D/C uses this GPIO number, omit MISO.
    """
    lines = {"i2c": I2C_PINS, "spi": SPI_PINS}.get(screen.bus, {}).get(screen.port, {})
    return {
        pin: f"{screen.bus.upper()} ({line})"
        for pin, line in lines.items()
        if not (line.startswith("CE") and line != f"CE{screen.device}")
        and not (line == "MISO" and pin == screen.dc)
    }


def _overlay_pins(board: Board) -> Mapping[int, str]:
    return OVERLAY_PINS.get(board.sound.overlay, {}) if board.sound is not None else {}


def _pin_users(board: Board) -> Iterator[tuple[tuple[str, str], int]]:
    screen = board.display
    for key in ("dc", "reset", "light"):
        if (pin := getattr(screen, key, None)) is not None:
            yield ("display", key), pin
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


def _unfit(screen: OledWiring | LumaDisplayWiring) -> Iterator[ValueMistake]:
    """Yield a mistake if luma refuses the panel's options, or if the panel is too small."""
    if isinstance(screen, OledWiring) or not screen.bus:
        return
    luma = import_luma_driver()
    if screen.chip not in luma.installed_panel_kinds_by_name():
        return
    try:
        luma.make_luma_device_and_contrast(screen, luma.ReplaySerialInterface())
    except HardwareError as error:
        named = str(error.fields.get("option", ""))
        key = named or next((key for key in _OPTIONS if key in screen.options), "device")
        yield ValueMistake(("display", key), "unfit", {"found": f"display.{key}", "reason": error})
