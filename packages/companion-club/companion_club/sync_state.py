"""The rules by which a box decides which messages to publish to an MQTT broker.

The functions have no side effects, so that tests can deliver messages in any order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import InvalidJson
from companion_club import claims, topics
from companion_club.claims import ClaimHeads
from companion_club.current_claims import CurrentClaims, InvalidClaim, should_publish_missing_claims
from companion_club.evening_state import compute_evening_state

OutgoingMessages: TypeAlias = tuple[tuple[str, bytes], ...]
"""Type of messages to publish: pairs of a topic below the evening's root topic, and a payload."""
MAX_PROBLEMS: Final = 20
MAX_BOXES: Final = 1000
"""Maximum number of boxes in an evening that are stored as online."""
MAX_MEGABYTES: Final = 16
"""Maximum size of all stored claims of an evening (MiB)."""
MAX_PRESENCE_BYTES: Final = 1 << 10
"""Maximum length of the message by which a box announces that the box is online (bytes)."""


class EveningSyncState(NamedTuple):
    """The immutable state of one box's connection to the broker.

    The broker can lack claims that this box knows, and this box can lack claims that the broker
    stores. This box publishes claims only after this box has read all retained messages (`synced`
    is True). All retained messages are read when the broker returns this box's own `online` message
    with the current `session`. Once `synced` is True, this box publishes the claims that the broker
    lacks: its own claims, and the claims of boxes that are offline. Once the broker has deleted the
    rules of a finished evening, `forgotten` is True, and this box publishes nothing.
    """

    box: str
    known_claims: CurrentClaims = CurrentClaims()
    session: str = ""
    synced: bool = False
    received_heads: Mapping[str, ClaimHeads] = {}
    present: frozenset[str] = frozenset()
    forgotten: bool = False
    problems: tuple[InvalidClaim, ...] = ()
    size: int = 0
    """approximate size of all stored claims (bytes)"""

    def with_new_connection(self, session: str) -> EveningSyncState:
        """Return the state at the start of a new broker connection, without received messages."""
        size = sum(map(_size, self.known_claims.heads.values()))
        return self._replace(session=session, synced=False, received_heads={}, present=frozenset(),
                             forgotten=False, size=size)  # fmt: skip

    def without_connection(self) -> EveningSyncState:
        """Return the state without a broker connection.

        New claims are not published in this state.
        """
        return self._replace(synced=False, present=frozenset())

    def presence_message(self, there: bool) -> bytes:  # noqa: FBT001 - calls name the flag
        """Return the message that announces this box as online, or offline if `there` is False."""
        return json.dumps(
            {"v": claims.VERSION, "box": self.box, "online": there, "session": self.session}
        ).encode()

    def with_own_fact(
        self, topic: str, fact: Mapping[str, object]
    ) -> tuple[EveningSyncState, OutgoingMessages]:
        """Return the state with a new fact from this box, and the messages to publish at once.

        If `synced` is False, no message is returned, and the box publishes the fact later. Raise
        InvalidClaim if the fact is not valid.
        """
        known_claims = self.known_claims.with_own_fact(self.box, topic, fact)
        messages = (
            ((topic, claims.make_claims_message(known_claims.heads[topic])),) if self.synced else ()
        )
        return self._replace(known_claims=known_claims), messages

    def with_stored_claims(
        self, stored: Mapping[str, ClaimHeads]
    ) -> tuple[EveningSyncState, OutgoingMessages]:
        """Return the state with claims that another process saved, and the messages to publish."""
        known_claims = self.known_claims
        for topic, heads in stored.items():
            known_claims = known_claims.with_topic_claims(topic, heads)
        if known_claims is self.known_claims:
            return self, ()
        link = self._replace(known_claims=known_claims)
        new = (
            topic
            for topic in stored
            if known_claims.heads[topic] != self.known_claims.heads.get(topic)
        )
        return link, tuple(s for topic in new for s in _again(link, topic)) if self.synced else ()

    def claims_missing_from_broker(self, topic: str) -> ClaimHeads:
        """Return this box's current claims about `topic` that the broker does not have."""
        return self.known_claims.claims_missing_from_broker(
            topic, self.received_heads.get(topic, ())
        )

    def with_received_message(
        self, topic: str, payload: bytes
    ) -> tuple[EveningSyncState, OutgoingMessages]:
        """Return the state after a message from the broker, and the messages to publish."""
        box = topics.box_in_topic(topic)
        if box is not None:
            return self._there(box, payload)
        if not payload and self._may_go(topic):
            return self._replace(forgotten=True), ()
        message = claims.parse_claims_and_errors(topic, payload)
        link = _with(_add_problems(self, message.problems), topic, message.claims)
        if topics.is_rules_person_result_topic(topic):
            link = link._replace(received_heads={**self.received_heads, topic: message.claims})
        return link, tuple(_again(link, topic)) if self.synced else ()

    def _may_go(self, topic: str) -> bool:
        """Return True if an empty message at `topic` means that the finished evening is deleted.

        The deleting box empties the topic of the rules first, and all other topics later.
        """
        return self.forgotten or (
            topic == "rules" and compute_evening_state(self.known_claims).over
        )

    def _there(self, box: str, payload: bytes) -> tuple[EveningSyncState, OutgoingMessages]:
        match _online(payload):
            case {"online": True, "session": session}:
                if box == self.box and session == self.session and not self.synced:
                    link = self._present(box)._replace(synced=True)
                    return link, tuple(
                        s for topic in link.known_claims.heads for s in _again(link, topic)
                    )
                return self._present(box), ()
            case _ if box in self.present:
                return self._replace(present=self.present - {box}), ()
            case _:
                return self, ()

    def _present(self, box: str) -> EveningSyncState:
        if box in self.present or len(self.present) >= MAX_BOXES:
            return self
        return self._replace(present=self.present | {box})


def _with(link: EveningSyncState, topic: str, new: ClaimHeads) -> EveningSyncState:
    known_claims = link.known_claims.with_topic_claims(topic, new)
    if known_claims is link.known_claims:
        return link
    size = (
        link.size + _size(known_claims.heads[topic]) - _size(link.known_claims.heads.get(topic, ()))
    )
    if size > max(link.size, MAX_MEGABYTES << 20):
        return _add_problems(link, (InvalidClaim("full", topic, n=MAX_MEGABYTES),))
    return link._replace(known_claims=known_claims, size=size)


def _add_problems(link: EveningSyncState, problems: tuple[InvalidClaim, ...]) -> EveningSyncState:
    new = tuple(each for each in problems if each not in link.problems)
    return link._replace(problems=(*link.problems, *new)[-MAX_PROBLEMS:]) if new else link


def _again(link: EveningSyncState, topic: str) -> Iterator[tuple[str, bytes]]:
    lacking = () if link.forgotten else link.claims_missing_from_broker(topic)
    if lacking and should_publish_missing_claims(lacking, link.box, link.present):
        yield topic, claims.make_claims_message(link.known_claims.heads[topic])


def _size(heads: ClaimHeads) -> int:
    return sum(500 + len(each.fact) + 200 * len(each.replaced_hashes) for each in heads)


def _online(payload: bytes) -> object:
    if len(payload) > MAX_PRESENCE_BYTES:
        return None
    try:
        return strict_json.parse_json(payload)
    except InvalidJson:
        return None
