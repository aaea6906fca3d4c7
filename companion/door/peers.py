"""Who is connected to a running box, and what the box hears of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from companion.door.lines import Message, Mistake


class Peer(NamedTuple):
    """A connection by its number. `owner`: the same user as the box, or root, has made it."""

    number: int
    owner: bool


@dataclass(frozen=True, slots=True)
class Came:
    """Somebody has come in."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class PeerSaid:
    """Somebody has said something, or what is wrong with it."""

    peer: Peer
    message: Message | Mistake


@dataclass(frozen=True, slots=True)
class Gone:
    """Somebody has left, or was dropped."""

    peer: Peer


Event: TypeAlias = Came | PeerSaid | Gone
