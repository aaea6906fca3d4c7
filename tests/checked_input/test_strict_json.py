from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checked_input import strict_json
from checked_input.strict_json import MAX_NESTING, InvalidJson

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False,
                                                                      allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)  # fmt: skip


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"\xff", "encoding"),
        (b'"\xed\xa0\x80"', "encoding"),
        ('"Ann"'.encode("utf-16"), "encoding"),
        (b"", "json"),
        (b"{", "json"),
        (b"\xef\xbb\xbf1", "json"),
        (b"NaN", "number"),
        (b"-Infinity", "number"),
        (b'{"a": [1e999]}', "number"),
        (b"-1e999", "number"),
        (b"9" * 5000, "json"),
        (b'{"a": 1, "a": 1}', "twice"),
        (nested(MAX_NESTING + 1), "deep"),
        (nested(987), "deep"),
        (nested(100_000), "deep"),
        (b'{"a":' * 100_000, "deep"),
        (rb'"\ud800"', "encoding"),
        (rb'{"\udc00": 1}', "encoding"),
        (rb'["\ud83d", "\ude00"]', "encoding"),
    ],
)
def test_what_would_fail_later_is_refused_while_it_is_read(text: bytes, reason: str) -> None:
    with pytest.raises(InvalidJson) as caught:
        strict_json.parse_json(text)
    assert caught.value.reason == reason
    assert len(str(caught.value)) < 200


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(InvalidJson, match="1e999 is no number") as number:
        strict_json.parse_json(b"1e999")
    with pytest.raises(InvalidJson, match='the key "Ann" stands twice') as name:
        strict_json.parse_json(b'{"Ann": 1, "Bob": 2, "Ann": 3}')
    assert (number.value.found, name.value.found) == ("1e999", "Ann")


def test_a_letter_of_two_halves_is_whole() -> None:
    assert strict_json.parse_json(rb'"\ud83d\ude00"') == "\N{GRINNING FACE}"
    assert strict_json.parse_json(nested(MAX_NESTING)) is not None


@pytest.mark.long
@given(VALUES)
def test_all_else_is_read_as_it_was_written(value: Any) -> None:
    assert strict_json.parse_json(json.dumps(value).encode()) == value
