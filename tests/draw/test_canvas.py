"""Tests of text in a frame: copied in whole pages, cut at the edge, safe with unknown letters."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.draw.canvas import (
    STRETCHED_FONTS,
    Canvas,
    enlarge_sprite,
    load_font,
    parse_sprite,
    rectangle_outline,
    shorten_text,
    unaccented_capital,
    wrap_text,
)
from companion.draw.letters import transliterate_uncomposable_letters
from hardware.display.frame_conversions import frame_as_pixel_rows
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH
from tests.helpers import max_examples

FACES = ("small", "medium", "large", "double", "tall", "wide")
words = st.text(st.characters(codec="utf-8"), max_size=30)


def page(frame: bytes, number: int) -> bytes:
    return frame[number * DISPLAY_WIDTH : (number + 1) * DISPLAY_WIDTH]


@pytest.mark.parametrize("face", FACES)
def test_a_glyph_fills_whole_pages(face: str) -> None:
    glyph = load_font(face).glyph_columns("8")
    assert len(glyph) == load_font(face).pages
    assert {len(part) for part in glyph} == {load_font(face).width}


@pytest.mark.parametrize("face", FACES)
def test_no_two_digits_look_alike(face: str) -> None:
    assert len({load_font(face).glyph_columns(digit) for digit in "0123456789"}) == 10


@pytest.mark.parametrize("face", STRETCHED_FONTS)
def test_each_pixel_of_a_stretched_letter_is_a_block_of_pixels(face: str) -> None:
    name, wide, high = STRETCHED_FONTS[face]
    once, large = Canvas(), Canvas()
    once.draw_text(0, 0, "Wé", name)
    large.draw_text(0, 0, "Wé", face)
    small, grown_ = frame_as_pixel_rows(once.frame), frame_as_pixel_rows(large.frame)
    for y in range(8 * load_font(face).pages):
        for x in range(2 * load_font(face).width):
            assert grown_[y][x] == small[y // high][x // wide]


def test_small_capitals_and_accents_are_all_told_apart() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÂÇÈÉÊËÎÏÔÖÙÛÜabcdefghijklmnopqrstuvwxyzàâäçèéêëîïôöùûü"
    assert len({load_font("small").glyph_columns(letter) for letter in letters}) == len(letters)


def test_a_small_capital_with_an_accent_is_as_tall_as_one_without() -> None:
    small = load_font("small")
    for letter in "ÀÂÇÉÈÊËÎÏÔÛÙÜ":
        for one in (letter, unaccented_capital(letter)):
            lit = [any(column >> y & 1 for column in small.glyph_columns(one)[0]) for y in range(7)]
            assert (lit[0], lit[6]) == (True, True), one


def test_the_last_word_of_a_text_stands_with_the_one_before_it() -> None:
    assert wrap_text("Hold OK first, to look.", 21) == ["Hold OK first,", "to look."]
    assert wrap_text("one two", 4) == ["one", "two"]
    assert wrap_text("a bc", 3) == ["a", "bc"]
    assert wrap_text("ab cd|ef", 5) == ["ab cd", "ef"]


def test_text_stands_where_it_was_put() -> None:
    canvas = Canvas()
    canvas.draw_text(3, 12, "I")
    lit = {
        (x, y)
        for y, row in enumerate(frame_as_pixel_rows(canvas.frame))
        for x, on in enumerate(row)
        if on
    }
    assert lit
    assert all(12 <= x < 18 and 24 <= y < 32 for x, y in lit)


def test_text_replaces_what_was_there() -> None:
    canvas, once = Canvas(), Canvas()
    canvas.draw_text(0, 0, "█")
    canvas.draw_text(0, 0, "A")
    once.draw_text(0, 0, "A")
    assert canvas.frame == once.frame


@given(words, st.integers(0, 5), st.integers(0, DISPLAY_WIDTH - 1), st.sampled_from(FACES[:2]))
def test_what_does_not_fit_the_line_is_cut_and_other_pages_stay_dark(
    text: str, number: int, x: int, face: str
) -> None:
    canvas = Canvas()
    canvas.draw_text(number, x, text, face)
    assert len(canvas.frame) == DISPLAY_WIDTH * DISPLAY_PAGES
    touched = range(number, number + load_font(face).pages)
    assert not any(any(page(canvas.frame, other)) for other in range(8) if other not in touched)
    assert not any(page(canvas.frame, number)[:x])


@given(words)
def test_centred_and_right_hand_text_never_leaves_its_line(text: str) -> None:
    canvas = Canvas()
    canvas.draw_centred_text(2, text)
    canvas.draw_right_aligned_text(5, text)
    canvas.draw_centred_text(6, text, "medium")
    assert not any(any(page(canvas.frame, other)) for other in (0, 1, 3, 4))


def test_text_below_the_last_page_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        Canvas().draw_text(7, 0, "A", "medium")


def test_an_unknown_letter_is_composed_or_becomes_a_box() -> None:
    small = load_font("small")
    assert small.glyph_columns("ñ") not in (small.glyph_columns("n"), small.glyph_columns("?"))
    assert small.glyph_columns("李") == small.glyph_columns("□")
    assert "ñ" not in small
    assert "é" in small


@given(words, st.integers(2, 21))
def test_rows_are_never_longer_than_asked_and_lose_no_letter(text: str, columns: int) -> None:
    found = wrap_text(text, columns)
    assert all(len(row) <= columns for row in found)
    drawn = transliterate_uncomposable_letters(text).replace("|", "")
    assert "".join(found).replace(" ", "") == drawn.replace(" ", "")


def test_rows_break_between_words_and_at_every_bar() -> None:
    assert wrap_text("Captures one of the|Shopping Molls ■□□□", 21) == [
        "Captures one of the",
        "Shopping Molls ■□□□",
    ]
    assert wrap_text("a file: games-damaged-2026.db", 10) == [
        "a file:",
        "games-dama",
        "ged-2026.d",
        "b",
    ]


def test_lines_that_need_more_rows_end_with_an_ellipsis() -> None:
    canvas, shown = Canvas(), Canvas()
    assert canvas.draw_wrapped_text(0, "one two three four five six seven eight nine", 2) == 2
    shown.draw_text(0, 0, "one two three four")
    shown.draw_text(1, 0, "five six seven eight…")
    assert canvas.frame == shown.frame


def test_lines_without_room_draw_nothing() -> None:
    canvas = Canvas()
    assert canvas.draw_wrapped_text(7, "one", 0) == 0
    assert not any(canvas.frame)


@given(words, st.integers(1, 21))
def test_short_keeps_what_fits_and_marks_what_does_not(text: str, columns: int) -> None:
    cut = shorten_text(text, columns)
    assert len(cut) <= columns
    assert cut == transliterate_uncomposable_letters(text) or cut.endswith("…")


def test_a_double_letter_is_the_medium_one_with_each_pixel_four_times() -> None:
    medium, double = Canvas(), Canvas()
    medium.draw_text(0, 0, "Ég8!", "medium")
    double.draw_text(0, 0, "Ég8!", "double")
    small, big = frame_as_pixel_rows(medium.frame), frame_as_pixel_rows(double.frame)
    assert all(big[y][x] == small[y // 2][x // 2] for y in range(32) for x in range(DISPLAY_WIDTH))
    assert sum(map(sum, big)) == 4 * sum(map(sum, small)) > 0


@pytest.mark.long
@given(
    st.sets(st.tuples(st.integers(-9, DISPLAY_WIDTH + 9), st.integers(-9, 8 * DISPLAY_PAGES + 9)))
)
def test_single_pixels_are_lit_and_put_out_and_those_beside_the_sheet_are_left_out(
    points: set[tuple[int, int]],
) -> None:
    canvas = Canvas()
    canvas.set_pixels(points)
    lit = {
        (x, y)
        for y, row in enumerate(frame_as_pixel_rows(canvas.frame))
        for x, on in enumerate(row)
        if on
    }
    assert lit == {
        (x, y) for x, y in points if 0 <= x < DISPLAY_WIDTH and 0 <= y < 8 * DISPLAY_PAGES
    }
    canvas.set_pixels(points, lit=False)
    assert not any(canvas.frame)


def test_to_invert_turns_some_pages_round_and_twice_is_nothing() -> None:
    canvas = Canvas()
    canvas.draw_text(0, 0, "Alarm")
    canvas.draw_text(3, 0, "quiet")
    before = canvas.frame
    canvas.invert_pixel_strips(0, 2)
    after = canvas.frame
    assert page(after, 0) == bytes(byte ^ 0xFF for byte in page(before, 0))
    assert page(after, 1) == b"\xff" * DISPLAY_WIDTH
    assert after[2 * DISPLAY_WIDTH :] == before[2 * DISPLAY_WIDTH :]
    canvas.invert_pixel_strips(0, 2)
    assert canvas.frame == before


# --- small drawings -------------------------------------------------------------------------------

ARROW: Final = parse_sprite("""
    #..
    ##.
    #..""")


def lit(canvas: Canvas) -> set[tuple[int, int]]:
    return {
        (x, y)
        for y, row in enumerate(frame_as_pixel_rows(canvas.frame))
        for x, on in enumerate(row)
        if on
    }


@settings(max_examples=max_examples(40))
@given(st.integers(-5, 130), st.integers(-5, 66))
@example(-1, 10)
@example(10, -1)
@example(127, 10)
@example(10, 62)
def test_a_drawing_lies_where_it_is_put_and_is_cut_off_at_the_edges(x: int, y: int) -> None:
    canvas = Canvas()
    canvas.draw_sprite(x, y, ARROW)
    points = {(x, y), (x, y + 1), (x + 1, y + 1), (x, y + 2)}
    assert lit(canvas) == {(x, y) for x, y in points if 0 <= x < 128 and 0 <= y < 64}


@settings(max_examples=max_examples(40))
@given(st.integers(0, 100), st.integers(0, 50), st.integers(1, 20), st.integers(1, 13))
def test_a_rectangle_is_erased_to_the_dark_and_nothing_beside_it(
    x: int, y: int, width: int, height: int
) -> None:
    canvas = Canvas()
    canvas.draw_text(2, 30, "Baretta")
    before = lit(canvas)
    inside = {(a, b) for a in range(x, x + width) for b in range(y, y + height)}
    canvas.erase_rectangle(x, y, width, height)
    assert lit(canvas) == before - inside


def test_a_drawing_grows_and_a_frame_is_empty() -> None:
    assert enlarge_sprite(parse_sprite("#. .#"), 2) == parse_sprite("##.. ##.. ..## ..##")
    assert rectangle_outline(4, 3) == parse_sprite("#### #..# ####")


def test_a_plain_letter_is_a_capital_without_accents() -> None:
    assert [unaccented_capital(letter) for letter in "éÉaZ"] == ["E", "E", "A", "Z"]
    assert unaccented_capital("") == ""


def test_capitals_with_accents_are_told_from_each_other_at_a_metre() -> None:
    """An empty row separates letter and accent. A grave is on the left, an acute on the right."""
    small = load_font("small")
    sides = {letter: small.glyph_columns(letter)[0] for letter in "ÀÂÈÉÊËÎÏÔÙÛ"}
    for letter, columns in sides.items():
        rows = [any(column >> row & 1 for column in columns) for row in range(8)]
        assert rows == [True, False, *[True] * 5, False], letter
    accents = {letter: [column & 1 for column in columns] for letter, columns in sides.items()}
    assert [sum(accents[letter][:2]) for letter in "ÈÉ"] == [2, 0]
    assert [sum(accents[letter][3:]) for letter in "ÈÉ"] == [0, 2]
    of_e = [tuple(accents[letter]) for letter in "ÈÉÊË"]
    assert len({*of_e}) == len(of_e)
