"""The drawing of lots, which every player can verify with the evening's seed."""

from __future__ import annotations

import hmac
from collections.abc import Callable


def make_lot_function(seed: str, purpose: str, number: int) -> Callable[[str], bytes]:
    """Return a function that returns the lot of a player in round `number`.

    A lot is the HMAC-SHA-256 of `purpose|number|name`, whose key is the seed. The player with the
    lowest lot comes first. A player's lot does not depend on the other players.
    """
    key = seed.encode()
    return lambda name: hmac.digest(key, f"{purpose}|{number}|{name}".encode(), "sha256")
