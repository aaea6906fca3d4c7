"""Tests of a computer player that takes over a seat: the record states it, undo passes it."""

from __future__ import annotations

from contextlib import closing
from random import Random
from typing import Final

import pytest

from companion.catalog import registry
from companion.core.errors import Refused
from companion.core.prompts import AGREE_UNDO_QUESTION
from companion.play import verify
from companion.play.answer_history import ComputerPlayerProgram
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.record.journal import Journal
from tests.helpers import setup_for

CHIP: Final = ComputerPlayerProgram("friend", "1.0")
PLAYERS: Final = ("Ann", "Bob", "Eve")
GAMES: Final = registry.BUILT_IN_GAMES


def without_hands(name: str) -> dict[str, str]:
    """Return the default options, except those that exclude computer players."""
    game = registry.find_game(name)
    hands = game.options_without_computer_players
    return {
        option.name: next(v for v in option.values if v not in hands.get(option.name, ()))
        for option in game.options
    }


def answer(session: Session, rng: Random) -> None:
    for _ in range(100):
        assert session.standing.pending_question is not None
        try:
            session.answer(random_answer(session.standing.pending_question, rng), 0)
        except Refused:
            continue
        session.commit()
        return
    raise AssertionError(session.standing.pending_question)


@pytest.mark.long
def test_whoever_leaves_at_any_moment_the_game_goes_on_and_is_found_again_as_it_stood() -> None:
    for seed in range(3 * len(GAMES)):
        name, rng = GAMES[seed % len(GAMES)], Random(seed)
        setup = setup_for(without_hands(name), game=name, players=PLAYERS)
        with closing(Journal(None)) as journal:
            session = Session.begin(journal, setup._replace(mixing=False), 0)
            for _ in range(rng.randrange(30)):
                if session.standing.pending_prompt is not None:
                    answer(session, rng)
            if session.standing.pending_prompt is None:
                continue
            before = session.standing.snapshot
            who = rng.choice(PLAYERS)
            assert session.standing.can_add_computer_player
            session.change_seat_player(who, CHIP, 0)
            session.commit()
            assert session.standing.snapshot.view == before.view
            assert session.standing.snapshot.prompt == before.prompt
            for _ in range(rng.randrange(10)):
                if session.standing.pending_prompt is not None:
                    answer(session, rng)
            again = Session.resume(journal, session.number, session.game_setup, 0)
            assert again.standing.present_computer_players == {who: CHIP}
            assert again.standing.snapshot.view == session.standing.snapshot.view
            assert verify.verify_game_against_seed(journal, session.number).problem is None


def test_an_undo_goes_past_it_to_the_last_answer_of_a_person_and_whoever_is_back_is_asked() -> None:
    setup = setup_for(without_hands("baretta"), game="baretta", players=PLAYERS)
    rng = Random(5)
    with closing(Journal(None)) as journal:
        session = Session.begin(journal, setup._replace(mixing=False), 0)
        while (
            session.standing.pending_prompt is None or session.standing.pending_prompt.who != "Bob"
        ):
            answer(session, rng)
        before = session.standing.snapshot.view
        session.change_seat_player("Bob", CHIP, 0)
        assert session.standing.computer_player_to_answer == "Bob"
        answer(session, rng)
        session.undo(0)
        if (
            session.standing.pending_prompt is not None
            and session.standing.pending_prompt.name == AGREE_UNDO_QUESTION
        ):
            session.answer("yes", 0)
        session.commit()
        assert (
            session.standing.snapshot.view != before
        )  # the undo passed the box's answer, back to a person's answer
        assert session.standing.present_computer_players == {"Bob": CHIP}
        session.change_seat_player("Bob", None, 0)
        session.commit()
        assert session.standing.computer_player_to_answer is None
        assert not Session.resume(
            journal, session.number, session.game_setup, 0
        ).standing.present_computer_players
