"""The page's protection in an open network: host names, tokens and rate limits.

Everything here is a pure function or a value; times are in seconds and passed in.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from companion.page.address import HTTP_PORT

SECURITY_HEADERS: Final = {
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
"""The headers of every response."""
TOKEN_DIGITS: Final = 32
"""The number of hexadecimal digits of a phone's token."""
MAX_NAME_LENGTH: Final = 40
HOME_SUFFIXES: Final = (
    "local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box",
)  # fmt: skip
"""Suffixes that home networks add to machine names.

Nobody can register a name below one of them (RFC 6762, RFC 8375, ICANN's reserved and undelegated
domains); `fritz.box` belongs to the maker of that router.
"""


def is_own_host(host: str, local: str, name: str, port: int) -> bool:
    """Return True if a Host header names this machine, by an address or a trustworthy name.

    A name is trustworthy if DNS cannot forge it. `local` is the local address of the connection,
    `name` this machine's `.local` name.
    """
    named, colon, given = host.lower().rpartition(":")
    if not colon or given.endswith("]"):
        named, given = host.lower(), str(HTTP_PORT)
    if given != str(port):
        return False
    named = named.removesuffix(".")
    return named in (bracket_address(local), *_loopback(local)) or _is_own(named, name)


def _is_own(named: str, name: str) -> bool:
    """Return True for the bare host name, alone or below a suffix of home networks.

    avahi adds a number to a `.local` name that exists twice, for example by cable and by Wi-Fi.
    """
    base = re.escape(name.lower().removesuffix(".local"))
    home = "|".join(map(re.escape, HOME_SUFFIXES))
    return re.fullmatch(rf"{base}(\.({home})|-[0-9]{{1,3}}\.local)?", named, re.ASCII) is not None


def _loopback(local: str) -> Collection[str]:
    try:
        return ("localhost",) if ip_address(local).is_loopback else ()
    except ValueError:
        return ()


def plain_address(address: str) -> str:
    """Return an address as a Host header contains it; IPv4-mapped IPv6 becomes IPv4."""
    bare = address.partition("%")[0].lower()
    return bare.removeprefix("::ffff:") if "." in bare else bare


def bracket_address(address: str) -> str:
    """Return an address as it is typed into a browser."""
    plain = plain_address(address)
    return f"[{plain}]" if ":" in plain else plain


def limited_network(address: str) -> str:
    """Return the network that shares a limit: an IPv4 address, or the /64 of an IPv6 address.

    A machine can use any number of IPv6 addresses in its /64.
    """
    plain = plain_address(address)
    try:
        ip = ip_address(plain)
    except ValueError:
        return plain
    if isinstance(ip, IPv6Address):
        return f"{IPv6Address(int(ip) >> 64 << 64)}/64"
    return plain


def is_same_token(token: str, other: str) -> bool:
    """Return True if two tokens are equal, in constant time."""
    return compare_digest(token.encode(), other.encode())


class RateLimit(NamedTuple):
    """A rate limit: the number of requests at once, and per second after that."""

    burst: float
    rate: float


REQUEST_LIMIT: Final = RateLimit(80, 20)
POST_LIMIT: Final = RateLimit(30, 8)


class RequestBudgets:
    """The requests that each address may still send, for up to `MAX_ADDRESSES` addresses."""

    MAX_ADDRESSES: Final = 256

    def __init__(self, pace: RateLimit) -> None:
        self._pace = pace
        self._left: dict[str, tuple[float, float]] = {}

    def spend(self, who: str, now: float) -> bool:
        """Count a request. Return True if `who` may send it now."""
        left, then = self._left.pop(who, (self._pace.burst, now))
        left = min(self._pace.burst, left + (now - then) * self._pace.rate)
        self._left[who] = (max(0.0, left - 1), now)
        while len(self._left) > self.MAX_ADDRESSES:
            del self._left[next(iter(self._left))]
        return left >= 1


class CodeTries:
    """The wrong codes of each address.

    Five a minute are allowed, then a pause that doubles each time.
    """

    FREE_TRIES: Final = 5
    PERIOD_SECONDS: Final = 60.0
    MAX_PAUSE_SECONDS: Final = 960.0
    MAX_ADDRESSES: Final = 256

    def __init__(self) -> None:
        self._tried: dict[str, tuple[int, float]] = {}

    def seconds_to_wait(self, who: str, now: float) -> float:
        """Return the seconds until `who` may try again; 0 if now."""
        n, then = self._tried.get(who, (0, now))
        if n < self.FREE_TRIES:
            return 0.0
        return max(0.0, then + self._pause(n) - now)

    def count_failure(self, who: str, now: float) -> None:
        """Count a wrong code."""
        n, then = self._tried.pop(who, (0, now))
        if now - then > self._pause(n):
            n = max(0, n - self.FREE_TRIES)
        self._tried[who] = (n + 1, now)
        while len(self._tried) > self.MAX_ADDRESSES:
            del self._tried[next(iter(self._tried))]

    def _pause(self, n: int) -> float:
        return min(self.MAX_PAUSE_SECONDS, self.PERIOD_SECONDS * 2.0 ** max(0, n - self.FREE_TRIES))

    def forget_failures(self, who: str) -> None:
        """Forget the wrong codes of an address that sent the right one."""
        self._tried.pop(who, None)
