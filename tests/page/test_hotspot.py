"""A network of the box's own: what NetworkManager is told, and what is said if it can not."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from companion.cmd import hotspot

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def manager(
    told: list[Sequence[str]], devices: str = "eth0:ethernet\nwlan0:wifi\n", wrong: str = ""
) -> Callable[[Sequence[str]], subprocess.CompletedProcess[str]]:
    def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        told.append(arguments)
        asks = "DEVICE,TYPE" in arguments
        status = int(bool(wrong) and not asks)
        return subprocess.CompletedProcess(arguments, status, devices if asks else "", wrong)

    return run


def test_a_hotspot_is_made_on_the_wireless_device_with_a_fresh_password() -> None:
    told: list[Sequence[str]] = []
    first, second = hotspot.begin(manager(told)), hotspot.begin(manager(told))
    assert first != second
    assert len(first) >= 8  # WPA takes no shorter one
    assert tuple(told[1][3:5]) == ("ifname", "wlan0")
    assert told[1][-1] == first


def test_a_machine_without_wireless_says_so() -> None:
    with pytest.raises(hotspot.HotspotError, match="has no Wi-Fi"):
        hotspot.begin(manager([], "eth0:ethernet\n"))


def test_what_networkmanager_complains_of_is_told_in_one_line() -> None:
    wrong = "Error: Connection activation failed:\n Not authorized to control networking."
    with pytest.raises(
        hotspot.HotspotError, match=r"failed: Not authorized.*Try it with sudo"
    ) as e:
        hotspot.end(manager([], wrong=wrong))
    assert "\n" not in e.value.message


def test_without_networkmanager_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(hotspot.HotspotError, match="apt install network-manager"):
        hotspot.begin(hotspot._run)
