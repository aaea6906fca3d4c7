"""The connections to a running box, and the events that the socket's server passes to the box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from companion.door.lines import InvalidProtocolLineError, ProtocolRequest


class PeerConnection(NamedTuple):
    """A program's connection to the box's socket.

    - `number`: the number that identifies the connection, counted from 1.
    - `is_owner`: True if the program runs as root or as the user that runs the box.
    """

    number: int
    is_owner: bool


@dataclass(frozen=True, slots=True)
class PeerConnected:
    """The event that a program has connected."""

    peer: PeerConnection


@dataclass(frozen=True, slots=True)
class PeerLineReceived:
    """The event that a program has sent a line: the parsed request, or the error in the line."""

    peer: PeerConnection
    request: ProtocolRequest | InvalidProtocolLineError


@dataclass(frozen=True, slots=True)
class PeerDisconnected:
    """The event that a connection has ended."""

    peer: PeerConnection


Event: TypeAlias = PeerConnected | PeerLineReceived | PeerDisconnected
