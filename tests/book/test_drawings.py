"""The drawings of the book: a wiring for every board, and the case."""

from __future__ import annotations

import re
from typing import Final
from xml.etree import ElementTree as ET

import pytest
from gpiozero import pi_info

from book import case, wiring
from book.words import WORDS
from companion.say.words import LANGUAGES
from hardware import BACK, DOWN, OK, SEATS, UP, board_file
from hardware.wiring import FOUR_BUTTONS, Board

NAMED: Final = {"up": UP, "down": DOWN, "ok": OK, "back": BACK}
every_board = pytest.mark.parametrize("name", board_file.names())
every_language = pytest.mark.parametrize("language", LANGUAGES)


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)  # noqa: S314 - drawn here


def test_the_header_is_that_of_a_pi() -> None:
    header = pi_info("c03112").headers["J8"].pins  # gpiozero's own drawing, of a Pi 4B
    assert list(wiring.HEADER) == [header[n].name.removeprefix("GPIO") for n in range(1, 41)]


def pins(board: Board) -> list[str]:
    """The GPIO numbers of everything but the display, and of its own two."""
    display = [getattr(board.display, own) for own in ("dc", "reset")]
    pressed = [pin for pins in board.buttons.values() for pin in pins]
    every = [*pressed, *board.knob, *board.lamps.values(), *display]
    return sorted(str(pin) for pin in every if pin is not None)


@every_language
@every_board
def test_every_pin_of_a_board_is_drawn_once_at_its_place(name: str, language: str) -> None:
    board = board_file.known(name)
    drawn = parsed(wiring.svg(board, language)).iter("{http://www.w3.org/2000/svg}text")
    places = [int(text.attrib["data-place"]) for text in drawn if "data-place" in text.attrib]
    found = [wiring.HEADER[place - 1] for place in places]
    assert len(set(places)) == len(places)
    assert {"GND"} < {*found}
    bus = {"3V3", "GND", "2", "3", "7", "8", "10", "11"}
    assert sorted(set(found) - bus) == pins(board)


def test_the_labels_of_our_own_wiring_are_those_of_its_pins() -> None:
    wires = {wire.label: wiring.HEADER[wire.place - 1] for wire in wiring.wires(FOUR_BUTTONS, "en")}
    assert wires == {
        "display VCC": "3V3", "display GND": "GND", "display SDA": "2", "display SCL": "3",
        **dict(zip(("knob A", "knob B"), map(str, FOUR_BUTTONS.knob), strict=True)),
        **{WORDS["en"][name]: str(FOUR_BUTTONS.buttons[its][0]) for name, its in NAMED.items()},
        **{f"button of seat {n}": str(FOUR_BUTTONS.buttons[s][0]) for n, s in enumerate(SEATS, 1)},
        **{f"lamp of seat {n}": str(FOUR_BUTTONS.lamps[s]) for n, s in enumerate(SEATS, 1)},
    }  # fmt: skip


def test_both_languages_name_the_same_things() -> None:
    assert WORDS["en"].keys() == WORDS["fr"].keys()


@every_language
def test_the_case_is_true_to_scale_and_has_every_hole(language: str) -> None:
    sheet = parsed(case.svg(language))
    assert (sheet.attrib["width"], sheet.attrib["height"]) == ("297mm", "210mm")
    assert sheet.attrib["viewBox"] == "0 0 297 210"
    found = [element.attrib.get("class", "") for element in sheet.iter()]
    assert found.count("cut button") == 4
    assert found.count("cut window") == 1
    assert found.count("cut screw") == 6
    assert found.count("fold speaker") == 1
    (bar,) = [element for element in sheet.iter() if element.attrib.get("class") == "cut bar"]
    assert re.search(r"h(\d+)", bar.attrib["d"])[1] == "50"  # type: ignore[index] # it is there


def test_nothing_of_the_case_leaves_its_sheet_of_paper() -> None:
    for element in parsed(case.svg("en")).iter("{http://www.w3.org/2000/svg}rect"):
        x, y, width, height = (
            float(element.get(name, 0)) for name in ("x", "y", "width", "height")
        )
        assert 0 <= x <= x + width <= 297
        assert 0 <= y <= y + height <= 210
