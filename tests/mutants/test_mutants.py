"""Test that each mutant fits the current rules."""

from __future__ import annotations

from tests.mutate import MUTANTS, Trial, misplacement_reason


def test_every_mutant_stands_once_in_its_games_rules() -> None:
    trials = [Trial(game, mutant, ()) for game, those in MUTANTS.items() for mutant in those]
    assert list(filter(None, map(misplacement_reason, trials))) == []
