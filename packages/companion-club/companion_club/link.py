"""A box's messages on a broker, and when they are sent. Pure, so that any order can be tested."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import InvalidJson
from companion_club import claims, topics
from companion_club.claims import ClaimHeads
from companion_club.fold import fold_evening
from companion_club.known import InvalidClaim, KnownClaims, must_publish

OutgoingMessages: TypeAlias = tuple[tuple[str, bytes], ...]
"""Retained messages to publish: topics of the evening with payloads."""
MAX_PROBLEMS: Final = 20
MAX_BOXES: Final = 1000
"""Most boxes whose presence is stored; five times as many as were tested."""
MAX_MEGABYTES: Final = 16
"""Most megabytes of other boxes' claims: thousands of players in dozens of rounds."""
MAX_PRESENCE_BYTES: Final = 1 << 10
"""Longest message of a box about itself (bytes)."""


class EveningLink(NamedTuple):
    """One box's side of a connection; every method returns the next state and messages to publish.

    A broker may have lost everything, or know more than this box. So nothing is published until all
    retained messages are read (`synced`: our own `online` came back with this connection's
    `session`). Then missing claims of ours, or of absent boxes, are published again. After a
    finished evening's rules are removed from the broker, it is `forgotten`: nothing is published.
    """

    box: str
    known: KnownClaims = KnownClaims()
    session: str = ""
    synced: bool = False
    heard: Mapping[str, ClaimHeads] = {}
    present: frozenset[str] = frozenset()
    forgotten: bool = False
    problems: tuple[InvalidClaim, ...] = ()
    size: int = 0
    """approximate size of all claims (bytes)"""

    def with_connection(self, session: str) -> EveningLink:
        """Return the state of a new connection, of which nothing is known yet."""
        size = sum(map(_size, self.known.heads.values()))
        return self._replace(session=session, synced=False, heard={}, present=frozenset(),
                             forgotten=False, size=size)  # fmt: skip

    def without_connection(self) -> EveningLink:
        """Return the state without a connection; messages wait for the next one."""
        return self._replace(synced=False, present=frozenset())

    def presence_message(self, there: bool) -> bytes:  # noqa: FBT001 - it reads well: online(True)
        """Return our message at `box/<id>/online`; with `there` False it is the last will."""
        return json.dumps(
            {"v": claims.VERSION, "box": self.box, "online": there, "session": self.session}
        ).encode()

    def say(self, topic: str, fact: Mapping[str, object]) -> tuple[EveningLink, OutgoingMessages]:
        """Add a fact of ours; it is published once the connection is synced. Raise InvalidClaim."""
        known_claims = self.known.with_own_fact(self.box, topic, fact)
        messages = ((topic, claims.make_message(known_claims.heads[topic])),) if self.synced else ()
        return self._replace(known=known_claims), messages

    def with_stored_claims(
        self, stored: Mapping[str, ClaimHeads]
    ) -> tuple[EveningLink, OutgoingMessages]:
        """Add claims that another process of this box has saved, and publish the missing ones."""
        known_claims = self.known
        for topic, heads in stored.items():
            known_claims = known_claims.with_claims(topic, heads)
        if known_claims is self.known:
            return self, ()
        link = self._replace(known=known_claims)
        new = (
            topic for topic in stored if known_claims.heads[topic] != self.known.heads.get(topic)
        )
        return link, tuple(s for topic in new for s in _again(link, topic)) if self.synced else ()

    def missing_heads(self, topic: str) -> ClaimHeads:
        """Return the heads of a topic that the broker has not sent."""
        return self.known.missing_heads(topic, self.heard.get(topic, ()))

    def take_message(self, topic: str, payload: bytes) -> tuple[EveningLink, OutgoingMessages]:
        """Handle a message of the broker."""
        box = topics.box_in(topic)
        if box is not None:
            return self._there(box, payload)
        if not payload and self._may_go(topic):
            return self._replace(forgotten=True), ()
        message = claims.parse_message(topic, payload)
        link = _with(_add_problems(self, message.problems), topic, message.claims)
        if topics.is_topic(topic):
            link = link._replace(heard={**self.heard, topic: message.claims})
        return link, tuple(_again(link, topic)) if self.synced else ()

    def _may_go(self, topic: str) -> bool:
        """Return True if the broker may forget a topic; the rules are removed first."""
        return self.forgotten or (topic == "rules" and fold_evening(self.known).over)

    def _there(self, box: str, payload: bytes) -> tuple[EveningLink, OutgoingMessages]:
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
        if box in self.present or len(self.present) >= MAX_BOXES:
            return self
        return self._replace(present=self.present | {box})


def _with(link: EveningLink, topic: str, new: ClaimHeads) -> EveningLink:
    """Return the state with claims of others, if there is room for them."""
    known_claims = link.known.with_claims(topic, new)
    if known_claims is link.known:
        return link
    size = link.size + _size(known_claims.heads[topic]) - _size(link.known.heads.get(topic, ()))
    if size > max(link.size, MAX_MEGABYTES << 20):
        return _add_problems(link, (InvalidClaim("full", topic, n=MAX_MEGABYTES),))
    return link._replace(known=known_claims, size=size)


def _add_problems(link: EveningLink, problems: tuple[InvalidClaim, ...]) -> EveningLink:
    """Return the state with a message's errors: the newest ones, each once."""
    new = tuple(each for each in problems if each not in link.problems)
    return link._replace(problems=(*link.problems, *new)[-MAX_PROBLEMS:]) if new else link


def _again(link: EveningLink, topic: str) -> Iterator[tuple[str, bytes]]:
    """Yield the message of a topic if the broker lacks claims that this box must publish.

    A broker's message that equals ours has every head, so it is never published again.
    """
    lacking = () if link.forgotten else link.missing_heads(topic)
    if lacking and must_publish(lacking, link.box, link.present):
        yield topic, claims.make_message(link.known.heads[topic])


def _size(heads: ClaimHeads) -> int:
    """Return the approximate memory of claims (bytes)."""
    return sum(500 + len(each.fact) + 200 * len(each.over) for each in heads)


def _online(payload: bytes) -> object:
    """Return the JSON value of a box's `online` message; None if it is not valid."""
    if len(payload) > MAX_PRESENCE_BYTES:
        return None
    try:
        return strict_json.parse_json(payload)
    except InvalidJson:
        return None
