"""Tests of the nine inputs with random bytes, and with valid texts that have a few changes."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.system.fuzz.targets import CORPUS, TARGETS

WORDS: Final = (
    *(bytes([sign]) for sign in b"[]{}\"'#=.,\n\\\0\xff0"), b"[[", b'""', b"-1", b"1e999",
    b"9" * 20, b"true", b"null", b"nan", b"\xc3\xa9", b"1979-05-27",
)  # fmt: skip
"""Texts to insert: parts of valid texts, and difficult values."""
EDITS: Final = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(WORDS) | st.binary(max_size=6)),
    max_size=6,
)
"""Changes of a text: the place, the number of removed bytes, and the inserted bytes."""


def edited(text: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    for place, length, instead in edits:
        at = int(place * len(text))
        text = text[:at] + instead + text[at + length :]
    return text


@pytest.mark.long
@pytest.mark.parametrize("name", TARGETS)
@given(st.data())
@settings(max_examples=60)
def test_whatever_comes_in_is_taken_or_refused(name: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(CORPUS[name]) | st.binary(max_size=200))
    TARGETS[name](edited(text, data.draw(EDITS)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", TARGETS)
def test_what_is_true_is_taken(name: str) -> None:
    for text in CORPUS[name]:
        TARGETS[name](text)
