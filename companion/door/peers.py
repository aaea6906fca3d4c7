"""Connections to a running box, and the events that the box receives from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from companion.door.lines import LineMistake, Message


class Peer(NamedTuple):
    """A connection by its number. `owner`: it belongs to the box's user or to root."""

    number: int
    owner: bool


@dataclass(frozen=True, slots=True)
class PeerConnected:
    """A peer has connected."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class PeerLine:
    """A peer has sent a line, or an invalid one."""

    peer: Peer
    message: Message | LineMistake


@dataclass(frozen=True, slots=True)
class PeerGone:
    """A peer has disconnected, or was disconnected by the server."""

    peer: Peer


Event: TypeAlias = PeerConnected | PeerLine | PeerGone
