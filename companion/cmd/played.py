"""`companion verify`: was a game played straight?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from companion.catalog import registry
from companion.cmd.looked import record
from companion.cmd.tongue import counted, said
from companion.core.chance import Chance
from companion.play import verify
from companion.play.header import origin_of
from companion.record.journal import JournalError

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command("verify")
@click.argument("number", type=int, metavar="N")
def verify_command(number: int) -> None:
    """Replay a finished game from its seed: was it played straight?

    N is its number in `history`.
    """
    with record() as journal:
        if number not in journal.games():
            raise JournalError("no_game", n=number)
        if journal.summary(number).winners is None:
            raise click.ClickException(said("verify.open", n=number))
        found = verify.check(journal, number)
        header, entries = journal.read(number)
    if other := _other_version(header):
        click.echo(other)
    seed = header["seed"]
    click.echo(said("verify.game", n=number, code=Chance(seed).code, seed=seed))
    if presses := [str(entry.value) for entry in entries if entry.kind == "press"]:
        click.echo(said("verify.presses", presses=",".join(presses)))
    if found.problem is not None:
        what = said(f"wrong.problem.{found.problem}")
        raise click.ClickException(said("verify.crooked", n=found.line, what=what))
    click.echo(counted("verify.straight", found.draws))
    if found.agreed:
        click.echo(said("verify.agreed", n=found.agreed))
    if found.corrected:
        click.echo(said("verify.corrected", n=found.corrected))
    if found.reopened:
        click.echo(said("verify.reopened"))


def _other_version(header: Mapping[str, Any]) -> str:
    """That a record is of another version of its package than is installed; else empty."""
    played, here = origin_of(header), registry.origin(header["game"])
    if played is None or here is None or played == here:
        return ""
    return said("verify.other_version", played=played, here=here.version)
