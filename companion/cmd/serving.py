"""`companion evening serve` and `attend`: the evening at this box's table, until told to end."""

from __future__ import annotations

import signal
import socket
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

import sounds
from companion.cmd import door, places
from companion.cmd.desk import Place, at_any, at_place
from companion.cmd.paged import handed_over
from companion.cmd.tongue import said, wrong

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.home import Home

FOREVER = 3600.0
GLANCE = 0.1
"""Seconds in which the box, which says its key at once, has said it."""
LONGEST_KEY = 64


def of_this_box(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say at which door it stands, and who else is told."""
    for add in (
        click.option("--home-assistant", "house", is_flag=True, envvar="COMPANION_EVENING_HOME",
                     help="Tell Home Assistant of this table (docs/home-assistant.md)."),
        click.option("--socket", "path", type=click.Path(path_type=Path),
                     help="The box's door, if it is not the one of this machine."),
    ):  # fmt: skip
        command = add(command)
    return command


@click.command("serve")
@click.option("--table", type=click.IntRange(1), required=True, envvar="COMPANION_EVENING_TABLE",
              help="The table where this box stands.")  # fmt: skip
@of_this_box
@at_place
def serve(place: Place, table: int, path: Path | None, house: bool) -> None:  # noqa: FBT001 - click gives it by name
    """Tell the evening what this box's table has played, and keep what others tell.

    Ends with SIGTERM or Ctrl-C.
    """
    from companion.evening.member import Member  # noqa: PLC0415 - paho is slow to import
    from companion.evening.service import Service  # noqa: PLC0415 - likewise
    from companion.figures.when import stamp  # noqa: PLC0415 - likewise

    if place.address is None:
        raise click.UsageError(said("evening.which_broker"))
    member = Member(place.folder, place.address, place.name, places.monotonic)
    box, begun = path or door.found(), stamp(places.wall())
    home = _home(place.name, member.link.box, table) if house else None
    service = Service(member, table, box, place.folder, places.monotonic, begun, home)
    ended = _ended()
    told = None
    while not service.turn(FOREVER, (ended,)):
        trouble = member.trouble
        connected = said("evening.connected", name=place.name, n=table)
        now = connected if trouble is None else wrong(trouble)
        if now != told:
            told = now
            click.echo(f"companion: {now}", err=True)
    service.close()


@click.command("attend")
@click.option("--table", type=click.IntRange(1), envvar="COMPANION_EVENING_TABLE",
              help="Join --evening as this table, unless another was joined.")  # fmt: skip
@of_this_box
@at_place
def attend(place: Place, table: int | None, path: Path | None, house: bool) -> None:  # noqa: FBT001 - click gives it by name
    """Look after the box's menu of evenings: find one, open one, join it, and `serve` it then.

    The box starts it. --broker is one that is asked beside those that avahi knows; --user,
    --password-file and --ca are for all of them. Ends ten minutes after nobody wants anything.
    """
    from companion.evening.attendant import Attendant, Joined, World  # noqa: PLC0415 - paho is slow
    from companion.evening.finding import announced  # noqa: PLC0415 - likewise
    from companion.figures.when import stamp  # noqa: PLC0415 - likewise

    own = place.address
    asked = () if own is None else ((own.host, own.port),)
    world = World(
        door=path or door.found(),
        base=place.folder.parent,
        access=at_any(place.key),
        brokers=lambda: tuple(dict.fromkeys((*asked, *announced()))),
        now=places.monotonic,
        wall=lambda: stamp(places.wall()),
        clock=places.on_the_clock,
        home=_home if house else lambda *_: None,
        epoch=places.wall,
    )
    joined = Joined(place.name, table, *asked[0]) if table is not None and asked else None
    attendant, ended, waking = Attendant(world, joined), _ended(), handed_over()
    ready = attendant.turn(0, (ended, *(each.fileno() for each in waking)))
    while ready is not None and ended not in ready:
        for each in waking:
            if each.fileno() in ready and (key := _key(each)):
                attendant.trust(key)
        ready = attendant.turn(FOREVER, (ended, *(each.fileno() for each in waking)))
    attendant.close()


def _key(waking: socket.socket) -> str:
    """What the box says when it wakes us: the key to its door. "" if somebody else did."""
    with waking.accept()[0] as wire:
        wire.settimeout(GLANCE)
        try:
            return wire.recv(LONGEST_KEY).decode("ascii", "replace")
        except OSError:
            return ""


def _home(evening: str, box: str, table: int) -> Home:
    """This box as a house knows it, with every sound that its games have."""
    from companion.catalog import registry  # noqa: PLC0415 - only here
    from companion.evening.home import Home  # noqa: PLC0415 - likewise

    folders = [
        Path(sounds.__path__[0]),
        *(registry.folder(game) / "sounds" for game in registry.NAMES),
    ]
    moments = {file.stem for folder in folders for file in folder.glob("*.wav")}
    return Home(evening, box, table, version("tabletop-companion"), tuple(sorted(moments)))


def _ended() -> int:
    """What a `select` can wait for: something comes there when this process is to end."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    _KEPT.extend((ours, theirs))
    return ours.fileno()


_KEPT: list[socket.socket] = []
"""A socket that nobody keeps is closed."""
