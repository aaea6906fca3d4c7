"""What a broker keeps of evenings: to look at it, and to take an evening off it.

A broker is no archive: every box has the evening in its folder.
"""

from __future__ import annotations

import select
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.core.errors import CompanionError
from companion.evening.broker import let_in, take_in
from companion.evening.fold import fold
from companion.evening.known import Known, NotAClaim
from companion.evening.topics import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from paho.mqtt.client import MQTTMessage

    from companion.evening.broker import Address

BEGINNING, QUIET = 3.0, 0.4
"""Seconds: in which a broker begins to tell; and of silence, after which it has told all."""
PATIENCE = 20.0
"""Seconds in which it tells all of one evening, or forgets it."""


class NotOver(CompanionError):  # noqa: N818 - the fact
    """An evening is to be forgotten that may go on."""


def listed(address: Address, now: Callable[[], float]) -> dict[str, bytes]:
    """The rules of all evenings that a broker keeps, by their names.

    `now` is in seconds. Raises OSError: it can not be reached, or refuses us.
    """
    look = _Look(address, f"{ROOT}/+/rules", now, BEGINNING)
    look.end()
    return {topic.split("/")[1]: payload for topic, payload in look.found.items()}


def forget(
    address: Address,
    evening: str,
    now: Callable[[], float],
    known: Known = Known(),  # noqa: B008 - a value
    *,
    anyway: bool = False,
) -> int:
    """Take an evening off a broker; how many messages that were.

    It must be over, by `known` and by what is there, or it is done `anyway`: then a box that still
    plays says again what it knows. Raises NotOver, and OSError as `listed`.
    """
    root = f"{ROOT}/{evening}/"
    look = _Look(address, f"{root}#", now, PATIENCE)
    try:
        for topic, payload in look.found.items():
            with suppress(NotAClaim):
                known, _ = known.taken(topic.removeprefix(root), payload)
        if look.found and not anyway and not fold(known).over:
            raise NotOver(f"{evening} is not over.")
        count = len(look.found)
        look.clear(f"{root}rules", now)
    finally:
        look.end()
    return count


class _Look:
    """A short connection: it hears what is kept of some topics, until the broker is silent.

    Raises OSError: the broker can not be reached, or refuses us.
    """

    def __init__(self, address: Address, topic: str, now: Callable[[], float], most: float) -> None:
        self.found: dict[str, bytes] = {}
        self._refused, self._subscribed, self._topic = "", False, topic
        self._client = Client(CallbackAPIVersion.VERSION2, reconnect_on_failure=False)
        self._client.connect_timeout = BEGINNING
        self._client.max_inflight_messages_set(1000)
        let_in(self._client, address)
        self._client.on_connect = self._on_connect
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message
        self._client.connect(address.host, address.port)
        end = now() + most
        while (left := end - now()) > 0 and self._waits(min(left, QUIET)):
            pass
        if self._refused or not self._subscribed:
            self.end()
            raise PermissionError(self._refused or "the broker does not answer")

    def clear(self, first: str, now: Callable[[], float]) -> None:
        """Have the broker keep nothing of what was found, of `first` first. Raises OSError."""
        for topic in sorted(self.found, key=lambda topic: topic != first):
            self._client.publish(topic, b"", qos=1, retain=True)
        end = now() + PATIENCE
        while self.found and (left := end - now()) > 0 and self._waits(min(left, BEGINNING)):
            pass
        if self.found:
            raise PermissionError("the broker lets this user take nothing off it")

    def end(self) -> None:
        """Let the broker go."""
        self._client.disconnect()
        self._client.loop_write()

    def _waits(self, most: float) -> bool:
        """Let it go on for so long; whether there may be more."""
        wire: Any = self._client.socket()
        if wire is None:
            return False
        writing = [wire] if self._client.want_write() else []
        readable, writable, _ = select.select([wire], writing, [], most)
        if readable:
            take_in(self._client)
        if writable:
            self._client.loop_write()
        return bool(readable or writable) or not self._subscribed

    def _on_connect(self, client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        if reason.is_failure:
            self._refused = str(reason)
        else:
            client.subscribe(self._topic, 1)

    def _on_subscribe(self, _client: Any, _data: Any, _id: int, reasons: Any, _more: Any) -> None:
        self._subscribed = True
        if any(reason.is_failure for reason in reasons):
            self._refused = "the broker lets this user read nothing"

    def _on_message(self, _client: Any, _data: Any, message: MQTTMessage) -> None:
        if message.payload:
            self.found[message.topic] = bytes(message.payload)
        else:
            self.found.pop(message.topic, None)
