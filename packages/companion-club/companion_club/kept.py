"""What a broker keeps of evenings: to look at it, and to take an evening off it.

A broker is no archive: every box has the evening in its folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.errors import CompanionError
from companion_club import claims
from companion_club.broker import BEGINNING, PATIENCE, KeptReader
from companion_club.fold import fold
from companion_club.known import Known
from companion_club.link import EveningLink
from companion_club.topics import NAME, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion_club.broker import Address
    from companion_club.claims import Heads

MOST: Final = 1000
"""Evenings on a broker that are looked at."""


class NotOver(CompanionError):
    """An evening is to be forgotten that may go on."""


def list_rules(address: Address, now: Callable[[], float]) -> Mapping[str, Heads]:
    """The rules of the evenings that a broker keeps, by their names; what is none is passed by.

    `now` is in seconds. Raises OSError: it cannot be reached, or refuses us.
    """
    found: dict[str, Heads] = {}

    def hear(topic: str, payload: bytes) -> None:
        name = topic.split("/")[1]
        told = claims.parse_message("rules", payload).claims
        if told and NAME.fullmatch(name) and len(found) < MOST:
            found[name] = told

    KeptReader(address, f"{ROOT}/+/rules", hear, now, BEGINNING).end()
    return found


def forget(
    address: Address,
    evening: str,
    now: Callable[[], float],
    known: Known = Known(),  # noqa: B008 - a value
    *,
    anyway: bool = False,
) -> int:
    """Take an evening off a broker; how many messages that were.

    It must be over, by `known` and by what is there, or it is done `anyway`: then a box that still
    plays says again what it knows. Raises NotOver, and OSError as `listed`.
    """
    root, link = f"{ROOT}/{evening}/", EveningLink("", known).connected("")

    def hear(topic: str, payload: bytes) -> None:
        nonlocal link
        link, _ = link.take(topic.removeprefix(root), payload)

    look = KeptReader(address, f"{root}#", hear, now, PATIENCE)
    try:
        if look.found and not anyway and not fold(link.known).over:
            raise NotOver(f"{evening} is not over.")
        count = len(look.found)
        look.clear(f"{root}rules", now)
    finally:
        look.end()
    return count
