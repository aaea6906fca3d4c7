"""Tests that the arena's rule-based players finish whole games and beat random players."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from companion.catalog import registry
from companion.cmd.commands import cli
from companion_testing import arena
from companion_testing.rule_players import make_rule_player
from companion_testing.rule_players.base import RulePlayer
from tests.helpers import long_lane_params
from tests.seat.test_seats import GAMES, pitch, seat


def entrants(game: str, seed: str) -> dict[str, RulePlayer]:
    """Return a rule-based player for each of two seats."""
    return {who: make_rule_player(game, who, seed) for who in registry.find_game(game).names[:2]}


@pytest.mark.sampled(1)
@pytest.mark.usefixtures("word_list")
@pytest.mark.parametrize("name", GAMES)
def test_rule_players_finish_a_game_and_nothing_is_refused(name: str) -> None:
    winners, table = arena.play_arena_game(pitch(name), entrants(name, "1"), "ab", lambda: 0.0)
    assert winners
    assert not table.faults


@pytest.mark.long
@pytest.mark.usefixtures("word_list")
def test_a_rule_player_of_probe_calls_the_only_word_left() -> None:
    games = [
        arena.play_arena_game(pitch("probe"), entrants("probe", seed), seed, lambda: 0.0)
        for seed in ("ab", "cd")
    ]
    assert sum(len(game[1].calls) for game in games)


@pytest.mark.long
@pytest.mark.usefixtures("word_list")
@pytest.mark.parametrize("name", ["barney-miller", *long_lane_params(["baretta", "probe"])])
def test_a_rule_player_beats_random_answers(name: str) -> None:
    place = pitch(name)
    played = arena.play_arena_games(
        place, ("rules", "random"), 12, "cd",
        lambda who, player, seed: (
            make_rule_player(name, player, seed)
            if who == "rules"
            else seat(place, player, who, seed)
        ),
        lambda: 0.0,
    )  # fmt: skip
    assert arena.win_shares([*played])[0].share > 0.7


@pytest.mark.long
def test_the_arena_knows_the_rule_player_by_its_name() -> None:
    told = CliRunner().invoke(
        cli, ["arena", "barney-miller", "--seats", "rules,random", "--games", "2"]
    )
    assert told.exit_code == 0, told.output
    assert "rules" in told.output
