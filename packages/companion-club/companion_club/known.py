"""A box's knowledge of an evening: the heads of every topic, and what it must publish."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from companion_club import claims
from companion_club.claims import Claim, ClaimHeads, InvalidClaim
from companion_club.topics import Fact


class KnownClaims(NamedTuple):
    """The heads by topic.

    An immutable value: `with_message` and `with_own_fact` return the next one.
    """

    heads: Mapping[str, ClaimHeads] = {}

    def with_message(self, topic: str, payload: bytes) -> tuple[KnownClaims, ClaimHeads]:
        """Return the knowledge with a message's claims, and these claims.

        Raise InvalidClaim if none is valid.
        """
        heads = claims.read_claims(topic, payload)
        return self.with_claims(topic, heads), heads

    def with_own_fact(self, box: str, topic: str, fact: Fact) -> KnownClaims:
        """Return the knowledge with a new claim of this box over all heads. Raise InvalidClaim."""
        new = claims.make_claim(topic, box, fact, self.heads.get(topic, ()))
        return self.with_claims(topic, (new,))

    def with_claims(self, topic: str, new: ClaimHeads) -> KnownClaims:
        """Return the knowledge with claims that were checked already."""
        heads = claims.merge_claims((*self.heads.get(topic, ()), *new))
        return (
            self
            if heads == self.heads.get(topic, ())
            else KnownClaims({**self.heads, topic: heads})
        )

    def missing_heads(self, topic: str, seen: ClaimHeads) -> ClaimHeads:
        """Return the heads that a message seen by others lacks."""
        return tuple(each for each in self.heads.get(topic, ()) if each not in seen)


def must_publish(lacking: Collection[Claim], box: str, present: Collection[str]) -> bool:
    """Return True if this box must publish missing claims: its own, or those of absent boxes."""
    return any(each.box == box or each.box not in present for each in lacking)


__all__ = ["InvalidClaim", "KnownClaims", "must_publish"]
