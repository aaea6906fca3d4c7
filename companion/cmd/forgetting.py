"""`companion evening forget`: an evening is taken off its broker, and stays on disk."""

from __future__ import annotations

import click

from companion.cmd import places
from companion.cmd.desk import Place, at_place, no_broker
from companion.cmd.tongue import counted, said
from companion.evening import folder as files


@click.command("forget")
@click.option("--yes", is_flag=True, help="Also an evening that is not over.")
@at_place
def forget(place: Place, yes: bool) -> None:  # noqa: FBT001 - click gives it by name
    """Take an evening off its broker. What is in folders stays there."""
    from companion.evening import kept  # noqa: PLC0415 - paho is slow to import

    if place.address is None:
        raise click.UsageError(said("evening.which_broker"))
    try:
        known, _ = files.load(place.folder)
        count = kept.forget(place.address, place.name, places.monotonic, known, anyway=yes)
    except kept.NotOver as error:
        raise click.ClickException(said("evening.not_over", title=place.name)) from error
    except OSError as error:
        raise no_broker(error) from error
    click.echo(counted("evening.forgotten", count, title=place.name))
