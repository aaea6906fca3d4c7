"""What a box says on a broker, and when: pure, so that any order of things can be tried."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import NotJson
from companion_club import claims, topics
from companion_club.fold import fold
from companion_club.known import Known, NotAClaim, must_speak

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion_club.claims import Heads

Said: TypeAlias = tuple[tuple[str, bytes], ...]
"""Messages to publish, retained: topics of the evening, and payloads."""
MOST_PROBLEMS: Final = 20
MOST_BOXES: Final = 1000
"""Boxes that are known to be there; five times as many as have been tried."""
MOST_MEGABYTES: Final = 16
"""Of the facts of an evening that others say: thousands of players in dozens of rounds."""
LONGEST_ONLINE: Final = 1 << 10
"""Bytes of what a box says of itself."""


class EveningLink(NamedTuple):
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
    size: int = 0
    """Bytes of all that is known."""

    def connected(self, session: str) -> EveningLink:
        """A new connection, about which nothing is known yet."""
        size = sum(map(_size, self.known.heads.values()))
        return self._replace(session=session, synced=False, heard={}, present=frozenset(),
                             forgotten=False, size=size)  # fmt: skip

    def lost(self) -> EveningLink:
        """Without a connection: what is said now waits for the next one."""
        return self._replace(synced=False, present=frozenset())

    def online(self, there: bool) -> bytes:  # noqa: FBT001 - it reads well: online(True)
        """What `box/<id>/online` says of us; `false` is the last will."""
        return json.dumps(
            {"v": claims.VERSION, "box": self.box, "online": there, "session": self.session}
        ).encode()

    def say(self, topic: str, fact: Mapping[str, object]) -> tuple[EveningLink, Said]:
        """A new fact of ours; before the connection is synced it waits there. Raises NotAClaim."""
        known = self.known.said(self.box, topic, fact)
        said = ((topic, claims.message(known.heads[topic])),) if self.synced else ()
        return self._replace(known=known), said

    def learned(self, stored: Mapping[str, Heads]) -> tuple[EveningLink, Said]:
        """With what another process of this box has stored, and what the broker lacks of it."""
        known = self.known
        for topic, heads in stored.items():
            known = known.with_claims(topic, heads)
        if known is self.known:
            return self, ()
        link = self._replace(known=known)
        new = (topic for topic in stored if known.heads[topic] != self.known.heads.get(topic))
        return link, tuple(s for topic in new for s in _again(link, topic)) if self.synced else ()

    def lacking(self, topic: str) -> Heads:
        """What stands here of a topic, and was not heard from the broker."""
        return self.known.missing(topic, self.heard.get(topic, ()))

    def take(self, topic: str, payload: bytes) -> tuple[EveningLink, Said]:
        """A message came."""
        box = topics.box_in(topic)
        if box is not None:
            return self._there(box, payload)
        if not payload and self._may_go(topic):
            return self._replace(forgotten=True), ()
        told = claims.parse_message(topic, payload)
        link = _with(_add_problems(self, told.problems), topic, told.claims)
        if topics.is_topic(topic):
            link = link._replace(heard={**self.heard, topic: told.claims})
        return link, tuple(_again(link, topic)) if self.synced else ()

    def _may_go(self, topic: str) -> bool:
        """Whether the broker may forget a topic; the rules go first."""
        return self.forgotten or (topic == "rules" and fold(self.known).over)

    def _there(self, box: str, payload: bytes) -> tuple[EveningLink, Said]:
        match _online(payload):
            case {"online": True, "session": session}:
                if box == self.box and session == self.session and not self.synced:
                    link = self._present(box)._replace(synced=True)
                    return link, tuple(s for topic in link.known.heads for s in _again(link, topic))
                return self._present(box), ()
            case _ if box in self.present:
                return self._replace(present=self.present - {box}), ()
            case _:
                return self, ()

    def _present(self, box: str) -> EveningLink:
        if box in self.present or len(self.present) >= MOST_BOXES:
            return self
        return self._replace(present=self.present | {box})


def _with(link: EveningLink, topic: str, new: Heads) -> EveningLink:
    """With claims of others, if there is room for them."""
    known = link.known.with_claims(topic, new)
    if known is link.known:
        return link
    size = link.size + _size(known.heads[topic]) - _size(link.known.heads.get(topic, ()))
    if size > max(link.size, MOST_MEGABYTES << 20):
        return _add_problems(link, (NotAClaim("full", topic, n=MOST_MEGABYTES),))
    return link._replace(known=known, size=size)


def _add_problems(link: EveningLink, problems: tuple[NotAClaim, ...]) -> EveningLink:
    """With what is wrong with a message: each thing once, the newest of them."""
    new = tuple(each for each in problems if each not in link.problems)
    return link._replace(problems=(*link.problems, *new)[-MOST_PROBLEMS:]) if new else link


def _again(link: EveningLink, topic: str) -> Iterator[tuple[str, bytes]]:
    """What the broker lacks of a topic, if it is ours to say.

    What it holds byte for byte has every claim that stands here, so that is never said again.
    """
    lacking = () if link.forgotten else link.lacking(topic)
    if lacking and must_speak(lacking, link.box, link.present):
        yield topic, claims.message(link.known.heads[topic])


def _size(heads: Heads) -> int:
    """Bytes that claims are about in memory: their texts, and what holds them."""
    return sum(500 + len(each.fact) + 200 * len(each.over) for each in heads)


def _online(payload: bytes) -> object:
    """What a box says of itself; None if that is nothing."""
    if len(payload) > LONGEST_ONLINE:
        return None
    try:
        return strict_json.read(payload)
    except NotJson:
        return None
