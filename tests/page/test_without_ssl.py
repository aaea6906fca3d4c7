"""Tests of the modules that the page's process loads: no box, no unused game, no OpenSSL."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import pytest

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

LOADED: Final = """
import sys
from companion.page import without_ssl
without_ssl.replace_ssl_for_tornado()
from companion.cmd import page
from companion.page import serve
print(*(name for name, module in sys.modules.items() if module))
"""


@pytest.mark.long
def test_the_page_carries_no_box_no_game_and_no_encryption() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert {"companion.page.serve", "tornado.web", "click"} <= loaded
    heavy = {
        "_ssl",
        "_hashlib",
        "_sqlite3",
        "companion.box",
        "companion.play",
        "companion.record",
        "companion.figures",
    }
    heavy |= {"companion.games.kojak", "companion.games.probe", "segno"}
    assert loaded & heavy == set()
