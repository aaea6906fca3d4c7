"""The provable draw: what everybody can work out again from the evening's seed."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def lots(seed: str, what: str, number: int) -> Callable[[str], bytes]:
    """Each player's lot in round `number`: HMAC-SHA-256 of `what|number|name` under the seed.

    The lower lot comes first. Nobody's lot changes with who else is there, or in which order.
    """
    key = seed.encode()
    return lambda name: hmac.digest(key, f"{what}|{number}|{name}".encode(), "sha256")
