from __future__ import annotations

import random
from typing import Any

import pytest

from companion.cmd import games
from companion.core.chance import Chance
from companion.core.prompts import Choose, Number, Prompt, Roll, Shuffle, Spell, is_legal_answer
from companion.games.barney_miller import GAME
from companion.play import simulate
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from tests.helpers import session_words

NAMES = ("Ann", "Bob", "Cy")
OWN = {"deck": "own", "die": "companion", "track": "edition"}
VIRTUAL = {"deck": "virtual", "die": "companion", "track": "edition"}
PROMPTS: tuple[Prompt, ...] = (
    Choose("space", None, ("start", "gang")),
    Choose("card", "Ann", (0, 1, 2), (1, 0, 5)),
    Number("players", None, 2, 4, 2),
    Spell("word", "Ann", 12, ("CARD", "PROBE")),
    Roll("roll", "Ann", 2),
    Roll("roll", "Ann", 2, real=True),
    Shuffle("shuffle", 56),
)


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
def test_a_random_answer_is_a_legal_answer(prompt: Prompt) -> None:
    rng = random.Random(1)
    assert all(is_legal_answer(prompt, simulate.random_answer(prompt, rng)) for _ in range(50))


def test_a_random_answer_is_the_one_that_the_same_bits_have_always_given() -> None:
    for n in range(2, 40):
        prompt = Choose("which", None, tuple(range(n)))
        assert simulate.random_answer(prompt, random.Random(n)) == random.Random(n).choice(range(n))


def test_of_no_answers_none_is_picked() -> None:
    with pytest.raises(IndexError):
        simulate.random_answer(Choose("which", None, ()), random.Random(1))


def test_own_cards_come_as_often_as_they_are_in_the_deck() -> None:
    rng, prompt = random.Random(1), Choose("card", "Ann", (0, 1, 2), (1, 0, 3))
    picked = [simulate.random_answer(prompt, rng) for _ in range(4_000)]
    assert picked.count(1) == 0
    assert 0.22 < picked.count(0) / 4_000 < 0.28


@pytest.mark.long
def test_the_same_seed_plays_the_same_games_and_another_plays_others(
    edition: dict[str, Any],
) -> None:
    def figures(seed: int) -> tuple[Any, ...]:
        first = GAME.setup(NAMES, OWN, edition)
        found = simulate.simulate_random_games(GAME, first, games=20, seed=seed)
        return found._replace(seconds=0)

    assert figures(1) == figures(1)
    assert figures(1) != figures(2)


def test_presses_are_only_counted_when_asked_for_and_only_for_what_people_answer(
    edition: dict[str, Any],
) -> None:
    first = GAME.setup(NAMES, OWN, edition)
    slow = simulate.simulate_random_games(GAME, first, games=20, seed=1)
    fast = simulate.simulate_random_games(GAME, first, games=20, seed=1, count=False)
    assert (fast.player_answers, fast.presses) == (0, 0)
    assert (fast.answers, fast.wins) == (slow.answers, slow.wins)
    assert 0 < slow.player_answers < slow.answers
    assert slow.presses > slow.player_answers
    assert sum(slow.wins.values()) == 20


@pytest.mark.long
def test_a_thousand_games_with_own_cards_take_at_most_three_presses_and_a_fifth_an_answer(
    edition: dict[str, Any],
) -> None:
    first = GAME.setup(NAMES[:2], OWN, edition)
    found = simulate.simulate_random_games(GAME, first, games=1_000, seed=1)
    assert found.presses / found.player_answers <= 3.4


def told(options: dict[str, str], language: str, edition: dict[str, Any]) -> list[str]:
    setup = GameSetup(GAME, NAMES, options, edition, Chance("a seed"), mixing=False)
    session = Session.begin(Journal(None), setup, 0)
    said: list[str] = []
    games.narrate_random_game(
        session, session_words(session, language), random.Random(1), said.append
    )
    assert session.standing.pending_prompt is None
    return said


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("options", [OWN, VIRTUAL], ids=["own", "virtual"])
def test_a_told_game_names_whoever_takes_loses_or_wins_something(
    language: str, options: dict[str, str], edition: dict[str, Any]
) -> None:
    said = told(options, language, edition)
    assert len(said) > 30
    assert not [sentence for sentence in said if "|" in sentence or not sentence.strip()]
    assert any(name in said[-1] for name in NAMES)
    won = [sentence for sentence in said if "round" in sentence or "manche" in sentence]
    assert all(any(name in sentence for name in NAMES) for sentence in won)


def test_a_told_game_tells_no_secret(edition: dict[str, Any]) -> None:
    assert not [sentence for sentence in told(VIRTUAL, "en", edition) if "Your cards" in sentence]
