"""Tests of the messages that change one frame into another, and of their size."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.display.oled_messages import oled_change_messages
from hardware.ports import BLANK_FRAME, DISPLAY_WIDTH
from tests.hardware.frames import NOISE, edited, edits, least, texts
from tests.helpers import max_examples

MESSAGE = 4
"""Overhead of a message, as a number of bytes at 400 kHz."""


def bytes_of(old: bytes | None, new: bytes, shift: int = 0) -> int:
    return sum(
        2 + 2 * len(run.commands) + len(run.data) for run in oled_change_messages(old, new, shift)
    )


@pytest.mark.long
@settings(max_examples=max_examples(200))
@given(st.integers(0, 2), edits())
def test_no_frame_takes_more_than_its_pages_whole(
    shift: int, changed: list[tuple[int, bytes]]
) -> None:
    frame = NOISE
    for place, data in changed:
        frame = edited(frame, place, data)

    assert bytes_of(NOISE, frame, shift) <= bytes_of(None, frame, shift) <= 1090


@pytest.mark.long
@settings(max_examples=max_examples(300))
@given(st.lists(st.integers(0, 127), unique=True, min_size=1))
def test_even_scattered_columns_take_no_more_than_the_whole_page(columns: list[int]) -> None:
    page = bytes(column in columns for column in range(DISPLAY_WIDTH))

    assert bytes_of(BLANK_FRAME, page + BLANK_FRAME[DISPLAY_WIDTH:]) <= 136


@pytest.mark.long
@settings(max_examples=max_examples(300))
@given(st.lists(st.integers(0, 127), unique=True, min_size=1))
def test_no_other_messages_would_take_much_less(columns: list[int]) -> None:
    frame = (
        bytes(column in columns for column in range(DISPLAY_WIDTH)) + BLANK_FRAME[DISPLAY_WIDTH:]
    )
    ours = bytes_of(BLANK_FRAME, frame) + MESSAGE * len([*oled_change_messages(BLANK_FRAME, frame)])

    assert ours <= 1.1 * least(BLANK_FRAME, frame, MESSAGE)


def test_a_search_through_all_messages_finds_the_cheapest() -> None:
    assert least(BLANK_FRAME, b"\1" + BLANK_FRAME[1:]) == 9
    assert least(BLANK_FRAME, b"\1\0\0\1" + BLANK_FRAME[4:]) == 12
    assert least(BLANK_FRAME, b"\1" + 5 * b"\0" + b"\1" + BLANK_FRAME[7:]) == 9 + 5
    assert least(BLANK_FRAME, b"\1" + 5 * b"\0" + b"\1" + BLANK_FRAME[7:], MESSAGE) == 15 + 4


@pytest.mark.sampled(5)
@pytest.mark.parametrize("column", range(0, 120, 6))
@pytest.mark.parametrize("shift", [0, 2])
def test_a_digit_takes_at_most_14_bytes(column: int, shift: int) -> None:
    for before, after in pairwise("01234567890"):
        old, new = (texts(" " * (column // 6) + digit) for digit in (before, after))

        assert bytes_of(old, new, shift) <= 14


def test_what_did_not_change_is_sent_along_where_that_is_cheaper() -> None:
    near = bytearray(BLANK_FRAME)
    near[10] = near[14] = 1
    far = bytearray(BLANK_FRAME)
    far[10] = far[100] = 1

    assert [run.data for run in oled_change_messages(BLANK_FRAME, bytes(near))] == [b"\1\0\0\0\1"]
    assert [run.data for run in oled_change_messages(BLANK_FRAME, bytes(far))] == [b"\1", b"\1"]


def test_the_end_of_a_page_and_the_beginning_of_the_next_are_two_messages() -> None:
    frame = bytearray(BLANK_FRAME)
    frame[DISPLAY_WIDTH - 1] = frame[DISPLAY_WIDTH] = 1

    assert [run.commands for run in oled_change_messages(BLANK_FRAME, bytes(frame))] == [
        b"\xb0\x0f\x17",
        b"\xb1\x00\x10",
    ]


def test_the_page_and_half_the_column_are_not_said_twice() -> None:
    frame = bytearray(BLANK_FRAME)
    frame[0x20] = frame[0x2F] = frame[0x5F] = 1
    first, second, third = oled_change_messages(BLANK_FRAME, bytes(frame))

    assert first.commands == b"\xb0\x00\x12"
    assert second.commands == b"\x0f"
    assert third.commands == b"\x0f\x15"


def test_half_a_column_is_said_again_if_only_writing_has_changed_it() -> None:
    frame = bytearray(BLANK_FRAME)
    frame[0x0E:0x12] = b"\1\1\1\1"
    frame[0x1F] = 1
    first, second = oled_change_messages(BLANK_FRAME, bytes(frame))

    assert first.commands == b"\xb0\x0e\x10"
    assert second.commands == b"\x0f\x11"
