"""Play evenings with faults on a real Mosquitto: `python -m tests.evening.chaos [RUNS]`.

The faults are: a killed broker, with or without the loss of its file; killed boxes, which restart
from their folders; a cut network; repeated and late messages; clocks that differ by an hour; forged
results; and two boxes that state a result of table 2. At the end all boxes, and a new box, must
compute the totals that the test computes itself.
"""

from __future__ import annotations

import json
import random
import socket
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion_club import claims, evening_box, new_facts, topics
from companion_club.evening_box import EveningBox
from companion_club.evening_state import EveningState, compute_evening_state
from tests.evening.evenings import PLAYER_NAMES
from tests.evening.mosquitto import TIMEOUT_SECONDS, Mosquitto, wait_until

GAMES: Final = 5
HOUR: Final = 3600.0
FORGED: Final[dict[str, object]] = {
    "points": dict.fromkeys(PLAYER_NAMES[:4], 9999),
    "before": [],
    "game": None,
}


def points(run: int, number: int, name: str) -> int:
    """Return a player's points in a round, which depend only on the arguments."""
    return random.Random(f"{run} {number} {name}").randint(-50, 300)


class Night:
    """An evening with three boxes and a broker. `counts` has the number of faults of each kind."""

    def __init__(self, run: int, folder: Path) -> None:
        self.run, self.folder, self.rng = run, folder, random.Random(run)
        self.broker = Mosquitto(folder / "broker")
        self.broker.start()
        self.is_up = True
        self.cut: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.members = {box: self.box(box) for box in ("one", "two", "three")}
        opener = self.members["one"]
        opener.save_and_publish_fact(
            "rules", new_facts.new_evening_rules("Club", "probe", f"{run:x}", games=GAMES)
        )
        for name in PLAYER_NAMES:
            opener.save_and_publish_fact(
                topics.person_topic(name), new_facts.person_plays_from_round_fact()
            )
        self.turn(lambda: all("rules" in each.known_claims.heads for each in self.members.values()))

    def box(self, name: str) -> EveningBox:
        """Start a box from its folder, with a clock that may be an hour ahead."""
        ahead = self.rng.choice([0.0, HOUR])
        folder = self.folder / name
        return EveningBox(
            folder, self.broker.address(), "club", lambda: time.monotonic() + ahead, name
        )

    def turn(self, done: object = None, patience: float = TIMEOUT_SECONDS) -> None:
        """Let the connected boxes handle events: until `done()` is true, or three times."""
        there = [each for box, each in self.members.items() if box not in self.cut]
        if callable(done):
            wait_until(there, done, patience)
            return
        for _ in range(3):
            for each in there:
                each.handle_messages(0.002)

    def play(self) -> None:
        """Play all rounds, with a fault before every result."""
        while not compute_evening_state(self.members["one"].known_claims).over:
            for table, box in enumerate(self.members, 1):
                self.disturb()
                self.say(box, table)
                self.turn()
            self.mend()

    def say(self, box: str, table: int) -> None:
        """Let a box state its table's result, sometimes twice, or after a false one by a rival."""
        evening = compute_evening_state(self.members[box].known_claims)
        if table not in evening.tables_without_result:
            return
        number, names = len(evening.rounds), evening.current_round_tables[table - 1]
        fact = new_facts.result_fact({name: points(self.run, number, name) for name in names})
        if self.rng.random() < 0.15:
            self.counts["two boxes were table 2"] += 1
            other = new_facts.result_fact({name: self.rng.randint(0, 9) for name in names})
            rival = self.rng.choice([each for each in self.members if each != box])
            self.members[rival].save_and_publish_fact(topics.result_topic(number, 2), other)
        if self.rng.random() < 0.2:
            self.counts["said twice"] += 1
            self.members[box].save_and_publish_fact(topics.result_topic(number, table), fact)
        self.members[box].save_and_publish_fact(topics.result_topic(number, table), fact)

    def disturb(self) -> None:
        """Cause a random fault, or none."""
        what = self.rng.choice((self.kill_broker, self.kill_box, self.cut_off, self.forge,
                                self.repeat, self.start_broker, self.nothing))  # fmt: skip
        what()

    def kill_broker(self) -> None:
        """Kill the broker with SIGKILL; in half of the cases its stored messages are lost."""
        if self.is_up:
            forget = self.rng.random() < 0.5
            self.counts["broker killed, forgetting" if forget else "broker killed"] += 1
            self.broker.kill(forget=forget)
            self.is_up = False

    def start_broker(self) -> None:
        if not self.is_up:
            self.broker.start()
            self.is_up = True

    def kill_box(self) -> None:
        """Cut a box's connection, and replace the box by a new one from its folder."""
        name = self.rng.choice([*self.members])
        self.counts["box killed"] += 1
        self.drop(name)
        self.members[name] = self.box(name)

    def drop(self, name: str) -> None:
        """Close a box's connection without notice."""
        sock = self.members[name].broker.socket
        if sock is not None:
            with suppress(OSError):  # the broker has closed it already
                sock.shutdown(socket.SHUT_RDWR)

    def cut_off(self) -> None:
        """Cut the network of a box until the others have finished the round."""
        name = self.rng.choice([*self.members])
        if name not in self.cut:
            self.counts["network cut"] += 1
            self.cut.add(name)

    def forge(self) -> None:
        """Publish forged claims: with a wrong hash, as a guest, and with a wrong password."""
        evening = compute_evening_state(self.members["one"].known_claims)
        topic = topics.result_topic(max(1, len(evening.rounds)), 1)
        real = json.loads(claims.make_claims_message((claims.make_claim(topic, "evil", FORGED),)))
        self.counts["forged"] += 1
        inside = self.members["two"].broker
        if inside.socket is not None:
            inside.publish(topic, json.dumps({**real, "hash": "0" * 64}).encode())
        for user, password in (("guest", None), ("box", "guessed")):
            folder = self.folder / f"evil{self.counts['forged']}{user}"
            address = self.broker.address(user, password)
            evil = EveningBox(folder, address, "club", time.monotonic, "evil")
            if self.is_up:
                wait_until(
                    [evil],
                    lambda: evil.has_received_all_claims or bool(evil.broker.refused),  # noqa: B023
                )
                if evil.broker.socket is not None:  # bypass the box's own checks
                    said = json.dumps(real).encode()
                    evil.broker._client.publish(f"companion/club/{topic}", said, 1, retain=True)
                for _ in range(3):
                    evil.handle_messages(0.01)
                evil.broker.close()

    def repeat(self) -> None:
        """Publish up to five earlier claims again, in random order."""
        self.counts["old messages again"] += 1
        known = self.members["three"].known_claims
        again = self.rng.sample([*known.heads.items()], min(5, len(known.heads)))
        broker = self.members["two"].broker
        if broker.socket is not None:
            for topic, heads in again:
                broker.publish(topic, claims.make_claims_message(heads[:1]))

    def nothing(self) -> None:
        """Cause no fault."""

    def mend(self) -> None:
        """Restore all connections; decide contradictions as a person would."""
        self.start_broker()
        for name in self.cut:
            self.drop(name)
        self.cut.clear()
        members = [*self.members.values()]
        self.turn(lambda: agree(members))
        for conflict in (found := compute_evening_state(members[0].known_claims)).conflicts:
            self.decide(found, conflict.topic)
        self.turn(lambda: agree(members))

    def decide(self, evening: EveningState, topic: str) -> None:
        place = topics.round_and_table_in_topic(topic)
        assert place is not None
        self.counts["decided by a person"] += 1
        number, table = place
        names = evening.rounds[number - 1].tables[table - 1]
        truth = {name: points(self.run, number, name) for name in names}
        desk = self.members[self.rng.choice([*self.members])]
        desk.save_and_publish_fact(
            topic,
            new_facts.points_correction_fact(
                desk.known_claims, number, table, truth, seats_too=True
            ),
        )

    def check(self) -> None:
        """Compare the totals of all boxes, and of a new box, with an independent sum."""
        late = self.box("late")
        members = [*self.members.values(), late]
        self.members["late"] = late
        self.turn(lambda: agree(members))
        sums = {n: sum(points(self.run, r, n) for r in range(1, GAMES + 1)) for n in PLAYER_NAMES}
        for each in members:
            evening = compute_evening_state(each.known_claims)
            assert evening.totals == sums, self.run
            assert (evening.over, evening.conflicts) == (True, ()), self.run
            assert not any(
                "evil" in head.box for h in each.known_claims.heads.values() for head in h
            )


def agree(members: list[EveningBox]) -> bool:
    """Return True if all boxes are connected and know equal facts."""
    first = members[0].known_claims
    return all(each.link.synced and each.known_claims == first for each in members)


def night(run: int) -> Counter[str]:
    """Play one evening; return its numbers of faults."""
    evening_box.FIRST_RETRY_SECONDS = evening_box.MAX_RETRY_SECONDS = (
        0.05  # nobody here waits for a broker that rests
    )
    with tempfile.TemporaryDirectory() as folder:
        found = Night(run, Path(folder))
        try:
            found.play()
            found.check()
        finally:
            for each in found.members.values():
                each.broker.close()
            found.broker.stop()
    return found.counts


def main() -> None:
    """Play evenings, and print the number of faults of each kind."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    start, counts = time.monotonic(), Counter[str]()
    for run in range(runs):
        counts += night(run)
    print(f"{runs} evenings of {GAMES} games in {time.monotonic() - start:.0f} s: all agreed.")  # noqa: T201 - the command's output
    for what, times in sorted(counts.items()):
        print(f"{times:6} {what}")  # noqa: T201 - the command's output


if __name__ == "__main__":
    main()
