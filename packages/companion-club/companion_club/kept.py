"""Retained messages of evenings on a broker: list them, and remove an evening.

A broker is no archive: every box has the evening in its folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.errors import CompanionError
from companion_club import claims
from companion_club.broker import BEGIN_SECONDS, CONNECT_TIMEOUT_SECONDS, KeptReader
from companion_club.fold import fold
from companion_club.known import Known
from companion_club.link import EveningLink
from companion_club.topics import NAME, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion_club.broker import Address
    from companion_club.claims import Heads

MAX_EVENINGS: Final = 1000
"""Most evenings on a broker that are listed."""


class NotOver(CompanionError):
    """The evening may go on, so it is not removed."""


def list_rules(address: Address, now: Callable[[], float]) -> Mapping[str, Heads]:
    """Return the rules of the evenings on a broker, by name; invalid ones are skipped.

    now: returns seconds. Raise OSError if the broker cannot be reached or refuses us.
    """
    found: dict[str, Heads] = {}

    def hear(topic: str, payload: bytes) -> None:
        name = topic.split("/")[1]
        told = claims.parse_message("rules", payload).claims
        if told and NAME.fullmatch(name) and len(found) < MAX_EVENINGS:
            found[name] = told

    KeptReader(address, f"{ROOT}/+/rules", hear, now, BEGIN_SECONDS).end()
    return found


def forget(
    address: Address,
    evening: str,
    now: Callable[[], float],
    known: Known = Known(),  # noqa: B008 - a value
    *,
    anyway: bool = False,
) -> int:
    """Remove an evening from a broker, and return the number of its messages.

    It must be over by `known` and by the broker's messages, or `anyway` is True; then a box that
    still plays publishes its claims again. Raise NotOver, or OSError.
    """
    root, link = f"{ROOT}/{evening}/", EveningLink("", known).connected("")

    def hear(topic: str, payload: bytes) -> None:
        nonlocal link
        link, _ = link.take(topic.removeprefix(root), payload)

    look = KeptReader(address, f"{root}#", hear, now, CONNECT_TIMEOUT_SECONDS)
    try:
        if look.found and not anyway and not fold(link.known).over:
            raise NotOver(f"{evening} is not over.")
        count = len(look.found)
        look.clear(f"{root}rules", now)
    finally:
        look.end()
    return count
