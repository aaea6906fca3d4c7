"""Tests of rolls after an undo: another answer changes no later roll."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.core.prompts import Prompt, legal_answers
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.play.standing import UNDO_AGREEMENT
from companion.record.journal import Journal
from tests.helpers import setup_for

NAMES = ("Ann", "Bob", "Cy")
VIRTUAL = {
    "deck": "virtual",
    "dice": "companion",
    "wounded": "down",
    "criminals": "choose",
    "cutting": "yes",
}


def begun(seed: str, n: int = 3) -> Session:
    setup = setup_for(VIRTUAL, game="baretta", players=NAMES[:n], seed=seed)
    return Session.begin(Journal(None), setup, 0)


def take_back(session: Session) -> None:
    session.undo(0)
    if session.standing.pending_prompt == UNDO_AGREEMENT:
        session.answer("yes", 0)


def rolls(session: Session) -> dict[str | None, list[Any]]:
    found: dict[str | None, list[Any]] = {}
    for step in reversed([*session.standing.history.steps_latest_first()]):
        if step.entry.question == "roll":
            found.setdefault(step.entry.who, []).append(step.entry.value)
    return found


def test_ba4_a_cut_that_is_taken_back_changes_no_roll() -> None:
    session = begun("00", 2)
    for value in ("killer", "hijacker", "no"):
        session.answer(value, 0)
    before = rolls(session)
    assert sum(map(len, before.values())) >= 3
    take_back(session)
    session.answer("yes", 0)
    assert rolls(session) == before


def reached(question: str) -> tuple[Session, random.Random]:
    """Return a random game that asks `question`."""
    for seed in range(100):
        session, rng = begun(f"{seed}"), random.Random(seed)
        while (prompt := session.standing.pending_prompt) is not None:
            if prompt.name == question and session.standing.snapshot.view["phase"] == "playing":
                return session, rng
            session.answer(random_answer(prompt, rng), 0)
    raise AssertionError(question)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("question", ["move_to", "take_back", "unmark", "hunch", "cut"])
def test_ba6_whatever_is_answered_instead_every_players_next_rolls_are_the_same(
    question: str,
) -> None:
    session, rng = reached(question)
    n, found = session.standing.snapshot.undoable, dict[tuple[str | None, int], Any]()
    prompt: Prompt | None = session.standing.pending_prompt
    assert prompt is not None
    for value in legal_answers(prompt):
        session.answer(value, 0)
        for _ in range(12):
            if (asked := session.standing.pending_prompt) is not None:
                session.answer(random_answer(asked, rng), 0)
        for who, dice in rolls(session).items():
            for often, roll in enumerate(dice):
                assert found.setdefault((who, often), roll) == roll
        while session.standing.snapshot.undoable > n:
            take_back(session)
    assert len(found) > 6
