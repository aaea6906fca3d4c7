"""Tests of old records: every later version continues the games of a released version.

`released/VERSION/` holds the record that `tests.record.corpus` wrote on the day of each release
(CONTRIBUTING.md). Each run writes a new record with the present version.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.catalog import registry
from companion.play import verify
from companion.play.session import resume_recorded_game
from companion.record.journal import Journal
from tests.record import corpus

RELEASED = sorted(Path(__file__).with_name("released").glob("*/games.db"))


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a record of every game with the present version."""
    folder = tmp_path_factory.mktemp("today")
    corpus.made(folder)
    return folder / "games.db"


@pytest.fixture(params=[None, *RELEASED], ids=lambda file: file.parent.name if file else "today")
def record(
    request: pytest.FixtureRequest, today: Path, tmp_path: Path
) -> Iterator[tuple[Journal, Any]]:
    """Return a version's record, and the expected state of each game."""
    file, path = request.param or today, tmp_path / "games.db"
    shutil.copy(file, path)
    journal = Journal(path)
    yield journal, json.loads(file.with_suffix(".json").read_text("utf-8"))
    journal.close()


@pytest.mark.long
def test_a_record_has_every_game_where_it_stood_and_plays_straight(
    record: tuple[Journal, Any],
) -> None:
    journal, stand = record
    assert {game["game"] for game in stand.values()} == {*registry.BUILT_IN_GAMES}
    assert journal.repair_result is None
    assert journal.all_settings() == {"language": "fr", "volume": 4}
    assert {*map(str, journal.game_numbers())} == stand.keys()
    for number, expected in stand.items():
        session, changed = resume_recorded_game(journal, int(number), 0)
        assert changed is None, (number, changed)
        assert corpus.standing(session) == expected, number
    finished = [int(number) for number, game in stand.items() if game["winners"]]
    assert len(finished) >= len(stand) // 2
    problems = {
        number: verify.verify_game_against_seed(journal, number).problem for number in finished
    }
    assert problems == dict.fromkeys(finished)
