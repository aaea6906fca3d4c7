"""Attack three boxes with hostile messages: `python -m tests.evening.siege [MESSAGES]`.

The attacker has the password of `box`. The attack also kills boxes and the real broker. At the end
all results must be complete, and the broker's memory must have stayed below `MAX_MEMORY_BYTES`.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from companion_club import claims, evening_box, new_facts, topics
from companion_club.evening_box import EveningBox
from companion_club.evening_state import compute_evening_state
from tests.evening.evenings import PLAYER_NAMES
from tests.evening.mosquitto import Mosquitto, wait_until
from tests.evening.test_hostile import HOSTILE, TOPICS, points, signed

MAX_MEMORY_BYTES: Final = 50 << 20


def hostile(rng: random.Random, n: int) -> tuple[str, bytes]:
    """Return a random topic and a hostile payload."""
    table = topics.result_topic(1, rng.randint(1, 3))
    long = {**points(n), "before": ["x" * 60_000]}
    over = [f"{rng.getrandbits(256):064x}" for _ in range(256)]
    return rng.choice((
        (rng.choice(TOPICS[:-1]), rng.choice([*HOSTILE.values()])),
        (rng.choice(("rules", table)), HOSTILE["an infinite number"]),
        (table, signed(points(n), table, box=f"e{n}")),
        (table, signed(points(n), table, revision=1 << 31, box=f"e{n}", over=over)),
        (table, signed(long, table, box=f"e{n}")),
        (topics.presence_topic(f"b{n}"), b'{"online": true, "session": "x"}'),
        (topics.person_topic("x" * 39), b"9" * 60_000),
        ("people/Ann", b""),
    ))  # fmt: skip


def besieged(run: int, folder: Path, messages: int) -> tuple[int, int]:
    """Run one attack; return the broker's peak memory (bytes) and the boxes' messages."""
    rng, broker = random.Random(run), Mosquitto(folder / "broker")
    broker.start()
    boxes = [broker.member(folder / f"box{n}", f"box{n}") for n in range(3)]
    boxes[0].save_and_publish_fact("rules", new_facts.new_evening_rules("Club", "probe", "c0ffee"))
    for name in PLAYER_NAMES:
        boxes[0].save_and_publish_fact(
            topics.person_topic(name), new_facts.person_plays_from_round_fact()
        )
    wait_until(
        boxes,
        lambda: all(
            compute_evening_state(each.known_claims).current_round_tables for each in boxes
        ),
    )
    tables = compute_evening_state(boxes[0].known_claims).current_round_tables
    truth = [dict.fromkeys(names, 10 * n) for n, names in enumerate(tables, 1)]
    for n, each in enumerate(boxes):
        each.save_and_publish_fact(topics.result_topic(1, n + 1), new_facts.result_fact(truth[n]))
    wait_until(boxes, lambda: agree(boxes))
    evil = broker.member(folder / "evil", "evil")
    wait_until([*boxes, evil], lambda: evil.link.synced)
    most, said = under_fire(broker, boxes, evil, rng, messages)
    evil.close()
    wait_until(boxes, lambda: agree(boxes))
    for n, points_ in enumerate(truth):  # a person corrects every result
        fact = new_facts.points_correction_fact(
            boxes[n].known_claims, 1, n + 1, points_, seats_too=True
        )
        boxes[n].save_and_publish_fact(topics.result_topic(1, n + 1), fact)
    wait_until(boxes, lambda: agree(boxes))
    late = EveningBox(folder / "late", broker.address(), "club", time.monotonic, "late")
    wait_until([*boxes, late], lambda: late.link.synced)
    for each in (*boxes, late, *(broker.member(folder / f"box{n}") for n in range(3))):
        assert compute_evening_state(each.known_claims).rounds[0].results == tuple(truth), (
            "a result is lost"
        )
        for topic, heads in each.known_claims.heads.items():
            assert claims.parse_valid_claims(topic, claims.make_claims_message(heads)) == heads
    said += sum(each.broker.sent for each in boxes)
    most = max(most, broker.memory)
    broker.stop()
    return most, said


def under_fire(
    broker: Mosquitto,
    boxes: list[EveningBox],
    evil: EveningBox,
    rng: random.Random,
    messages: int,
) -> tuple[int, int]:
    """Publish hostile messages; return the broker's peak memory, and messages of killed boxes."""
    most = said = 0
    for n in range(messages):
        if evil.broker.socket is not None:
            topic, payload = hostile(rng, n)
            evil.broker._client.publish(f"companion/club/{topic}", payload, 1, retain=True)
        for each in (evil, *boxes):
            each.handle_messages(0.001)
        most = max(most, broker.memory)
        if n % (messages // 5) == messages // 10:
            broker.kill(forget=bool(n % 2))
            broker.start()
        if n % (messages // 5) == messages // 7:
            said += boxes[1].broker.sent
            boxes[1].broker.close()
            boxes[1] = broker.member(broker.folder.parent / "box1", "box1")
    return most, said


def agree(boxes: list[EveningBox]) -> bool:
    """Return True if all boxes are connected and know equal facts."""
    return all(each.link.synced and each.known_claims == boxes[0].known_claims for each in boxes)


def main(messages: int = 3000) -> None:
    """Run two attacks, and print their figures."""
    evening_box.FIRST_RETRY_SECONDS = evening_box.MAX_RETRY_SECONDS = (
        0.05  # nobody here waits for a broker that rests
    )
    for run in range(2):
        with tempfile.TemporaryDirectory() as folder:
            most, said = besieged(run, Path(folder), messages)
        assert most < MAX_MEMORY_BYTES, most
        print(f"broker {run}: {messages} hostile messages, {said} of three boxes, "  # noqa: T201 - the command's output
              f"{most / (1 << 20):.1f} MB at most; nothing is lost")  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
