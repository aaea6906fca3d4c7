"""Tests of the letters in players' names: each is drawn, and different names look different."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import pytest

from companion.draw.canvas import Canvas, load_font, shorten_names_distinctly, shorten_text
from companion.draw.letters import transliterate_uncomposable_letters
from companion.draw.parts import fit_names_in_rows
from companion.draw.screens import _room
from hardware.ports import DISPLAY_WIDTH
from tests.helpers import OWN_PARTS_OPTIONS, Drive, begin_game, setup_for

FONTS: Final = ("small", "medium", "double")
BLOCKS: Final = {
    "Basic Latin": (0x20, 0x7F),
    "Latin-1": (0xA0, 0x100),
    "Extended-A": (0x100, 0x180),
    "Extended-B": (0x180, 0x250),
    "Extended Additional": (0x1E00, 0x1F00),
    "Greek": (0x370, 0x400),
    "Cyrillic": (0x400, 0x530),
    "Greek Extended": (0x1F00, 0x2000),
}
NAMES: Final = (
    *("Łukasz", "Lukasz", "Jørgen", "Jorgen", "Jörgen", "Zoë", "Zoe", "Zoé", "Żaneta", "Zaneta"),
    *("Đorđe", "Dorde", "Şule", "Sule", "Ștefan", "Stefan", "Ångström", "Angstrom", "Ňina", "Nina"),
    *("Håkon", "Hakon", "Ġorġ", "Gorg", "Ħal", "Hal", "Ương", "Uong", "Hiếu", "Hiêu", "Hiểu"),
    *("Ağa", "Aga", "Işık", "Isik", "Ģirts", "Girts", "Ķir", "Kir", "Łoś", "Los", "Weiß", "Wei"),
    *("Дмитрий", "Ольга", "Олег", "Наталья", "Наталия", "Ева", "Эва", "Жанна", "Шура", "Щура"),
    *("Σωκράτης", "Νίκος", "Νικος", "Χριστίνα", "Θεώνη", "Əli", "Eli", "Göran", "Goran"),
)


def letters(block: str) -> list[str]:
    """Return the letters of a block of Unicode, without the mark ͺ."""
    every = map(chr, range(*BLOCKS[block]))
    return [sign for sign in every if sign.isalpha() and sign != "ͺ"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("face", FONTS)
def test_every_latin_cyrillic_and_greek_letter_is_drawn(face: str) -> None:
    unknown = [load_font(face).glyph_columns(sign) for sign in "?□"]
    for block in BLOCKS:
        for letter in letters(block):
            glyphs = [
                load_font(face).glyph_columns(sign)
                for sign in transliterate_uncomposable_letters(letter)
            ]
            assert glyphs, (block, letter)
            assert not any(glyph in unknown for glyph in glyphs), (block, letter)


@pytest.mark.parametrize("face", FONTS)
def test_names_that_differ_by_a_mark_look_different(face: str) -> None:
    looks = {name: drawn(name, face) for name in NAMES}
    for one, other in combinations(NAMES, 2):
        assert looks[one] != looks[other], (one, other)


def drawn(text: str, face: str) -> bytes:
    """Return a frame with only this text."""
    canvas = Canvas()
    canvas.draw_text(1, 0, text, face)
    return canvas.frame


def test_a_letter_of_another_script_is_a_box_and_no_question_mark() -> None:
    for letter in "日אक":
        assert load_font("small").glyph_columns(letter) == load_font("small").glyph_columns("□")
    assert load_font("small").glyph_columns("\u2603") == load_font("small").glyph_columns("?")


def test_a_capital_that_becomes_several_letters_follows_the_case_of_its_word() -> None:
    told = {"Жанна": "Zhanna", "ЖАННА": "ZHANNA", "Щ": "Shch", "Weiß": "Weiss", "Þór": "Thór"}
    assert {name: transliterate_uncomposable_letters(name) for name in told} == told


def test_a_decomposed_name_is_drawn_as_the_composed_one() -> None:
    assert transliterate_uncomposable_letters("Zoe\u0308") == "Zoë"
    assert transliterate_uncomposable_letters("x\u030c") == "x"


def test_a_transliterated_name_is_cut_at_its_drawn_length() -> None:
    assert shorten_text("Щщщ", 8) == "Shchshc…"
    assert shorten_names_distinctly(["Щщ", "Щщщ"], 7) == ["Shchsh1", "Shchsh2"]
    assert fit_names_in_rows(["Щербаков", "Яна"], 1) == "Shcherbakov, Yana"
    canvas, latin = Canvas(), Canvas()
    canvas.draw_centred_text(0, "Щербаков")
    latin.draw_centred_text(0, "Shcherbakov")
    assert canvas.frame == latin.frame


def test_two_names_that_are_transliterated_alike_are_told_apart_in_a_list() -> None:
    assert shorten_names_distinctly(["Anna", "Анна"], 8) == ["Anna1", "Anna2"]


def test_the_largest_letters_are_used_for_composed_ones_too() -> None:
    assert _room("Łódź", "double") == 4 * 16
    assert _room("Жан", "double") == 4 * 16
    assert _room("Łódź", "large") > DISPLAY_WIDTH


@pytest.mark.parametrize("players", [("Łukasz", "Lukasz"), ("Дмитрий", "Ольга")])
def test_players_are_told_apart_on_the_display(players: tuple[str, str]) -> None:
    frames = []
    for names in (players, players[::-1]):
        drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS, players=names), (6, 1)))
        drive.resume()
        frames.append(drive.frames)
    assert frames[0] != frames[1]
