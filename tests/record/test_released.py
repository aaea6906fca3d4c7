"""What was played with a released version goes on with every later one (released/README.md)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.catalog import registry
from companion.play import verify
from companion.play.session import recorded
from companion.record.journal import Journal
from tests.record import corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASED = sorted(Path(__file__).with_name("released").glob("*/games.db"))


@pytest.fixture(params=RELEASED, ids=lambda file: file.parent.name)
def record(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Journal, Any]]:
    """The record of a version, and where its games stand."""
    path = tmp_path / "games.db"
    shutil.copy(request.param, path)
    journal = Journal(path)
    yield journal, json.loads(request.param.with_suffix(".json").read_text("utf-8"))
    journal.close()


def test_there_is_a_record_of_every_released_version_and_every_game() -> None:
    assert [file.parent.name for file in RELEASED] == ["0.1.0"]
    for file in RELEASED:
        stand = json.loads(file.with_suffix(".json").read_text("utf-8"))
        assert {game["game"] for game in stand.values()} == {*registry.NAMES}


def test_every_game_of_a_released_version_goes_on_where_it_stood(
    record: tuple[Journal, Any],
) -> None:
    journal, stand = record
    assert journal.damage is None
    assert journal.settings() == {"language": "fr", "volume": 4}
    assert {*map(str, journal.games())} == stand.keys()
    for number, expected in stand.items():
        session, changed = recorded(journal, int(number), 0)
        assert changed is None, (number, changed)
        assert corpus.standing(session) == expected, number


def test_every_finished_game_of_a_released_version_was_played_straight(
    record: tuple[Journal, Any],
) -> None:
    journal, stand = record
    finished = [int(number) for number, game in stand.items() if game["winners"]]
    assert len(finished) >= len(stand) // 2
    assert {number: verify.check(journal, number).problem for number in finished} == dict.fromkeys(
        finished
    )
