"""`companion hotspot`: a Wi-Fi of the box's own, by NetworkManager, for where there is no other."""

from __future__ import annotations

import secrets
import shutil
import subprocess
from typing import TYPE_CHECKING, Final

import click

from companion.cmd import door

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NAME: Final = "COMPANION"
"""Of the network, and of its profile."""
LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Of a password: none that is taken for another."""
LENGTH: Final = 8
"""As short as WPA takes it: its code to scan fits the display."""
PATIENCE: Final = 60
"""Seconds in which NetworkManager does what it is told."""
MISSING: Final = (
    "nmcli is missing: a hotspot needs NetworkManager (sudo apt install network-manager)."
)


class HotspotError(click.ClickException):
    """There is no network of the box's own; the text says why, and what to do."""


@click.group()
def hotspot() -> None:
    """Make a Wi-Fi of the box's own for phones, or end it (docs/phones.md)."""


@hotspot.command()
def on() -> None:
    """Make the network, and say its name and password."""
    password = begin(_run)
    click.echo(f"The network is called {NAME}, its password is {password}")
    click.echo(f"To scan: WIFI:T:WPA;S:{NAME};P:{password};;")
    click.echo(
        "Phones in the menu of the box shows two codes now: the network, then the page."
        if door.tell({"hotspot": {"name": NAME, "password": password}})
        else "No box runs here: start it, and try again for both codes on its display."
    )


@hotspot.command()
def off() -> None:
    """End the network; the Wi-Fi of before comes back by itself."""
    end(_run)
    door.tell({"hotspot": None})
    click.echo("The network of the box has ended.")


def begin(run: Callable[[Sequence[str]], subprocess.CompletedProcess[str]]) -> str:
    """Make the network; its password. Raises HotspotError."""
    devices = _told(run(("-t", "-f", "DEVICE,TYPE", "device"))).splitlines()
    wireless = [line.split(":")[0] for line in devices if line.endswith(":wifi")]
    if not wireless:
        raise HotspotError("This machine has no Wi-Fi: nmcli device lists what it has.")
    password = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    _told(
        run(
            ("device", "wifi", "hotspot", "ifname", wireless[0], "con-name", NAME,
             "ssid", NAME, "password", password)
        )
    )  # fmt: skip
    return password


def end(run: Callable[[Sequence[str]], subprocess.CompletedProcess[str]]) -> None:
    """End the network, and forget its password. Raises HotspotError."""
    _told(run(("connection", "delete", NAME)))


def _told(done: subprocess.CompletedProcess[str]) -> str:
    """What nmcli says. Raises HotspotError with what it complains of."""
    if done.returncode == 0:
        return done.stdout
    wrong = " ".join(done.stderr.split()).removeprefix("Error: ")
    hint = " Try it with sudo." if "authorized" in wrong else ""
    raise HotspotError(f"NetworkManager says: {wrong or done.returncode}{hint}")


def _run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    program = shutil.which("nmcli")
    if program is None:
        raise HotspotError(MISSING)
    try:
        return subprocess.run(  # noqa: S603 - the system's own
            [program, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise HotspotError(f"NetworkManager does not answer: {error}") from error
