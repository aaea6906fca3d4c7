from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from companion.box import finished_game
from companion.core.chance import Chance
from companion.core.prompts import legal_answers
from companion.games.barney_miller import GAME
from companion.play import verify
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Entry, Journal, JournalError
from companion.say.words import Words
from tests.english import raises_english

NAMES = ("Ann", "Bob")
VIRTUAL = {"deck": "virtual", "die": "companion", "track": "edition"}


def play(session: Session, rng: random.Random) -> None:
    """Play random answers to the end. Mark every secret as sent at once."""
    while (prompt := session.standing.pending_prompt) is not None:
        value = 7 if prompt.name == "mix" else rng.choice(legal_answers(prompt))
        session.answer(value, 1)
        session.mark_secrets_sent(1)
        session.commit()


@pytest.fixture
def played(edition: dict[str, Any]) -> tuple[Journal, int]:
    """Return a journal with a finished and an unfinished game, and the finished game's number."""
    journal = Journal(None)
    setup = GameSetup(GAME, NAMES, VIRTUAL, edition, Chance("a seed"))
    session = Session.begin(journal, setup, 0)
    play(session, random.Random(1))
    Session.begin(journal, setup._replace(chance=Chance("another")), 0)
    return journal, session.number


def tampered(
    journal: Journal, number: int, harm: Callable[[list[Entry]], Any], **header: Any
) -> int:
    """Save a copy of a game after `harm` changed the lines. Return the copy's number."""
    first, entries = journal.read_game_header_and_lines(number)
    lines = list(entries)
    harm(lines)
    return journal.save_new_game({**first, **header}, lines, 0)


def the(kind: str, lines: list[Entry], n: int = 0) -> int:
    """Return the index of the `n`th line of a kind, counted from 0."""
    return [i for i, entry in enumerate(lines) if entry.kind == kind][n]


def verdict(
    journal: Journal, number: int, harm: Callable[[list[Entry]], Any]
) -> verify.VerificationResult:
    return verify.verify_game_against_seed(journal, tampered(journal, number, harm))


def test_a_game_that_was_played_straight_is_straight(played: tuple[Journal, int]) -> None:
    journal, number = played
    found = verify.verify_game_against_seed(journal, number)
    draws = sum(entry.kind == "box" for entry in journal.read_game_header_and_lines(number)[1])
    assert found == verify.VerificationResult(
        None, len(journal.read_game_header_and_lines(number)[1]), draws, 0, reopened=False
    )
    assert draws > 5


def test_an_untouched_copy_is_straight(played: tuple[Journal, int]) -> None:
    assert verdict(*played, lambda _: None).problem is None


def test_a_changed_roll_is_named_with_its_line(played: tuple[Journal, int]) -> None:
    def harm(lines: list[Entry]) -> None:
        place = the("box", lines, 3)
        (die,) = lines[place].value
        lines[place] = lines[place]._replace(value=[die % 6 + 1])

    found = verdict(*played, harm)
    assert (found.problem, found.draws) == ("draw", 4)
    assert (
        found.last_verified_entry
        == the("box", played[0].read_game_header_and_lines(played[1])[1], 3) + 1
    )


def test_two_cards_that_change_places_in_the_deal_are_noticed(played: tuple[Journal, int]) -> None:
    def harm(lines: list[Entry]) -> None:
        place = the("box", lines)
        one, two, *rest = lines[place].value
        lines[place] = lines[place]._replace(value=[two, one, *rest])

    assert verdict(*played, harm).problem == "draw"


def test_a_deal_that_is_written_as_somebody_s_answer_is_noticed(
    played: tuple[Journal, int],
) -> None:
    def harm(lines: list[Entry]) -> None:
        place = the("box", lines)
        lines[place] = lines[place]._replace(kind="answer", value=list(range(56)))

    found = verdict(*played, harm)
    assert (found.problem, found.last_verified_entry) == (
        "draw",
        the("box", played[0].read_game_header_and_lines(played[1])[1]) + 1,
    )


def test_an_answer_in_the_box_s_name_is_noticed(played: tuple[Journal, int]) -> None:
    def harm(lines: list[Entry]) -> None:
        place = the("answer", lines)
        lines[place] = lines[place]._replace(kind="box")

    assert verdict(*played, harm).problem == "draw"


@pytest.mark.parametrize("n", [0, 1])
def test_another_press_gives_other_draws(played: tuple[Journal, int], n: int) -> None:
    def harm(lines: list[Entry]) -> None:
        place = the("press", lines, n)
        lines[place] = lines[place]._replace(value=8)

    assert verdict(*played, harm).problem == "draw"


def test_a_press_that_nobody_was_asked_for_can_not_turn_the_dice(
    played: tuple[Journal, int],
) -> None:
    def harm(lines: list[Entry]) -> None:
        lines.insert(the("answer", lines), Entry("press", "mix", "Ann", 9, 1))

    assert verdict(*played, harm).problem == "press"


def test_a_deal_before_all_have_pressed_is_noticed(played: tuple[Journal, int]) -> None:
    assert verdict(*played, lambda lines: lines.pop(the("press", lines))).problem == "draw"


def test_another_seed_than_the_promised_one_is_noticed(played: tuple[Journal, int]) -> None:
    journal, number = played
    other = tampered(journal, number, lambda _: None, seed="a better seed")
    assert verify.verify_game_against_seed(journal, other)[:2] == ("commitment", 0)


def test_a_seed_with_its_own_commitment_does_not_give_these_draws(
    played: tuple[Journal, int],
) -> None:
    journal, number = played
    seed = Chance("a better seed")
    other = tampered(
        journal, number, lambda _: None, seed=seed.seed, commitment=seed.seed_commitment
    )
    assert verify.verify_game_against_seed(journal, other).problem == "draw"


def test_an_answer_that_was_never_offered_is_noticed(played: tuple[Journal, int]) -> None:
    def harm(lines: list[Entry]) -> None:
        place = the("answer", lines)
        lines[place] = lines[place]._replace(value=11)

    assert verdict(*played, harm).problem == "rules"


def test_a_stolen_victory_is_noticed(played: tuple[Journal, int]) -> None:
    def harm(lines: list[Entry]) -> None:
        place = the("over", lines)
        (winner,) = lines[place].value
        lines[place] = lines[place]._replace(value=[name for name in NAMES if name != winner])

    assert verdict(*played, harm).problem == "winner"


def test_a_victory_before_the_end_is_noticed(played: tuple[Journal, int]) -> None:
    def harm(lines: list[Entry]) -> None:
        lines[20:] = [Entry("over", value=["Ann"])]

    assert verdict(*played, harm).problem == "winner"


def test_a_redo_of_nothing_is_noticed(played: tuple[Journal, int]) -> None:
    assert verdict(*played, lambda lines: lines.insert(4, Entry("redo"))).problem == "rules"


def test_an_undo_of_nothing_is_noticed(played: tuple[Journal, int]) -> None:
    assert verdict(*played, lambda lines: lines.insert(0, Entry("undo"))).problem == "rules"


def pick_up(session: Session) -> None:
    """Play until an undo needs agreement."""
    rng = random.Random(2)
    while not (session.standing.snapshot.undoable and session.standing.undo_needs_agreement):
        assert session.standing.pending_prompt is not None
        value = (
            7
            if session.standing.pending_prompt.name == "mix"
            else rng.choice(legal_answers(session.standing.pending_prompt))
        )
        session.answer(value, 1)
        session.mark_secrets_sent(1)
        session.commit()


def taken_back(edition: dict[str, Any], *, then: int = 0) -> tuple[Journal, int]:
    """Return a game with an agreed undo past a secret. Undo the game's end `then` times."""
    journal = Journal(None)
    setup = GameSetup(GAME, NAMES, VIRTUAL, edition, Chance("a seed"))
    session = Session.begin(journal, setup, 0)
    pick_up(session)
    session.undo(1)
    session.answer("yes", 1)
    session.commit()
    play(session, random.Random(3))
    for _ in range(then):
        session.undo(1)
        session.commit()
        play(session, random.Random(4))
    return journal, session.number


def test_an_undo_that_the_table_agreed_to_is_straight_and_counted(edition: dict[str, Any]) -> None:
    found = verify.verify_game_against_seed(*taken_back(edition))
    assert (found.problem, found.agreed_undos, found.reopened) == (None, 1, False)


def test_an_undo_past_a_secret_without_asking_the_table_is_noticed(edition: dict[str, Any]) -> None:
    def harm(lines: list[Entry]) -> None:
        place = the("undo", lines)
        lines[place] = lines[place]._replace(value=False)

    assert verdict(*taken_back(edition), harm).problem == "undo"


def test_a_game_that_went_on_after_its_seed_was_shown_says_so(edition: dict[str, Any]) -> None:
    found = verify.verify_game_against_seed(*taken_back(edition, then=1))
    assert (found.problem, found.reopened) == (None, True)


def test_to_look_at_cards_after_the_end_does_not_hide_that_the_game_went_on(
    edition: dict[str, Any],
) -> None:
    def harm(lines: list[Entry]) -> None:
        lines.insert(the("over", lines) + 1, Entry("seen", who="Ann", at=1))

    assert verdict(*taken_back(edition, then=1), harm).reopened


def test_a_game_that_does_not_exist_is_an_error(played: tuple[Journal, int]) -> None:
    with raises_english(JournalError, match="no game 9"):
        verify.verify_game_against_seed(played[0], 9)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda _: None, "box.past.straight"),
        (lambda lines: lines.pop(the("press", lines)), "box.past.crooked"),
    ],
    ids=["straight", "crooked"],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_past_game_says_whether_its_chance_was_straight(
    played: tuple[Journal, int], harm: Callable[[list[Entry]], Any], said: str, language: str
) -> None:
    journal, number = played
    words = Words(language)
    cue = finished_game.open_finished_game_review(
        journal, tampered(journal, number, harm), words
    ).title_fact
    assert cue.facts["chance"] == words(said)
    assert cue.facts["players"] == "Ann 4, Bob 1"
