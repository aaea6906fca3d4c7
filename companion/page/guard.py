"""Protection of the web page in an open network: host names, tokens and rate limits.

Methods with a parameter `now` receive the monotonic time in seconds.
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
"""The HTTP security headers of every response, by name."""
TOKEN_DIGITS: Final = 32
"""The number of hexadecimal digits in a phone's token."""
MAX_PLAYER_NAME_LENGTH: Final = 40
HOME_SUFFIXES: Final = (
    "local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box",
)  # fmt: skip
"""Domains that home networks append to a machine's host name.

An attacker cannot register a name in these domains (RFC 6762, RFC 8375, reserved domains). The only
registered domain is `fritz.box`, which belongs to the maker of the router FRITZ!Box.
"""


def is_own_host(host: str, local: str, name: str, port: int) -> bool:
    """Return True if the Host header `host` names this machine by its address or a safe name.

    A name is safe if an attacker cannot register the name in DNS.

    - `local`: the local address of the connection.
    - `name`: this machine's `.local` name.
    - `port`: the port of the web page.
    """
    named, colon, given = host.lower().rpartition(":")
    if not colon or given.endswith("]"):
        named, given = host.lower(), str(HTTP_PORT)
    if given != str(port):
        return False
    named = named.removesuffix(".")
    return named in (format_address_for_url(local), *_loopback(local)) or _is_own(named, name)


def _is_own(named: str, name: str) -> bool:
    """Return True if `named` is this machine's host name, with or without a home network's domain.

    name: this machine's `.local` name.

    The avahi service may append a number to the `.local` name, such as "-2".
    """
    base = re.escape(name.lower().removesuffix(".local"))
    home = "|".join(map(re.escape, HOME_SUFFIXES))
    return re.fullmatch(rf"{base}(\.({home})|-[0-9]{{1,3}}\.local)?", named, re.ASCII) is not None


def _loopback(local: str) -> Collection[str]:
    try:
        return ("localhost",) if ip_address(local).is_loopback else ()
    except ValueError:
        return ()


def normalise_address(address: str) -> str:
    """Return an IP address in a uniform notation.

    The result lacks the zone (`%eth0`). An IPv4-mapped IPv6 address becomes an IPv4 address.
    """
    bare = address.partition("%")[0].lower()
    return bare.removeprefix("::ffff:") if "." in bare else bare


def format_address_for_url(address: str) -> str:
    """Return an IP address in the form for URLs: with brackets around an IPv6 address."""
    plain = normalise_address(address)
    return f"[{plain}]" if ":" in plain else plain


def network_for_rate_limit(address: str) -> str:
    """Return the name of an address's rate limit: the IPv4 address or the IPv6 /64 network.

    A limit for one IPv6 address would be useless, because a machine can use all addresses of its
    /64 network.
    """
    plain = normalise_address(address)
    try:
        ip = ip_address(plain)
    except ValueError:
        return plain
    if isinstance(ip, IPv6Address):
        return f"{IPv6Address(int(ip) >> 64 << 64)}/64"
    return plain


def are_tokens_equal(token: str, other: str) -> bool:
    """Return True if two tokens are equal, compared in constant time."""
    return compare_digest(token.encode(), other.encode())


class RateLimit(NamedTuple):
    """A rate limit: at most `burst` requests at once, and then `rate` requests per second."""

    burst: float
    rate: float


REQUEST_LIMIT: Final = RateLimit(80, 20)
POST_LIMIT: Final = RateLimit(30, 8)


class RequestBudgets:
    """The budget of each client: the number of requests that the rate limit still allows.

    If there are more than `MAX_ADDRESSES` clients, one budget is deleted: the budget of the client
    that has sent no request for the longest time.
    """

    MAX_ADDRESSES: Final = 256

    def __init__(self, pace: RateLimit) -> None:
        self._pace = pace
        self._left: dict[str, tuple[float, float]] = {}

    def count_request_and_check_limit(self, who: str, now: float) -> bool:
        """Count a request of the client `who`. Return True if the rate limit allows the request."""
        left, then = self._left.pop(who, (self._pace.burst, now))
        left = min(self._pace.burst, left + (now - then) * self._pace.rate)
        self._left[who] = (max(0.0, left - 1), now)
        while len(self._left) > self.MAX_ADDRESSES:
            del self._left[next(iter(self._left))]
        return left >= 1


class WrongCodeLimiter:
    """The counters of wrong join codes from each network address.

    After `FREE_TRIES` wrong codes, an address must wait before its next try. Each additional wrong
    code doubles the waiting time.
    """

    FREE_TRIES: Final = 5
    PERIOD_SECONDS: Final = 60.0
    MAX_PAUSE_SECONDS: Final = 960.0
    MAX_ADDRESSES: Final = 256

    def __init__(self) -> None:
        self._tried: dict[str, tuple[int, float]] = {}

    def seconds_to_wait(self, who: str, now: float) -> float:
        """Return the number of seconds until the address `who` may send another join code.

        Return 0 if the address may send a code now.
        """
        n, then = self._tried.get(who, (0, now))
        if n < self.FREE_TRIES:
            return 0.0
        return max(0.0, then + self._pause(n) - now)

    def count_wrong_code(self, who: str, now: float) -> None:
        """Count a wrong join code from the address `who`."""
        n, then = self._tried.pop(who, (0, now))
        if now - then > self._pause(n):
            n = max(0, n - self.FREE_TRIES)
        self._tried[who] = (n + 1, now)
        while len(self._tried) > self.MAX_ADDRESSES:
            del self._tried[next(iter(self._tried))]

    def _pause(self, n: int) -> float:
        return min(self.MAX_PAUSE_SECONDS, self.PERIOD_SECONDS * 2.0 ** max(0, n - self.FREE_TRIES))

    def forget_wrong_codes(self, who: str) -> None:
        """Delete the wrong-code counter of the address `who`, which has sent the right code."""
        self._tried.pop(who, None)
