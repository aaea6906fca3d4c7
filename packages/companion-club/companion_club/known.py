"""What a box knows of an evening: the heads of every topic; and what it has to say to others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion_club import claims
from companion_club.claims import Claim, Heads, NotAClaim

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from companion_club.topics import Fact


class Known(NamedTuple):
    """The claims that stand, by topic. A value: `taken` and `said` give the next one."""

    heads: Mapping[str, Heads] = {}

    def taken(self, topic: str, payload: bytes) -> tuple[Known, Heads]:
        """With what a message says, and the claims in it. Raises NotAClaim: it says nothing."""
        found = claims.read_claims(topic, payload)
        return self.with_claims(topic, found), found

    def said(self, box: str, topic: str, fact: Fact) -> Known:
        """With a new claim of ours, over all that stand there. Raises NotAClaim."""
        new = claims.claim(topic, box, fact, self.heads.get(topic, ()))
        return self.with_claims(topic, (new,))

    def with_claims(self, topic: str, new: Heads) -> Known:
        """With claims that were checked already."""
        heads = claims.merge_claims((*self.heads.get(topic, ()), *new))
        return self if heads == self.heads.get(topic, ()) else Known({**self.heads, topic: heads})

    def missing(self, topic: str, told: Heads) -> Heads:
        """What stands here, and was not in a message that others see."""
        return tuple(each for each in self.heads.get(topic, ()) if each not in told)


def must_speak(lacking: Collection[Claim], box: str, present: Collection[str]) -> bool:
    """Whether this box is to tell others what they lack: its own, and what absent boxes said."""
    return any(each.box == box or each.box not in present for each in lacking)


__all__ = ["Known", "NotAClaim", "must_speak"]
