"""What somebody says of an evening, how it is written as a message, and how sayings come together.

A claim names those that it replaces. What nobody has replaced stands: one claim, or several that
contradict each other until a person decides. To put together what two boxes know is commutative,
associative and idempotent, so order, duplicates and delays do not matter.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from companion.core.errors import Explained

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

VERSION: Final = 1
LONGEST: Final = 1 << 16
"""Bytes of a message that are read."""
HASH: Final = re.compile(r"[0-9a-f]{64}")
BOX: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
MOST_CLAIMS, MOST_REPLACED = 16, 256


REASONS: Final = {
    "no_json": "{topic}: this is not JSON that can be read.",
    "version": "{topic}: this is no message of version {n}.",
    "also": "{topic}: `also` is a list of up to {n} claims.",
    "over": "{topic}: `over` is a list of hashes.",
    "fields": "{topic}: revision, box, hash, over and fact belong to a claim.",
    "forged": "{topic}: the hash is not that of what {box} says here.",
    "no_topic": "{topic}: there is no such topic.",
    "unfit": "{topic}: the fact has not the fields that it needs.",
}
"""In English, why a message is none of ours, or was damaged or forged."""


class NotAClaim(Explained):
    """A message of a topic says nothing, for one of REASONS."""

    def __init__(self, reason: str, topic: str, **facts: object) -> None:
        super().__init__(f"claim.{reason}", REASONS[reason], topic=topic, **facts)


class Claim(NamedTuple):
    """What `box` says of `topic`, such as `result/2/1`; `over` are the hashes that it replaces."""

    topic: str
    revision: int
    box: str
    over: frozenset[str]
    fact: str
    """The fact as canonical JSON: a value that nothing can change."""

    @property
    def hash(self) -> str:
        """SHA-256 of all of it."""
        parts = [self.topic, self.revision, self.box, sorted(self.over), self.fact]
        return hashlib.sha256(_canonical(parts).encode()).hexdigest()

    @property
    def value(self) -> Mapping[str, Any]:
        """The fact; not to be changed, for it is read once and shown to all who ask."""
        return _value(self.fact)


@lru_cache(1 << 14)
def _value(fact: str) -> Mapping[str, Any]:
    return dict(json.loads(fact))


Heads: TypeAlias = tuple[Claim, ...]
"""The claims of one topic that nobody has replaced, in the order of their hashes."""


def claim(topic: str, box: str, fact: Mapping[str, Any], heads: Heads = ()) -> Claim:
    """A new claim that replaces all that stand."""
    over = frozenset(head.hash for head in heads).union(*(head.over for head in heads))
    revision = 1 + max((head.revision for head in heads), default=0)
    return Claim(topic, revision, box, over, _canonical(fact))


def merged(claims: Iterable[Claim]) -> Heads:
    """What stands of all these claims of one topic."""
    every = {each.hash: each for each in claims}
    replaced = frozenset[str]().union(*(each.over for each in every.values()))
    return tuple(every[key] for key in sorted(every) if key not in replaced)


def message(heads: Heads) -> bytes:
    """What is published of a topic: the first claim, and the others as `also`, as many as fit."""
    first, *others = map(_data, heads[:MOST_CLAIMS])
    also = {"also": others} if others else {}
    return _canonical({"v": VERSION, **first, **also}).encode()


def read(topic: str, payload: bytes) -> Heads:
    """The claims in a message, whose hashes are right. Raises NotAClaim."""
    try:
        data = json.loads(payload[: LONGEST + 1].decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise NotAClaim("no_json", topic) from error
    if not isinstance(data, dict) or data.get("v") != VERSION:
        raise NotAClaim("version", topic, n=VERSION)
    also = data.get("also", [])
    if not isinstance(also, list) or len(also) >= MOST_CLAIMS:
        raise NotAClaim("also", topic, n=MOST_CLAIMS - 1)
    return merged(_claim(topic, each) for each in (data, *also))


def _claim(topic: str, data: Any) -> Claim:
    """Raises NotAClaim."""
    match data:
        case {
            "revision": int(revision),
            "box": str(box),
            "hash": str(told),
            "over": list(over),
            "fact": dict(fact),
        } if BOX.fullmatch(box) and len(over) <= MOST_REPLACED:
            if not all(isinstance(each, str) and HASH.fullmatch(each) for each in over):
                raise NotAClaim("over", topic)
            found = Claim(topic, revision, box, frozenset(over), _canonical(fact))
        case _:
            raise NotAClaim("fields", topic)
    if found.hash != told:
        raise NotAClaim("forged", topic, box=box)
    return found


def _data(each: Claim) -> dict[str, Any]:
    return {
        "revision": each.revision,
        "box": each.box,
        "hash": each.hash,
        "over": sorted(each.over),
        "fact": dict(each.value),
    }


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")
