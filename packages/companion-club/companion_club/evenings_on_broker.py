"""Functions that list the evenings on an MQTT broker, and remove an evening from a broker.

Removing an evening from the broker deletes no result, because every box stores the evening in a
folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from companion.core.errors import CompanionError
from companion_club import claims
from companion_club.broker import (
    CONNECT_OR_LIST_SECONDS,
    READ_OR_DELETE_SECONDS,
    BrokerAddress,
    RetainedMessageReader,
)
from companion_club.claims import ClaimHeads
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import compute_evening_state
from companion_club.sync_state import EveningSyncState
from companion_club.topics import EVENING_NAME_PATTERN, ROOT_TOPIC

MAX_EVENINGS: Final = 1000
"""Maximum number of evenings that are listed from one broker."""


class EveningNotOver(CompanionError):
    """The evening was not removed from the broker, because the evening is not over."""


def rules_claims_by_evening(
    address: BrokerAddress, now: Callable[[], float]
) -> Mapping[str, ClaimHeads]:
    """Return the claims about the rules of each evening on a broker, by the evening's name.

    Evenings with invalid names or rules are omitted. `now` returns the monotonic time (s). Raise
    OSError if the broker cannot be reached or refuses the login.
    """
    rules_by_name: dict[str, ClaimHeads] = {}

    def hear(topic: str, payload: bytes) -> None:
        name = topic.split("/")[1]
        heads = claims.parse_claims_and_errors("rules", payload).claims
        if heads and EVENING_NAME_PATTERN.fullmatch(name) and len(rules_by_name) < MAX_EVENINGS:
            rules_by_name[name] = heads

    RetainedMessageReader(
        address, f"{ROOT_TOPIC}/+/rules", hear, now, CONNECT_OR_LIST_SECONDS
    ).disconnect()
    return rules_by_name


def remove_evening_from_broker(
    address: BrokerAddress,
    evening: str,
    now: Callable[[], float],
    known_claims: CurrentClaims = CurrentClaims(),  # noqa: B008 - a value
    *,
    anyway: bool = False,
) -> int:
    """Remove an evening from a broker, and return the number of deleted messages.

    `anyway`: if True, also remove an evening that is not over. If a box still plays at this
    evening, the box publishes its claims again later.

    Raise EveningNotOver if `anyway` is False and the evening is not over, according to
    `known_claims` and the broker's messages. Raise OSError if the broker cannot be reached.
    """
    root, link = (
        f"{ROOT_TOPIC}/{evening}/",
        EveningSyncState("", known_claims).with_new_connection(""),
    )

    def hear(topic: str, payload: bytes) -> None:
        nonlocal link
        link, _ = link.with_received_message(topic.removeprefix(root), payload)

    look = RetainedMessageReader(address, f"{root}#", hear, now, READ_OR_DELETE_SECONDS)
    try:
        if look.found_topics and not anyway and not compute_evening_state(link.known_claims).over:
            raise EveningNotOver(f"{evening} is not over.")
        count = len(look.found_topics)
        look.delete_found_messages(f"{root}rules", now)
    finally:
        look.disconnect()
    return count
