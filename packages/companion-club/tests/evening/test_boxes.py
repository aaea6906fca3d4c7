"""Tests of three boxes and their services with one Mosquitto, each in its own process.

The suite plays one game through the door. `make evening-test` plays a whole evening of five games
with scripted buttons, which takes half an hour.
"""

from __future__ import annotations

import json
import os
import random
import select
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from companion.catalog import editions, registry
from companion.core.chance import Chance, fresh_seed
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from companion_club import new_facts, topics
from companion_club.evening_box import EveningBox
from companion_club.evening_state import compute_evening_state
from tests.evening.evenings import PLAYER_NAMES
from tests.evening.mosquitto import TIMEOUT_SECONDS, Mosquitto, needs_broker, wait_until

pytestmark = needs_broker
BY_BUTTONS: Final = os.environ.get("MOSQUITTO") == "must"
GAMES: Final = 5 if BY_BUTTONS else 1
MOST: Final = 5000
"""The largest number of presses on OK in a game."""
PAUSE: Final = 0.05
"""Seconds without a line, after which the test presses the next button."""
COMMAND: Final = (sys.executable, "-c", "from companion.cmd.cli import main; main()")


def has_rounds(box: EveningBox, number: int) -> bool:
    """Return True if a box of the evening knows exactly `number` rounds."""
    return len(compute_evening_state(box.known_claims).rounds) == number


class Table:
    """A box without display and pins, and the service at its door."""

    def __init__(self, number: int, folder: Path, broker: Mosquitto) -> None:
        self.number, self.folder, self.record = number, folder, folder / "games.db"
        folder.mkdir()
        homes = {name: str(folder) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME",
                                                "XDG_CACHE_HOME", "HOME")}  # fmt: skip
        self.env = {**os.environ, **homes, "LC_ALL": "C.UTF-8"}
        (folder / "secret").write_text(broker.passwords["box"])
        self.service = self.run(
            "evening", "serve", "--table", str(number), "--evening", "club", "--user", "box",
            "--folder", str(folder / "facts"), "--socket", str(folder / "games.sock"),
            "--broker", f"127.0.0.1:{broker.port}", "--password-file", str(folder / "secret"),
        )  # fmt: skip

    def run(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=self.env, cwd=self.folder,
        )  # fmt: skip

    def begin(self, names: tuple[str, ...]) -> None:
        """Save the beginning of a game with these people in the box's record."""
        game, now = registry.find_game("probe"), int(time.time())
        options = {option.name: option.values[0] for option in game.options}
        chance = Chance(fresh_seed())
        setup = GameSetup(
            game, names, options, editions.load_edition("probe"), chance, mixing=False
        )
        with closing(Journal(self.record, now)) as journal:
            Session.begin(journal, setup, now)

    def play(self, names: tuple[str, ...], rng: random.Random) -> dict[str, int]:
        """Play a game from the first press on OK to its end; return the scores."""
        self.begin(names)
        with self.run("play", "--face", "headless", "--journal", str(self.record),
                      "--socket", str(self.folder / "games.sock")) as box:  # fmt: skip
            try:
                scores = self.play_on(box, rng)
            except BaseException:
                box.kill()  # leaving `with` waits for the end of the box
                raise
        assert box.returncode == 0
        return scores

    def play_on(self, box: subprocess.Popen[str], rng: random.Random) -> dict[str, int]:
        """Play the game that `box` has open, then stop the box; return the scores."""
        assert box.stdin is not None
        assert box.stdout is not None
        next(line for line in box.stdout if '"ready", "socket"' in line)
        draining = threading.Thread(target=box.stdout.read)
        draining.start()
        press(box, "ok")
        scores = self.pressed(box, rng) if BY_BUTTONS else self.answered(rng)
        self.told(scores)
        box.stdin.write('{"quit": true}\n')
        box.stdin.flush()
        draining.join()
        return scores

    def pressed(self, box: subprocess.Popen[str], rng: random.Random) -> dict[str, int]:
        """Press DOWN up to twice, then OK, until the game is over; return the scores."""
        with socket.socket(socket.AF_UNIX) as wire:
            wire.connect(str(self.folder / "games.sock"))
            wire.sendall(b'{"watch": true}\n')
            heard = b""
            for _ in range(MOST):
                press(box, *("down",) * rng.randrange(3), "ok")
                while select.select([wire], [], [], PAUSE)[0] and (said := wire.recv(1 << 16)):
                    heard += said
                *lines, heard = heard.split(b"\n")
                for message in map(json.loads, lines):
                    if message["type"] == "over":
                        return dict(message["state"]["scores"])
        raise AssertionError("the game does not end")

    def answered(self, rng: random.Random) -> dict[str, int]:
        """Answer every question at random until the game is over; return the scores."""
        with socket.socket(socket.AF_UNIX) as wire, wire.makefile() as lines:
            wire.connect(str(self.folder / "games.sock"))
            wire.sendall(b'{"watch": true}\n')
            for line in lines:
                message = json.loads(line)
                if message["type"] == "ask":
                    value = rng.choice(message["choices"])["value"]
                    answer = {"answer": value, "id": message["id"]}
                    wire.sendall(f"{json.dumps(answer)}\n".encode())
                if message["type"] == "over":
                    return dict(message["state"]["scores"])
        raise AssertionError("the box has gone")

    def told(self, scores: dict[str, int]) -> None:
        """Wait until the service has saved a result with these scores, so that the box may stop."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end:
            for file in (self.folder / "facts").glob("result*.json"):
                if json.loads(file.read_text())["fact"]["points"] == scores:
                    return
            select.select([], [], [], 0.01)
        raise AssertionError("the service has not saved the result")

    def close(self) -> None:
        with self.service:
            self.service.terminate()
        assert self.service.returncode == 0


def press(box: subprocess.Popen[str], *buttons: str) -> None:
    assert box.stdin is not None
    for button in buttons:
        box.stdin.write(f'{{"press": "{button}", "ms": 20}}\n{{"wait": 30}}\n')
    box.stdin.flush()


@pytest.mark.long
def test_three_boxes_play_an_evening_by_themselves(broker: Mosquitto, tmp_path: Path) -> None:
    desk = broker.member(tmp_path / "desk", "desk")
    desk.save_and_publish_fact(
        "rules", new_facts.new_evening_rules("Club", "probe", "c0ffee", games=GAMES)
    )
    for name in PLAYER_NAMES:
        desk.save_and_publish_fact(
            topics.person_topic(name), new_facts.person_plays_from_round_fact()
        )
    tables = [Table(n, tmp_path / f"table{n}", broker) for n in (1, 2, 3)]
    payloads = overheard(desk)
    sums, rng = dict.fromkeys(PLAYER_NAMES, 0), random.Random(1)
    try:
        wait_until([desk], lambda: len(desk.link.present) == 4)
        for number in range(1, GAMES + 1):
            wait_until([desk], partial(has_rounds, desk, number))
            for scores in played(
                tables, compute_evening_state(desk.known_claims).current_round_tables, rng
            ):
                for name, points in scores.items():
                    sums[name] += points
        wait_until([desk], lambda: compute_evening_state(desk.known_claims).over)
    finally:
        for table in tables:
            table.close()
    assert compute_evening_state(desk.known_claims).totals == sums
    assert compute_evening_state(desk.known_claims).conflicts == ()
    for topic, payload in payloads:
        only_what_may_be_known(topic, json.loads(payload))


def played(
    tables: list[Table], seats: tuple[tuple[str, ...], ...], rng: random.Random
) -> list[dict[str, int]]:
    """Play a round at all tables at once; return the scores of each table."""
    rngs = [random.Random(rng.random()) for _ in tables]
    with ThreadPoolExecutor() as threads:
        return [*threads.map(Table.play, tables, seats, rngs)]


def overheard(desk: EveningBox) -> list[tuple[str, bytes]]:
    """Return a list to which each message that the desk receives from now on is added."""
    found: list[tuple[str, bytes]] = []
    hear = desk.broker._hear

    def listen(topic: str, payload: bytes) -> None:
        found.append((topic, payload))
        hear(topic, payload)

    desk.broker._hear = listen
    return found


def only_what_may_be_known(topic: str, message: dict[str, Any]) -> None:
    """Check that the message has only public fields: none can contain a word or a card."""
    if topics.box_in_topic(topic):
        assert message.keys() == {"v", "box", "online", "session"}
    elif topics.round_and_table_in_topic(topic):
        assert message.keys() == {"v", "revision", "box", "hash", "over", "fact"}
        assert message["fact"].keys() == {"points", "before", "game"}
        assert message["fact"]["game"].keys() == {"id", "game", "commitment", "seed", "line"}
    else:
        assert topic == "rules" or topics.person_in_topic(topic)
