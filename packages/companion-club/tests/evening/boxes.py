"""Helpers for tests of evenings: people, claims, and a fake broker."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

from companion_club import claims, new_facts, topics
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import EveningState, compute_evening_state
from companion_club.sync_state import EveningSyncState, OutgoingMessages

EVENING_SEED: Final = "c0ffee"


def open_facts(names: tuple[str, ...], **more: Any) -> CurrentClaims:
    """Return the known claims of an evening that box `a` has opened, with these people."""
    known = CurrentClaims().with_own_fact(
        "a", "rules", new_facts.new_evening_rules("club", "probe", EVENING_SEED, **more)
    )
    for name in names:
        known = known.with_own_fact(
            "a", topics.person_topic(name), new_facts.person_plays_from_round_fact()
        )
    return known


def merge_message(known: CurrentClaims, topic: str, payload: bytes) -> CurrentClaims:
    """Return the known claims merged with a message's claims.

    Raise InvalidClaim if the message contains no valid claim.
    """
    return known.with_topic_claims(topic, claims.parse_valid_claims(topic, payload))


def random_points(evening: EveningState, table: int, rng: random.Random) -> dict[str, int]:
    return {name: rng.randint(-50, 300) for name in evening.current_round_tables[table - 1]}


def state_round(known: CurrentClaims, rng: random.Random, boxes: str = "abcdefgh") -> CurrentClaims:
    """Return the claims with a random result of each waiting table, stated by the table's box."""
    evening = compute_evening_state(known)
    for table in evening.tables_without_result:
        fact = new_facts.result_fact(random_points(evening, table, rng))
        topic = topics.result_topic(len(evening.rounds), table)
        known = known.with_own_fact(boxes[table % len(boxes)], topic, fact)
    return known


def make_evening(tables: int, name: str = "Player {:03}", **rules: Any) -> CurrentClaims:
    """Return the claims of an evening with four people at each table, after the first round."""
    said = new_facts.new_evening_rules("club", "probe", EVENING_SEED, **rules)
    heads = {"rules": (claims.make_claim("rules", "a", said),)}
    for n in range(4 * tables):
        topic = topics.person_topic(name.format(n))
        heads[topic] = (claims.make_claim(topic, "a", new_facts.person_plays_from_round_fact()),)
    rng, evening = random.Random(1), compute_evening_state(CurrentClaims(heads))
    for table in evening.tables_without_result:
        topic, fact = (
            topics.result_topic(1, table),
            new_facts.result_fact(random_points(evening, table, rng)),
        )
        heads[topic] = (claims.make_claim(topic, f"t{table}", fact),)
    return CurrentClaims(heads)


class MessageHub:
    """A fake broker: retained messages, and messages in transit to each box."""

    def __init__(self, *boxes: EveningSyncState) -> None:
        self.kept: dict[str, bytes] = {}
        self.boxes = {link.box: link for link in boxes}
        self.under_way: dict[str, list[tuple[str, bytes]]] = {}
        self.said = 0

    def connect(self, box: str, session: str) -> None:
        link = self.boxes[box] = self.boxes[box].with_new_connection(session)
        self.under_way[box] = [*self.kept.items()]
        self._publish(((topics.presence_topic(box), link.presence_message(there=True)),))

    def cut(self, box: str) -> None:
        """Cut the network of a box; its last will is published."""
        self.boxes[box] = self.boxes[box].without_connection()
        if self.under_way.pop(box, None) is not None:
            self._publish(
                ((topics.presence_topic(box), self.boxes[box].presence_message(there=False)),)
            )

    def die(self, *, forgetful: bool) -> None:
        """Kill the broker; all connections are lost."""
        self.under_way.clear()
        self.boxes = {box: link.without_connection() for box, link in self.boxes.items()}
        if forgetful:
            self.kept.clear()

    def forget(self) -> None:
        """Remove the evening from the broker, its rules first."""
        for topic in sorted(self.kept, key=lambda topic: topic != "rules"):
            self._publish(((topic, b""),))

    def say(self, box: str, topic: str, fact: Mapping[str, Any]) -> None:
        self.boxes[box], said = self.boxes[box].with_own_fact(topic, fact)
        self._publish(said)

    def settle(self, rng: random.Random, twice: float = 0.0) -> None:
        """Deliver all messages to the boxes, in random order of the boxes.

        twice: probability that the box receives a message again.
        """
        while ready := [box for box, waiting in self.under_way.items() if waiting]:
            self.deliver(rng.choice(ready), rng, twice)

    def deliver(self, box: str, rng: random.Random, twice: float = 0.0) -> None:
        waiting = self.under_way[box]
        topic, payload = waiting[0] if rng.random() < twice else waiting.pop(0)
        self.boxes[box], said = self.boxes[box].with_received_message(topic, payload)
        self._publish(said)

    def _publish(self, said: OutgoingMessages) -> None:
        for topic, payload in said:
            self.said += 1
            self.kept[topic] = payload
            if not payload:
                del self.kept[topic]
            for waiting in self.under_way.values():
                waiting.append((topic, payload))
