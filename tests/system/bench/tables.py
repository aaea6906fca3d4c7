"""Measure 3, 30 and 200 tables on one broker: `python -m tests.system.bench.tables [TABLES …]`.

Each table has a connection to a real Mosquitto, and all data of a box. The tables share this
process, so they handle a message one after another. One real box shows the memory of a process.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion_club import claims, new_facts, topics
from companion_club.broker import BrokerConnection
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import compute_evening_state
from companion_club.sync_state import EveningSyncState
from tests.evening.mosquitto import MOSQUITTO_PROGRAM, Mosquitto
from tests.system.bench.row import MissingTool, Row, has_proc

SIZES: Final = (3, 30, 200)
SERVICE: Final = "from companion.cmd.cli import main; main()"


class Table:
    """A box without a disk: its claims and its connection."""

    def __init__(self, number: int, broker: Mosquitto, known: CurrentClaims) -> None:
        self.link = EveningSyncState(f"t{number}", known)
        self.messages = self.bytes = 0
        self.broker = BrokerConnection(
            broker.address(), "club", self.link.box, self.hear, self.turned
        )
        self.link = self.link.with_new_connection(f"s{number}")
        self.broker.connect(
            topics.presence_topic(self.link.box), self.link.presence_message(there=False)
        )

    def turned(self, how: str) -> None:
        if how == "subscribed":
            self.broker.publish(
                topics.presence_topic(self.link.box), self.link.presence_message(there=True)
            )

    def hear(self, topic: str, payload: bytes) -> None:
        self.messages += 1
        self.bytes += len(topic) + len(payload)
        self.link, said = self.link.with_received_message(topic, payload)
        for each in said:
            self.broker.publish(*each)

    def say(self, topic: str, fact: dict[str, object]) -> None:
        self.link, said = self.link.with_own_fact(topic, fact)
        for each in said:
            self.broker.publish(*each)

    def turn(self) -> None:
        self.broker.read_messages()
        self.broker.write_messages()


def settle(tables: list[Table], topic: str, count: int) -> None:
    """Wait until all tables are synchronised, with `count` facts and the fact of `topic`."""
    while any(len(t.link.known_claims.heads) < count or not t.link.synced
              or topic not in t.link.known_claims.heads for t in tables):  # fmt: skip
        for table in tables:
            table.broker.socket.setblocking(False) if table.broker.socket else None
            table.turn()


def opened(tables: int) -> CurrentClaims:
    """Return the claims of an evening with four people at each table."""
    heads = {
        "rules": (
            claims.make_claim("rules", "t1", new_facts.new_evening_rules("c", "probe", "c0ffee")),
        )
    }
    for n in range(4 * tables):
        topic = topics.person_topic(f"Player {n:03}")
        heads[topic] = (claims.make_claim(topic, "t1", new_facts.person_plays_from_round_fact()),)
    return CurrentClaims(heads)


def memory(pid: int) -> float:
    """Return the memory of a process (MB)."""
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def box(broker: Mosquitto, folder: Path) -> subprocess.Popen[bytes]:
    """Start a real box's service."""
    folder.mkdir()
    (folder / "secret").write_text(broker.passwords["box"])
    return subprocess.Popen(
        [sys.executable, "-c", SERVICE, "evening", "serve", "--table", "1", "--evening", "club",
         "--folder", str(folder), "--broker", f"127.0.0.1:{broker.port}", "--user", "box",
         "--password-file", str(folder / "secret"), "--socket", str(folder / "none")],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip


def evening(folder: Path, size: int) -> Iterator[Row]:
    """Yield the time from a round's last result to the next seats, the messages and the memory."""
    broker, known, rng = Mosquitto(folder / "broker"), opened(size), random.Random(1)
    broker.start()
    tables = [Table(n, broker, known if n == 1 else CurrentClaims()) for n in range(1, size + 1)]
    settle(tables, "rules", len(known.heads))
    service = box(broker, folder / "box")
    try:
        while len(tables[0].link.present) <= size:
            settle(tables, "rules", len(known.heads))
            tables[0].turn()
        seats = compute_evening_state(known).current_round_tables
        before = [(table.messages, table.bytes) for table in tables]
        for n, table in enumerate(tables[:-1], 1):
            result = {name: rng.randint(-50, 300) for name in seats[n - 1]}
            table.say(topics.result_topic(1, n), new_facts.result_fact(result))
        settle(tables, topics.result_topic(1, 1), len(known.heads) + size - 1)
        last, begun = topics.result_topic(1, size), time.perf_counter()
        tables[-1].say(last, new_facts.result_fact(dict.fromkeys(seats[-1], 0)))
        settle(tables, last, len(known.heads) + size)
        heard = time.perf_counter()
        found = compute_evening_state(tables[0].link.known_claims)
        ended = time.perf_counter()
        assert len(found.rounds) == 2
        after = [(table.messages, table.bytes) for table in tables]
        each = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(before, after, strict=True)]
        messages, size_of = (sum(values) / size / size for values in zip(*each, strict=True))
        what = f"{size} tables"
        yield Row(f"{what}: last result, until all have it", f"{1000 * (heard - begun):.0f} ms")
        yield Row(f"{what}: and each finds the next seats", f"{1000 * (ended - heard):.0f} ms")
        yield Row(f"{what}: messages a result, to each box", f"{messages:.2f}")
        yield Row(f"{what}: bytes a result, to each box", f"{size_of:.0f}")
        assert broker.process is not None
        yield Row(f"{what}: the broker's memory", f"{memory(broker.process.pid):.1f} MB")
        yield Row(f"{what}: a box's service's memory", f"{memory(service.pid):.1f} MB")
    finally:
        service.terminate()
        service.wait()
        for table in tables:
            table.broker.close()
        broker.stop()


def small(folder: Path) -> Iterator[Row]:
    """Yield the rows of `make bench`: thirty tables. Raise MissingTool."""
    has_proc()
    if MOSQUITTO_PROGRAM is None:
        raise MissingTool("mosquitto", "mosquitto")
    yield from evening(folder, 30)


def main() -> None:
    for size in map(int, sys.argv[1:] or SIZES):
        with TemporaryDirectory() as folder:
            for row in evening(Path(folder), size):
                print(f"{row.what:<50} {row.figure:>12}")  # noqa: T201 - the program's output


if __name__ == "__main__":
    main()
