"""Boxes and people to test with: facts as they say them, and a broker that is a dictionary."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

from companion_club import claims, sayings, topics
from companion_club.fold import Evening, fold
from companion_club.known import Known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion_club.link import EveningLink, Said

SEED: Final = "c0ffee"


def opened(names: tuple[str, ...], **more: Any) -> Known:
    """An evening that a box `a` has opened, with these people."""
    known = Known().said("a", "rules", sayings.rules("club", "probe", SEED, **more))
    for name in names:
        known = known.said("a", topics.people(name), sayings.person())
    return known


def points(evening: Evening, table: int, rng: random.Random) -> dict[str, int]:
    return {name: rng.randint(-50, 300) for name in evening.tables[table - 1]}


def round_said(known: Known, rng: random.Random, boxes: str = "abcdefgh") -> Known:
    """Each table of the round that is played says its result, by its own box."""
    evening = fold(known)
    for table in evening.waiting:
        fact = sayings.result(points(evening, table, rng))
        topic = topics.result(len(evening.rounds), table)
        known = known.said(boxes[table % len(boxes)], topic, fact)
    return known


def evening_of(tables: int, name: str = "Player {:03}", **rules: Any) -> Known:
    """Four people at each of so many tables, after the first round: a value made in one go."""
    said = sayings.rules("club", "probe", SEED, **rules)
    heads = {"rules": (claims.claim("rules", "a", said),)}
    for n in range(4 * tables):
        topic = topics.people(name.format(n))
        heads[topic] = (claims.claim(topic, "a", sayings.person()),)
    rng, evening = random.Random(1), fold(Known(heads))
    for table in evening.waiting:
        topic, fact = topics.result(1, table), sayings.result(points(evening, table, rng))
        heads[topic] = (claims.claim(topic, f"t{table}", fact),)
    return Known(heads)


class Hub:
    """A broker as a dictionary: what is retained, and messages that are under way to each box."""

    def __init__(self, *boxes: EveningLink) -> None:
        self.kept: dict[str, bytes] = {}
        self.boxes = {link.box: link for link in boxes}
        self.under_way: dict[str, list[tuple[str, bytes]]] = {}
        self.said = 0

    def connect(self, box: str, session: str) -> None:
        link = self.boxes[box] = self.boxes[box].connected(session)
        self.under_way[box] = [*self.kept.items()]
        self._publish(((topics.online(box), link.online(there=True)),))

    def cut(self, box: str) -> None:
        """The network is gone for a box; its last will is heard."""
        self.boxes[box] = self.boxes[box].lost()
        if self.under_way.pop(box, None) is not None:
            self._publish(((topics.online(box), self.boxes[box].online(there=False)),))

    def die(self, *, forgetful: bool) -> None:
        """The broker is killed; everybody loses the connection."""
        self.under_way.clear()
        self.boxes = {box: link.lost() for box, link in self.boxes.items()}
        if forgetful:
            self.kept.clear()

    def forget(self) -> None:
        """All is taken off the broker, the rules first; whoever is there hears it."""
        for topic in sorted(self.kept, key=lambda topic: topic != "rules"):
            self._publish(((topic, b""),))

    def say(self, box: str, topic: str, fact: Mapping[str, Any]) -> None:
        self.boxes[box], said = self.boxes[box].say(topic, fact)
        self._publish(said)

    def settle(self, rng: random.Random, twice: float = 0.0) -> None:
        """Deliver until nothing is under way; each topic in its order, the topics in any."""
        while ready := [box for box, waiting in self.under_way.items() if waiting]:
            self.deliver(rng.choice(ready), rng, twice)

    def deliver(self, box: str, rng: random.Random, twice: float = 0.0) -> None:
        waiting = self.under_way[box]
        topic, payload = waiting[0] if rng.random() < twice else waiting.pop(0)
        self.boxes[box], said = self.boxes[box].take(topic, payload)
        self._publish(said)

    def _publish(self, said: Said) -> None:
        for topic, payload in said:
            self.said += 1
            self.kept[topic] = payload
            if not payload:
                del self.kept[topic]
            for waiting in self.under_way.values():
                waiting.append((topic, payload))
