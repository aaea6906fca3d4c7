"""`companion history` and `companion verify`: what was played on this box, and whether straight."""

from __future__ import annotations

import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from companion.cmd import mending
from companion.core.chance import Chance
from companion.core.game import Cue
from companion.games import registry
from companion.play import verify
from companion.play.header import origin_of
from companion.record.journal import JournalError
from companion.say.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.record.journal import Journal


@click.command()
def history() -> None:
    """List all games that were played, the newest first."""
    with _record() as journal:
        for number in journal.games():
            click.echo(_line(journal, number))
        if not journal.games():
            click.echo("No game yet.")


@contextmanager
def _record() -> Iterator[Journal]:
    """The record of this box; that it had to be repaired is said first."""
    with closing(mending.opened()) as journal:
        if journal.damage is not None:
            text = Words("en").text(Cue("damaged", journal.damage._asdict()))
            click.echo(f"The record was repaired: {text.replace('|', ' ')}", err=True)
        yield journal


def _line(journal: Journal, number: int) -> str:
    try:
        summary = journal.summary(number)
    except JournalError as error:
        return f"{number:5d}  {error}"
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(summary.started))
    end = f"won by {', '.join(summary.winners)}" if summary.winners else "not finished"
    return f"{number:5d}  {when}  {summary.game}  {', '.join(summary.players)}: {end}"


PROBLEMS: Final = {
    "commitment": "the seed is not the one that was promised before the game",
    "draw": "a roll or a shuffle does not follow from the seed",
    "press": "a press was mixed in when none was asked for",
    "undo": "a secret had been seen, and the table was not asked before the undo",
    "rules": "an answer does not fit the rules of this version",
    "winner": "the winner does not follow from the answers",
}


@click.command("verify")
@click.argument("number", type=int, metavar="GAME")
def verify_command(number: int) -> None:
    """Replay a finished game from its seed: was it played straight?

    GAME is its number in `history`.
    """
    with _record() as journal:
        if number not in journal.games():
            raise JournalError(f"There is no game {number}: `companion history` lists them.")
        if journal.summary(number).winners is None:
            raise click.ClickException(f"Game {number} is not finished: its seed is a secret.")
        found = verify.check(journal, number)
        header, entries = journal.read(number)
    if other := _other_version(header):
        click.echo(other)
    seed = header["seed"]
    click.echo(f"Game {number}, shuffle code {Chance(seed).code}, seed {seed}")
    if presses := [str(entry.value) for entry in entries if entry.kind == "press"]:
        click.echo(f"Presses {','.join(presses)}")
    if found.problem is not None:
        raise click.ClickException(f"Not straight, line {found.line}: {PROBLEMS[found.problem]}.")
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
