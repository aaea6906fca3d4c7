"""Import of games into a record, from an export file or from another box's record.

If the file has a fault, the import adds no game. Otherwise, the import adds all games that the
record does not contain. The import never changes the games in the record.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.errors import CompanionError, TranslatedError, UnknownGame, UnplayableGame
from companion.figures import export, export_reader, recorded
from companion.figures.export_reader import ExportFault, GameOrFault, UnverifiedGame
from companion.figures.line_checks import InvalidExportLine
from companion.figures.recorded import RecordedGame
from companion.play import verify
from companion.play.record_header import rule_errors_as_outdated_game
from companion.record.entry import DAMAGE_ERRORS, Entry, drop_cut_entries
from companion.record.journal import Journal, JournalError

SQLITE_MAGIC: Final = b"SQLite format 3\0"
MAX_REPORTED_FAULTS: Final = 20
"""The number of faults in a file after which the import stops reading."""


class ImportRefusedError(CompanionError):
    """The error for a file with faults. The import has changed nothing.

    `faults`: the faults that the import found in the file.
    """

    def __init__(self, faults: tuple[ExportFault, ...]) -> None:
        super().__init__("; ".join(f"{fault.where} {fault.n}: {fault.why}" for fault in faults))
        self.faults = faults


class ImportCounts(NamedTuple):
    """The numbers of games in an imported file.

    - `new`: games that the import added.
    - `same`: games that the record already contained.
    - `other`: games that the import did not add, because the record contains a game with the same
      identifier but different lines.
    """

    new: int
    same: int
    other: int


def import_games_from_file(
    journal: Journal, file: Path, tell: Callable[[int], None] = lambda _: None
) -> ImportCounts:
    """Add the games in a file to the record. Return the numbers of new, known and different games.

    `tell`: the callback that receives the number of games that were checked so far.

    If the import fails, raise ImportRefusedError, JournalError or OSError and leave the record
    unchanged.
    """
    here = {recorded.read_game_id(journal, n): n for n in journal.game_numbers()}
    faults: list[ExportFault] = []
    counts = dict.fromkeys(ImportCounts._fields, 0)
    seen: set[str] = set()
    with journal.game_adder_with_single_commit() as add:
        for n, claim in enumerate(_found(file), 1):
            fault = claim if isinstance(claim, ExportFault) else _fault(journal, claim, seen)
            if fault is not None:
                faults.append(fault)
            elif isinstance(claim, UnverifiedGame):
                seen.add(claim.game.id)
                how = _take(journal, claim.game, here, None if faults else add)
                counts[how] += 1
            if len(faults) == MAX_REPORTED_FAULTS:
                break
            tell(n)
        if faults:
            raise ImportRefusedError(tuple(faults))
    return ImportCounts(**counts)


def _take(
    journal: Journal,
    game: RecordedGame,
    here: dict[str, int],
    add: Callable[[Iterable[Entry]], int] | None,
) -> str:
    """Add a game if the record lacks the game.

    Return the name of the field in `ImportCounts` that counts the game.

    - `here`: the numbers of the record's games, by identifier.
    - `add`: the function that adds the game; None to add no game.
    """
    if game.id in here:
        mine = recorded.load_recorded_game(journal, here[game.id])
        same = mine[1:] == game[1:] and mine.header["seed"] == game.header["seed"]
        return "same" if same else "other"
    if add is not None:
        add((Entry("game", value=dict(game.header), at=game.begun), *game.entries))
    return "new"


def _found(file: Path) -> Iterator[GameOrFault]:
    if not file.is_file():  # refuse a named pipe, because opening it would block
        raise JournalError("no_file", file=file)
    with file.open("rb") as opened:
        if opened.read(len(SQLITE_MAGIC)) != SQLITE_MAGIC:
            opened.seek(0)
            yield from export_reader.read_export(opened)
            return
    try:
        other = Journal(file, beside=True)
    except (JournalError, sqlite3.Error):
        yield ExportFault("file", None, InvalidExportLine("not_whole"))
        return
    with closing(other):
        yield from _of_record(other)


def _of_record(other: Journal) -> Iterator[GameOrFault]:
    for number in sorted(other.game_numbers()):
        try:
            game = recorded.load_recorded_game(other, number)
            text_lines = (
                export.export_first_line(1, ""),
                *export.game_export_lines(game, open_=True),
            )
        except (*DAMAGE_ERRORS, JournalError):
            yield ExportFault("game", number, InvalidExportLine("damaged"))
            continue
        for claim in export_reader.read_export(BytesIO("\n".join(text_lines).encode())):
            yield (
                ExportFault("game", number, claim.why) if isinstance(claim, ExportFault) else claim
            )


def _fault(journal: Journal, claim: UnverifiedGame, seen: set[str]) -> ExportFault | None:
    """Replay a game from an imported file. Return the fault that the replay finds.

    Return None if the replay confirms the result in the file. Also return None, without a replay,
    if the seed or the game's package is missing. If the file states that a replay fails, a replay
    that does not fit the rules is not a fault.

    `seen`: the identifiers of the file's earlier games, to detect a game that is in the file twice.
    """
    game, at = claim.game, ("line", claim.line)
    if game.id in seen:
        return ExportFault(*at, InvalidExportLine("again"))
    if game.is_without_seed:
        return None  # accept the game: without its secrets, it cannot be replayed
    try:
        with rule_errors_as_outdated_game():
            verdict, outcome = verify.verify_entries_against_seed(
                journal, game.header, game.entries
            )
    except UnplayableGame:
        return None  # accept the game: without its package, it cannot be checked
    except UnknownGame as error:
        return None if claim.replays is False else ExportFault(*at, error)
    if verdict.problem == "rules" and claim.replays is False:
        return None  # accept the game: the file itself states that a replay fails
    if verdict.problem is not None:
        entry = (
            drop_cut_entries(game.entries)[verdict.last_verified_entry - 1]
            if verdict.last_verified_entry
            else None
        )
        line = next((n for n, e in enumerate(game.entries, 1) if e is entry), 0)
        why = TranslatedError(f"problem.{verdict.problem}")
        return ExportFault("line", claim.line + line, why)
    scores = outcome.scores if outcome else {}
    if game.is_over and dict(scores) != claim.scores:
        return ExportFault(*at, InvalidExportLine("scores"))
    return None
