"""Tests of a short soak with constant seeds, and of the referee."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.play.session import Session
from companion.record.journal import Journal
from hardware.mock import FakeDisplay
from tests.system.soak import referee
from tests.system.soak.evening import spend
from tests.system.soak.faults import TABLE

pytestmark = pytest.mark.long

STEPS = 1000


@pytest.mark.parametrize("seed", range(2))  # `make soak` plays more seeds
def test_an_evening_with_everything_that_goes_wrong_ends_without_a_finding(
    tmp_path: Path, seed: int
) -> None:
    tried = spend(tmp_path, seed, STEPS, TABLE)
    assert tried["games"] > 0
    assert tried["answers on the disk"] > 0
    assert len(tried.keys() & {fault.name for fault in TABLE}) > len(TABLE) // 2


def test_the_same_seed_is_the_same_evening(tmp_path: Path) -> None:
    first, again = (spend(tmp_path / name, 7, 200, TABLE) for name in "ab")
    assert first == again


def test_the_referee_sees_an_answer_that_is_heard_and_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Session, "commit", lambda _: None)
    with pytest.raises(referee.Finding, match="heard before it was written"):
        spend(tmp_path, 1, STEPS, ())


def test_the_referee_sees_a_record_that_leaves_answers_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = Journal.append_entries_to_game

    def forgetful(journal: Journal, game: int, entries: Any) -> None:
        append(journal, game, [entry for entry in entries if entry.kind != "answer"])

    monkeypatch.setattr(Journal, "append_entries_to_game", forgetful)
    with pytest.raises(referee.Finding, match="not what its record says"):
        spend(tmp_path, 1, STEPS, ())


def test_the_referee_sees_a_display_that_lags_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeDisplay, "set_brightness", lambda *_: None)
    show = FakeDisplay.show

    def stale(display: FakeDisplay, frame: bytes) -> None:
        show(display, display.frames[-1] if len(display.frames) > 50 else frame)

    monkeypatch.setattr(FakeDisplay, "show", stale)
    with pytest.raises(referee.Finding, match="shows something else"):
        spend(tmp_path, 1, STEPS, ())
