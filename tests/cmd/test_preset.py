"""Tests of the file with the settings of a new record, for administrators of many boxes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.cmd import doctor, places, preset, repair_screens
from companion.record.journal import Journal


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the machine's settings file, which does not exist yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "companion").mkdir()
    return places.new_record_settings_file()


def _settings() -> Mapping[str, object]:
    journal = repair_screens.open_or_repair_record()
    try:
        return journal.all_settings()
    finally:
        journal.close()


def test_a_new_record_begins_with_the_settings_of_the_file(file: Path) -> None:
    file.write_text('language = "fr"\nvolume = 3\nnames = ["Ann", "Bob"]\n')
    assert _settings() == {"language": "fr", "volume": 3, "names": ["Ann", "Bob"]}


def test_what_was_set_at_the_box_stays(file: Path) -> None:
    journal = repair_screens.open_or_repair_record()
    journal.save_setting("volume", 9, 0)
    journal.close()
    file.write_text('language = "fr"\nvolume = 3\n')
    assert _settings() == {"volume": 9}


def test_a_record_with_a_game_is_not_new(file: Path) -> None:
    journal = repair_screens.open_or_repair_record()
    journal.save_new_game({}, (), 0)
    journal.close()
    file.write_text("volume = 3\n")
    assert _settings() == {}


def test_a_record_that_is_named_has_no_settings_of_the_machine(file: Path, tmp_path: Path) -> None:
    file.write_text("volume = 3\n")
    journal = repair_screens.open_or_repair_record(path=tmp_path / "other.db")
    assert journal.all_settings() == {}
    journal.close()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('volume = 3\nlangage = "fr"\n', ("line 2", "langage", "language")),
        ("volume = 11\n", ("line 1", "11", "1-10")),
        ("clock = {hour = 3}\n", ("line 1", "clock")),
        ("quietest = 9\nloudest = 2\n", ("line 1", "quietest", "1-2")),
        ("volume = \n", ("line 1",)),
    ],
)
def test_a_mistake_is_one_line_and_no_setting_counts(
    file: Path, capsys: pytest.CaptureFixture[str], text: str, told: tuple[str, ...]
) -> None:
    file.write_text(text)
    assert _settings() == {}
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert [word for word in (file.name, *told) if word not in line] == []

    found = doctor.check_new_record_settings_file(file)
    assert found.text in line
    assert "Correct the file" in str(found.cure)


def test_doctor_counts_the_settings_of_a_file_without_a_mistake(file: Path) -> None:
    file.write_text('language = "fr"\nvolume = 3\n')
    found = doctor.check_new_record_settings_file(file)
    assert (found.text, found.cure) == (f"{file} gives a new record its settings: 2", None)


def test_a_record_that_cannot_be_written_ends_no_start(file: Path) -> None:
    Journal(places.record_file(), 0).close()
    file.write_text("volume = 3\n")
    journal = Journal(places.record_file(), 0)
    journal.read_only = True
    preset.apply_settings_to_new_record(journal)
    assert journal.all_settings() == {}
    journal.close()


@pytest.mark.parametrize(
    ("name", "shown", "is_well"),
    [
        ("companion-seats.socket", {"LoadState": "loaded", "ActiveState": "active"}, True),
        ("companion-seats.socket", {"LoadState": "loaded", "ActiveState": "inactive"}, False),
        ("companion-seats.service", {"LoadState": "loaded", "ActiveState": "inactive"}, True),
        ("companion-seats.service", {"LoadState": "loaded", "ActiveState": "failed"}, False),
        ("companion-seats.service", {"LoadState": "not-found"}, None),
    ],
)
def test_doctor_has_a_line_for_every_unit_that_is_installed(
    name: str,
    shown: dict[str, str],
    is_well: bool | None,  # noqa: FBT001
) -> None:
    found = doctor.check_systemd_unit(name, shown)
    assert (None if found is None else found.cure is None) is is_well
    assert found is None or name in found.text
