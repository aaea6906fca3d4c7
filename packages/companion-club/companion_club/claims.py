"""Claims about an evening, their messages, and how contradicting claims are merged.

A claim names the claims that it replaces. The claims that are not replaced are its heads: one, or
several that contradict each other until a person decides. Merging is commutative, associative and
idempotent, so order, duplicates and delays do not matter.
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
from companion.core.errors import ExplainedError
from companion_club import topics
from companion_club.topics import Fact

VERSION: Final = 1
MAX_MESSAGE_BYTES: Final = 1 << 16
"""Longest message in bytes, as the brokers of `hosting` accept."""
MAX_FACT_BYTES: Final = 1 << 11
"""Longest fact as JSON in UTF-8 (bytes): twelve players with long names, and their game's proof."""
HASH_PATTERN: Final = re.compile(r"[0-9a-f]{64}")
MAX_CLAIMS, MAX_REPLACED, MAX_REVISION = 16, 256, 1 << 31


class InvalidClaim(ExplainedError):
    """A message that contains no valid claim of its topic."""

    def __init__(self, reason: str, topic: str, **facts: object) -> None:
        shown = topic[:200] if topic.isprintable() else ascii(topic[:200])
        super().__init__(f"claim.{reason}", topic=shown, **facts)


class Claim(NamedTuple):
    """A claim of `box` about `topic`, such as `result/2/1`; `over` are the replaced hashes.

    A list of MAX_REPLACED hashes is full and also replaces all claims of a lower revision. So any
    number of claims can be corrected.
    """

    topic: str
    revision: int
    box: str
    over: frozenset[str]
    fact: str
    """the fact as canonical JSON, which is immutable"""

    @property
    def hash(self) -> str:
        """Return the SHA-256 of the claim's content."""
        parts = [self.topic, self.revision, self.box, sorted(self.over), self.fact]
        return hashlib.sha256(_canonical(parts).encode()).hexdigest()

    @property
    def value(self) -> Fact:
        """Return the fact; do not change it, since it is parsed once and shared."""
        return _value(self.fact)

    @property
    def min_revision(self) -> int:
        """Return the revision below which all claims are replaced; 0: none."""
        return self.revision if len(self.over) == MAX_REPLACED else 0


@lru_cache(1 << 12)
def _value(fact: str) -> Fact:
    return dict(json.loads(fact))


ClaimHeads: TypeAlias = tuple[Claim, ...]
"""The claims of one topic that are not replaced, sorted by hash; they fit into one message."""


class MessageClaims(NamedTuple):
    """The valid claims of a message, and the errors of the others."""

    claims: ClaimHeads
    problems: tuple[InvalidClaim, ...] = ()


def make_claim(topic: str, box: str, fact: Fact, heads: ClaimHeads = ()) -> Claim:
    """Return a new claim that replaces all heads. Raise InvalidClaim if the fact is not valid."""
    replaced = [head.hash for head in heads]
    older = frozenset[str]().union(*(head.over for head in heads)).difference(replaced)
    over = frozenset((replaced + sorted(older))[:MAX_REPLACED])
    revision = 1 + max((head.revision for head in heads), default=0)
    claim = Claim(topic, min(revision, MAX_REVISION), box, over, _canonical(fact))
    _check(claim)
    return claim


def merge_claims(claims: Iterable[Claim]) -> ClaimHeads:
    """Return the heads among all these claims of one topic."""
    every = {each.hash: each for each in claims}
    replaced = frozenset[str]().union(*(each.over for each in every.values()))
    floor = max((each.min_revision for each in every.values()), default=0)
    heads = tuple(
        every[key] for key in sorted(every) if key not in replaced and every[key].revision >= floor
    )[:MAX_CLAIMS]
    while len(heads) > 1 and len(make_message(heads)) > MAX_MESSAGE_BYTES:
        heads = heads[:-1]
    return heads


def make_message(heads: ClaimHeads) -> bytes:
    """Return the message of a topic: the first claim, with the other claims in `also`."""
    first, *others = map(_data, heads)
    also = {"also": others} if others else {}
    return _canonical({"v": VERSION, **first, **also}).encode()


def parse_message(topic: str, payload: bytes) -> MessageClaims:
    """Return the claims and errors in a message of a topic."""
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
    return MessageClaims(merge_claims(good), tuple(problems))


def _bare(error: InvalidClaim) -> InvalidClaim:
    """Return an error without its traceback, since errors are stored."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def read_claims(topic: str, payload: bytes) -> ClaimHeads:
    """Return the valid claims in a message. Raise InvalidClaim if there are none."""
    message = parse_message(topic, payload)
    if not message.claims:
        raise message.problems[0]
    return message.claims


def _claims(topic: str, payload: bytes) -> list[Any]:
    """Return a message's claims as JSON values. Raise InvalidClaim."""
    if not topics.is_topic(topic):
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
    """Return a claim from its JSON values. Raise InvalidClaim."""
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
    """Raise InvalidClaim if the fact is not valid for its topic."""
    if not topics.is_topic(claim.topic):
        raise InvalidClaim("no_topic", claim.topic)
    if len(claim.fact) > MAX_FACT_BYTES:  # escaped to ASCII it may be longer
        text = json.dumps(claim.value, ensure_ascii=False, separators=(",", ":"))
        if len(text.encode()) > MAX_FACT_BYTES:
            raise InvalidClaim("long_fact", claim.topic, n=MAX_FACT_BYTES)
    if not topics.is_valid_fact(claim.topic, claim.value):
        raise InvalidClaim("unfit", claim.topic)


def _data(each: Claim) -> dict[str, Any]:
    return {
        "revision": each.revision,
        "box": each.box,
        "hash": each.hash,
        "over": sorted(each.over),
        "fact": dict(each.value),
    }


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
