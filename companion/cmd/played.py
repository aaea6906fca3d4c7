"""`companion verify`: was a game played straight?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from companion.cmd.looked import record
from companion.core.chance import Chance
from companion.games import registry
from companion.play import verify
from companion.play.header import origin_of
from companion.record.journal import JournalError

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command("verify")
@click.argument("number", type=int, metavar="GAME")
def verify_command(number: int) -> None:
    """Replay a finished game from its seed: was it played straight?

    GAME is its number in `history`.
    """
    with record() as journal:
        if number not in journal.games():
            raise JournalError(f"There is no game {number}: `companion history` lists them.")
        if journal.summary(number).winners is None:
            raise click.ClickException(f"Game {number} is not finished: its seed is a secret.")
        found = verify.check(journal, number)
        header, entries = journal.read(number)
    if other := _other_version(header):
        click.echo(other)
    seed = header["seed"]
    click.echo(f"Game {number}, code of chance {Chance(seed).code}, seed {seed}")
    if presses := [str(entry.value) for entry in entries if entry.kind == "press"]:
        click.echo(f"Presses {','.join(presses)}")
    if found.problem is not None:
        raise click.ClickException(
            f"Not straight, line {found.line}: {verify.PROBLEMS[found.problem]}."
        )
    click.echo(f"Played straight: {found.draws} rolls and shuffles follow from the seed.")
    if found.agreed:
        click.echo(f"Taken back past a secret, with the table's consent: {found.agreed}.")
    if found.corrected:
        click.echo(f"Put right by the table, for all to see: {found.corrected}.")
    if found.reopened:
        click.echo("The game went on after its seed had been shown: later draws could be known.")


def _other_version(header: Mapping[str, Any]) -> str:
    """That a record is of another version of its package than is installed; else empty."""
    played, here = origin_of(header), registry.origin(header["game"])
    if played is None or here is None or played == here:
        return ""
    return f"It was played with {played}; {here.version} is installed."
