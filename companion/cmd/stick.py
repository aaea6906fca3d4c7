"""`companion stick`: the newest backup goes onto a USB stick that is meant for it.

`companion-stick@.service` calls it, as the box's user, when a stick is plugged in; a second time,
once the stick may be pulled out, so that the box can say so.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

import click

from companion.cmd import door, places
from companion.cmd.carried import read_beside
from companion.cmd.tongue import said

MARK: Final = "companion-backup"
"""The file that makes a stick one for backups."""
KEPT: Final = "companion-backup.db"
NOTHING: Final = 3
"""The exit status where there was nothing to do; systemd hands it on."""


@click.command(hidden=True)
@click.argument("folder", metavar="[FOLDER]", type=click.Path(path_type=Path), required=False)
@click.option("--told", type=int, metavar="STATUS", help="Tell the box how a backup ended.")
def stick(folder: Path | None, told: int | None) -> int:
    """Copy the record to FOLDER, if that is a stick for backups and this box makes them."""
    if told is not None:
        _tell(told)
        return 0
    if folder is None:
        raise click.UsageError(said("stick.no_folder"))
    if not (folder / MARK).is_file() or not _is_on():
        return NOTHING
    from companion.record.backup import back_up  # noqa: PLC0415 - only here

    back_up(places.record(), folder / KEPT)
    return 0


def _is_on() -> bool:
    with closing(read_beside(None)) as journal:
        return journal.settings().get("stick") is True


def _tell(status: int) -> None:
    """Tell the running box, if one runs, and if there was something to do."""
    if status in (0, 1):
        door.tell({"stick": "failed" if status else "kept"})
