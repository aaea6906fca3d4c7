"""Tests of the address to which the box sends phones, if a machine has several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.page import address

if TYPE_CHECKING:
    Machine = Callable[..., None]

REAL = "pci0000:00/usb1"
VIRTUAL = "virtual"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return a function that fakes interfaces (device, address, state) and the route."""

    def made(route: str = "", **interfaces: tuple[str, str] | tuple[str, str, str]) -> None:
        net = tmp_path / "class"
        net.mkdir()
        for name, (device, _, *state) in interfaces.items():
            place = tmp_path / "devices" / device / "net" / name
            place.mkdir(parents=True)
            (place / "operstate").write_text(f"{state[0] if state else 'up'}\n")
            (net / name).symlink_to(place)
        monkeypatch.setattr(address, "INTERFACES_FOLDER", net)
        found = [(name, of[1]) for name, of in interfaces.items()]
        monkeypatch.setattr(address, "_of_interfaces", lambda: found)
        monkeypatch.setattr(address, "_default", lambda: route)

    return made


def test_a_link_local_address_is_offered_to_no_phone(machine: Machine) -> None:
    machine("169.254.3.4", eth0=(REAL, "169.254.3.4"))
    assert address.own_reachable_addresses() == ()
    assert address.own_reachable_addresses("") == ()


def test_a_cable_without_a_router_gives_way_to_the_wifi(machine: Machine) -> None:
    machine("169.254.3.4", eth0=(REAL, "169.254.3.4"), wlan0=(REAL, "192.168.1.20"))
    assert address.own_reachable_addresses() == ("192.168.1.20",)


@pytest.mark.parametrize("name", ["docker0", "veth12", "tun0", "wg0", "tailscale0", "virbr0"])
def test_a_virtual_interface_is_offered_to_no_phone(machine: Machine, name: str) -> None:
    there = {name: (VIRTUAL, "172.17.0.1"), "wlan0": (REAL, "192.168.1.20")}
    machine("172.17.0.1", **there, lo=(VIRTUAL, "127.0.0.1", "unknown"))
    assert address.own_reachable_addresses() == ("192.168.1.20",)


def test_a_virtual_interface_alone_is_no_way_in(machine: Machine) -> None:
    machine("", docker0=(VIRTUAL, "172.17.0.1"), lo=(VIRTUAL, "127.0.0.1", "unknown"))
    assert address.own_reachable_addresses() == ()


def test_a_container_is_reached_at_its_route(machine: Machine) -> None:
    machine("10.0.3.7", eth0=(VIRTUAL, "10.0.3.7"), lo=(VIRTUAL, "127.0.0.1", "unknown"))
    assert address.own_reachable_addresses() == ("10.0.3.7",)


def test_a_bridge_on_a_cable_is_real(machine: Machine, tmp_path: Path) -> None:
    machine("10.0.0.2", br0=(VIRTUAL, "10.0.0.2"), eth0=(REAL, "0.0.0.0"))  # noqa: S104 - an address
    (tmp_path / "class" / "br0" / "lower_eth0").symlink_to(tmp_path / "class" / "eth0")
    assert address.own_reachable_addresses() == ("10.0.0.2",)


def test_an_interface_without_a_link_is_not_offered(machine: Machine) -> None:
    machine("", eth0=(REAL, "192.168.1.5", "down"), wlan0=(REAL, "10.42.0.1"))
    assert address.own_reachable_addresses() == ("10.42.0.1",)


def test_of_two_networks_the_one_of_the_route_comes_first(machine: Machine) -> None:
    machine("192.168.1.20", eth0=(REAL, "10.42.0.1"), wlan0=(REAL, "192.168.1.20"))
    assert address.own_reachable_addresses() == ("192.168.1.20", "10.42.0.1")


def test_an_address_that_is_listened_at_alone_is_the_only_one(machine: Machine) -> None:
    machine("192.168.1.20", wlan0=(REAL, "192.168.1.20"))
    assert address.own_reachable_addresses("127.0.0.1") == ("127.0.0.1",)


def test_this_machine_has_no_address_twice() -> None:
    found = address.own_reachable_addresses()
    assert len(found) == len({*found})
    assert not [one for one in found if one.startswith(address.UNREACHABLE_PREFIXES)]
