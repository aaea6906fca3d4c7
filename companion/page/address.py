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
NEAR: Final = ("127.", "169.254.", "0.")
"""How addresses begin that are meant on this machine, or on this cable (RFC 3927), or by none."""
NET: Final = Path("/sys/class/net")
"""Where the kernel has the interfaces, as links to their devices."""
VIRTUAL: Final = "virtual"
"""The folder of devices that are none, in the path of such a link."""
AVAHI: Final = Path("/run/avahi-daemon/socket")
"""Where avahi listens: it answers for the machine's name."""
HTTP: Final = 80
"""The port that a browser leaves out."""


def own(host: str = "") -> str | None:
    """Return the address at which others reach this machine first; None if it is in no network."""
    return next(iter(reachable(host)), None)


def reachable(host: str = "") -> tuple[str, ...]:
    """Return the addresses at which others reach this machine, that of its default route first.

    A phone comes to no link-local address, and to no interface that is virtual, such as a
    container's or a tunnel's, or has no link. In a container every interface is virtual: there the
    default route's address counts. host: the one address that is listened at, if it is one.
    """
    if host not in EVERYWHERE:
        return (host,)
    way = _default()
    found = [address for name, address in _of_interfaces() if is_linked(name) and is_real(name)]
    found = [address for address in found or (way,) if is_offered(address)]
    return tuple(sorted(dict.fromkeys(found), key=lambda address: address != way))


def _default() -> str:
    """Return the address from which the default route starts; "" if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, suppress(OSError):
        way.connect(ELSEWHERE)
        return str(way.getsockname()[0])
    return ""


def _of_interfaces() -> list[tuple[str, str]]:
    """Return every interface that has an address, with it: a hotspot is on no default route."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with suppress(OSError):
                answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, request)
                found.append((name, socket.inet_ntoa(answer[20:24])))
    return found


def is_offered(address: str) -> bool:
    """Return True if a phone of the same network can come to that address."""
    return bool(address) and not address.startswith(NEAR)


def is_linked(name: str) -> bool:
    """Return True unless the kernel knows that nothing is at the interface's other end."""
    try:
        return (NET / name / "operstate").read_text("ascii").strip() in ("up", "unknown")
    except OSError:
        return True


def is_real(name: str) -> bool:
    """Return True if the interface is a device, or a bridge, bond or VLAN on top of one."""
    place = NET / name
    if VIRTUAL not in place.resolve().parts:
        return True
    return any(is_real(lower.name.removeprefix("lower_")) for lower in place.glob("lower_*"))


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
