"""Tests of the drawings of the book: the wiring of every board, and the case."""

from __future__ import annotations

import math
import re
import struct
from collections import Counter
from itertools import combinations, pairwise
from typing import Final
from xml.etree import ElementTree as ET

import pytest
from gpiozero import pi_info

from book import blocks, case, fronts, solid, wiring
from book.words import DRAWING_WORDS
from companion.say.words import LANGUAGES
from hardware.boards import board_file
from hardware.display.luma import LCDS_DRAWN_WITHOUT_LUMA
from hardware.ports import BACK, DOWN, OK, SEATS, UP
from hardware.wiring import DEFAULT_BOARD, Board

NAMED: Final = {"up": UP, "down": DOWN, "ok": OK, "back": BACK}
every_board = pytest.mark.parametrize("name", board_file.known_board_names())
every_language = pytest.mark.parametrize("language", LANGUAGES)


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)  # noqa: S314 - drawn here


def test_the_header_is_that_of_a_pi() -> None:
    header = pi_info("c03112").headers["J8"].pins  # gpiozero's table of the pins of a Pi 4B
    assert list(board_file.HEADER_PINS) == [
        header[n].name.removeprefix("GPIO") for n in range(1, 41)
    ]


def pins(board: Board) -> list[str]:
    """Return the GPIO numbers of all parts. The display adds only its own pins."""
    display = [getattr(board.display, own, None) for own in ("dc", "reset", "light")]
    pressed = [pin for pins in board.buttons.values() for pin in pins]
    sound = board.sound
    lines = board_file.OVERLAY_PINS[sound.overlay] if sound else ()
    high = (*lines, *sound.high) if sound else ()
    every = [*pressed, *board.knob, *board.lamps.values(), *display, *high]
    return sorted(str(pin) for pin in every if pin is not None)


@pytest.mark.sampled(4)
@every_language
@every_board
def test_every_pin_of_a_board_is_drawn_once_at_its_place(name: str, language: str) -> None:
    board = board_file.load_known_board(name)
    drawn = parsed(wiring.wiring_svg(board, language)).iter("{http://www.w3.org/2000/svg}text")
    places = [int(text.attrib["data-place"]) for text in drawn if "data-place" in text.attrib]
    found = [board_file.HEADER_PINS[place - 1] for place in places]
    assert len(set(places)) == len(places)
    assert {"GND"} < {*found}
    bus = {"3V3", "5V", "GND", "2", "3", "7", "8", "10", "11"}
    assert sorted(set(found) - bus) == pins(board)


def test_the_labels_of_our_own_wiring_are_those_of_its_pins() -> None:
    wires = {
        wire.label: board_file.HEADER_PINS[wire.place - 1]
        for wire in wiring.board_wires(DEFAULT_BOARD, "en")
    }
    assert wires == {
        "display VCC": "3V3",
        "display GND": "GND",
        "display SDA": "2",
        "display SCL": "3",
        **dict(zip(("knob A", "knob B"), map(str, DEFAULT_BOARD.knob), strict=True)),
        **{
            DRAWING_WORDS["en"][name]: str(DEFAULT_BOARD.buttons[its][0])
            for name, its in NAMED.items()
        },
        **{f"button of seat {n}": str(DEFAULT_BOARD.buttons[s][0]) for n, s in enumerate(SEATS, 1)},
        **{f"lamp of seat {n}": str(DEFAULT_BOARD.lamps[s]) for n, s in enumerate(SEATS, 1)},
    }


def test_an_amplifier_is_drawn_with_its_five_wires() -> None:
    board = board_file.load_known_board("four-buttons-max98357a")
    wires = {
        wire.label: wire.place for wire in wiring.board_wires(board, "en") if wire.kind == "sound"
    }
    assert wires == {
        "amplifier VIN": 4, "amplifier GND": 14, "amplifier BCLK": 12, "amplifier LRC": 35,
        "amplifier DIN": 40,
    }  # fmt: skip
    assert DRAWING_WORDS["en"]["speaker_goes"] in wiring.wiring_svg(board, "en")


def test_both_languages_name_the_same_things() -> None:
    assert DRAWING_WORDS["en"].keys() == DRAWING_WORDS["fr"].keys()


@every_language
def test_the_case_is_true_to_scale_and_has_every_hole(language: str) -> None:
    sheet = parsed(case.case_sheet_svg(language))
    assert (sheet.attrib["width"], sheet.attrib["height"]) == ("210mm", "297mm")
    assert sheet.attrib["viewBox"] == "0 0 210 297"
    found = [element.attrib.get("class", "") for element in sheet.iter()]
    assert found.count("cut button") == 4
    assert found.count("cut window") == 1
    assert found.count("cut dot") == 1  # above OK, to find OK by touch
    assert found.count("cut screw") == 6
    assert found.count("fold speaker") == 1
    (bar,) = [element for element in sheet.iter() if element.attrib.get("class") == "cut bar"]
    assert re.search(r"h(\d+)", bar.attrib["d"])[1] == "50"  # type: ignore[index]


@every_language
def test_a_case_has_the_holes_that_are_chosen(language: str) -> None:
    for words, holes in (
        ([], (0, 0, 0, 1)),
        (["seats", "lamps", "knob"], (4, 4, 1, 1)),
        (["lamps", "outside"], (0, 4, 0, 0)),
    ):
        its = solid.parse_case_choices(words)
        sheet = parsed(case.case_sheet_svg(language, its))
        found = [element.attrib.get("class", "") for element in sheet.iter()]
        kinds = ("cut seat", "cut lamp", "cut knob", "fold speaker")
        assert tuple(map(found.count, kinds)) == holes
        inner = len(solid.front_plates(its)[0].holes)
        assert inner == 1 + 4 + sum(holes[:3]) + len(its.speaker_hole_centres)
    with pytest.raises(ValueError, match="seat: expected seats"):
        solid.parse_case_choices(["seat"])


def test_no_two_holes_of_a_front_meet_and_none_leaves_it() -> None:
    for its in (case.PLAIN_CASE, case.FULL_CASE):
        (width, depth), large = its.outer_size, case.LARGER_WINDOW_SIZE
        window, speaker = its.display_centre, its.speaker_centre
        nuts = [
            (spot, case.BUTTON_RADIUS + 3)
            for spot in (*its.button_centres, *its.seat_button_centres)
        ]
        nuts += [(spot, case.KNOB_RADIUS + 3) for spot in its.knob_centres]
        nuts += [(spot, case.LAMP_RADIUS + 1) for spot in its.lamp_centres]
        for (a, first), (b, second) in combinations(((speaker, case.SPEAKER_RADIUS), *nuts), 2):
            assert math.dist(a, b) >= first + second, (a, b)
        for (x, y), radius in nuts:
            assert radius <= x <= width - radius
            assert radius <= y <= depth - radius
            is_beside = abs(x - window.x) >= large[0] / 2 + radius
            assert is_beside or abs(y - window.y) >= large[1] / 2 + radius, (x, y)


def test_nothing_of_the_case_leaves_its_sheet_of_paper() -> None:
    for its in (case.PLAIN_CASE, case.FULL_CASE):
        sheet = parsed(case.case_sheet_svg("en", its))
        for element in sheet.iter("{http://www.w3.org/2000/svg}rect"):
            x, y, width, height = (
                float(element.get(name, 0)) for name in ("x", "y", "width", "height")
            )
            assert 0 <= x <= x + width <= 210
            assert 0 <= y <= y + height <= 297
        texts = sheet.iter("{http://www.w3.org/2000/svg}text")
        assert all(float(text.get("y", 0)) < 290 for text in texts)


@every_language
def test_a_board_from_the_front_shows_the_frame_and_names_its_buttons(language: str) -> None:
    frame = bytes([1]) + bytes(1023)  # only the first pixel is lit
    for name, front in fronts.FRONTS.items():
        sheet = parsed(fronts.board_front_svg(name, frame, language))
        (lit,) = (element for element in sheet.iter() if element.attrib.get("class") == "lit")
        labels = " ".join(text.text or "" for text in sheet.iter() if text.tag.endswith("text"))

        assert lit.attrib["d"] == "M0 0h1v1h-1z"
        on_it = [key for key, its in NAMED.items() if front.stick or its in front.buttons]
        assert len(on_it) > 1
        assert all(DRAWING_WORDS[language][key] in labels for key in on_it)
        assert front.place.visible_size == place_of(name)


def place_of(name: str) -> tuple[int, int]:
    """Return the columns and rows of a board's LCD. luma's default is 240x240."""
    options = getattr(board_file.load_known_board(name).display, "options", {})
    return options.get("width", 240), options.get("height", 240)


def test_every_board_with_a_colour_lcd_is_shown_from_the_front() -> None:
    lcds = [
        n
        for n in board_file.known_board_names()
        if board_file.load_known_board(n).display.chip in LCDS_DRAWN_WITHOUT_LUMA
    ]
    assert sorted(fronts.FRONTS) == lcds


def volume(found: list[solid.Triangle]) -> float:
    """Return the volume in mm³. A negative volume means that the triangles are inside out."""
    return sum(
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
        for a, b, c in found
    ) / 6  # fmt: skip


def area(line: list[solid.FlatPoint]) -> float:
    """Return the enclosed area in mm². A clockwise line has a negative area."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise((*line, line[0]))) / 2


@pytest.mark.long
def test_every_body_of_the_case_is_closed_and_encloses_what_its_outline_says() -> None:
    for plate in (*solid.front_plates(), *solid.front_plates(case.FULL_CASE), *solid.tray_plates()):
        found = list(solid.plate_triangles(plate))
        edges = Counter((a, b) for t in found for a, b in pairwise((*t, t[0])))
        assert set(edges.values()) == {1}
        assert all((b, a) in edges for a, b in edges)
        flat = area(plate.outline) + sum(area(hole) for hole in plate.holes)
        assert volume(found) == pytest.approx(flat * plate.thickness)


@pytest.mark.long
def test_the_bodies_are_as_large_as_the_sheet_and_the_files_say_so() -> None:
    spots = [
        spot for plate in solid.tray_plates() for t in solid.plate_triangles(plate) for spot in t
    ]
    sizes = [max(axis) - min(axis) for axis in zip(*spots, strict=True)]
    assert sizes == [*case.PLAIN_CASE.outer_size, case.WALL_THICKNESS + case.CASE_HEIGHT]
    written = solid.encode_plates_as_stl(solid.front_plates())
    (count,) = struct.unpack("<I", written[80:84])
    assert len(written) == 84 + 50 * count
    assert (
        "wide = {}; deep = {}".format(*case.PLAIN_CASE.outer_size) in solid.case_as_openscad_text()
    )


def test_a_power_plug_has_its_room_beside_every_board() -> None:
    for board in case.BOARDS:
        near = case.FIRST_SCREW.y - case.SCREW_EDGE_DISTANCE - case.WALL_THICKNESS
        free = case.PLAIN_CASE.outer_size[1] - 2 * case.WALL_THICKNESS - near - board.depth
        assert near >= 2, board.name
        assert free >= case.PLUG_SPACE >= 20, board.name


def test_the_tables_of_the_wiring_page_are_the_drawings() -> None:
    page = (blocks.DOCS / "builders" / "wiring.md").read_text("utf-8")
    row = r"^ +\| (?:wire|the button) (\w+) \| place (\d+) \| (?:GPIO )?(\w+) \|$"
    rows = re.findall(row, page, re.MULTILINE)
    assert len(rows) == 13
    amplifier = board_file.load_known_board("four-buttons-max98357a")
    ours, amplified = (
        {wire.label.rpartition(" ")[2]: wire.place for wire in wires}
        for wires in (
            wiring.board_wires(DEFAULT_BOARD, "en"),
            (wire for wire in wiring.board_wires(amplifier, "en") if wire.kind == "sound"),
        )
    )
    told = [(label, int(place)) for label, place, _ in rows]
    assert told[:8] == [(label, ours[label]) for label, _ in told[:8]]
    assert dict(told[8:]) == amplified
    assert [pin for _, _, pin in rows] == [board_file.HEADER_PINS[place - 1] for _, place in told]
