"""One connection to an MQTT broker by paho-mqtt, without wake-ups while idle.

paho's own loops wake up once a second; here its socket is part of a `select`.
"""

from __future__ import annotations

import hashlib
import select
import socket
from collections.abc import Callable
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.core.errors import ExplainedError
from companion_club.topics import GUEST_USER, ROOT_TOPIC

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.reasoncodes import ReasonCode

KEEPALIVE_SECONDS: Final = 300
"""Seconds after which a silent connection is checked."""
SUBSCRIBED, LOST = "subscribed", "lost"
BEGIN_SECONDS, QUIET_SECONDS, CONNECT_TIMEOUT_SECONDS = 3.0, 0.4, 20.0
"""Seconds: until a broker begins to send, of silence after which it has sent all, for all of it."""


REFUSALS: Final = {
    "Bad user name or password": "bad_password",
    "Not authorized": "not_authorized",
}
"""MQTT reason codes of a refusal, with our codes for them."""


class BrokerError(ExplainedError, PermissionError):
    """A broker that cannot be used."""

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(f"broker.{reason}", **facts)


def _refusal(answer: str) -> BrokerError:
    """Return the error for a broker's refusal."""
    return BrokerError(REFUSALS.get(answer, "refused"), answer=answer)


class BrokerAddress(NamedTuple):
    """A broker's address and our login; `authority` is a file of certificates, for TLS."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = ""
    authority: str = ""


def _ident(address: BrokerAddress, evening: str, box: str) -> str:
    """Return the client id of a connection.

    It is equal after a restart, so that the new connection replaces the old one. A guest cannot
    guess it and take over the connection.
    """
    text = f"{evening} {box} {address.user} {address.password}"
    return f"companion-{hashlib.sha256(text.encode()).hexdigest()[:13]}"


def new_client(ident: str = "") -> Client:
    """Return a client that is not connected yet.

    Raise ModuleNotFoundError without paho, an extra.
    """
    from paho.mqtt import client, enums  # noqa: PLC0415 - an extra

    return client.Client(enums.CallbackAPIVersion.VERSION2, ident, reconnect_on_failure=False)


def _let_in(client: Client, address: BrokerAddress) -> None:
    """Set a client's login and trusted certificates."""
    if address.user:
        client.username_pw_set(address.user, address.password)
    if address.authority:
        client.tls_set(ca_certs=address.authority)


def _take_in(client: Client) -> None:
    """Let a client read all received bytes."""
    client.loop_read()
    while (there := client.socket()) is not None and getattr(there, "pending", int)():
        client.loop_read()  # TLS may have buffered more than `select` reports


class Broker:
    """A connection for one evening; `publish` publishes below `companion/<evening>/`.

    `hear(topic, payload)` receives every message below it, `turned(SUBSCRIBED | LOST)` changes of
    the connection. Call `read` when `socket` is readable, `write` while `wants_to_write`, and
    `keep_alive` every minute.
    """

    def __init__(
        self,
        address: BrokerAddress,
        evening: str,
        box: str,
        hear: Callable[[str, bytes], None],
        turned: Callable[[str], None],
    ) -> None:
        self._address, self._root = address, f"{ROOT_TOPIC}/{evening}/"
        self._hear, self._turned = hear, turned
        self._is_guest = address.user == GUEST_USER
        self.sent = 0
        client = new_client(_ident(address, evening, box))
        client.max_queued_messages_set(0)
        client.max_inflight_messages_set(1000)
        client.connect_timeout = 5
        _let_in(client, address)
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_message = self._on_message
        client.on_disconnect = self._on_disconnect
        self._client = client
        self.refused: BrokerError | None = None
        self._others: dict[str, Callable[[bytes], None]] = {}

    def subscribe_outside(self, topic: str, receive: Callable[[bytes], None]) -> None:
        """Subscribe to a topic outside of the evening, from the next connection on."""
        self._others[topic] = receive

    def connect(self, topic: str, will: bytes) -> None:
        """Start to connect; `will` is published at `topic` when the connection is lost.

        Raise OSError.
        """
        if not self._is_guest:
            self._client.will_set(self._root + topic, will, qos=1, retain=True)
        self._client.connect(self._address.host, self._address.port, keepalive=KEEPALIVE_SECONDS)
        if self.socket is not None:
            self.socket.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)

    @property
    def socket(self) -> socket.socket | None:
        """Return the socket for `select`; None without a connection."""
        connection: Any = self._client.socket()  # may be a TLS socket
        return None if connection is None else connection

    def wants_to_write(self) -> bool:
        """Return True if bytes wait to be written."""
        return self._client.want_write()

    def read(self) -> None:
        """Read received messages."""
        _take_in(self._client)

    def write(self) -> None:
        """Write waiting messages."""
        self._client.loop_write()

    def keep_alive(self) -> None:
        """Keep the connection alive, or detect its loss. Call it every minute."""
        self._client.loop_misc()

    def publish(self, topic: str, payload: bytes) -> None:
        """Publish a retained message of the evening at QoS 1; a guest publishes nothing."""
        if self._is_guest:
            return
        self.sent += 1
        self._client.publish(self._root + topic, payload, qos=1, retain=True)

    def publish_elsewhere(self, topic: str, payload: bytes, *, retain: bool) -> None:
        """Publish a message outside of the evening, for Home Assistant."""
        self._client.publish(topic, payload, qos=1, retain=retain)

    def close(self) -> None:
        """End the connection without the last will."""
        self._client.disconnect()

    def _on_connect(
        self, client: Client, _data: object, _flags: object, reason: ReasonCode, _more: object
    ) -> None:
        if reason.is_failure:
            self.refused = _refusal(str(reason))
            return
        self.refused = None
        client.subscribe([(topic, 1) for topic in (f"{self._root}#", *self._others)])

    def _on_subscribe(
        self, _client: object, _data: object, _id: int, reasons: list[ReasonCode], _more: object
    ) -> None:
        if any(reason.is_failure for reason in reasons):
            self.refused = BrokerError("deaf")
            return
        self._turned(SUBSCRIBED)

    def _on_message(self, _client: object, _data: object, message: MQTTMessage) -> None:
        if message.topic.startswith(self._root):
            self._hear(message.topic.removeprefix(self._root), bytes(message.payload))
        elif message.topic in self._others:
            self._others[message.topic](bytes(message.payload))

    def _on_disconnect(self, *_told: object) -> None:
        self._turned(LOST)


class RetainedReader:
    """A short connection that reads the retained messages of some topics.

    It ends after a silence. `hear(topic, payload)` receives each message; `found` are the topics.
    Raise OSError if the broker cannot be reached or refuses us.
    """

    def __init__(
        self,
        address: BrokerAddress,
        topic: str,
        hear: Callable[[str, bytes], None],
        now: Callable[[], float],
        most: float,
    ) -> None:
        self.found: set[str] = set()
        self._hear = hear
        self._refused: BrokerError | None = None
        self._subscribed, self._topic = False, topic
        self._client = new_client()
        self._client.connect_timeout = BEGIN_SECONDS
        self._client.max_inflight_messages_set(1000)
        _let_in(self._client, address)
        self._client.on_connect = self._on_connect
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message
        self._client.connect(address.host, address.port)
        end = now() + most
        while (left := end - now()) > 0 and self._waits(min(left, QUIET_SECONDS)):
            pass
        if self._refused or not self._subscribed:
            self.end()
            raise self._refused or BrokerError("silent")

    def clear(self, first: str, now: Callable[[], float]) -> None:
        """Delete the retained messages that were found, topic `first` first. Raise OSError."""
        for topic in sorted(self.found, key=lambda topic: topic != first):
            self._client.publish(topic, b"", qos=1, retain=True)
        end = now() + CONNECT_TIMEOUT_SECONDS
        while self.found and (left := end - now()) > 0 and self._waits(min(left, BEGIN_SECONDS)):
            pass
        if self.found:
            raise BrokerError("mute")

    def end(self) -> None:
        """Disconnect."""
        self._client.disconnect()
        self._client.loop_write()

    def _waits(self, most: float) -> bool:
        """Wait up to `most` seconds for messages. Return True if there may be more."""
        wire: Any = self._client.socket()
        if wire is None:
            return False
        writing = [wire] if self._client.want_write() else []
        readable, writable, _ = select.select([wire], writing, [], most)
        if readable:
            _take_in(self._client)
        if writable:
            self._client.loop_write()
        return bool(readable or writable) or not self._subscribed

    def _on_connect(
        self, client: Client, _data: object, _flags: object, reason: ReasonCode, _more: object
    ) -> None:
        if reason.is_failure:
            self._refused = _refusal(str(reason))
        else:
            client.subscribe(self._topic, 1)

    def _on_subscribe(
        self, _client: object, _data: object, _id: int, reasons: list[ReasonCode], _more: object
    ) -> None:
        self._subscribed = True
        if any(reason.is_failure for reason in reasons):
            self._refused = BrokerError("deaf")

    def _on_message(self, _client: object, _data: object, message: MQTTMessage) -> None:
        if message.payload:
            self.found.add(message.topic)
            self._hear(message.topic, bytes(message.payload))
        else:
            self.found.discard(message.topic)
