"""The commands `companion export`, `import`, `backup`, `restore` and `stick`, which copy games.

`companion stick` copies the record to a USB stick. When a stick is plugged in, the unit
`companion-stick@.service` runs this command. After the unit has unmounted the stick, the unit runs
the command a second time, so that the box reports to the players whether the copy succeeded.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

import click

from companion.cmd import places, record_owner, repair_screens
from companion.cmd.i18n import command_sentence, localised_error_text
from companion.core.version import installed_version
from companion.door.client import send_message_and_close
from companion.figures import export, import_games, recorded
from companion.record import backup as copies
from companion.record.journal import Journal, JournalError

journal_option = click.option(
    "--journal", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="The record to use instead of this machine's record.",
)  # fmt: skip


def open_record_read_only(file: Path | None) -> Journal:
    """Return a record that can only be read, even while a box writes to the record.

    If this machine has no record, return an empty record in memory. Raise click.ClickException if
    `file` does not exist, and JournalError if the record cannot be opened.
    """
    path = file or places.record_file()
    if not path.exists():
        if file is not None:
            raise click.ClickException(command_sentence("record.no_file", file=file))
        return Journal(None)
    return Journal(path, beside=True)


@click.command("export")
@click.option("--game", "numbers", type=int, multiple=True, metavar="N",
              help=(
                      "Export only the game with number N in `companion history`; repeatable."
                  ))  # fmt: skip
@journal_option
@click.option(
    "--whole", is_flag=True, help=("Include the secrets of unfinished games in the export.")
)
def export_command(numbers: tuple[int, ...], file: Path | None, whole: bool) -> None:
    """Print the recorded games as JSON Lines, oldest first (docs/history.md)."""
    with record_owner.act_as_record_owner(file), closing(open_record_read_only(file)) as journal:
        wanted = _select_games(journal, numbers)
        games = (recorded.load_recorded_game(journal, number) for number in wanted)
        _write(export.export_lines(games, len(wanted), installed_version(), whole=whole))


def _select_games(journal: Journal, numbers: tuple[int, ...]) -> list[int]:
    there = journal.game_numbers()
    for number in numbers:
        if number not in there:
            raise JournalError("no_game", n=number)
    return sorted({*numbers} or there)


def _write(lines: Iterable[str]) -> None:
    try:
        for line in lines:
            sys.stdout.buffer.write(line.encode() + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.command("import")
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path),
                metavar="FILE")  # fmt: skip
@journal_option
def import_command(source: Path, file: Path | None) -> int:
    """Import games from FILE, which is an export or the games.db of another box.

    If FILE has a mistake, the command imports no game. Games that the record already has stay
    unchanged.
    """
    with (
        record_owner.lend_file_to_record_owner(source, file) as lent,
        record_owner.act_as_record_owner(file) as path,
        closing(
            Journal(path, places.wall_time(), repair_screens.repair_reporter_for_terminal())
        ) as journal,
    ):
        try:
            taken = import_games.import_games_from_file(journal, lent, _progress())
        except import_games.ImportRefusedError as error:
            for fault in error.faults:
                place = command_sentence(f"record.place.{fault.where}", n=fault.n)
                fault_text = command_sentence(
                    "record.fault", file=source, place=place, what=localised_error_text(fault.why)
                )
                click.echo(fault_text, err=True)
            click.echo(command_sentence("record.refused"), err=True)
            return 1
    click.echo(command_sentence("record.taken", new=taken.new, same=taken.same))
    if taken.other:
        click.echo(command_sentence("record.differ", n=taken.other))
    return 0


def _progress() -> Callable[[int], None]:
    def tell(n: int) -> None:
        if sys.stderr.isatty() and n % 10 == 0:
            sys.stderr.write(f"\r{n} ")
            sys.stderr.flush()

    return tell


def _percent() -> Callable[[int], None]:
    def tell(percent: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{percent} % ")
            sys.stderr.flush()

    return tell


@click.command()
@click.argument("target", type=click.Path(path_type=Path), metavar="FILE")
@journal_option
def backup(target: Path, file: Path | None) -> None:
    """Copy the record into FILE, even while the box is running.

    If FILE is a folder, the date becomes part of the copy's name.
    """
    if target.is_dir():
        target /= f"companion-{time.strftime('%Y-%m-%d')}.db"
    with record_owner.act_as_record_owner(file) as path:
        if not path.exists():
            raise click.ClickException(command_sentence("record.none", file=path))
    if record_owner.is_other_users_record(file) and not record_owner.can_record_owner_create_file(
        target, file
    ):
        if target.exists() and target.samefile(path):
            raise JournalError("itself", file=target)
        with record_owner.copy_record_of_other_user(file, copies.back_up_record) as borrowed:
            n = copies.back_up_record(borrowed, target, _percent())
    else:
        with record_owner.act_as_record_owner(file) as path:
            n = copies.back_up_record(path, target, _percent())
    click.echo(command_sentence("record.backed_up", file=target, n=n))


@click.command()
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path),
                metavar="FILE")  # fmt: skip
@journal_option
def restore(source: Path, file: Path | None) -> None:
    """Replace the record with FILE, a copy from `companion backup`.

    The old record stays in the same folder under a new name.
    """
    with (
        record_owner.lend_file_to_record_owner(source, file) as lent,
        record_owner.act_as_record_owner(file) as path,
    ):
        games, aside = copies.restore_record(lent, path, places.wall_time(), _percent())
    click.echo(command_sentence("record.restored", n=games))
    if aside is not None:
        click.echo(command_sentence("record.aside", file=aside))


BACKUP_STICK_MARK_FILE: Final = "companion-backup"
"""Name of the file that marks a USB stick as a stick for backups."""
BACKUP_FILE_NAME: Final = "companion-backup.db"
NOTHING_TO_DO_STATUS: Final = 3
"""Exit status if no backup was copied. The systemd unit does not treat this status as a failure."""


@click.command(hidden=True)
@click.argument("folder", metavar="[FOLDER]", type=click.Path(path_type=Path), required=False)
@click.option(
    "--told",
    type=int,
    metavar="STATUS",
    help=("Report the exit status of a finished backup to the running box."),
)
def stick(folder: Path | None, told: int | None) -> int:
    """Copy the record to FOLDER if FOLDER is a backup stick and the box makes backups."""
    if told is not None:
        _tell(told)
        return 0
    if folder is None:
        raise click.UsageError(command_sentence("stick.no_folder"))
    if not (folder / BACKUP_STICK_MARK_FILE).is_file() or not _is_on():
        return NOTHING_TO_DO_STATUS
    copies.back_up_record(places.record_file(), folder / BACKUP_FILE_NAME)
    return 0


def _is_on() -> bool:
    with closing(open_record_read_only(None)) as journal:
        return journal.all_settings().get("stick") is True


def _tell(status: int) -> None:
    if status in (0, 1):
        send_message_and_close(places.box_socket(), {"stick": "failed" if status else "kept"})
