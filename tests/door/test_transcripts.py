"""Versions 1 and 2 of the text protocol say what they said, byte for byte."""

from __future__ import annotations

from typing import Final

import pytest

from tests.door.recording import TRANSCRIPTS, recorded, said
from tests.helpers import later

LONG: Final = ("-fr", "kojak-en", "probe-en")
SLOW: Final = {name for name in TRANSCRIPTS if "door" in name and name.endswith(LONG)}
"""Evenings at the door in their second language, and of the longest games."""


@pytest.mark.parametrize("name", [*sorted(TRANSCRIPTS.keys() - SLOW), *later(sorted(SLOW))])
def test_every_line_of_a_recorded_game_is_said_as_it_was(name: str) -> None:
    now, then = said(name).splitlines(), recorded(name).splitlines()
    pairs = zip(then, now, strict=False)
    other = next(((n, *pair) for n, pair in enumerate(pairs) if pair[0] != pair[1]), None)
    assert other is None, "if it is meant: python -m tests.door.recording records them again"
    assert len(now) == len(then)
