from __future__ import annotations

import gc
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import companion
from companion.record.entry import LINE_NUMBER_BITS
from companion.record.journal import (
    MAX_NEWEST_GAMES,
    VERSION,
    Entry,
    GameSummary,
    Journal,
    JournalError,
    RepairResult,
)
from companion.record.repair import RecordRepair
from tests.english import raises_english

HEADER = {"game": "toy", "players": ["Ann", "Bob"], "seed": "s"}
LINES = [Entry("answer", "move", "Ann", "roll", 1), Entry("box", "roll", "Ann", [6, 1], 1)]
OVER = Entry("over", value=["Bob"], at=9)
ROOT = Path(companion.__file__).parents[1]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture(params=["file", "memory"])
def journal(request: pytest.FixtureRequest, path: Path) -> Iterator[Journal]:
    opened = Journal(path if request.param == "file" else None)
    yield opened
    opened.close()


def filled(path: Path, last: int = 2) -> None:
    """Write a finished game 1 and an unfinished game 2. Game `last` got the last line."""
    journal = Journal(path)
    journal.save_setting("language", "fr", 1)
    for number in (1, 2):
        assert journal.save_new_game(HEADER, [], number) == number
        for place in range(40):
            journal.append_entries_to_game(
                number, [Entry("answer", "move", "Ann", place, place), *LINES]
            )
    for number in (3 - last, last):
        journal.append_entries_to_game(number, [OVER] if number == 1 else LINES)
    journal.close()


def contents(path: Path) -> bytes:
    return path.read_bytes()


# --- games ----------------------------------------------------------------------------------------


def test_what_is_written_is_read_back(journal: Journal) -> None:
    strange = Entry("answer", "word", 'Zoë "Z" ☕', {"a": [1, None, True, "é\n\x00"]}, 1 << 40)
    game = journal.save_new_game(HEADER, [strange], 5)
    journal.append_entries_to_game(game, LINES)
    journal.append_entries_to_game(game, [])
    assert journal.read_game_header_and_lines(game) == (HEADER, [strange, *LINES])


def test_what_is_written_is_there_after_closing(path: Path) -> None:
    filled(path)
    journal = Journal(path)
    header, entries = journal.read_game_header_and_lines(2)
    assert header == HEADER
    assert len(entries) == 122
    assert entries[-2:] == LINES
    assert journal.repair_result is None
    journal.append_entries_to_game(2, [OVER])
    assert journal.read_game_header_and_lines(2)[1][-1] == OVER
    journal.close()


def test_games_are_numbered_from_one_and_never_mixed(journal: Journal) -> None:
    first, second = (journal.save_new_game(HEADER, [], n) for n in (1, 2))
    journal.append_entries_to_game(first, LINES[:1])
    journal.append_entries_to_game(second, LINES[1:])
    assert (first, second) == (1, 2)
    assert (journal.read_game_header_and_lines(1)[1], journal.read_game_header_and_lines(2)[1]) == (
        LINES[:1],
        LINES[1:],
    )


def test_unfinished_games_are_listed_newest_first(journal: Journal) -> None:
    for n in range(1, 5):
        journal.save_new_game(HEADER, [], n)
    journal.append_entries_to_game(3, [OVER])
    assert journal.recent_unfinished_game_numbers() == [4, 2, 1]
    assert journal.game_numbers() == [4, 3, 2, 1]


def test_a_game_that_is_over_can_go_on_again_after_an_undo(journal: Journal) -> None:
    journal.save_new_game(HEADER, [*LINES, OVER], 1)
    assert journal.recent_unfinished_game_numbers() == []
    journal.append_entries_to_game(1, [Entry("undo", value=False)])
    assert journal.recent_unfinished_game_numbers() == [1]


@pytest.mark.parametrize("together", [True, False])
def test_a_look_at_the_own_cards_leaves_a_game_over(journal: Journal, together: bool) -> None:  # noqa: FBT001
    seen = Entry("seen", None, "Ann")
    journal.save_new_game(HEADER, [*LINES, OVER, *([seen] if together else [])], 1)
    if not together:
        journal.append_entries_to_game(1, [seen])
    assert journal.recent_unfinished_game_numbers() == []
    assert journal.game_summary(1).winners == ("Bob",)


def test_a_summary_says_who_when_and_who_won(journal: Journal) -> None:
    journal.save_new_game(HEADER, [], 100)
    journal.append_entries_to_game(1, LINES)
    assert journal.game_summary(1) == GameSummary(1, "toy", ("Ann", "Bob"), 100, 1, None)
    journal.append_entries_to_game(1, [OVER])
    assert journal.game_summary(1) == GameSummary(1, "toy", ("Ann", "Bob"), 100, 9, ("Bob",))


@pytest.mark.parametrize("game", [0, 2, 1 << 50])
def test_a_game_that_is_not_there_is_said_to_be_missing(journal: Journal, game: int) -> None:
    journal.save_new_game(HEADER, [], 1)
    for call in (journal.read_game_header_and_lines, journal.game_summary):
        with pytest.raises(JournalError):
            call(game)


# --- settings -------------------------------------------------------------------------------------


def test_settings_are_kept_and_the_last_value_counts(path: Path) -> None:
    journal = Journal(path)
    journal.save_setting("volume", 3, 1)
    journal.save_setting("volume", 5, 2)
    journal.save_setting("names", ["Ann", "Zoë"], 3)
    journal.close()
    journal = Journal(path)
    assert journal.all_settings() == {"volume": 5, "names": ["Ann", "Zoë"]}
    journal.close()


def test_the_settings_given_out_are_a_copy(journal: Journal) -> None:
    journal.all_settings()["volume"] = 9
    assert journal.all_settings() == {}


# --- one owner ------------------------------------------------------------------------------------


def test_a_second_companion_is_told_that_another_has_the_file(path: Path) -> None:
    journal = Journal(path)
    with raises_english(JournalError, match=r"Another companion .*is using"):
        Journal(path)
    journal.save_new_game(HEADER, [], 1)
    journal.close()
    journal.close()
    journal = Journal(path)
    assert journal.game_numbers() == [1]
    journal.close()


def test_a_refused_opening_gives_the_lock_back(path: Path) -> None:
    Journal(path).close()
    set_version(path, VERSION + 1)
    with pytest.raises(JournalError):
        Journal(path)
    set_version(path, VERSION)
    Journal(path).close()


def test_the_file_is_the_owners_alone(path: Path) -> None:
    filled(path)
    journal = Journal(path)
    journal.save_setting("a", 1, 1)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
    journal.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write everywhere")
def test_a_folder_that_can_not_be_written_is_told_plainly(path: Path) -> None:
    path.parent.chmod(0o500)
    with raises_english(JournalError, match="cannot be opened: Permission denied"):
        Journal(path)


def test_a_folder_in_the_place_of_the_file_is_told_plainly(path: Path) -> None:
    path.mkdir()
    with raises_english(JournalError, match="check who owns it"):
        Journal(path)


# --- other files ----------------------------------------------------------------------------------


def set_version(path: Path, version: int) -> None:
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {version}")
    database.close()


def test_a_newer_companions_file_is_refused_and_left_alone(path: Path) -> None:
    filled(path)
    set_version(path, VERSION + 1)
    before = contents(path)
    with raises_english(
        JournalError,
        match=rf"\(format {VERSION + 1}; this version reads up to {VERSION}\): update",
    ):
        Journal(path)
    assert contents(path) == before


@pytest.mark.parametrize("text", [b"no record" * 1000, None])
def test_a_file_that_can_not_be_looked_into_is_let_go(path: Path, text: bytes | None) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE foreign_table(x)")  # a record has only its own tables
    if text is not None:
        path.write_bytes(text)
    with raises_english(JournalError, match="damaged"):
        Journal(path, beside=True)
    with os.scandir("/proc/self/fd") as opened:
        assert not [file for file in opened if os.path.realpath(file.path) == os.fspath(path)]


def test_an_empty_file_is_a_new_record(path: Path) -> None:
    path.touch()
    journal = Journal(path)
    assert journal.was_empty
    assert journal.repair_result is None
    assert journal.game_numbers() == []
    assert journal.save_new_game(HEADER, [], 1) == 1
    journal.close()
    journal = Journal(path)
    assert not journal.was_empty
    assert journal.game_numbers() == [1]
    journal.close()


def test_a_missing_file_is_made_with_its_folders(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a" / "b" / "games.db")
    assert not journal.was_empty
    journal.close()


@pytest.mark.parametrize("kind", ["text", "database"])
def test_a_foreign_file_is_set_aside_untouched_and_named(path: Path, kind: str) -> None:
    if kind == "text":
        path.write_text("Dear diary, today we played.\n" * 500)
    else:
        database = sqlite3.connect(path)
        database.execute("CREATE TABLE recipe(name TEXT)")
        database.close()
    before = contents(path)
    journal = Journal(path, now=1_000_000_000)
    assert journal.repair_result is not None
    assert (journal.repair_result.kept, journal.repair_result.lost) == (0, 0)
    assert re.fullmatch(r"games-damaged-2001-09-\d\d-\d{6}\.db", journal.repair_result.file)
    assert contents(path.with_name(journal.repair_result.file)) == before
    assert journal.game_numbers() == []
    journal.close()


# --- damage ---------------------------------------------------------------------------------------


def test_an_emptied_or_deleted_record_is_named_and_not_taken_for_a_new_one(path: Path) -> None:
    for harm in (lambda: path.write_bytes(b""), path.unlink):
        filled(path)
        harm()
        journal = Journal(path)
        assert journal.repair_result is not None
        assert journal.repair_result.lost == 123
        journal.close()
        for file in path.parent.iterdir():
            file.unlink()


def test_a_log_whose_file_was_emptied_still_gives_every_game(path: Path, tmp_path: Path) -> None:
    journal = Journal(path)
    journal.save_new_game(HEADER, LINES, 1)
    journal.append_entries_to_game(1, LINES)
    copy = tmp_path / "copy"
    copy.mkdir()
    for tail in ("-wal", "-lock"):
        shutil.copy(f"{path}{tail}", copy)
    journal.close()
    (copy / path.name).touch()
    journal = Journal(copy / path.name)
    assert journal.repair_result is not None
    assert (journal.repair_result.kept, journal.repair_result.lost) == (5, 0)
    assert journal.read_game_header_and_lines(1) == (HEADER, LINES * 2)
    journal.close()


def spoil(path: Path, old: bytes, new: bytes) -> None:
    data = contents(path)
    assert data.count(old) >= 1
    path.write_bytes(data.replace(old, new))


def test_a_spoilt_line_cuts_its_game_short_and_the_rest_is_kept(path: Path) -> None:
    filled(path)
    spoil(path, b'[2,100,"answer"', b'[2,100,"ansver"')
    journal = Journal(path, now=86_400 * 365)
    assert journal.repair_result is not None
    file = journal.repair_result.file
    assert journal.repair_result == RepairResult(kept=122 + 100, lost=23, file=file)
    assert journal.read_game_header_and_lines(2)[1][:2] == [
        Entry("answer", "move", "Ann", 0, 0),
        LINES[0],
    ]
    assert len(journal.read_game_header_and_lines(2)[1]) == 99
    assert journal.recent_unfinished_game_numbers() == [2]
    assert journal.game_summary(1).winners == ("Bob",)
    assert journal.all_settings() == {"language": "fr"}
    journal.append_entries_to_game(2, LINES)
    journal.close()
    journal = Journal(path)
    assert journal.repair_result is None
    assert len(journal.read_game_header_and_lines(2)[1]) == 101
    journal.close()


def test_damage_in_a_game_that_is_over_is_told_when_it_is_read_and_then_repaired(
    path: Path,
) -> None:
    filled(path)
    spoil(path, b'[1,100,"answer"', b'[1,100,"ansver"')
    journal = Journal(path)
    assert journal.repair_result is None
    with raises_english(
        JournalError, match="Game 1 is damaged: start again to repair it"
    ) as caught:
        journal.read_game_header_and_lines(1)
    assert caught.value.code == "damaged"
    journal.append_entries_to_game(2, LINES)
    journal.close()
    journal = Journal(path)
    assert journal.repair_result is not None
    assert journal.repair_result.lost > 0
    assert len(journal.read_game_header_and_lines(1)[1]) == 99
    assert len(journal.read_game_header_and_lines(2)[1]) == 124
    journal.close()


def test_a_game_that_is_over_and_lost_its_end_is_told_when_it_is_read(path: Path) -> None:
    filled(path)
    database = sqlite3.connect(path)
    database.execute("DELETE FROM entry WHERE id = (1 << 24) + 121")
    database.commit()
    database.close()
    journal = Journal(path)
    for call in (journal.read_game_header_and_lines, journal.game_summary):
        with raises_english(JournalError, match="Game 1 is damaged"):
            call(1)
    journal.close()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("last", [1, 2])
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE game SET winners = '[\"Ann\"]' WHERE id = 2",
        "UPDATE game SET head = head - 1 WHERE id = 2",
        "UPDATE game SET head = 99999999999999 WHERE id = 2",
        "DELETE FROM game WHERE id = 1",
        "DELETE FROM game WHERE id = 2",
        "DELETE FROM game",
        "DELETE FROM entry WHERE id >> 24 = 2",
        "DELETE FROM entry WHERE id = (2 << 24) + 122",
        "DELETE FROM entry WHERE id = (2 << 24) + 7",
        "UPDATE entry SET id = id + (1 << 61) WHERE id >> 24 = 2",
        "DROP TABLE entry",
        "DROP TABLE game",
        "DROP TABLE setting",
        "ALTER TABLE entry RENAME COLUMN line TO lime",
        "UPDATE entry SET line = CAST(x'ff80' AS TEXT) WHERE id = (2 << 24) + 5",
        "UPDATE entry SET line = '' WHERE id = 2 << 24",
        "UPDATE setting SET line = line || ' '",
        "UPDATE setting SET key = 'volume' WHERE key <> 'record'",
        "INSERT INTO game VALUES (1 << 50, 1, NULL, 1)",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 123456",
    ],
)
def test_whatever_a_row_became_is_noticed_at_the_start_and_every_game_is_kept(
    path: Path, sql: str, last: int
) -> None:
    filled(path, last)
    database = sqlite3.connect(path)
    database.execute(sql)
    database.commit()
    database.close()
    journal = Journal(path)
    assert journal.repair_result is not None
    assert (path.parent / journal.repair_result.file).exists()
    games = {
        game: len(journal.read_game_header_and_lines(game)[1]) for game in journal.game_numbers()
    }
    assert (games.get(1), games.get(2)) == (121, 122) or journal.repair_result.lost > 0
    assert games.get(1) == 121 or "DROP TABLE entry" in sql
    assert journal.recent_unfinished_game_numbers() == ([2] if 2 in games else [])
    journal.close()
    journal = Journal(path)
    assert journal.repair_result is None
    journal.close()


def test_a_header_longer_than_a_page_is_kept_when_something_else_is_damaged(path: Path) -> None:
    header = {**HEADER, "edition": [f"card {n}" for n in range(2_000)]}
    journal = Journal(path)
    journal.save_new_game(header, LINES, 1)
    journal.close()
    spoil(path, b'[1,2,"box"', b'[1,2,"bax"')
    journal = Journal(path)
    assert journal.repair_result is not None
    assert journal.read_game_header_and_lines(1) == (header, LINES[:1])
    journal.close()


def copied(path: Path, to: Path) -> Path:
    """Copy the present files, as after a power cut: only the shared memory (-shm) is lost."""
    to.mkdir()
    for tail in ("", "-wal", "-lock"):
        shutil.copy(f"{path}{tail}", to)
    return to / path.name


def test_what_stands_in_the_log_behind_damage_is_kept_too(path: Path, tmp_path: Path) -> None:
    journal = Journal(path)
    journal.save_new_game(HEADER, [], 1)
    for _ in range(50):
        journal.append_entries_to_game(1, LINES)
    copy = copied(path, tmp_path / "copy")
    journal.close()
    log = copy.with_name(f"{copy.name}-wal")
    data = bytearray(contents(log))
    data[32 + 10 * (4096 + 24)] ^= 1  # the eleventh frame: SQLite stops reading there
    log.write_bytes(data)
    journal = Journal(copy)
    assert journal.repair_result is not None
    assert (journal.repair_result.kept, journal.repair_result.lost) == (101, 0)
    assert len(journal.read_game_header_and_lines(1)[1]) == 100
    journal.close()


@pytest.mark.parametrize("spoilt", ["file", "log"])
def test_a_repair_for_which_there_is_no_room_changes_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoilt: str
) -> None:
    def full(_self: RecordRepair, _game: int, _before: int) -> int:
        raise sqlite3.OperationalError("database or disk is full")

    journal = Journal(path)
    journal.save_new_game(HEADER, LINES * 10, 1)
    if spoilt == "file":
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for _ in range(20):
        journal.append_entries_to_game(1, LINES)
    copy = copied(path, tmp_path / "copy")
    journal.close()
    harmed = copy.with_name(copy.name + ("" if spoilt == "file" else "-wal"))
    harmed.write_bytes(bytes(200) + contents(harmed)[200:])
    with monkeypatch.context() as patch:
        patch.setattr(RecordRepair, "_restore", full)
        with raises_english(JournalError, match="The disk is full: make room"):
            Journal(copy)
    assert not [file for file in copy.parent.iterdir() if "-new" in file.name]
    journal = Journal(copy)
    assert journal.repair_result is not None
    assert journal.repair_result.kept == 61
    assert len(journal.read_game_header_and_lines(1)[1]) == 60
    journal.close()


class PowerCut(BaseException):
    pass


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore:unclosed database")  # a power cut closes no connection
@pytest.mark.parametrize("last", [1, 2])
@pytest.mark.parametrize("step", range(8))
def test_a_repair_that_the_power_cuts_short_is_done_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: int, last: int
) -> None:
    """The power cut comes just before move `step` of the repair."""
    gc.freeze()  # do not search the objects of other tests for garbage
    filled(path, last)
    spoil(path, b'[2,100,"answer"', b'[2,100,"ansver"')
    left = step

    def before(what: Any) -> Any:
        def move(*args: Any, **kwargs: Any) -> Any:
            nonlocal left
            if left == 0:
                raise PowerCut
            left -= 1
            return what(*args, **kwargs)

        return move

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", before(Path.rename))
        patch.setattr(Path, "unlink", before(Path.unlink))
        patch.setattr(os, "ftruncate", before(os.ftruncate))
        with pytest.raises(PowerCut):
            Journal(path)
    gc.collect()
    journal = Journal(path)
    assert journal.repair_result is not None
    assert journal.repair_result.kept == 222
    assert journal.recent_unfinished_game_numbers() == [2]
    assert len(journal.read_game_header_and_lines(2)[1]) == 99
    assert any("damaged" in file.name for file in path.parent.iterdir())
    journal.close()


# --- one sync an answer ---------------------------------------------------------------------------

ANSWERS = """
import sys
from pathlib import Path
from companion.record.entry import Entry
from companion.record.journal import Journal

journal = Journal(Path(sys.argv[1]))
journal.save_new_game({"game": "toy"}, [], 0)
for n in range(int(sys.argv[2])):
    lines = [Entry("answer", "move", "Ann", n, n), Entry("box", "roll", "Ann", [6], n)]
    journal.append_entries_to_game(1, lines)
journal.close()
"""


def syncs(folder: Path, answers: int) -> int:
    """Return the number of syncs of a process that commits `answers` answers."""
    log = folder / f"syncs-{answers}"
    trace = ["strace", "-f", "-e", "trace=fsync,fdatasync", "-o", str(log)]
    game = [sys.executable, "-c", ANSWERS, str(folder / f"games-{answers}"), str(answers)]
    done = subprocess.run([*trace, *game], cwd=ROOT, capture_output=True, text=True, check=False)
    if "ptrace" in done.stderr:
        pytest.skip(f"strace may not trace here: {done.stderr.splitlines()[0]}")
    assert done.returncode == 0, done.stderr
    return len(re.findall(r"(?:fsync|fdatasync)\(", log.read_text()))


@pytest.mark.skipif(shutil.which("strace") is None, reason="no strace: apt install strace")
def test_an_answer_with_what_the_box_answers_to_it_waits_for_the_disk_once(tmp_path: Path) -> None:
    assert syncs(tmp_path, 60) - syncs(tmp_path, 10) == 50


def test_a_long_history_does_not_hide_the_game_that_was_played_last(path: Path) -> None:
    journal = Journal(path)
    header = {"game": "barney-miller", "players": ["Ann", "Bob"]}
    old = journal.save_new_game(header, [Entry("answer", "roll", "Ann", 3)], now=1)
    for _ in range(MAX_NEWEST_GAMES + 20):
        journal.save_new_game(header, [Entry("over", value=["Ann"])], now=2)
    journal.append_entries_to_game(old, [Entry("answer", "roll", "Bob", 4)])
    journal.close()

    journal = Journal(path)
    assert journal.repair_result is None
    assert journal.recent_unfinished_game_numbers() == []
    assert journal.game_numbers()[-1] == old
    assert journal.game_summary(old).winners is None
    assert len(journal.read_game_header_and_lines(old)[1]) == 2
    journal.close()


def test_the_cut_off_end_of_an_old_game_that_was_played_last_is_noticed(path: Path) -> None:
    journal = Journal(path)
    header = {"game": "barney-miller", "players": ["Ann", "Bob"]}
    old = journal.save_new_game(header, [], now=1)
    for _ in range(MAX_NEWEST_GAMES + 20):
        journal.save_new_game(header, [Entry("over", value=["Ann"])], now=2)
    journal.append_entries_to_game(old, [Entry("answer", "roll", "Bob", 4)])
    journal._db.execute("DELETE FROM entry WHERE id = ?", (old << LINE_NUMBER_BITS | 1,))
    journal.close()

    journal = Journal(path)
    assert journal.repair_result is not None
    assert journal.repair_result.lost >= 1
    journal.close()
