"""Tests of the box's own network: the calls of NetworkManager, and the errors if they fail."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence

import pytest
from click.testing import CliRunner

from companion.cmd import page
from companion.remote.pairing import NETWORK_NAME_PATTERN, PASSWORD_PATTERN


def manager(
    told: list[tuple[Sequence[str], str]],
    devices: str = "eth0:ethernet\nwlan0:wifi\n",
    wrong: str = "",
) -> Callable[[Sequence[str], str], subprocess.CompletedProcess[str]]:
    def run(arguments: Sequence[str], given: str) -> subprocess.CompletedProcess[str]:
        told.append((arguments, given))
        asks = "DEVICE,TYPE" in arguments
        status = int(bool(wrong) and not asks)
        return subprocess.CompletedProcess(arguments, status, devices if asks else "", wrong)

    return run


def test_a_hotspot_is_made_on_the_wireless_device_with_a_fresh_password() -> None:
    told: list[tuple[Sequence[str], str]] = []
    first, second = page.start_hotspot(manager(told)), page.start_hotspot(manager(told))
    assert first != second
    assert PASSWORD_PATTERN.fullmatch(first)  # fits the display; WPA accepts no shorter one
    assert NETWORK_NAME_PATTERN.fullmatch(page.NETWORK_NAME)
    (made,) = {arguments for arguments, _ in told if "add" in arguments}
    assert "wlan0" in made
    assert [given for _, given in told if given] == [
        f"802-11-wireless-security.psk:{password}\n" for password in (first, second)
    ]


def test_no_list_of_processes_has_the_password() -> None:
    told: list[tuple[Sequence[str], str]] = []
    password = page.start_hotspot(manager(told))
    assert not [arguments for arguments, _ in told if password in " ".join(arguments)]


def test_a_machine_without_wireless_says_so() -> None:
    with pytest.raises(page.HotspotError, match="has no Wi-Fi"):
        page.start_hotspot(manager([], "eth0:ethernet\n"))


def test_what_networkmanager_complains_of_is_told_in_one_line() -> None:
    wrong = "Error: Connection activation failed:\n Not authorized to control networking."
    with pytest.raises(page.HotspotError, match=r"failed: Not authorized.*Try it with sudo") as e:
        page.stop_hotspot(manager([], wrong=wrong))
    assert "\n" not in e.value.message


def test_without_networkmanager_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(page.HotspotError, match="apt install network-manager"):
        page.start_hotspot(page._run)


@pytest.mark.parametrize("runs", [True, False])
def test_the_box_is_told_of_the_network_and_that_it_has_ended(
    runs: bool,  # noqa: FBT001 - a case
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[object] = []
    monkeypatch.setattr(page, "_run", manager([]))

    def tell(_socket: object, message: object) -> bool:
        said.append(message)
        return runs

    monkeypatch.setattr(page, "send_message_and_close", tell)
    shown = CliRunner().invoke(page.hotspot, ["on"], catch_exceptions=False).output
    assert ("shows two codes" in shown) == runs
    assert ("No box runs here" in shown) != runs
    CliRunner().invoke(page.hotspot, ["off"], catch_exceptions=False)
    password = shown.partition("password is ")[2].split()[0]
    network = {"name": page.NETWORK_NAME, "password": password}
    assert said == [{"hotspot": network}, {"hotspot": None}]
