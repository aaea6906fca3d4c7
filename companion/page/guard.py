"""What keeps the page safe on a network where anybody may be: who is let in, and how often.

Everything here is a plain function or value; times are seconds that somebody else has read.
"""

from __future__ import annotations

import re
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.page.address import HTTP

if TYPE_CHECKING:
    from collections.abc import Collection

HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What stands over every answer."""
TOKEN: Final = 32
"""Hexadecimal digits of a phone's token."""
LONGEST_NAME: Final = 40
HOME: Final = (
    "local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box",
)  # fmt: skip
"""Suffixes that home networks give to the names of their machines. Nobody can register a name below
one of them (RFC 6762, RFC 8375, ICANN's reserved and undelegated domains); `fritz.box` belongs to
the maker of that router."""


def is_ours(host: str, local: str, name: str, port: int) -> bool:
    """Return True if a Host header names this machine: an address or name that DNS cannot forge.

    `local` is the address that this connection came to, `name` this machine's `.local` name.
    """
    named, colon, given = host.lower().rpartition(":")
    if not colon or given.endswith("]"):
        named, given = host.lower(), str(HTTP)
    if given != str(port):
        return False
    named = named.removesuffix(".")
    return named in (bracketed(local), *_loopback(local)) or _is_own(named, name)


def _is_own(named: str, name: str) -> bool:
    """Return True for the bare host name, alone or below a suffix of home networks.

    avahi appends a number to a `.local` name that it meets twice, such as by cable and by Wi-Fi.
    """
    own = re.escape(name.lower().removesuffix(".local"))
    home = "|".join(map(re.escape, HOME))
    return re.fullmatch(rf"{own}(\.({home})|-[0-9]{{1,3}}\.local)?", named, re.ASCII) is not None


def _loopback(local: str) -> Collection[str]:
    try:
        return ("localhost",) if ip_address(local).is_loopback else ()
    except ValueError:
        return ()


def plain(address: str) -> str:
    """An address as a Host header has it: of IPv4 also where it came in through IPv6."""
    bare = address.partition("%")[0].lower()
    return bare.removeprefix("::ffff:") if "." in bare else bare


def bracketed(address: str) -> str:
    """Return an address as it is typed into a browser."""
    own = plain(address)
    return f"[{own}]" if ":" in own else own


def network(address: str) -> str:
    """Return what limits count an address as: an IPv4 address, or the /64 of an IPv6 one.

    A machine can have any number of IPv6 addresses in its /64.
    """
    own = plain(address)
    try:
        found = ip_address(own)
    except ValueError:
        return own
    if isinstance(found, IPv6Address):
        return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return own


def is_same(token: str, other: str) -> bool:
    """Whether two tokens are the same; takes as long whether they are or not."""
    return compare_digest(token.encode(), other.encode())


class Pace(NamedTuple):
    """How often somebody may come: so many at once, and so many a second after that."""

    burst: float
    rate: float


REQUESTS: Final = Pace(80, 20)
POSTS: Final = Pace(30, 8)


class Buckets:
    """What each address has left of a pace. At most `MOST` addresses are remembered."""

    MOST: Final = 256

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._left: dict[str, tuple[float, float]] = {}

    def let_in(self, who: str, now: float) -> bool:
        """Whether `who` may come in now; that is counted."""
        left, then = self._left.pop(who, (self._pace.burst, now))
        left = min(self._pace.burst, left + (now - then) * self._pace.rate)
        self._left[who] = (max(0.0, left - 1), now)
        while len(self._left) > self.MOST:
            del self._left[next(iter(self._left))]
        return left >= 1


class Tries:
    """Codes that were tried: five a minute, and then a pause that doubles with each try."""

    FREE: Final = 5
    MINUTE: Final = 60.0
    LONGEST: Final = 960.0
    MOST: Final = 256

    def __init__(self) -> None:
        self._tried: dict[str, tuple[int, float]] = {}

    def wait(self, who: str, now: float) -> float:
        """How many seconds `who` must wait before the next try; 0 if none."""
        n, then = self._tried.get(who, (0, now))
        if n < self.FREE:
            return 0.0
        return max(0.0, then + self._pause(n) - now)

    def failed(self, who: str, now: float) -> None:
        """Count a wrong one."""
        n, then = self._tried.pop(who, (0, now))
        if now - then > self._pause(n):
            n = max(0, n - self.FREE)
        self._tried[who] = (n + 1, now)
        while len(self._tried) > self.MOST:
            del self._tried[next(iter(self._tried))]

    def _pause(self, n: int) -> float:
        return min(self.LONGEST, self.MINUTE * 2.0 ** max(0, n - self.FREE))

    def right(self, who: str) -> None:
        """Forget the wrong ones of whoever had the right one."""
        self._tried.pop(who, None)
