"""`companion evening …` as people and programs type it, each in its own process."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import companion

ROOT: Final = Path(companion.__file__).parents[1]
COMMAND: Final = (sys.executable, "-c", "from companion.cmd.cli import main; main()")


def run(given: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, "evening", *arguments],
        input=given, capture_output=True, timeout=60, check=False,
    )  # fmt: skip


def test_the_page_about_evenings_shows_what_the_command_prints() -> None:
    page = (ROOT / "docs" / "evening.md").read_text("utf-8")
    given, shown = re.findall(r"^```json\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[:2]
    done = run(given.encode(), "plan")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == json.loads(shown)


@pytest.mark.parametrize("given", [b"", b"{}", b"\xff", b'{"players": ["Ann"]}', b"[" * 10**5])
def test_facts_that_are_none_get_one_error_object_and_status_1(given: bytes) -> None:
    done = run(given, "plan")
    assert (done.returncode, done.stderr) == (1, b"")
    assert json.loads(done.stdout)["error"] == "impossible"
    assert done.stdout.count(b"\n") == 1
