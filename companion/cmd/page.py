"""The commands `companion page` and `hotspot`: the web pages and the Wi-Fi network for phones."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import click

from companion.catalog import registry
from companion.cmd import places
from companion.cmd.commands import run_click_command
from companion.cmd.i18n import command_sentence
from companion.door.client import send_message_and_close
from companion.page import without_ssl

RunProgram: TypeAlias = Callable[[Sequence[str], str], subprocess.CompletedProcess[str]]
"""A function that runs nmcli with arguments and an input text."""


PAGE_NICE_VALUE: Final = 10
"""Nice value of the web page's process.

This value is higher than the nice value of the box, so that the box has priority.
"""
MAX_PORT: Final = 65535
"""The largest TCP port."""
FIRST_SOCKET_DESCRIPTOR: Final = 3
"""File descriptor of the first socket that systemd passes to a service (sd_listen_fds(3))."""


@click.command()
@click.option("--socket", "door", type=click.Path(path_type=Path), metavar="PATH",
              help=(
                      "The path of the box's socket (default: the socket of this machine's "
                      "box)."
                  ))  # fmt: skip
@click.option("--port", type=click.IntRange(0, MAX_PORT), default=8080, show_default=True,
              help="The TCP port of the web pages; 0 chooses a free port.")  # fmt: skip
@click.option(
    "--host",
    default="",
    metavar="ADDRESS",
    help=("Accept connections only at this network address of the machine."),
)
def page(door: Path | None, port: int, host: str) -> None:
    """Serve web pages that show the table on phones and a television (docs/phones.md)."""
    try:
        from companion.page import serve  # noqa: PLC0415 - only here
    except ModuleNotFoundError as error:
        if error.name != "tornado":
            raise
        raise click.ClickException(command_sentence("page.no_tornado")) from error
    registry.disable_packaged_game_imports()
    place = serve.PageServerAddress(
        door or places.record_folder() / "games.sock",
        port,
        host,
        systemd_sockets(),
    )
    try:
        serve.run_page_server(place, click.echo)
    except (OSError, UnicodeError) as error:
        if (text := _address_error_text(error, port, host)) is None:
            raise
        raise click.ClickException(text) from error


def _address_error_text(error: OSError | UnicodeError, port: int, host: str) -> str | None:
    """Return the error text for a port in use or an unknown host; None for any other error."""
    code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        other = port + 1 if port < MAX_PORT else port - 1
        return command_sentence("page.port_in_use", port=port, other=other)
    if code == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror | UnicodeError):
        return command_sentence("page.other_host", host=host)
    return None


def run_page_in_small_process(arguments: list[str], *, debug: bool) -> int:
    """Run `companion page` in a process that imports no other command, to save memory.

    Return the exit status.
    """
    without_ssl.replace_ssl_for_tornado()
    if not is_started_by_systemd_socket():  # the systemd unit already sets the nice value
        os.nice(max(0, PAGE_NICE_VALUE - os.nice(0)))
    return run_click_command(page, "companion page", arguments, debug=debug)


def is_started_by_systemd_socket() -> bool:
    """Return True if systemd started this process when a client connected to the unit's socket."""
    return os.environ.get("LISTEN_PID") == str(os.getpid())


def systemd_sockets() -> tuple[socket.socket, ...]:
    """Return the sockets that systemd opened for this process; empty if systemd opened none."""
    if not is_started_by_systemd_socket():
        return ()
    count = int(os.environ.get("LISTEN_FDS", "0"))
    return tuple(socket.socket(fileno=FIRST_SOCKET_DESCRIPTOR + n) for n in range(count))


NETWORK_NAME: Final = "COMPANION"
"""Name of the Wi-Fi network and of its NetworkManager profile."""
PASSWORD_PROPERTY: Final = "802-11-wireless-security.psk"  # noqa: S105 - its name
"""Name of the password in nmcli's password files (nmcli(1), passwd-file)."""
PASSWORD_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # noqa: S105 - letters to choose from
"""Characters from which a password is chosen. Characters that look alike are left out."""
PASSWORD_LENGTH: Final = 8
"""Number of characters in a password.

WPA requires at least eight characters. With a longer password, the QR code would not fit the
display.
"""
COMMAND_TIMEOUT_SECONDS: Final = 60
"""Time limit in seconds for a command of NetworkManager."""


class HotspotError(click.ClickException):
    """The error that the Wi-Fi network cannot be started or ended, with the reason and a repair."""


@click.group()
def hotspot() -> None:
    """Start or end a Wi-Fi network of the box for phones (docs/phones.md)."""


@hotspot.command()
def on() -> None:
    """Start the box's Wi-Fi network for phones, and print its name and password."""
    password = start_hotspot(_run)
    shown = _tell_box({"name": NETWORK_NAME, "password": password})
    click.echo(command_sentence("hotspot.named", name=NETWORK_NAME, password=password))
    click.echo(command_sentence("hotspot.scan", code=f"WIFI:T:WPA;S:{NETWORK_NAME};P:{password};;"))
    click.echo(command_sentence("hotspot.shown") if shown else command_sentence("hotspot.no_box"))


@hotspot.command()
def off() -> None:
    """End the box's Wi-Fi network for phones.

    The box then returns to its previous Wi-Fi network.
    """
    stop_hotspot(_run)
    _tell_box(None)
    click.echo(command_sentence("hotspot.ended"))


def _tell_box(network: dict[str, str] | None) -> bool:
    return send_message_and_close(places.box_socket(), {"hotspot": network})


def start_hotspot(run: RunProgram) -> str:
    """Start the Wi-Fi network and return its new password.

    Raise HotspotError if nmcli is missing or fails.
    """
    devices = _check_result(run(("-t", "-f", "DEVICE,TYPE", "device"), "")).splitlines()
    wireless = [line.split(":")[0] for line in devices if line.endswith(":wifi")]
    if not wireless:
        raise HotspotError(command_sentence("hotspot.no_wifi"))
    password = "".join(secrets.choice(PASSWORD_LETTERS) for _ in range(PASSWORD_LENGTH))
    run(("connection", "delete", NETWORK_NAME), "")  # delete the profile of an earlier network
    made = ("connection", "add", "type", "wifi", "con-name", NETWORK_NAME, "ifname",
            wireless[0], "ssid", NETWORK_NAME, "autoconnect", "no", "802-11-wireless.mode", "ap",
            "ipv4.method", "shared", "ipv6.method", "shared",
            "wifi-sec.key-mgmt", "wpa-psk")  # fmt: skip
    _check_result(run(made, ""))
    # send the password as input: other users can list a process's arguments
    _check_result(
        run(
            ("connection", "up", NETWORK_NAME, "passwd-file", "/dev/stdin"),
            f"{PASSWORD_PROPERTY}:{password}\n",
        )
    )
    return password


def stop_hotspot(run: RunProgram) -> None:
    """End the Wi-Fi network and delete its password.

    Raise HotspotError if nmcli is missing or fails.
    """
    _check_result(run(("connection", "delete", NETWORK_NAME), ""))


def _check_result(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode == 0:
        return done.stdout
    wrong = " ".join(done.stderr.split()).removeprefix("Error: ")
    if "authorized" in wrong:
        raise HotspotError(command_sentence("hotspot.sudo", wrong=wrong))
    raise HotspotError(command_sentence("hotspot.wrong", wrong=wrong or done.returncode))


def _run(arguments: Sequence[str], given: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("nmcli")
    if program is None:
        raise HotspotError(command_sentence("hotspot.no_manager"))
    try:
        return subprocess.run(
            [program, *arguments], input=given, capture_output=True, text=True,
            timeout=COMMAND_TIMEOUT_SECONDS,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise HotspotError(command_sentence("hotspot.silent", wrong=error)) from error
