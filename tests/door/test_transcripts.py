"""Versions 1 and 2 of the text protocol say what they said, byte for byte."""

from __future__ import annotations

import pytest

from tests.door.recording import TRANSCRIPTS, recorded, said


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_every_line_of_a_recorded_game_is_said_as_it_was(name: str) -> None:
    now, then = said(name).splitlines(), recorded(name).splitlines()
    pairs = zip(then, now, strict=False)
    other = next(((n, *pair) for n, pair in enumerate(pairs) if pair[0] != pair[1]), None)
    assert other is None, "if it is meant: python -m tests.door.recording records them again"
    assert len(now) == len(then)
