"""Where on the network this machine can be reached, and when that changes."""

from __future__ import annotations

import fcntl
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

SIOCGIFADDR: Final = 0x8915
RTMGRP_IPV4_IFADDR: Final = 0x10
ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address of no machine (RFC 5737): nothing is sent there, but the way there is looked up."""
EVERYWHERE: Final = ("", "0.0.0.0", "::")  # noqa: S104 - compared with
LOOPBACK: Final = "127.0.0.1"
AVAHI: Final = Path("/run/avahi-daemon/socket")
"""Where avahi listens: it answers for the machine's name."""
HTTP: Final = 80
"""The port that a browser leaves out."""


def own(host: str = "") -> str | None:
    """The address at which others reach this machine; None if it is in no network.

    `host` is the one address that is listened at, if it is one.
    """
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, suppress(OSError):
        way.connect(ELSEWHERE)
        return str(way.getsockname()[0])
    return next(iter(_of_interfaces()), None)


def _of_interfaces() -> list[str]:
    """The addresses of all interfaces but the loopback: a hotspot leads nowhere else."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with suppress(OSError):
                answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, request)
                found.append(socket.inet_ntoa(answer[20:24]))
    return [address for address in found if not address.startswith("127.")]


def name() -> str:
    """This machine's name on the network, if avahi answers for it."""
    return f"{socket.gethostname().partition('.')[0]}.local"


def is_answered(avahi: Path = AVAHI) -> bool:
    """Whether somebody answers those who ask the network for that name."""
    return avahi.exists()


def told(host: str, port: int) -> str:
    """A host with its port, as it is typed into a browser: the usual one is left out."""
    return host if port == HTTP else f"{host}:{port}"


def changes() -> socket.socket | None:
    """A socket that can be read when an address has come or gone; None where that is not told."""
    try:
        told = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, 0)
    except (AttributeError, OSError):
        return None
    told.bind((0, RTMGRP_IPV4_IFADDR))
    return told
