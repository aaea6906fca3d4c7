"""Tests of the page as a separate user, as on a Pi: it may use the door, but nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from tests.page.wire import post, whole
from tests.system.bench.alive import alive

EVERYBODYS: Final = "/tmp"  # noqa: S108 - each test makes a folder of its own in it
"""A folder in which another user can reach the door."""
SOMEBODY, GROUP = 65534, 65533
"""A user who is neither root nor the box's user, and the group that may use the door."""
PAGE: Final = """
import os, sys
from pathlib import Path
import tornado.platform.asyncio  # tornado imports it only once a loop runs
from companion.page import serve
from companion.page.files import game_page_resources
folder, user, group = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
game_page_resources("barney-miller", "en")  # Python may lie in a home that no other user can read
os.setgroups([group])
os.setgid(user)
os.setuid(user)
try:
    (folder / "games.db").open()
except PermissionError:
    pass
else:
    sys.exit("it can read the games")
place = serve.PageServerAddress(folder / "door.sock", 0, "127.0.0.1")
serve.run_page_server(place, lambda url: print(url, flush=True))
"""


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_the_page_serves_phones_as_another_user_who_can_not_read_the_games() -> None:
    with TemporaryDirectory(dir=EVERYBODYS) as name, alive(Path(name)) as box:
        Path(name).chmod(0o711)
        os.chown(box.door, -1, GROUP)
        command = [sys.executable, "-c", PAGE, name, str(SOMEBODY), str(GROUP)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as page:
            assert page.stdout is not None
            try:
                port = int(page.stdout.readline().rpartition(":")[2])
                cookie = box.seat(port, "Ann")
                ask = whole(port, cookie)["ask"]
                answer = {"answer": ask["choices"][0]["value"], "id": ask["id"]}
                answered = post(port, "/do", answer, cookie)[0]
            finally:
                page.terminate()  # leaving `with` waits for its end
    assert answered["ok"]
