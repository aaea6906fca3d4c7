"""A record of version 0.1.0, whose draws are numbered, goes on and verifies as it was played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from companion.core.chance import NAMED, NUMBERED, Chance
from companion.play import verify
from companion.play.session import Session, recorded, setup_of
from companion.record.journal import Entry, Journal

LINES: Final = tuple(
    json.loads(line)
    for line in Path(__file__).with_name("numbered.jsonl").read_text("utf-8").splitlines()
)
HEADER, *ENTRIES = LINES
MARKED: Final = {**HEADER, "chance": NAMED}


def journal(header: Any = HEADER, n: int = len(ENTRIES)) -> Journal:
    """The first `n` lines of the old record, in a file of today."""
    kept = Journal(None)
    kept.begin(header, [Entry(*entry) for entry in ENTRIES[:n]], 0)
    return kept


def test_an_old_record_has_no_mark_of_its_chance_and_a_new_one_has() -> None:
    assert "chance" not in HEADER
    setup, new = setup_of(HEADER), Journal(None)
    assert setup.chance.version == NUMBERED
    session = Session.begin(new, setup._replace(chance=Chance("00")), 0)
    assert new.read(session.number)[0]["chance"] == NAMED


def test_an_old_record_verifies() -> None:
    draws = sum(Entry(*entry).kind == "box" for entry in ENTRIES)
    assert verify.check(journal(), 1) == verify.Verdict(None, len(ENTRIES), draws, 0, False)


def test_an_old_record_does_not_verify_as_a_new_one() -> None:
    assert verify.check(journal(MARKED), 1).problem == "draw"


@pytest.mark.parametrize("n", range(4, len(ENTRIES)))
def test_an_old_game_that_goes_on_draws_as_it_would_have(n: int) -> None:
    file = journal(n=n)
    session, changed = recorded(file, 1, 0)
    session.commit()
    assert changed is None
    drawn = [entry[:4] for entry in file.read(1)[1][n:] if entry.kind == "box"]
    assert drawn == [tuple(entry[:4]) for entry in ENTRIES[n : n + len(drawn)]]
    assert bool(drawn) == (ENTRIES[n][0] == "box")
