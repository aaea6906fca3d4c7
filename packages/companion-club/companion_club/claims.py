"""Claims: facts that boxes state about an evening, their messages, and how they are merged.

A claim names the older claims that it replaces. The heads of a topic are the claims about the topic
that no other claim replaces. If a topic has several heads, the heads contradict each other until a
person decides. Merging is commutative, associative and idempotent, so boxes may receive claims
late, twice or in any order.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from checked_input import strict_json
from checked_input.strict_json import InvalidJson
from companion.core.errors import TranslatedError
from companion_club import topics
from companion_club.topics import Fact

VERSION: Final = 1
MAX_MESSAGE_BYTES: Final = 1 << 16
"""Maximum length of a message (bytes); the module `hosting` also sets this limit in the broker."""
MAX_FACT_BYTES: Final = 1 << 11
"""Maximum length of a fact as JSON in UTF-8 (bytes): enough for twelve long names and a proof."""
HASH_PATTERN: Final = re.compile(r"[0-9a-f]{64}")
MAX_CLAIMS, MAX_REPLACED, MAX_REVISION = 16, 256, 1 << 31
"""Limits: claims in a message, hashes of replaced claims in a claim, and revision of a claim."""


class InvalidClaim(TranslatedError):
    """A message, a claim in a message, or a fact is not valid for its topic."""

    def __init__(self, reason: str, topic: str, **facts: object) -> None:
        shown = topic[:200] if topic.isprintable() else ascii(topic[:200])
        super().__init__(f"claim.{reason}", topic=shown, **facts)


class Claim(NamedTuple):
    """A fact that a box states about an MQTT topic, such as `result/2/1`.

    `replaced_hashes` contains the hashes of the claims that this claim replaces. A claim with
    MAX_REPLACED hashes also replaces every claim of its topic with a lower revision.
    """

    topic: str
    revision: int
    box: str
    replaced_hashes: frozenset[str]
    fact: str
    """the fact as canonical JSON text"""

    @property
    def hash(self) -> str:
        """Return the SHA-256 of all fields of the claim, in hexadecimal."""
        parts = [self.topic, self.revision, self.box, sorted(self.replaced_hashes), self.fact]
        return hashlib.sha256(_canonical(parts).encode()).hexdigest()

    @property
    def parsed_fact(self) -> Fact:
        """Return the fact of this claim as a parsed JSON value.

        Callers share the returned mapping, so do not change the mapping.
        """
        return _value(self.fact)

    @property
    def replaced_below_revision(self) -> int:
        """Return the revision below which this claim replaces all claims of its topic.

        Return 0 if this claim replaces only the claims in `replaced_hashes`.
        """
        return self.revision if len(self.replaced_hashes) == MAX_REPLACED else 0


@lru_cache(1 << 12)
def _value(fact: str) -> Fact:
    return dict(json.loads(fact))


ClaimHeads: TypeAlias = tuple[Claim, ...]
"""Type of the heads of one topic: claims that no other claim replaces, sorted by hash."""


class MessageClaims(NamedTuple):
    """The valid claims in a message, and the errors of its invalid claims."""

    claims: ClaimHeads
    problems: tuple[InvalidClaim, ...] = ()


def make_claim(topic: str, box: str, fact: Fact, heads: ClaimHeads = ()) -> Claim:
    """Return a new claim that replaces the claims `heads`.

    Raise InvalidClaim if the topic or the fact is not valid.
    """
    replaced = [head.hash for head in heads]
    older = frozenset[str]().union(*(head.replaced_hashes for head in heads)).difference(replaced)
    over = frozenset((replaced + sorted(older))[:MAX_REPLACED])
    revision = 1 + max((head.revision for head in heads), default=0)
    claim = Claim(topic, min(revision, MAX_REVISION), box, over, _canonical(fact))
    _check(claim)
    return claim


def unreplaced_claims(claims: Iterable[Claim]) -> ClaimHeads:
    """Return the heads of one topic: the claims in `claims` that no other claim replaces.

    Return at most MAX_CLAIMS heads, and only as many heads as fit into one message.
    """
    every = {each.hash: each for each in claims}
    replaced = frozenset[str]().union(*(each.replaced_hashes for each in every.values()))
    floor = max((each.replaced_below_revision for each in every.values()), default=0)
    heads = tuple(
        every[key] for key in sorted(every) if key not in replaced and every[key].revision >= floor
    )[:MAX_CLAIMS]
    while len(heads) > 1 and len(make_claims_message(heads)) > MAX_MESSAGE_BYTES:
        heads = heads[:-1]
    return heads


def make_claims_message(heads: ClaimHeads) -> bytes:
    """Return the JSON message with the claims of one topic.

    The message contains the fields of the first claim; the field `also` contains the other claims.
    """
    first, *others = map(_data, heads)
    also = {"also": others} if others else {}
    return _canonical({"v": VERSION, **first, **also}).encode()


def parse_claims_and_errors(topic: str, payload: bytes) -> MessageClaims:
    """Return the valid claims in a message about a topic, and the errors of invalid claims."""
    try:
        every = _claims(topic, payload)
    except InvalidClaim as error:
        return MessageClaims((), (_bare(error),))
    good, problems = [], []
    for data in every:
        try:
            good.append(_claim(topic, data))
        except InvalidClaim as error:
            problems.append(_bare(error))
    return MessageClaims(unreplaced_claims(good), tuple(problems))


def _bare(error: InvalidClaim) -> InvalidClaim:
    """Return an error without its traceback, which would keep objects in memory."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def parse_valid_claims(topic: str, payload: bytes) -> ClaimHeads:
    """Return the valid claims in a message. Raise InvalidClaim if no claim is valid."""
    message = parse_claims_and_errors(topic, payload)
    if not message.claims:
        raise message.problems[0]
    return message.claims


def _claims(topic: str, payload: bytes) -> list[Any]:
    if not topics.is_rules_person_result_topic(topic):
        raise InvalidClaim("no_topic", topic)
    if len(payload) > MAX_MESSAGE_BYTES:
        raise InvalidClaim("long", topic, n=MAX_MESSAGE_BYTES)
    try:
        data = strict_json.parse_json(payload)
    except InvalidJson as error:
        raise InvalidClaim("no_json", topic) from error
    if not isinstance(data, dict) or data.get("v") != VERSION:
        raise InvalidClaim("version", topic, n=VERSION)
    also = data.get("also", [])
    if not isinstance(also, list) or len(also) >= MAX_CLAIMS:
        raise InvalidClaim("also", topic, n=MAX_CLAIMS - 1)
    return [data, *also]


def _claim(topic: str, data: object) -> Claim:
    match data:
        case {
            "revision": int(revision),
            "box": str(box),
            "hash": str(hash_),
            "over": list(over),
            "fact": dict(fact),
        } if (
            type(revision) is int
            and 0 < revision <= MAX_REVISION
            and topics.BOX_NAME_PATTERN.fullmatch(box)
            and len(over) <= MAX_REPLACED
        ):
            if not all(isinstance(each, str) and HASH_PATTERN.fullmatch(each) for each in over):
                raise InvalidClaim("over", topic)
            claim = Claim(topic, revision, box, frozenset(over), _canonical(fact))
        case _:
            raise InvalidClaim("fields", topic)
    if claim.hash != hash_:
        raise InvalidClaim("forged", topic, box=box)
    _check(claim)
    return claim


def _check(claim: Claim) -> None:
    if not topics.is_rules_person_result_topic(claim.topic):
        raise InvalidClaim("no_topic", claim.topic)
    # canonical JSON escapes non-ASCII letters, so measure the length in UTF-8
    if len(claim.fact) > MAX_FACT_BYTES:
        text = json.dumps(claim.parsed_fact, ensure_ascii=False, separators=(",", ":"))
        if len(text.encode()) > MAX_FACT_BYTES:
            raise InvalidClaim("long_fact", claim.topic, n=MAX_FACT_BYTES)
    if not topics.is_valid_fact_of_topic(claim.topic, claim.parsed_fact):
        raise InvalidClaim("unfit", claim.topic)


def _data(each: Claim) -> dict[str, Any]:
    return {
        "revision": each.revision,
        "box": each.box,
        "hash": each.hash,
        "over": sorted(each.replaced_hashes),
        "fact": dict(each.parsed_fact),
    }


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
