"""`companion page`: the page for phones, and what systemd hands over when it starts it."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Final

import click

from companion.catalog import registry
from companion.cmd import places
from companion.cmd.call import call
from companion.page import lean

LATER: Final = 10
"""How nice the page is to the box beside it: a press comes before any request."""
FIRST: Final = 3
"""The number of the first socket that systemd hands over."""


@click.command()
@click.option("--socket", "door", type=click.Path(path_type=Path), metavar="PATH",
              help="The door of the box.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True,
              help="Where phones find it; 0 for any that is free.")  # fmt: skip
@click.option("--host", default="", metavar="ADDRESS", help="Only at this address of this machine.")
def page(door: Path | None, port: int, host: str) -> None:
    """Show the table to phones and to a television in the same network (docs/phones.md)."""
    try:
        from companion.page import serve  # noqa: PLC0415 - only here
    except ModuleNotFoundError as error:
        if error.name != "tornado":
            raise
        from companion.cmd.tongue import said  # noqa: PLC0415 - only here

        raise click.ClickException(said("page.no_tornado")) from error
    registry.import_none()
    place = serve.Place(
        door or places.record().with_name("games.sock"),
        port,
        host,
        handed_over(),
    )
    serve.run(place, click.echo)


def run_alone(arguments: list[str], *, debug: bool) -> int:
    """Do `companion page` in a process that does nothing else, and so stays small."""
    lean.spare_openssl()
    if not started_by_systemd():  # whose unit says the same
        os.nice(max(0, LATER - os.nice(0)))
    return call(page, "companion page", arguments, debug=debug)


def started_by_systemd() -> bool:
    """Whether systemd has started this process for whoever came to a socket of its unit."""
    return os.environ.get("LISTEN_PID") == str(os.getpid())


def handed_over() -> tuple[socket.socket, ...]:
    """The sockets that systemd has opened for this process; none if it has not."""
    if not started_by_systemd():
        return ()
    count = int(os.environ.get("LISTEN_FDS", "0"))
    return tuple(socket.socket(fileno=FIRST + n) for n in range(count))
