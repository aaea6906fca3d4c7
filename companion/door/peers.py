"""Connections to a running box, and the events that the server passes to the box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from companion.door.lines import LineMistake, Message


class Peer(NamedTuple):
    """A connection to the door.

    - `number`: the number of the connection.
    - `owner`: whether the box's user or root has connected.
    """

    number: int
    owner: bool


@dataclass(frozen=True, slots=True)
class PeerConnected:
    """The event that a program has connected."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class PeerLine:
    """The event that a program has sent a line: its message, or its mistake."""

    peer: Peer
    message: Message | LineMistake


@dataclass(frozen=True, slots=True)
class PeerDisconnected:
    """The event that a connection has ended."""

    peer: Peer


Event: TypeAlias = PeerConnected | PeerLine | PeerDisconnected
