"""The claims of an evening that a box knows, and the rule for publishing missing claims."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from companion_club import claims
from companion_club.claims import Claim, ClaimHeads, InvalidClaim
from companion_club.topics import Fact


class CurrentClaims(NamedTuple):
    """All claims of an evening that no other claim replaces, by topic.

    Objects of this class are immutable.
    """

    heads: Mapping[str, ClaimHeads] = {}

    def with_own_fact(self, box: str, topic: str, fact: Fact) -> CurrentClaims:
        """Return the known claims with a fact of this box that replaces all claims of its topic.

        Raise InvalidClaim if the fact is not valid.
        """
        new = claims.make_claim(topic, box, fact, self.heads.get(topic, ()))
        return self.with_topic_claims(topic, (new,))

    def with_topic_claims(self, topic: str, new: ClaimHeads) -> CurrentClaims:
        """Return the known claims merged with `new`, which are valid claims about `topic`."""
        heads = claims.unreplaced_claims((*self.heads.get(topic, ()), *new))
        return (
            self
            if heads == self.heads.get(topic, ())
            else CurrentClaims({**self.heads, topic: heads})
        )

    def claims_missing_from_broker(self, topic: str, seen: ClaimHeads) -> ClaimHeads:
        """Return the known claims about a topic that the broker does not have.

        `seen`: the claims about this topic that the broker has.
        """
        return tuple(each for each in self.heads.get(topic, ()) if each not in seen)


def should_publish_missing_claims(
    lacking: Collection[Claim], box: str, present: Collection[str]
) -> bool:
    """Return True if the box `box` should publish the claims `lacking`, which the broker lacks.

    A box publishes its own claims, and the claims of boxes that are offline (not in `present`).
    """
    return any(each.box == box or each.box not in present for each in lacking)


__all__ = ["CurrentClaims", "InvalidClaim", "should_publish_missing_claims"]
