"""The network addresses of this machine, and notices of their changes."""

from __future__ import annotations

import fcntl
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

SIOCGIFADDR: Final = 0x8915
RTMGRP_IPV4_IFADDR: Final = 0x10
UNUSED_ADDRESS: Final = ("192.0.2.1", 9)
"""An address of no machine (RFC 5737). Nothing is sent to it; only the route to it is looked up."""
ALL_ADDRESSES: Final = ("", "0.0.0.0", "::")  # noqa: S104 - only compared, not bound
LOOPBACK: Final = "127.0.0.1"
UNREACHABLE_PREFIXES: Final = ("127.", "169.254.", "0.")
"""Prefixes of addresses that other machines cannot reach: loopback, link-local (RFC 3927), none."""
INTERFACES_FOLDER: Final = Path("/sys/class/net")
"""The kernel's folder of network interfaces, as links to their devices."""
VIRTUAL_DEVICES_FOLDER: Final = "virtual"
"""The folder of virtual devices in the path of such a link."""
AVAHI_SOCKET: Final = Path("/run/avahi-daemon/socket")
"""The socket of avahi, which answers for the machine's name."""
HTTP_PORT: Final = 80
"""The port that a browser omits."""


def reachable_addresses(host: str = "") -> tuple[str, ...]:
    """Return this machine's addresses that others can reach; the default route's comes first.

    - `host`: the address that the page listens at; "" for all.

    Phones cannot reach link-local addresses, virtual interfaces (containers, tunnels) or interfaces
    without a link. In a container every interface is virtual; there only the address of the default
    route is returned.
    """
    if host not in ALL_ADDRESSES:
        return (host,)
    way = _default()
    addresses = [
        address for name, address in _of_interfaces() if has_link(name) and is_real_interface(name)
    ]
    addresses = [address for address in addresses or (way,) if is_offered(address)]
    return tuple(sorted(dict.fromkeys(addresses), key=lambda address: address != way))


def _default() -> str:
    """Return the address from which the default route starts; "" if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, suppress(OSError):
        way.connect(UNUSED_ADDRESS)
        return str(way.getsockname()[0])
    return ""


def _of_interfaces() -> list[tuple[str, str]]:
    """Return all interfaces with their addresses: a hotspot is on no default route."""
    interfaces = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with suppress(OSError):
                answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, request)
                interfaces.append((name, socket.inet_ntoa(answer[20:24])))
    return interfaces


def is_offered(address: str) -> bool:
    """Return True if a phone in the same network can reach the address."""
    return bool(address) and not address.startswith(UNREACHABLE_PREFIXES)


def has_link(name: str) -> bool:
    """Return True unless the kernel reports that the interface has no link."""
    try:
        return (INTERFACES_FOLDER / name / "operstate").read_text("ascii").strip() in (
            "up",
            "unknown",
        )
    except OSError:
        return True


def is_real_interface(name: str) -> bool:
    """Return True if the interface is a device, or a bridge, bond or VLAN on top of one."""
    place = INTERFACES_FOLDER / name
    if VIRTUAL_DEVICES_FOLDER not in place.resolve().parts:
        return True
    return any(
        is_real_interface(lower.name.removeprefix("lower_")) for lower in place.glob("lower_*")
    )


def network_name() -> str:
    """Return this machine's name in the local network, such as "companion.local"."""
    return f"{socket.gethostname().partition('.')[0]}.local"


def is_name_answered(avahi: Path = AVAHI_SOCKET) -> bool:
    """Return True if avahi runs and answers for this machine's `.local` name."""
    return avahi.exists()


def format_address(host: str, port: int) -> str:
    """Return a host and port as typed into a browser; the default port is left out."""
    return host if port == HTTP_PORT else f"{host}:{port}"


def address_changes_socket() -> socket.socket | None:
    """Return a socket that becomes readable when an address changes; None if unavailable."""
    try:
        netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, 0)
    except (AttributeError, OSError):
        return None
    netlink.bind((0, RTMGRP_IPV4_IFADDR))
    return netlink
