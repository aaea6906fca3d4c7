"""Tests of backup and restore: a copy made during a write is complete, and old records are kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from companion.figures.import_games import ImportRefusedError, import_games_from_file
from companion.menus import settings
from companion.record import backup, files
from companion.record.journal import Entry, Journal, JournalError
from tests.english import raises_english
from tests.helpers import NOW_SECONDS, OWN_PARTS_OPTIONS, begin_game, setup_for


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "box" / "games.db"
    with closing(Journal(path)) as journal:
        begin_game(setup_for(OWN_PARTS_OPTIONS), journal=journal)
    return path


def lines(path: Path) -> list[object]:
    with closing(Journal(path, beside=True)) as journal:
        return [journal.read_lines_of_game(number) for number in journal.game_numbers()]


def test_a_record_is_copied_while_a_box_plays_with_it(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with closing(Journal(path)) as journal:
        begin_game(setup_for(OWN_PARTS_OPTIONS, seed="second"), journal=journal)
        assert backup.back_up_record(path, copy) == 2
        begin_game(setup_for(OWN_PARTS_OPTIONS, seed="third"), journal=journal)
        assert len(lines(copy)) == 2
        assert backup.back_up_record(path, copy) == 3
        assert lines(copy) == lines(path)
    assert copy.stat().st_mode & 0o077 == 0
    assert {file.name for file in tmp_path.iterdir()} == {"box", "copy.db"}


def test_a_copy_takes_the_place_of_the_record_which_is_kept(path: Path, tmp_path: Path) -> None:
    copy, before = tmp_path / "copy.db", lines(path)
    backup.back_up_record(path, copy)
    with closing(Journal(path)) as journal:
        begin_game(setup_for(OWN_PARTS_OPTIONS, seed="second"), journal=journal)
        after = [journal.read_lines_of_game(number) for number in journal.game_numbers()]
    games, aside = backup.restore_record(copy, path, NOW_SECONDS)
    assert aside is not None
    assert games == 1
    assert lines(path) == before
    assert lines(aside) == after
    with closing(Journal(path)) as journal:
        assert journal.repair_result is None


def test_a_copy_is_restored_where_there_was_no_record(path: Path, tmp_path: Path) -> None:
    assert backup.restore_record(path, tmp_path / "new" / "games.db", NOW_SECONDS) == (1, None)
    assert lines(tmp_path / "new" / "games.db") == lines(path)


def test_a_damaged_copy_restores_nothing(path: Path, tmp_path: Path) -> None:
    copy, before = tmp_path / "copy.db", path.read_bytes()
    backup.back_up_record(path, copy)
    for harmed in (copy.read_bytes().replace(b'"game"', b'"gmae"'), b"", b"x" * 5000):
        copy.write_bytes(harmed)
        with raises_english(JournalError, match=r"copy\.db is "):
            backup.restore_record(copy, path, NOW_SECONDS)
        assert path.read_bytes() == before


def test_a_record_in_use_is_not_replaced(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup.back_up_record(path, copy)
    with closing(Journal(path)), raises_english(JournalError, match="end it first"):
        backup.restore_record(copy, path, NOW_SECONDS)


def test_a_copy_overwrites_neither_the_record_nor_what_is_none(path: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann", "utf-8")
    for file in (letter, path):
        before = file.read_bytes()
        with raises_english(JournalError, match="name another file"):
            backup.back_up_record(path, file)
        assert file.read_bytes() == before


def test_a_copy_that_can_not_be_written_is_named_and_leaves_the_old_one(
    path: Path, tmp_path: Path
) -> None:
    with raises_english(JournalError, match=r"copy\.db cannot be written"):
        backup.back_up_record(path, tmp_path / "nowhere" / "copy.db")
    assert len(lines(path)) == 1


def test_a_copy_is_told_piece_by_piece_and_can_be_ended_between_two(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PAGES_PER_REPORT", 1)
    copy, told = tmp_path / "copy.db", list[int]()
    with closing(Journal(path)) as journal:

        def play_on(percent: int) -> None:
            told.append(percent)
            if len(told) == 2:
                begin_game(setup_for(OWN_PARTS_OPTIONS, seed="second"), journal=journal)

        assert backup.back_up_record(path, copy, play_on) == 1
    assert told == sorted(told)
    assert len(told) > 2
    assert told[-1] == 100
    assert len(lines(copy)) == 1

    def ended(_: int) -> None:
        raise KeyboardInterrupt

    before = {file: file.read_bytes() for file in tmp_path.rglob("*.db")}
    with pytest.raises(KeyboardInterrupt):
        backup.back_up_record(copy, tmp_path / "other.db", ended)
    with pytest.raises(KeyboardInterrupt):
        backup.restore_record(copy, path, NOW_SECONDS, ended)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*.db")} == before
    assert not [*tmp_path.rglob("*-new*")]


# --- a copy from an untrusted source --------------------------------------------------------------

HOSTILE: Final = {
    "a trigger that deletes": "CREATE TRIGGER setting AFTER INSERT ON entry"
    " BEGIN DELETE FROM entry WHERE id < new.id; END",
    "a trigger that never ends": "CREATE TRIGGER entry BEFORE INSERT ON entry WHEN (WITH RECURSIVE"
    " n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n) BEGIN SELECT 1; END",
    "a view in a table's place": "ALTER TABLE game RENAME TO old;"
    "CREATE VIEW game AS SELECT * FROM old",
    "a table of a name of ours": "ALTER TABLE game RENAME TO old;"
    "CREATE TABLE game(id INTEGER PRIMARY KEY, head, winners, checksum);"
    "INSERT INTO game SELECT * FROM old; DROP TABLE old",
    "one more table": "CREATE TABLE diary(text)",
    "one more column": "ALTER TABLE setting ADD COLUMN more TEXT",
    "one more index": "CREATE UNIQUE INDEX more ON entry(substr(line, 9, 6))",
}


def hostile(path: Path, copy: Path, sql: str) -> Path:
    """Write a copy of the record at `path` and run `sql` in the copy."""
    backup.back_up_record(path, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.executescript(sql)
    return copy


def test_a_copy_with_more_than_our_tables_is_neither_restored_nor_taken_in(
    path: Path, tmp_path: Path
) -> None:
    before = path.read_bytes()
    for name, sql in HOSTILE.items():
        copy = hostile(path, tmp_path / "copy.db", sql)
        with raises_english(JournalError, match=r"copy\.db is "):
            backup.restore_record(copy, path, NOW_SECONDS)
        assert path.read_bytes() == before, name
        with closing(Journal(None)) as journal, pytest.raises(ImportRefusedError):
            import_games_from_file(journal, copy)
        copy.unlink()


def test_a_record_with_more_than_our_tables_keeps_its_lines_and_nothing_else(
    path: Path, tmp_path: Path
) -> None:
    for n, sql in enumerate(HOSTILE.values()):
        copy = hostile(path, tmp_path / f"{n}.db", sql)
        with closing(Journal(copy)) as journal:
            assert journal.repair_result is not None, sql
            journal.append_entries_to_game(1, [Entry("answer", "move", "Ann", "roll", 1)])
            assert journal.read_lines_of_game(1)[:-1] == lines(path)[0], sql


def test_a_restored_record_has_rows_of_the_copy_and_no_page_of_it(
    path: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    backup.back_up_record(path, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA page_size = 512")
        db.execute("VACUUM")
        db.execute("PRAGMA secure_delete = OFF")
        db.execute("INSERT INTO setting VALUES ('x', 'a letter')")
        db.execute("DELETE FROM setting WHERE key = 'x'")
    backup.restore_record(copy, path, NOW_SECONDS)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA page_size").fetchone() == (4096,)
    assert b"a letter" in copy.read_bytes()
    assert b"a letter" not in path.read_bytes()
    assert lines(path) == lines(copy)


def test_lines_of_a_copy_that_belong_to_no_game_are_damage(path: Path, tmp_path: Path) -> None:
    for sql in (
        "DELETE FROM game",
        "INSERT INTO entry VALUES (1, 'x')",
        "UPDATE setting SET line=1",
    ):
        copy = tmp_path / "copy.db"
        with closing(Journal(path)) as journal:
            journal.save_setting("language", "fr", 0)
        hostile(path, copy, sql)
        with raises_english(JournalError, match=r"copy\.db is "):
            backup.restore_record(copy, path, NOW_SECONDS)


def test_a_restored_record_forgets_the_givers_phones_and_drafts(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with closing(Journal(path)) as journal:
        assert {"phones", "language"} <= settings.DEFAULTS.keys()
        journal.save_settings({"phones": {"Ann": "0" * 64}, "language": "fr"}, 0)
    backup.back_up_record(path, copy)
    with closing(Journal(copy)) as journal:
        journal.save_setting("drafts", {"1": [3, "word", "Ann", "SECRET"]}, 0)
    backup.restore_record(copy, path, NOW_SECONDS)
    with closing(Journal(path)) as journal:
        assert journal.all_settings() == {"language": "fr"}
    assert b"SECRET" not in path.read_bytes()
