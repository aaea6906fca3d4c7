"""Tests of repairs: time and memory needed, resuming after a power cut, and reports."""

from __future__ import annotations

import gc
import shutil
import sqlite3
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.record import files, repair, scan
from companion.record.entry import (
    DAMAGE_ERRORS,
    LINE_NUMBER_BITS,
    decode_record_line,
    decode_record_line_unchecked,
    encode_record_line,
)
from companion.record.journal import Entry, Journal, JournalError, RepairResult
from tests.english import raises_english

HEADER = {"game": "toy", "players": ["Ann", "Bob"], "seed": "s"}
LINE = Entry("answer", "move", "Ann", "roll", 1)
OVER = Entry("over", value=["Bob"], at=9)


class PowerCut(BaseException):
    pass


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def write(path: Path, games: int, lines: int = 20) -> None:
    """Write a record of finished games, followed by one unfinished game."""
    journal = Journal(path)
    journal.save_setting("language", "fr", 1)
    for number in range(games):
        end = [OVER] if number < games - 1 else []
        journal.save_new_game(HEADER, [LINE._replace(value=n) for n in range(lines)] + end, number)
    journal.close()


def harm(path: Path, game: int = 1, n: int = 7) -> None:
    """Damage one line, and one row of the list of games so that the next opening notices."""
    database = sqlite3.connect(path)
    place = game << LINE_NUMBER_BITS | n
    database.execute("UPDATE entry SET line = 'spoilt' WHERE id = ?", (place,))
    database.execute("UPDATE game SET winners = 'spoilt' WHERE id = (SELECT max(id) FROM game)")
    database.commit()
    database.close()


def everything(journal: Journal) -> list[Any]:
    return [
        (number, journal.read_game_header_and_lines(number)) for number in journal.game_numbers()
    ]


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the repair of a small record take many steps."""
    monkeypatch.setattr(scan, "PIECE_BYTES", 3 * scan.PAGE_BYTES)
    monkeypatch.setattr(repair, "LINES_PER_REPORT", 40)


# --- time and memory needed -----------------------------------------------------------------------


def memory_of_a_repair(path: Path, games: int) -> int:
    write(path, games)
    harm(path)
    tracemalloc.start()
    journal = Journal(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert journal.repair_result is not None
    journal.close()
    return most


@pytest.mark.long
def test_a_repair_of_four_times_the_games_takes_no_more_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "PIECE_BYTES", 16 * scan.PAGE_BYTES)
    few = memory_of_a_repair(tmp_path / "few.db", 100)
    many = memory_of_a_repair(tmp_path / "many.db", 400)
    assert many < 1.5 * few


@pytest.mark.long
def test_a_repair_asks_sqlite_as_often_for_each_game_of_many_as_of_few(tmp_path: Path) -> None:
    def asked(games: int) -> float:
        path = tmp_path / f"{games}.db"
        write(path, games)
        harm(path)
        statements: list[str] = []
        journal = Journal.__new__(Journal)
        damaged = sqlite3.connect(path, isolation_level=None)
        building = repair.RecordRepair(path, damaged, lambda _: None)
        building._db.set_trace_callback(statements.append)
        building.run(None)
        building.close()
        damaged.close()
        del journal
        return len(statements) / games

    assert asked(200) < 1.1 * asked(50)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("games", [1, 2, 30])
def test_a_repair_keeps_whatever_is_whole(path: Path, games: int) -> None:
    write(path, games)
    journal = Journal(path)
    before = everything(journal)
    journal.close()
    harm(path)
    journal = Journal(path, now=5)
    number, (header, lines) = before[-1]
    assert everything(journal) == [*before[:-1], (number, (header, lines[:6]))]
    assert journal.recent_unfinished_game_numbers() == sorted({1, games}, reverse=True)
    assert journal.repair_result is not None
    assert journal.repair_result[:2] == (21 * games + games - 1 - lost(games), lost(games))
    journal.close()


def lost(games: int) -> int:
    """Return the number of lines from the damaged line to the end of the game."""
    return 14 if games == 1 else 15


def test_of_two_lines_that_fit_the_one_that_went_on_is_kept(path: Path) -> None:
    """The first line's commit failed, and the second line took its number."""
    write(path, 1, lines=5)
    database = sqlite3.connect(path)
    before = 0
    for n, entry in enumerate(
        [Entry("game", value=HEADER, at=0), *[LINE._replace(value=n) for n in range(5)]]
    ):
        _, before = encode_record_line(1, n, entry, before)
    other, _ = encode_record_line(1, 6, LINE._replace(value="other"), before)
    database.execute("INSERT INTO setting VALUES ('other', ?)", (other,))
    true, after = encode_record_line(1, 6, LINE._replace(value="true"), before)
    last, _ = encode_record_line(1, 7, LINE._replace(value="last"), after)
    database.execute("INSERT INTO setting VALUES ('true', ?)", (true,))
    database.execute("INSERT INTO setting VALUES ('zlast', ?)", (last,))
    database.commit()
    database.close()
    journal = Journal(path)
    assert [entry.value for entry in journal.read_game_header_and_lines(1)[1]] == [
        0,
        1,
        2,
        3,
        4,
        "true",
        "last",
    ]
    journal.close()


# --- interrupted ----------------------------------------------------------------------------------


def cut_at(path: Path, step: int) -> bool:
    """Open a record and cut the power at progress report `step`. Return True if it came."""
    left = step

    def tell(_: int) -> None:
        nonlocal left
        if left == 0:
            raise PowerCut
        left -= 1

    try:
        Journal(path, tell=tell).close()
    except PowerCut:
        return True
    return False


@pytest.mark.long
def test_a_repair_that_was_cut_short_goes_on_and_ends_as_one_that_was_not(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small(monkeypatch)
    write(path, 30)
    harm(path)
    whole = tmp_path / "whole.db"
    shutil.copy(path, whole)
    words: list[int] = []
    journal = Journal(whole, tell=words.append)
    expected, damage = everything(journal), journal.repair_result
    journal.close()
    assert words == sorted(words)
    assert len(words) > 20
    assert damage is not None
    read: list[int] = []
    lines = scan.scan_for_possible_game_lines

    def noted(name: str, place: int) -> Iterator[scan.ScannedFilePiece]:
        read.append(place)
        return lines(name, place)

    monkeypatch.setattr(repair, "scan_for_possible_game_lines", noted)
    gc.freeze()  # do not search the objects of other tests for garbage each time
    cuts = 0
    while cut_at(path, 1):
        cuts += 1
        gc.collect()
    journal = Journal(path)
    assert cuts > 10
    assert read == sorted(read)
    assert len({*read}) > 5
    assert everything(journal) == expected
    assert journal.unannounced_repair is not None
    assert journal.unannounced_repair[:2] == damage[:2]
    assert not [file for file in path.parent.iterdir() if "-new" in file.name]
    journal.close()


def test_a_repair_that_was_cut_short_begins_again_if_the_file_is_another(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    write(path, 30)
    harm(path)
    assert cut_at(path, 5)
    other = tmp_path / "other.db"
    write(other, 3)
    harm(other)
    shutil.copy(other, path)
    journal = Journal(path)
    assert journal.game_numbers() == [3, 2, 1]
    journal.close()


def test_a_new_file_of_a_record_that_is_whole_again_is_thrown_away(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small(monkeypatch)
    write(path, 30)
    whole = tmp_path / "whole"
    shutil.copy(path, whole)
    harm(path)
    assert cut_at(path, 5)
    assert files.replacement_file_path(path).exists()
    for tail in ("", "-wal", "-shm"):
        path.with_name(f"{path.name}{tail}").unlink(missing_ok=True)
    shutil.copy(whole, path)
    journal = Journal(path)
    assert journal.repair_result is None
    assert not [file for file in path.parent.iterdir() if "-new" in file.name]
    journal.close()


@pytest.mark.parametrize(
    "error", [sqlite3.OperationalError("disk is full"), OSError(5, "I/O"), MemoryError()]
)
def test_a_repair_that_fails_leaves_nothing_behind_and_says_so_in_a_line(
    path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> Any:
        raise error

    write(path, 3)
    harm(path)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(repair.RecordRepair, "_put_together", fail)
        with raises_english(JournalError, match="Nothing was lost"):
            Journal(path)
    assert not [file for file in path.parent.iterdir() if "-new" in file.name]
    assert path.read_bytes() == before
    journal = Journal(path)
    assert journal.game_numbers() == [3, 2, 1]
    journal.close()


# --- settings: ordered by their place in the file -------------------------------------------------


def test_a_clock_that_went_backwards_revives_no_old_setting(path: Path) -> None:
    write(path, 2)
    journal = Journal(path)
    journal.save_setting("volume", 3, 1_000_000)
    journal.save_setting("heard", "everything", 1_000_000)
    for volume in (4, 5, 6):
        journal.save_setting("volume", volume, 10)
        journal.save_setting("heard", "scores", 10)
    journal.close()
    data = bytearray(path.read_bytes())
    data[:100] = bytes(100)  # the header by which SQLite recognises its file
    path.write_bytes(data)
    journal = Journal(path)
    assert journal.repair_result is not None
    assert journal.all_settings() == {"language": "fr", "volume": 6, "heard": "scores"}
    journal.close()


def test_a_setting_in_the_log_is_newer_than_in_the_file_and_than_in_an_earlier_log(
    path: Path, tmp_path: Path
) -> None:
    journal = Journal(path)
    for volume in range(1, 9):  # a long log whose end is not overwritten by the next log
        journal.save_setting("volume", volume, 1_000_000)
    journal._db.execute("PRAGMA wal_checkpoint(RESTART)")
    journal.save_setting("volume", 2, 10)
    copy = tmp_path / "copy"
    copy.mkdir()
    for tail in ("", "-wal"):
        shutil.copy(f"{path}{tail}", copy)
    journal.close()
    harmed = copy / path.name
    harmed.write_bytes(bytes(100) + harmed.read_bytes()[100:])
    assert (copy / f"{path.name}-wal").stat().st_size > 8 * scan.PAGE_BYTES
    journal = Journal(harmed)
    assert journal.repair_result is not None
    assert journal.all_settings() == {"volume": 2}
    journal.close()


@pytest.mark.long
def test_lines_of_a_log_that_is_spoilt_at_any_frame_are_whole_or_told_to_be_lost(
    path: Path, tmp_path: Path
) -> None:
    journal = Journal(path)
    journal.save_new_game(HEADER, [LINE] * 3, 1)
    journal.append_entries_to_game(1, [LINE])
    files = [path.with_name(f"{path.name}{tail}") for tail in ("", "-wal", "-lock")]
    left = {file.name: file.read_bytes() for file in files}
    journal.close()
    log = left[f"{path.name}-wal"]
    frames = range(32, len(log), 24 + scan.PAGE_BYTES)  # SQLite fileformat2, section 4.1
    assert len(frames) > 8
    for frame in frames:
        folder = tmp_path / str(frame)
        folder.mkdir()
        spoilt = log[: frame + 100] + bytes([log[frame + 100] ^ 1]) + log[frame + 101 :]
        for name, content in (left | {f"{path.name}-wal": spoilt}).items():
            (folder / name).write_bytes(content)
        with closing(Journal(folder / path.name)) as opened:
            lines = opened.read_lines_of_game(1) if opened.game_numbers() else []
            assert len(lines) == 5 or opened.repair_result is not None, (
                f"unreported damage at {frame}"
            )


# --- reported -------------------------------------------------------------------------------------


def test_a_repair_is_untold_until_it_was_told_and_a_second_one_adds_to_it(path: Path) -> None:
    write(path, 3)
    harm(path, 1, 7)
    journal = Journal(path, now=1)
    first = journal.repair_result
    assert isinstance(first, RepairResult)
    assert journal.unannounced_repair == first
    assert journal.all_settings() == {"language": "fr"}
    journal.close()
    journal = Journal(path)
    assert (journal.repair_result, journal.unannounced_repair) == (None, first)
    journal.close()
    harm(path, 2, 7)
    journal = Journal(path, now=100_000)
    assert journal.repair_result is not None
    assert journal.unannounced_repair is not None
    assert journal.unannounced_repair.lost == first.lost + 15
    assert journal.unannounced_repair.file == journal.repair_result.file != first.file
    journal.delete_shown_repair_notice()
    assert journal.unannounced_repair is None
    journal.close()
    journal = Journal(path)
    assert journal.unannounced_repair is None
    journal.close()
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("value", [None, [], [1, 2], "x", [1, 2, 3], {"lost": 1}])
def test_a_repair_that_another_version_remembers_in_its_own_way_is_no_damage(
    path: Path, value: Any
) -> None:
    write(path, 2)
    journal = Journal(path)
    journal.save_setting("repaired", value, 1)
    journal.close()
    journal = Journal(path)
    assert (journal.repair_result, journal.unannounced_repair) == (None, None)
    journal.close()
    harm(path)
    journal = Journal(path)
    assert journal.repair_result is not None
    assert journal.unannounced_repair == journal.repair_result
    journal.close()


def test_a_line_of_lists_without_end_is_damage() -> None:
    value = "[" * 100_000
    text = f'[1,0,"answer",null,null,{value},0]'
    line = f"{zlib.crc32(text.encode(), 0):08x} {text}\n"
    for read in (
        lambda: decode_record_line(line, 1, 0, 0),
        lambda: decode_record_line_unchecked(line),
    ):
        with pytest.raises(DAMAGE_ERRORS):
            read()
