"""What a box says on a broker, and when: pure, so that any order of things can be tried."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from companion.evening import claims, topics
from companion.evening.fold import fold
from companion.evening.known import Known, NotAClaim, must_speak

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.evening.claims import Heads

Said: TypeAlias = tuple[tuple[str, bytes], ...]
"""Messages to publish, retained: topics of the evening, and payloads."""
MOST_PROBLEMS = 20


class Link(NamedTuple):
    """One box's side of a connection; every method gives the next one, and what is to be said.

    A broker may have lost everything or know more than we do. So nothing is said until all that it
    kept was heard (`synced`: our own `online` came back with this connection's `session`); then
    what it lacks of ours, or of boxes that are not there, is said again. Of an evening that is over
    nothing is, once somebody has taken its rules off the broker: it is `forgotten` there.
    """

    box: str
    known: Known = Known()
    session: str = ""
    synced: bool = False
    heard: Mapping[str, Heads] = {}
    present: frozenset[str] = frozenset()
    forgotten: bool = False
    problems: tuple[NotAClaim, ...] = ()

    def connected(self, session: str) -> Link:
        """A new connection, about which nothing is known yet."""
        return self._replace(session=session, synced=False, heard={}, present=frozenset(),
                             forgotten=False)  # fmt: skip

    def lost(self) -> Link:
        """Without a connection: what is said now waits for the next one."""
        return self._replace(synced=False, present=frozenset())

    def online(self, there: bool) -> bytes:  # noqa: FBT001 - it reads well: online(True)
        """What `box/<id>/online` says of us; `false` is the last will."""
        return json.dumps(
            {"v": claims.VERSION, "box": self.box, "online": there, "session": self.session}
        ).encode()

    def say(self, topic: str, fact: Mapping[str, object]) -> tuple[Link, Said]:
        """A new fact of ours; before the connection is synced it waits there. Raises NotAClaim."""
        known = self.known.said(self.box, topic, fact)
        said = ((topic, claims.message(known.heads[topic])),) if self.synced else ()
        return self._replace(known=known), said

    def take(self, topic: str, payload: bytes) -> tuple[Link, Said]:
        """A message came."""
        box = topics.box_in(topic)
        if box is not None:
            return self._there(box, payload)
        if not payload and self._may_go(topic):
            return self._replace(forgotten=True), ()
        try:
            known, told = self.known.taken(topic, payload)
        except NotAClaim as error:
            return self._told_nothing(topic, error)
        link = self._replace(known=known, heard={**self.heard, topic: told})
        return link, tuple(_lacking(link, topic)) if self.synced else ()

    def _may_go(self, topic: str) -> bool:
        """Whether the broker may forget a topic; the rules go first."""
        return self.forgotten or (topic == "rules" and fold(self.known).over)

    def _told_nothing(self, topic: str, problem: NotAClaim) -> tuple[Link, Said]:
        """What can not be used stands on the broker now, so what we know there is said again."""
        new = (*self.problems, problem) if problem not in self.problems else self.problems
        link = self._replace(heard={**self.heard, topic: ()}, problems=new[-MOST_PROBLEMS:])
        return link, tuple(_lacking(link, topic)) if self.synced else ()

    def _there(self, box: str, payload: bytes) -> tuple[Link, Said]:
        match _json(payload):
            case {"online": True, "session": session}:
                link = self._replace(present=self.present | {box})
                if box == self.box and session == self.session and not self.synced:
                    link = link._replace(synced=True)
                    return link, tuple(
                        s for topic in link.known.heads for s in _lacking(link, topic)
                    )
                return link, ()
            case _:
                return self._replace(present=self.present - {box}), ()


def _lacking(link: Link, topic: str) -> Iterator[tuple[str, bytes]]:
    """What the broker lacks of a topic, if it is ours to say."""
    told = link.heard.get(topic, ())
    lacking = () if link.forgotten else link.known.missing(topic, told)
    again = claims.message(link.known.heads[topic]) if lacking else b""
    if lacking and must_speak(lacking, link.box, link.present) and again != _of(told):
        yield topic, again


def _of(told: Heads) -> bytes:
    return claims.message(told) if told else b""


def _json(payload: bytes) -> object:
    try:
        return json.loads(payload[: claims.LONGEST].decode())
    except (ValueError, RecursionError):
        return None
