"""Command `companion check`: run the checks of a game.

Findings are in English, because programmers read the findings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final

import click

import companion_testing
from companion.cmd import places
from companion.cmd.arguments import game_argument, load_edition_in_use
from companion.cmd.commands import command_help_translator
from companion.core.game import Edition, Game
from companion_testing import CheckFinding
from companion_testing.commands.words import localised_sentence

HELP_PLACE: Final = ("Games of your own", 2)
MAX_SHOWN_FINDINGS: Final = 5
"""Maximum number of findings that the command shows for one property."""


def run_and_print_checks(
    game: Game[Any],
    edition: Edition,
    games: int | None,
    say: Callable[[str], None],
    *,
    slowly: bool = False,
) -> bool:
    """Run all checks of a game and print the findings. Return True if there are no findings."""
    findings: defaultdict[str, list[CheckFinding]] = defaultdict(list)
    for finding in companion_testing.run_all_checks(
        game, games=games, edition=edition, slowly=slowly
    ):
        findings[finding.property].append(finding)
    in_our_words = command_help_translator("check")
    tables = [*companion_testing.tables_of_all_option_combinations(game, edition)]
    n = companion_testing.default_games_per_table(tables) if games is None else games
    say(localised_sentence("check.games", game=game.name, n=n, tables=len(tables)))
    for name, rule in companion_testing.PROPERTIES.items():
        rule_text = in_our_words(rule).removesuffix(".")
        say(
            localised_sentence(
                f"check.property.{'not_' * bool(findings[name])}kept", name=name, what=rule_text
            )
        )
        for finding in findings[name][:MAX_SHOWN_FINDINGS]:
            say(f"  {finding}.")
        if len(findings[name]) > MAX_SHOWN_FINDINGS:
            say(f"  {localised_sentence('check.more', n=len(findings[name]) - MAX_SHOWN_FINDINGS)}")
    return not any(findings.values())


@click.command("check")
@game_argument
@click.option("--games", "n", type=click.IntRange(1),
              help=(
                      "The number of random games for each combination of players and options "
                      "(default: 1 to 5)."
                  ))  # fmt: skip
@click.option("--slowly", is_flag=True,
              help=(
                      "Run the slow checks for every combination of players and options, and "
                      "compare the views of every player."
                  ))  # fmt: skip
def check_command(game: Game[Any], n: int | None, slowly: bool) -> int:
    """Check a game package with the test kit. The exit status is 1 if a check fails."""
    edition = load_edition_in_use(game, places.record_folder())
    return 0 if run_and_print_checks(game, edition, n, click.echo, slowly=slowly) else 1
