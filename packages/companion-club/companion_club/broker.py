"""Connections to an MQTT broker with the library paho-mqtt, without wake-ups while idle.

The event loops of paho-mqtt wake up once a second. To sleep while idle, this module waits for the
socket of paho-mqtt with `select`.
"""

from __future__ import annotations

import hashlib
import select
import socket
from collections.abc import Callable
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.core.errors import TranslatedError
from companion_club.topics import GUEST_USER, ROOT_TOPIC

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.reasoncodes import ReasonCode

KEEPALIVE_SECONDS: Final = 300
"""Keep-alive interval of MQTT (s): after this time without a message, the client sends a ping."""
SUBSCRIBED, LOST = "subscribed", "lost"
CONNECT_OR_LIST_SECONDS, QUIET_SECONDS, READ_OR_DELETE_SECONDS = 3.0, 0.4, 20.0
"""Timeouts in seconds.

- CONNECT_OR_LIST_SECONDS: maximum time to connect, to read the rules of all evenings, and from one
  deletion to the next.
- QUIET_SECONDS: maximum time from one message to the next message.
- READ_OR_DELETE_SECONDS: maximum time to read or delete all messages of an evening.
"""


REFUSAL_REASONS: Final = {
    "Bad user name or password": "bad_password",
    "Not authorized": "not_authorized",
}
"""Table from the text with which a broker refuses a login to the `reason` of BrokerError."""


class BrokerError(TranslatedError, PermissionError):
    """The broker refuses a login or a request, or does not answer, or the connection is lost."""

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(f"broker.{reason}", **facts)


def _refusal(answer: str) -> BrokerError:
    return BrokerError(REFUSAL_REASONS.get(answer, "refused"), answer=answer)


class BrokerAddress(NamedTuple):
    """The address of a broker, and the box's login at the broker.

    `authority` is a file of trusted certificates.
    """

    host: str
    port: int = 1883
    user: str = ""
    password: str = ""
    authority: str = ""


def _ident(address: BrokerAddress, evening: str, box: str) -> str:
    """Return the MQTT client id of a connection.

    A restarted box has the same id, so the broker ends the box's old connection. The id depends on
    the password, so a guest cannot guess the id and take over the connection.
    """
    text = f"{evening} {box} {address.user} {address.password}"
    return f"companion-{hashlib.sha256(text.encode()).hexdigest()[:13]}"


def new_mqtt_client(ident: str = "") -> Client:
    """Return a paho-mqtt client that is not connected yet.

    Raise ModuleNotFoundError if the optional package paho-mqtt is not installed.
    """
    from paho.mqtt import client, enums  # noqa: PLC0415 - optional package

    return client.Client(enums.CallbackAPIVersion.VERSION2, ident, reconnect_on_failure=False)


def _let_in(client: Client, address: BrokerAddress) -> None:
    if address.user:
        client.username_pw_set(address.user, address.password)
    if address.authority:
        client.tls_set(ca_certs=address.authority)


def _take_in(client: Client) -> None:
    client.loop_read()
    while (there := client.socket()) is not None and getattr(there, "pending", int)():
        client.loop_read()  # TLS may have buffered bytes, which `select` does not report


class BrokerConnection:
    """A connection to a broker for one evening, whose topics begin with `companion/<evening>/`.

    The connection calls `hear(topic, payload)` for each message of the evening, with the topic
    after `companion/<evening>/`. The connection calls `turned(SUBSCRIBED)` when the subscription is
    accepted, and `turned(LOST)` at a disconnection. The caller waits for events with `select`. Call
    `read_messages` when `socket` is readable, `write_messages` while `has_bytes_to_write` returns
    True, and `keep_alive` every minute.
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
        client = new_mqtt_client(_ident(address, evening, box))
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

    def subscribe_outside_evening(self, topic: str, receive: Callable[[bytes], None]) -> None:
        """Subscribe to a topic outside the evening's topics, from the next connection on.

        The connection calls `receive(payload)` for each message.
        """
        self._others[topic] = receive

    def connect(self, topic: str, will: bytes) -> None:
        """Start to connect to the broker. Raise OSError if the broker cannot be reached.

        `will`: the message that the broker publishes at `topic` when the connection is lost.
        """
        if not self._is_guest:
            self._client.will_set(self._root + topic, will, qos=1, retain=True)
        self._client.connect(self._address.host, self._address.port, keepalive=KEEPALIVE_SECONDS)
        if self.socket is not None:
            self.socket.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)

    @property
    def socket(self) -> socket.socket | None:
        """Return the connection's socket for `select`, or None if the broker is not connected."""
        connection: Any = self._client.socket()  # a plain socket or a TLS socket
        return None if connection is None else connection

    def has_bytes_to_write(self) -> bool:
        """Return True if the client has bytes to write to the socket."""
        return self._client.want_write()

    def read_messages(self) -> None:
        """Read and handle all messages that the socket has received."""
        _take_in(self._client)

    def write_messages(self) -> None:
        """Write the waiting messages to the socket."""
        self._client.loop_write()

    def keep_alive(self) -> None:
        """Send a ping if needed, and detect a lost connection. Call this method every minute."""
        self._client.loop_misc()

    def publish(self, topic: str, payload: bytes) -> None:
        """Publish a retained message of the evening at QoS 1.

        A read-only guest publishes nothing.
        """
        if self._is_guest:
            return
        self.sent += 1
        self._client.publish(self._root + topic, payload, qos=1, retain=True)

    def publish_outside_evening(self, topic: str, payload: bytes, *, retain: bool) -> None:
        """Publish a message for Home Assistant, at a topic outside the evening's topics."""
        self._client.publish(topic, payload, qos=1, retain=retain)

    def close(self) -> None:
        """Disconnect properly, so that the broker does not publish the last will."""
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


class RetainedMessageReader:
    """A short connection that reads a broker's retained messages whose topics match a pattern.

    The constructor reads for up to `most` seconds, and stops after QUIET_SECONDS without a message.
    The constructor calls `hear(topic, payload)` for each message. `found_topics` contains the
    topics of all messages that were read. Raise OSError if the broker cannot be reached or refuses
    the login.
    """

    def __init__(
        self,
        address: BrokerAddress,
        topic: str,
        hear: Callable[[str, bytes], None],
        now: Callable[[], float],
        most: float,
    ) -> None:
        self.found_topics: set[str] = set()
        self._hear = hear
        self._refused: BrokerError | None = None
        self._subscribed, self._topic = False, topic
        self._client = new_mqtt_client()
        self._client.connect_timeout = CONNECT_OR_LIST_SECONDS
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
            self.disconnect()
            raise self._refused or BrokerError("silent")

    def delete_found_messages(self, first: str, now: Callable[[], float]) -> None:
        """Delete the retained messages of all topics in `found_topics`.

        The message at the topic `first` is deleted first. Raise OSError if the broker does not
        confirm the deletion.
        """
        for topic in sorted(self.found_topics, key=lambda topic: topic != first):
            self._client.publish(topic, b"", qos=1, retain=True)
        end = now() + READ_OR_DELETE_SECONDS
        while (
            self.found_topics
            and (left := end - now()) > 0
            and self._waits(min(left, CONNECT_OR_LIST_SECONDS))
        ):
            pass
        if self.found_topics:
            raise BrokerError("mute")

    def disconnect(self) -> None:
        """Disconnect from the broker."""
        self._client.disconnect()
        self._client.loop_write()

    def _waits(self, most: float) -> bool:
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
            self.found_topics.add(message.topic)
            self._hear(message.topic, bytes(message.payload))
        else:
            self.found_topics.discard(message.topic)
