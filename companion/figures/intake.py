"""Games of elsewhere taken into a record: an export, or another box's file.

All of them or none: if anything is wrong, it is named, and nothing has changed. What is here
already is left as it is.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.core.errors import CompanionError, Explained, UnknownGame, Unplayable
from companion.figures import export, lines, recorded
from companion.figures.fit import Unfit
from companion.figures.lines import ClaimedGame, LineFault
from companion.play import verify
from companion.play.header import of_other_rules
from companion.record.entry import ODD, Entry, effective_entries
from companion.record.journal import Journal, JournalError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from companion.figures.lines import Found
    from companion.figures.recorded import Recorded

MAGIC: Final = b"SQLite format 3\0"
MAX_REPORTED_FAULTS: Final = 20
"""So many faults are named; there may be more."""


class IntakeRefused(CompanionError):
    """Nothing was taken in; `faults` says why."""

    def __init__(self, faults: tuple[LineFault, ...]) -> None:
        super().__init__("; ".join(f"{fault.where} {fault.n}: {fault.why}" for fault in faults))
        self.faults = faults


class IntakeCounts(NamedTuple):
    """How many games were taken in, were here already, and are here with other lines."""

    new: int
    same: int
    other: int


def take_in(
    journal: Journal, file: Path, tell: Callable[[int], None] = lambda _: None
) -> IntakeCounts:
    """Take the games of a file in; `tell` hears how many were looked at.

    Raises NotTaken, JournalError or OSError; then nothing has changed.
    """
    here = {recorded.id_at(journal, n): n for n in journal.games()}
    faults: list[LineFault] = []
    counts = dict.fromkeys(IntakeCounts._fields, 0)
    seen: set[str] = set()
    with journal.adding() as add:
        for n, found in enumerate(_found(file), 1):
            fault = found if isinstance(found, LineFault) else _fault(journal, found, seen)
            if fault is not None:
                faults.append(fault)
            elif isinstance(found, ClaimedGame):
                seen.add(found.game.id)
                how = _take(journal, found.game, here, None if faults else add)
                counts[how] += 1
            if len(faults) == MAX_REPORTED_FAULTS:
                break
            tell(n)
        if faults:
            raise IntakeRefused(tuple(faults))
    return IntakeCounts(**counts)


def _take(
    journal: Journal,
    game: Recorded,
    here: dict[str, int],
    add: Callable[[Iterable[Entry]], int] | None,
) -> str:
    """What becomes of a game: "new", "same" or "other"."""
    if game.id in here:
        mine = recorded.load_game(journal, here[game.id])
        same = mine[1:] == game[1:] and mine.header["seed"] == game.header["seed"]
        return "same" if same else "other"
    if add is not None:
        add((Entry("game", value=dict(game.header), at=game.begun), *game.entries))
    return "new"


def _found(file: Path) -> Iterator[Found]:
    """The games of a file, whichever of the two it is. Raises OSError."""
    if not file.is_file():  # nobody may ever write into a pipe
        raise JournalError("no_file", file=file)
    with file.open("rb") as opened:
        if opened.read(len(MAGIC)) != MAGIC:
            opened.seek(0)
            yield from lines.read(opened)
            return
    try:
        other = Journal(file, beside=True)
    except (JournalError, sqlite3.Error):
        yield LineFault("file", None, Unfit("not_whole"))
        return
    with closing(other):
        yield from _of_record(other)


def _of_record(other: Journal) -> Iterator[Found]:
    """The games of another record, each exported and read with the same suspicion."""
    for number in sorted(other.games()):
        try:
            game = recorded.load_game(other, number)
            told = (export.first(1, ""), *export.of_game(game, open_=True))
        except (*ODD, JournalError):
            yield LineFault("game", number, Unfit("damaged"))
            continue
        for found in lines.read(BytesIO("\n".join(told).encode())):
            yield LineFault("game", number, found.why) if isinstance(found, LineFault) else found


def _fault(journal: Journal, claim: ClaimedGame, seen: set[str]) -> LineFault | None:
    """What is wrong with a game when it is played again; None if it is as the file says."""
    game, at = claim.game, ("line", claim.line)
    if game.id in seen:
        return LineFault(*at, Unfit("again"))
    if game.is_kept_back:
        return None  # nobody can know
    try:
        with of_other_rules():
            found, outcome = verify.straight(journal, game.header, game.entries)
    except Unplayable:
        return None  # its package is not here: whoever plays it on will see
    except UnknownGame as error:
        return None if claim.replays is False else LineFault(*at, error)
    if found.problem == "rules" and claim.replays is False:
        return None  # it did not fit the rules where it comes from, either
    if found.problem is not None:
        entry = effective_entries(game.entries)[found.line - 1] if found.line else None
        line = next((n for n, e in enumerate(game.entries, 1) if e is entry), 0)
        why = Explained(f"problem.{found.problem}")
        return LineFault("line", claim.line + line, why)
    scores = outcome.scores if outcome else {}
    if game.is_over and dict(scores) != claim.scores:
        return LineFault(*at, Unfit("scores"))
    return None
