"""The verifiable draw, which can be recomputed from the evening's seed."""

from __future__ import annotations

import hmac
from collections.abc import Callable


def draw_lots(seed: str, purpose: str, number: int) -> Callable[[str], bytes]:
    """Return a function that gives each player's lot in round `number`.

    The lot is HMAC-SHA-256 of `purpose|number|name` under the seed; the lower lot comes first.
    Other players do not affect a lot.
    """
    key = seed.encode()
    return lambda name: hmac.digest(key, f"{purpose}|{number}|{name}".encode(), "sha256")
