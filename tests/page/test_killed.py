"""Tests that a killed page loses nothing. `KILLS=50` kills the page 50 times."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from tests.page.killing import kill
from tests.system.bench.alive import alive

KILLS: Final = int(os.environ.get("KILLS", "1"))


@pytest.mark.long
def test_a_page_that_is_killed_costs_no_seat_no_answer_and_no_press(tmp_path: Path) -> None:
    with alive(tmp_path) as box:
        found = kill(box, KILLS)
    assert found.problem is None
    assert found.buttons == KILLS
    assert found.phone > 0
