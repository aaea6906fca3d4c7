"""Tests of a whole box in a process: lines press its buttons, and two phones play a game."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

import pytest

from companion.door.lines import Message
from companion.play import verify
from companion.record.journal import Journal
from tests.helpers import VIRTUAL_PARTS_OPTIONS, begin_game, setup_for

COMMAND: Final = (sys.executable, "-c", "from companion.cmd.cli import main; main()")
TIMEOUT: Final = 60


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder with a short path, because a socket's path is limited."""
    with TemporaryDirectory() as name:
        yield Path(name)


class Line:
    """A connection that sends and receives lines of JSON."""

    def __init__(self, source: IO[str], sink: IO[str]) -> None:
        self.source, self.sink = source, sink
        self.heard: list[Message] = []

    def say(self, **message: Any) -> None:
        self.sink.write(json.dumps(message) + "\n")
        self.sink.flush()

    def hear(self, *kinds: str) -> Message:
        """Return the next message of these kinds, and skip the messages before it."""
        for line in self.source:
            message: Message = json.loads(line)
            self.heard.append(message)
            if message["type"] in kinds:
                return message
            assert message["type"] != "error", message
        raise AssertionError(f"no {kinds} before the end of the lines")


class Box(Line):
    """`companion play --face headless` in a new folder."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        own = {"HOME": "", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config"}
        self.env = {**os.environ, **{name: str(folder / place) for name, place in own.items()}}
        self.process = self.start("play", "--face", "headless", "--journal", "games.db")
        assert self.process.stdin
        assert self.process.stdout
        super().__init__(self.process.stdout, self.process.stdin)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start another process, which ends with the test."""
        process = self.stack.enter_context(
            subprocess.Popen(
                [*COMMAND, *arguments], cwd=self.folder, env=self.env, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            )
        )  # fmt: skip
        self.stack.callback(process.kill)
        return process

    def press(self, *buttons: str) -> None:
        """Press buttons. Wait 600 ms before each press, so that the press is not too early."""
        for button in buttons:
            self.say(wait=600)
            self.say(press=button)

    def phone(self, path: str) -> Line:
        wire = self.stack.enter_context(socket.socket(socket.AF_UNIX))
        wire.settimeout(TIMEOUT)
        wire.connect(path)
        # Two files: writing to a file of mode "rw" drops the lines that it has read ahead.
        reader = self.stack.enter_context(wire.makefile("r", encoding="utf-8"))
        writer = self.stack.enter_context(wire.makefile("w", encoding="utf-8"))
        return Line(reader, writer)

    def program(self, *arguments: str) -> Line:
        process = self.start("stdio", "--connect", "--socket", "games.sock", *arguments)
        assert process.stdin
        assert process.stdout
        return Line(process.stdout, process.stdin)


def seated(box: Box, phone: Line, name: str) -> str:
    """Give the phone a seat by the code on the display, and return the token."""
    code = box.hear("code")
    phone.say(join=name, code=code["code"])
    phone.say(frame=True)
    phone.hear("frame")  # now the box asks for a press
    box.press("ok")
    return str(phone.hear("joined")["token"])


def played(players: dict[str, Line]) -> Message:
    """Answer at random until the game is over. Return the last message."""
    rng, own = random.Random(7), next(iter(players))
    for line in players.values():
        line.say(watch=True)
    while True:
        asked = {name: line.hear("ask", "over") for name, line in players.items()}
        if asked[own]["type"] == "over":
            return asked[own]
        who = asked[own]["who"] or own
        line, question = players[who], asked[who]
        line.say(answer=rng.choice(question["choices"])["value"], id=question["id"])


@pytest.mark.long
def test_two_phones_play_a_game_to_its_end_on_a_box_of_lines(folder: Path) -> None:
    with closing(Journal(folder / "games.db")) as journal:
        begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, players=("Ann", "Bob")), journal=journal)
    with ExitStack() as stack:
        box = Box(folder, stack)
        path = box.hear("ready")["socket"]
        ann, bob = box.phone(path), box.phone(path)
        # continue the game, open its menu, open the page for phones
        box.press("ok", "ok", "back", "up", "up", "up", "ok")
        seated(box, ann, "Ann")
        token = seated(box, bob, "Bob")
        program = box.program("--seat", "Bob", "--token", token)
        assert program.hear("joined")["seat"] == "Bob"
        over = played({"Ann": ann, "Bob": program})
        assert over["winners"]
        program.say(people=True)
        assert {one["name"] for one in program.hear("people")["people"]} == {"Ann", "Bob"}
        program.say(past={"from": 0, "n": 5})
        past = program.hear("past")
        assert (past["of"], [game["winners"] for game in past["games"]]) == (1, [over["winners"]])
        box.say(quit=True)
        assert box.process.wait(TIMEOUT) == 0
        assert any(message["type"] == "said" for message in box.heard + rest(box))
    assert not (folder / "games.sock").exists()
    with closing(Journal(folder / "games.db")) as journal:
        assert verify.verify_game_against_seed(journal, 1).problem is None


def rest(box: Box) -> list[Message]:
    """Return the lines that the box sent before it ended."""
    return [json.loads(line) for line in box.source]


@pytest.mark.long
def test_a_line_that_is_no_press_is_one_error_and_the_box_goes_on(folder: Path) -> None:
    with ExitStack() as stack:
        box = Box(folder, stack)
        box.hear("ready")
        for line in ("{", '{"press": "left"}', '{"wait": -1}', '{"up": "ok"}', "[]", "{}"):
            box.sink.write(line + "\n")
            box.sink.flush()
            assert box.hear("error")["message"]
        box.sink.close()
        assert box.process.wait(TIMEOUT) == 0


@pytest.mark.long
def test_a_second_box_at_a_door_says_that_it_is_taken_and_not_that_it_is_ready(
    folder: Path,
) -> None:
    with ExitStack() as stack:
        box = Box(folder, stack)
        assert box.hear("ready")
        second = subprocess.run(
            [*COMMAND, "play", "--face=headless", "--journal=other.db", "--socket=games.sock"],
            cwd=folder, env=box.env, input="", capture_output=True, text=True, timeout=TIMEOUT,
            check=False,
        )  # fmt: skip
        assert (second.returncode, '"type": "ready"' in second.stdout) == (1, False)
        assert "another box uses this socket" in second.stderr
        assert second.stderr.count("\n") == 1


@pytest.mark.long
def test_without_a_box_a_program_is_told_so_in_one_line(folder: Path) -> None:
    command = [*COMMAND, "stdio", "--connect", "--socket", str(folder / "no.sock")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, input="")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No box runs at" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("arguments", [("barney-miller",), ("--seat", "Ann")])
def test_a_way_in_that_makes_no_sense_is_told_as_an_argument(arguments: tuple[str, ...]) -> None:
    command = [*COMMAND, "stdio", "--connect", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, input="")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
