"""A copy is whole whatever the box does meanwhile, and what it replaces is kept."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from companion.record import backup, files
from companion.record.journal import Journal, JournalError
from tests.english import raises
from tests.helpers import NOW, OWN, begun, setup_for

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "box" / "games.db"
    with closing(Journal(path)) as journal:
        begun(setup_for(OWN), journal=journal)
    return path


def lines(path: Path) -> list[object]:
    with closing(Journal(path, beside=True)) as journal:
        return [journal.lines(number) for number in journal.games()]


def test_a_record_is_copied_while_a_box_plays_with_it(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with closing(Journal(path)) as journal:
        begun(setup_for(OWN, seed="second"), journal=journal)
        assert backup.back_up(path, copy) == 2
        begun(setup_for(OWN, seed="third"), journal=journal)
        assert len(lines(copy)) == 2
        assert backup.back_up(path, copy) == 3
        assert lines(copy) == lines(path)
    assert copy.stat().st_mode & 0o077 == 0
    assert {file.name for file in tmp_path.iterdir()} == {"box", "copy.db"}


def test_a_copy_takes_the_place_of_the_record_which_is_kept(path: Path, tmp_path: Path) -> None:
    copy, before = tmp_path / "copy.db", lines(path)
    backup.back_up(path, copy)
    with closing(Journal(path)) as journal:
        begun(setup_for(OWN, seed="second"), journal=journal)
        after = [journal.lines(number) for number in journal.games()]
    games, aside = backup.restore(copy, path, NOW)
    assert aside is not None
    assert games == 1
    assert lines(path) == before
    assert lines(aside) == after
    with closing(Journal(path)) as journal:
        assert journal.damage is None


def test_a_copy_is_restored_where_there_was_no_record(path: Path, tmp_path: Path) -> None:
    assert backup.restore(path, tmp_path / "new" / "games.db", NOW) == (1, None)
    assert lines(tmp_path / "new" / "games.db") == lines(path)


def test_a_damaged_copy_restores_nothing(path: Path, tmp_path: Path) -> None:
    copy, before = tmp_path / "copy.db", path.read_bytes()
    backup.back_up(path, copy)
    for harmed in (copy.read_bytes().replace(b'"game"', b'"gmae"'), b"", b"x" * 5000):
        copy.write_bytes(harmed)
        with raises(JournalError, match=r"copy\.db is "):
            backup.restore(copy, path, NOW)
        assert path.read_bytes() == before


def test_a_record_in_use_is_not_replaced(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup.back_up(path, copy)
    with closing(Journal(path)), raises(JournalError, match="end that one first"):
        backup.restore(copy, path, NOW)


def test_a_copy_overwrites_neither_the_record_nor_what_is_none(path: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann", "utf-8")
    for file in (letter, path):
        before = file.read_bytes()
        with raises(JournalError, match="name another file"):
            backup.back_up(path, file)
        assert file.read_bytes() == before


def test_a_copy_that_can_not_be_written_is_named_and_leaves_the_old_one(
    path: Path, tmp_path: Path
) -> None:
    with raises(JournalError, match=r"copy\.db can not be written"):
        backup.back_up(path, tmp_path / "nowhere" / "copy.db")
    assert len(lines(path)) == 1


def test_a_copy_is_told_piece_by_piece_and_can_be_ended_between_two(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PIECE", 1)
    copy, told = tmp_path / "copy.db", list[int]()
    with closing(Journal(path)) as journal:

        def play_on(percent: int) -> None:
            told.append(percent)
            if len(told) == 2:
                begun(setup_for(OWN, seed="second"), journal=journal)

        assert backup.back_up(path, copy, play_on) == 1
    assert told == sorted(told)
    assert len(told) > 2
    assert told[-1] == 100
    assert len(lines(copy)) == 1

    def ended(_: int) -> None:
        raise KeyboardInterrupt

    before = {file: file.read_bytes() for file in tmp_path.rglob("*.db")}
    with pytest.raises(KeyboardInterrupt):
        backup.back_up(copy, tmp_path / "other.db", ended)
    with pytest.raises(KeyboardInterrupt):
        backup.restore(copy, path, NOW, ended)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*.db")} == before
    assert not [*tmp_path.rglob("*-new*")]
