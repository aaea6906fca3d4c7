"""Retained messages of evenings on a broker: list them, and remove an evening.

A broker is no archive: every box has the evening in its folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from companion.core.errors import CompanionError
from companion_club import claims
from companion_club.broker import (
    BEGIN_SECONDS,
    CONNECT_TIMEOUT_SECONDS,
    BrokerAddress,
    RetainedReader,
)
from companion_club.claims import ClaimHeads
from companion_club.fold import fold_evening
from companion_club.known import KnownClaims
from companion_club.link import EveningLink
from companion_club.topics import EVENING_NAME_PATTERN, ROOT_TOPIC

MAX_EVENINGS: Final = 1000
"""Most evenings on a broker that are listed."""


class EveningNotOver(CompanionError):
    """The evening may go on, so it is not removed."""


def list_rules(address: BrokerAddress, now: Callable[[], float]) -> Mapping[str, ClaimHeads]:
    """Return the rules of the evenings on a broker, by name; invalid ones are skipped.

    now: returns seconds. Raise OSError if the broker cannot be reached or refuses us.
    """
    rules_by_name: dict[str, ClaimHeads] = {}

    def hear(topic: str, payload: bytes) -> None:
        name = topic.split("/")[1]
        heads = claims.parse_message("rules", payload).claims
        if heads and EVENING_NAME_PATTERN.fullmatch(name) and len(rules_by_name) < MAX_EVENINGS:
            rules_by_name[name] = heads

    RetainedReader(address, f"{ROOT_TOPIC}/+/rules", hear, now, BEGIN_SECONDS).end()
    return rules_by_name


def remove_evening(
    address: BrokerAddress,
    evening: str,
    now: Callable[[], float],
    known_claims: KnownClaims = KnownClaims(),  # noqa: B008 - a value
    *,
    anyway: bool = False,
) -> int:
    """Remove an evening from a broker, and return the number of its messages.

    It must be over by `known_claims` and by the broker's messages, or `anyway` is True; then a
    box that still plays publishes its claims again. Raise EveningNotOver, or OSError.
    """
    root, link = f"{ROOT_TOPIC}/{evening}/", EveningLink("", known_claims).with_connection("")

    def hear(topic: str, payload: bytes) -> None:
        nonlocal link
        link, _ = link.take_message(topic.removeprefix(root), payload)

    look = RetainedReader(address, f"{root}#", hear, now, CONNECT_TIMEOUT_SECONDS)
    try:
        if look.found and not anyway and not fold_evening(link.known).over:
            raise EveningNotOver(f"{evening} is not over.")
        count = len(look.found)
        look.clear(f"{root}rules", now)
    finally:
        look.end()
    return count
