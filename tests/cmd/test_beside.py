"""Tests of processes beside the box: each has a deadline, because the players wait for its end."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from select import select

import pytest

from companion.cmd import start


def test_a_process_beside_the_box_that_does_not_end_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    stubborn = f"trap '' TERM; echo $$ >{pipe}; exec sleep 99"
    monkeypatch.setattr(start, "COMMAND_PREFIX", ("/bin/sh", "-c", stubborn))
    with closing(start.BackgroundProgram(tmp_path / "door", "seats", patience=0.05)) as beside:
        beside.restart_with_input("a line that nobody reads")
        process = os.pidfd_open(int(pipe.read_text()))

    assert select([process], (), (), 0)[0] == [process]
    os.close(process)
