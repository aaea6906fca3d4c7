"""Tests of remarks about rare games: each remark is true, and follows from the earlier games."""

from __future__ import annotations

from typing import Any, Final

import pytest

from companion.draw.canvas import wrap_text
from companion.figures import sentences
from companion.figures.game_statistics import GameStatistics
from companion.figures.luck import ShuffleCounts
from companion.figures.names import FORGOTTEN_NAME
from companion.figures.rare import RareFact, _measured, rarest_fact_about_game
from companion.say.words import LANGUAGES, Words
from tests.figures.test_figures import a_game

FACTS: Final = (
    "longest", "shortest", "leads", "late", "highest", "close", "clear", "streak", "first_win",
    "at_last", "beaten", "round", "tie", "dice", "cards",
)  # fmt: skip
"""The names of all remarks."""
USUAL: Final = [a_game(n, "AB"[n % 2], answers=20 + n % 3 * 10) for n in range(12)]
"""Games of two, won in turn, none of them rare."""


def name(game: GameStatistics, before: list[GameStatistics]) -> str | None:
    fact = rarest_fact_about_game(game, before)
    return fact and fact.name


def test_of_a_first_game_or_a_usual_one_nothing_is_told() -> None:
    assert rarest_fact_about_game(a_game(), []) is None
    assert rarest_fact_about_game(a_game(12, "A", answers=30), USUAL) is None


def of(winner: str, **changes: Any) -> GameStatistics:
    return a_game(12, winner, **{"answers": 30, **changes})


@pytest.mark.parametrize(
    ("game", "told", "once_in"),
    [
        (of("A", answers=41), "longest", 13),
        (of("A", answers=19), "shortest", 13),
        (of("A", leads=3), "leads", 13),
        (of("A", decided=30), "late", 13),
        (of("A", scores=(5, 1)), "highest", 13),
        (of("AB"), "tie", 13),
        (of("A", faces=(5, 10, 10, 10, 10, 25)), "dice", 20),
        (of("A", faces=(0, 10, 10, 10, 10, 60)), "dice", 1000),
        (of("A", shuffles=ShuffleCounts().with_shuffle(range(48))), "cards", 1000),
    ],
)
def test_what_no_game_or_few_had_before_is_told(
    game: GameStatistics, told: str, once_in: float
) -> None:
    rarest = rarest_fact_about_game(game, USUAL)
    assert rarest is not None
    assert rarest[:2] == (told, once_in)


def test_a_record_that_was_only_reached_again_is_none() -> None:
    assert name(of("A", answers=40), USUAL) is None


def test_another_kind_of_game_sets_no_mark() -> None:
    others = [one._replace(game="probe", answers=90) for one in USUAL]
    assert name(of("A", answers=41), [*USUAL, *others]) == "longest"


def test_margins_are_compared_where_there_are_points() -> None:
    before = [one._replace(scores=(10, 4) if n % 2 else (3, 10)) for n, one in enumerate(USUAL)]
    assert name(of("A", scores=(10, 9)), before) == "close"
    assert name(of("A", scores=(10, 1)), before) == "clear"


def test_wins_in_a_row_are_as_rare_as_if_all_played_alike() -> None:
    before = [a_game(n, "A", "ABC") for n in range(3)]
    assert rarest_fact_about_game(a_game(3, "A", "ABC"), before) == (
        "streak",
        81,
        {"who": "A", "n": 4},
    )
    assert name(a_game(3, "A", "ABC"), before[:1]) is None


def test_a_first_win_after_a_long_time_and_one_at_last() -> None:
    lost = [a_game(n, "BCD"[n % 3], "ABCD") for n in range(8)]
    told = rarest_fact_about_game(a_game(8, "A", "ABCD"), lost)
    assert told is not None
    assert (told.name, told.facts) == ("first_win", {"who": "A", "n": 8})
    assert told.once_in == pytest.approx((4 / 3) ** 8)
    won = a_game(-1, "A", "ABCD")
    assert name(a_game(8, "A", "ABCD"), [won, won, *lost]) == "at_last"


def test_whoever_beats_somebody_at_last_is_told_and_whom() -> None:
    lost = [a_game(n, "B", "ABC") for n in range(6)]
    turned = [a_game(6, "C", "ABC"), a_game(7, "C", "AC"), a_game(8, "A", "AC")]
    fact = rarest_fact_about_game(a_game(9, "A", "AB"), [*lost, *turned])
    assert fact == ("beaten", 64, {"who": "A", "last": "B", "n": 6})


def test_round_numbers_are_told_only_where_nothing_is_rarer() -> None:
    before = [a_game(n, "AB"[n % 2]) for n in range(99)]
    assert rarest_fact_about_game(a_game(99, "B"), before) == ("round", 100, {"n": 100})
    assert name(a_game(99, "B", answers=99, faces=(0, 9, 9, 9, 9, 90)), before) == "dice"


def test_games_that_are_not_over_count_for_nothing() -> None:
    open_games = [one._replace(ended=None, winners=()) for one in USUAL]
    assert rarest_fact_about_game(of("A", answers=99), open_games) is None


def test_of_whoever_was_forgotten_nothing_is_told_but_of_the_game() -> None:
    before = [
        one._replace(players=(FORGOTTEN_NAME, "B"), winners=(FORGOTTEN_NAME,)) for one in USUAL
    ]
    game = of("A", scores=(9, 1), decided=30)
    game = game._replace(players=(FORGOTTEN_NAME, "B"), winners=(FORGOTTEN_NAME,))
    assert rarest_fact_about_game(game, before) == ("clear", 13, {"game": "kojak", "n": 8})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_has_words_that_fit_and_say_how_rare_it_is(language: str) -> None:
    words = Words(language)
    facts = {
        "game": "barney-miller",
        "who": "Wojehowicz",
        "last": "Bartholomé",
        "n": 123,
        "of": 456,
    }
    for kind in FACTS:
        cue = sentences.rarest_fact_announcement(RareFact(kind, 10**6, facts), words)
        assert len(words.fact_title(cue)) <= 16
        *_, last = words.fact_text(cue).split("|")
        assert str(9_999 if kind not in ("round", "dice", "cards") else 123) in last
        assert sum(map(len, wrap_text(words.fact_text(cue), 21)[4:])) == 0, kind
        assert words.fact_speech(cue).endswith(".")


def test_the_score_of_who_has_left_is_no_record_and_no_margin() -> None:
    before = [one._replace(players=("A", "B", "C"), scores=(30, 4, 50)) for one in USUAL]
    game = of("A", players=("A", "B", "C"), scores=(40, 9, 200), left=(2,))
    assert not [fact for fact in _measured(game, before) if fact.facts.get("who") == "C"]
    clear = next(fact for fact in _measured(game, before) if fact.name == "clear")
    assert clear.facts["n"] == 31
    alone = of("A", players=("A", "B"), scores=(40, 200), left=(1,))
    assert not {"highest", "close", "clear"} & {fact.name for fact in _measured(alone, before)}
