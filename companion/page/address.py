"""The network addresses of this machine, and a socket that signals address changes."""

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
"""An unused network address (RFC 5737), with which the page looks up the default route."""
WILDCARD_ADDRESSES: Final = ("", "0.0.0.0", "::")  # noqa: S104 - only compared, not bound
LOOPBACK: Final = "127.0.0.1"
UNREACHABLE_PREFIXES: Final = ("127.", "169.254.", "0.")
"""Prefixes of addresses that the web page does not offer to phones.

- "127." and "0.": loopback and unset addresses, which other machines cannot reach.
- "169.254.": link-local addresses, which only machines on the same link can reach (RFC 3927).
"""
INTERFACES_FOLDER: Final = Path("/sys/class/net")
"""The kernel's folder of network interfaces; each entry is a symbolic link to a device."""
VIRTUAL_FOLDER_NAME: Final = "virtual"
"""The name of the kernel's folder for virtual devices, such as tunnels."""
AVAHI_SOCKET: Final = Path("/run/avahi-daemon/socket")
"""The socket of the avahi service, which answers queries for the machine's `.local` name."""
HTTP_PORT: Final = 80
"""The default port of HTTP, which a URL need not contain."""


def own_reachable_addresses(host: str = "") -> tuple[str, ...]:
    """Return this machine's addresses that phones can reach, the default route's address first.

    host: the address at which the page listens; "" means all addresses.

    If the page listens at only one address, return this address. Otherwise, omit link-local
    addresses, and the addresses of interfaces that are virtual (such as tunnels) or have no link.
    If no interface remains, as in a container, return only the default route's address. If there is
    no such address either, return ().
    """
    if host not in WILDCARD_ADDRESSES:
        return (host,)
    way = _default()
    addresses = [
        address
        for name, address in _of_interfaces()
        if can_have_network_link(name) and is_physical_interface(name)
    ]
    addresses = [
        address for address in addresses or (way,) if is_address_of_reachable_kind(address)
    ]
    return tuple(sorted(dict.fromkeys(addresses), key=lambda address: address != way))


def _default() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, suppress(OSError):
        way.connect(UNUSED_ADDRESS)
        return str(way.getsockname()[0])
    return ""


def _of_interfaces() -> list[tuple[str, str]]:
    """Return the name and address of each interface, including a hotspot's interface."""
    interfaces = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with suppress(OSError):
                answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, request)
                interfaces.append((name, socket.inet_ntoa(answer[20:24])))
    return interfaces


def is_address_of_reachable_kind(address: str) -> bool:
    """Return False if `address` is empty or begins with one of UNREACHABLE_PREFIXES, else True."""
    return bool(address) and not address.startswith(UNREACHABLE_PREFIXES)


def can_have_network_link(name: str) -> bool:
    """Return True unless the kernel reports that the network interface `name` has no link."""
    try:
        return (INTERFACES_FOLDER / name / "operstate").read_text("ascii").strip() in (
            "up",
            "unknown",
        )
    except OSError:
        return True


def is_physical_interface(name: str) -> bool:
    """Return True if an interface is physical: a device, or a bridge, bond or VLAN on a device.

    name: the name of the network interface.
    """
    place = INTERFACES_FOLDER / name
    if VIRTUAL_FOLDER_NAME not in place.resolve().parts:
        return True
    return any(
        is_physical_interface(lower.name.removeprefix("lower_")) for lower in place.glob("lower_*")
    )


def local_host_name() -> str:
    """Return this machine's name in the local network, such as "companion.local"."""
    return f"{socket.gethostname().partition('.')[0]}.local"


def is_local_host_name_announced(avahi: Path = AVAHI_SOCKET) -> bool:
    """Return True if the avahi service runs and thus announces this machine's `.local` name."""
    return avahi.exists()


def format_host_and_port(host: str, port: int) -> str:
    """Return "host:port" for a URL, or only the host if the port is 80."""
    return host if port == HTTP_PORT else f"{host}:{port}"


def open_address_change_socket() -> socket.socket | None:
    """Return a socket that becomes readable when a network address changes.

    Return None if the operating system offers no such socket.
    """
    try:
        netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, 0)
    except (AttributeError, OSError):
        return None
    netlink.bind((0, RTMGRP_IPV4_IFADDR))
    return netlink
