"""Tests of the computer player of Kojak: it remembers the piles and never looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any, Final

import pytest

from companion.catalog import editions
from companion.core.game import Cue, SeatMemory
from companion.games.kojak import GAME
from companion.games.kojak.known.imagine import (
    answers_worth_analysing,
    estimate,
    quick_answer_in_simulation,
)
from companion.games.kojak.rules.state import State
from companion_testing.imagining import (
    check_imagined_games,
    cues_received_by_player,
    json_round_trip,
    player_memory,
)
from companion_testing.playing import Move, play_random_game
from companion_testing.table import GameTable, longest_player_names
from tests.helpers import long_lane_params

EDITION = editions.load_edition("kojak")
OPTIONS = {option.name: option.values[0] for option in GAME.options}


def table(players: int, **options: str) -> GameTable:
    return GameTable(GAME, longest_player_names(players), {**OPTIONS, **options}, EDITION)


def remembered(
    game: GameTable, seed: int, span: int | None = None
) -> Iterator[tuple[Move, SeatMemory]]:
    """Yield each question to a detective in a random game, with the memory of that detective."""
    facts: tuple[Cue, ...] = ()
    for move in play_random_game(game, seed).moves:
        if move.prompt.name == "happened":
            who = move.prompt.who
            assert who is not None
            yield move, player_memory(game, facts, move.prompt, who, span=span)
        facts += cues_received_by_player(move.cues, "")


def imagined(state: State, told: SeatMemory, seed: int = 1) -> Any:
    """Return the state that the active player imagines."""
    assert GAME.computer is not None
    assert told.who is not None
    return GAME.computer.imagine(
        json_round_trip(GAME.view(state, None)), told, told.who, Random(seed)
    )


DICE: Final = ("companion", "press", "real", "none")
ONCE: Final = [*zip(("fetched", "at_once") * 2, DICE, strict=True)]
WAYS: Final = [
    *ONCE,
    *long_lane_params(way for way in product(("fetched", "at_once"), DICE) if way not in ONCE),
]
"""Pairs of options for cars beside a place and for the die. The quick tests play ONCE."""


@pytest.mark.long
@pytest.mark.parametrize("players", [3, *long_lane_params([2, 4])])
@pytest.mark.parametrize(("beside", "die"), WAYS)
@pytest.mark.parametrize("seeds", [range(1), *long_lane_params([range(1, 3)])], ids=str)
def test_what_is_imagined_looks_as_the_game_does_for_every_seat(
    seeds: range, players: int, beside: str, die: str
) -> None:
    for seed in seeds:
        told = play_random_game(table(players, beside=beside, die=die), seed)
        assert not list(check_imagined_games(told))


def test_ko_13_who_has_seen_the_whole_pile_of_traps_knows_its_order() -> None:
    known = unknown = 0
    for move, told in remembered(table(2), 0):
        drawn = sum(cue.name == "trap" for cue in told.facts)
        ours, theirs = imagined(move.before, told).traps, move.before.traps
        seen = min(drawn, len(theirs))
        assert ours[len(ours) - seen :] == theirs[len(theirs) - seen :]
        assert sorted(ours) == sorted(theirs)
        known += seen == len(theirs)
        unknown += not seen
    assert known
    assert unknown


@pytest.mark.long
def test_ko_8_mission_cards_that_went_under_the_pile_are_remembered() -> None:
    known = 0
    for seed in range(4):
        for move, told in remembered(table(3), seed):
            if any(cue.name == "corrected" for cue in told.facts):
                break
            gone = sum(cue.name == "mission" and not cue.facts["kept"] for cue in told.facts)
            ours, theirs = imagined(move.before, told).missions, move.before.missions
            assert sorted(ours) == sorted(theirs)
            assert ours[len(ours) - min(gone, len(ours)) :] == theirs[len(ours) - gone :]
            known += bool(gone)
    assert known


def test_ko_13_who_forgets_knows_no_order_and_still_every_card() -> None:
    piles: set[tuple[str | None, ...]] = set()
    for move, told in remembered(table(2), 0, span=0):
        ours = imagined(move.before, told, seed=len(piles)).traps
        assert sorted(ours) == sorted(move.before.traps)
        piles.add(ours)
    assert len(piles) > 9


@pytest.mark.long
def test_ko_8_twin_games_whose_piles_differ_are_imagined_and_played_alike() -> None:
    for move, told in remembered(table(2), 0):
        state = move.before
        twin = replace(state, traps=state.traps[::-1], missions=state.missions[::-1])
        assert imagined(state, told) == imagined(twin, told)


def test_ko_15_a_sure_arrest_is_made_and_ko_18_the_own_cars_are_home_first() -> None:
    arrests = 0
    for seed in range(6):
        for move, told in remembered(table(2), seed):
            view, who = json_round_trip(GAME.view(move.before, None)), told.who or ""
            found = answers_worth_analysing(view, told, who, Random(1))
            assert set(found) <= set(told.choices)
            if who in view["may_arrest"]:
                arrests += 1
                assert found == ("entrance",)
                assert quick_answer_in_simulation(move.before, move.prompt, Random(1)) == "entrance"
    assert arrests
    race = SeatMemory(("Ann", "Bob"), {}, {}, question="parked_first", who="Bob")
    assert answers_worth_analysing({}, race, "Bob", Random(1)) == ("Bob",)


def test_ko_13_who_remembers_nothing_does_not_think_of_trap_cards() -> None:
    thought = set()
    for move, told in remembered(table(2), 0, span=0):
        view, who = json_round_trip(GAME.view(move.before, None)), told.who or ""
        if view["stage"][who] == "hunting" and who not in view["may_arrest"]:
            thought |= {answers_worth_analysing(view, told, who, Random(seed)) for seed in range(9)}
            three = answers_worth_analysing(view, told._replace(span=3), who, Random(1))
            assert three == ("trap", "nothing")
    assert thought == {("trap",), ("nothing",)}


def test_ko_18_an_arrest_more_counts_for_more_than_any_stage() -> None:
    state = table(2).first_state()
    before = replace(state, closed=(0, None, None, None), stages=("to_mission", "hunting"))
    ahead, behind = estimate(before)
    assert ahead > behind
    assert estimate(replace(before, champion=1)) == (0, 1)
    assert sum(estimate(before)) == pytest.approx(1)


def test_the_box_plays_with_its_own_cards_and_any_die_since_people_drive_its_cars() -> None:
    for die in ("companion", "press", "real", "none"):
        assert GAME.can_box_play_seat({**OPTIONS, "die": die})
    assert not GAME.can_box_play_seat({**OPTIONS, "deck": "own"})
