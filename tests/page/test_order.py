"""Tests that tests with a browser do not affect later tests in their process."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent.parent


def test_no_module_that_keeps_a_browser_runs_a_loop_beside_it() -> None:
    """Playwright's loop runs in the main thread until the module's last test has ended."""
    own = Path(__file__)
    texts = {file: file.read_text("utf-8") for file in TESTS.rglob("*.py") if file != own}
    kept = re.compile(r'scope="module"\)\s+def \w+\(.*?\n\n', re.DOTALL)
    with_browser = {
        file
        for file, text in texts.items()
        if any("chromium()" in one for one in kept.findall(text))
    }
    assert with_browser
    assert [file.name for file in with_browser if "asyncio.run(" in texts[file]] == []
