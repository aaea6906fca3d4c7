"""What makes figures of a record beside the box that plays with it, so that no press waits."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from companion.box.events import Figured
from companion.cmd import places

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.box.events import Counting


def beside(record: Path) -> Counting:
    """What counts in a thread that ends when it has counted: one after another."""
    one_by_one = threading.Lock()

    def begin(number: int | None, put: Callable[[Figured], None]) -> None:
        work = partial(_count, record, one_by_one, number, put)
        threading.Thread(target=work, name="figures", daemon=True).start()

    return begin


def _count(
    record: Path, one_by_one: threading.Lock, number: int | None, put: Callable[[Figured], None]
) -> None:
    """Everybody's figures, or what there is to say of one game, which may be nothing."""
    from companion.figures.lookup import everybody, remark  # noqa: PLC0415 - not before the first frame
    from companion.figures.shelf import Shelf  # noqa: PLC0415 - likewise
    from companion.record.journal import Journal, JournalError  # noqa: PLC0415 - likewise

    try:
        with (
            one_by_one,
            closing(Journal(record, beside=True)) as journal,
            closing(Shelf(journal, places.figures_beside(record))) as shelf,
        ):
            if number is not None:
                put(Figured(remark(shelf, number)))
                return
            put(Figured(everybody(shelf, places.wall(), places.day, lambda n: put(Figured(n)))))
    except (OSError, sqlite3.Error) as error:  # JournalError is an OSError
        if number is None:  # what nobody has asked for need not be missed
            put(Figured(error.code if isinstance(error, JournalError) else _code(error)))


def _code(error: OSError | sqlite3.Error) -> str:
    """What a failure of the figures' own file is called: the page of phones may be counting."""
    return "busy" if "locked" in str(error) else "figures"
