"""A box at an evening of games: its connection to the MQTT broker, and the claims on its disk."""

from __future__ import annotations

import secrets
import select
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion_club import folder as files
from companion_club.broker import LOST, SUBSCRIBED, BrokerAddress, BrokerConnection, BrokerError
from companion_club.current_claims import CurrentClaims
from companion_club.sync_state import EveningSyncState, OutgoingMessages
from companion_club.topics import presence_topic

FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS, FOLDER_CHECK_SECONDS = 1.0, 60.0, 60.0
"""Times in seconds.

- FIRST_RETRY_SECONDS: first delay between two attempts to connect.
- MAX_RETRY_SECONDS: longest delay between two attempts to connect.
- FOLDER_CHECK_SECONDS: time between two checks of the folder.
"""
NEVER_SECONDS: Final = float("inf")
QUIET_SECONDS: Final = 1.0
"""Seconds without a message after which a guest counts as having all retained messages."""


class EveningBox:
    """A box that saves facts about an evening to disk and publishes the facts over an MQTT broker.

    The box also saves the facts that other boxes claim. Another process can write into `folder`, so
    the box reads `folder` at each connection and every FOLDER_CHECK_SECONDS. `now` is a function
    that returns the monotonic time (s). Raise OSError if the folder cannot be read or written.
    """

    def __init__(
        self,
        folder: Path,
        address: BrokerAddress,
        evening: str,
        now: Callable[[], float],
        box: str = "",
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._read = files.folder_modification_time(folder)
        claims, _ = files.load_claims_and_errors(folder)
        self.link = EveningSyncState(box or files.load_or_create_box_name(folder), claims)
        self._folder, self._now = folder, now
        self.broker = BrokerConnection(address, evening, self.link.box, self._hear, self._turned)
        self._next_try, self._retry, self._next_tick = now(), FIRST_RETRY_SECONDS, NEVER_SECONDS
        self._silent_since = NEVER_SECONDS
        self.trouble: OSError | None = None

    @property
    def has_received_all_claims(self) -> bool:
        """Return True if this box has received all retained messages of the evening.

        Also return True after QUIET_SECONDS without a message, because a read-only guest publishes
        no `online` message that the broker could return.
        """
        return self.link.synced or self._now() - self._silent_since >= QUIET_SECONDS

    @property
    def known_claims(self) -> CurrentClaims:
        """Return the current claims by topic: all claims that no newer claim replaces."""
        return self.link.known_claims

    def save_and_publish_fact(self, topic: str, fact: Mapping[str, object]) -> None:
        """Save a fact to disk, and publish the fact as soon as the broker is connected.

        The new fact replaces all claims about `topic` that this box knows. If another process saves
        a claim about `topic` at the same time, the two claims contradict each other until a person
        decides. Raise InvalidClaim if the fact is not valid, and OSError if the disk cannot be
        written.
        """
        link, messages = self.link.with_own_fact(topic, fact)
        stored = files.merge_claims_into_file(self._folder, topic, link.known_claims.heads[topic])
        self.link, more = link.with_stored_claims({topic: stored})
        self._publish(more or messages)

    def handle_messages(self, most: float, others: Sequence[int] = ()) -> list[int]:
        """Exchange messages with the broker for up to `most` seconds.

        Return the file descriptors in `others` that are readable.
        """
        self._keep_in_touch()
        socket = self.broker.socket
        mine = [] if socket is None else [socket.fileno()]
        writing = mine if self.broker.has_bytes_to_write() else []
        due = self._next_try if not mine else self._next_tick
        patience = max(0.0, min(most, due - self._now()))
        readable, writable, _ = select.select([*mine, *others], writing, [], patience)
        if mine and mine[0] in readable:
            self.broker.read_messages()
        if writable and self.broker.socket is not None:
            self.broker.write_messages()
        return [each for each in readable if each not in mine]

    def close(self) -> None:
        """Publish that this box is offline, and disconnect from the broker."""
        if self.broker.socket is not None:
            self.broker.publish(
                presence_topic(self.link.box), self.link.presence_message(there=False)
            )
            self.broker.close()

    def _keep_in_touch(self) -> None:
        now = self._now()
        if self.broker.socket is None:
            if now >= self._next_try:
                self._connect(now)
        elif now >= self._next_tick:
            self._next_tick = now + FOLDER_CHECK_SECONDS
            self._read_again()
            self.broker.keep_alive()

    def _read_again(self) -> None:
        changed = files.folder_modification_time(self._folder)
        if changed == self._read:
            return
        self._read = changed
        claims, _ = files.load_claims_and_errors(self._folder)
        self.link, messages = self.link.with_stored_claims(claims.heads)
        self._publish(messages)

    def _connect(self, now: float) -> None:
        self._read_again()
        self._next_try, self._retry = now + self._retry, min(2 * self._retry, MAX_RETRY_SECONDS)
        self.link, self._silent_since = (
            self.link.with_new_connection(secrets.token_hex(8)),
            NEVER_SECONDS,
        )
        try:
            self.broker.connect(
                presence_topic(self.link.box), self.link.presence_message(there=False)
            )
        except OSError as error:
            self.trouble = error
            return
        self._next_tick = now + FOLDER_CHECK_SECONDS

    def _turned(self, how: str) -> None:
        if how == SUBSCRIBED:
            self._retry, self.trouble, self._silent_since = FIRST_RETRY_SECONDS, None, self._now()
            self.broker.publish(
                presence_topic(self.link.box), self.link.presence_message(there=True)
            )
        if how == LOST:
            self.link, self._silent_since = self.link.without_connection(), NEVER_SECONDS
            self.trouble = self.broker.refused or BrokerError("lost")
            self._next_try = self._now() + self._retry

    def _hear(self, topic: str, payload: bytes) -> None:
        before, self._silent_since = self.known_claims, self._now()
        self.link, messages = self.link.with_received_message(topic, payload)
        if self.known_claims is not before:
            stored = files.merge_claims_into_file(
                self._folder, topic, self.known_claims.heads[topic], durable=False
            )
            self.link, more = self.link.with_stored_claims({topic: stored})
            messages = more or messages
        self._publish(messages)

    def _publish(self, messages: OutgoingMessages) -> None:
        for topic, payload in messages:
            self.broker.publish(topic, payload)
