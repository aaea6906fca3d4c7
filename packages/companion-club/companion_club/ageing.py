"""The rules by which a box removes old evenings from an MQTT broker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion_club import evenings_on_broker
from companion_club import folder as files
from companion_club.broker import BrokerAddress
from companion_club.evening_state import compute_evening_state
from companion_club.finding import FoundEvening

SECONDS_PER_DAY: Final = 86_400.0
KEEP_FINISHED_SECONDS: Final = SECONDS_PER_DAY
"""Seconds for which a finished evening stays on its broker, so that people can read results."""
ABANDONED_AFTER_SECONDS: Final = 30 * SECONDS_PER_DAY
"""Seconds without a new claim after which an unfinished evening counts as abandoned."""


def seconds_since_last_claim(folder: Path, epoch: float) -> float:
    """Return the seconds since the last new claim was saved in an evening's folder.

    `epoch`: the present time in seconds since 1970.

    Raise OSError if the folder cannot be read.
    """
    return epoch - files.newest_saved_claim_time(folder)


def remove_finished_or_abandoned_evening(
    evening: FoundEvening, folder: Path, epoch: float, now: Callable[[], float]
) -> bool:
    """Remove an evening that is over or abandoned from its broker, and return True.

    Also return True if the broker cannot be reached. Return False if the evening is not over and
    not abandoned, or if the evening got a claim in the last KEEP_FINISHED_SECONDS. Also return
    False if this box took no part in the evening. Raise OSError if the folder cannot be read.
    """
    quiet = seconds_since_last_claim(folder, epoch)
    if quiet < KEEP_FINISHED_SECONDS:
        return False
    claims, _ = files.load_claims_and_errors(folder)
    is_abandoned = bool(claims.heads) and quiet >= ABANDONED_AFTER_SECONDS
    if is_abandoned or compute_evening_state(claims).over:
        remove_evening_if_broker_answers(
            evening.address, evening.id, folder, now, anyway=is_abandoned
        )
        return True
    return False


def remove_evening_if_broker_answers(
    address: BrokerAddress,
    evening: str,
    folder: Path,
    now: Callable[[], float],
    *,
    anyway: bool = False,
) -> None:
    """Remove an evening from its broker, or do nothing if the broker cannot be reached.

    `anyway`: if True, also remove an evening that is not over.

    Raise OSError if the folder cannot be read.
    """
    claims, _ = files.load_claims_and_errors(folder)
    with suppress(OSError, evenings_on_broker.EveningNotOver):
        evenings_on_broker.remove_evening_from_broker(address, evening, now, claims, anyway=anyway)
