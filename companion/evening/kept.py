"""What a broker keeps of evenings: to look at it, and to take an evening off it.

A broker is no archive: every box has the evening in its folder.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.evening.broker import BEGINNING, PATIENCE, Look
from companion.evening.fold import fold
from companion.evening.known import Known, NotAClaim
from companion.evening.topics import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.broker import Address


class NotOver(CompanionError):  # noqa: N818 - the fact
    """An evening is to be forgotten that may go on."""


def listed(address: Address, now: Callable[[], float]) -> dict[str, bytes]:
    """The rules of all evenings that a broker keeps, by their names.

    `now` is in seconds. Raises OSError: it can not be reached, or refuses us.
    """
    look = Look(address, f"{ROOT}/+/rules", now, BEGINNING)
    look.end()
    return {topic.split("/")[1]: payload for topic, payload in look.found.items()}


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
    root = f"{ROOT}/{evening}/"
    look = Look(address, f"{root}#", now, PATIENCE)
    try:
        for topic, payload in look.found.items():
            with suppress(NotAClaim):
                known, _ = known.taken(topic.removeprefix(root), payload)
        if look.found and not anyway and not fold(known).over:
            raise NotOver(f"{evening} is not over.")
        count = len(look.found)
        look.clear(f"{root}rules", now)
    finally:
        look.end()
    return count
