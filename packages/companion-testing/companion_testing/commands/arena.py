"""Command `companion arena`: games between programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import click

from companion.box.face_errors import guarded_face_and_words
from companion.cmd import places
from companion.cmd.arguments import (
    game_argument,
    load_edition_in_use,
    parse_game_options,
    set_option,
)
from companion.cmd.seat import (
    RunningEngines,
    make_computer_player,
    no_computer_player_reason,
    seconds_option,
)
from companion.core.chance import Chance
from companion.core.game import Game
from companion.core.plugins import Plugin, installed_plugins
from companion.play.answer_history import GameSetup
from companion.say.decimals import format_decimal
from companion.seat.player import LEVELS
from companion.seat.seat_program import SeatProgram
from companion_testing import arena
from companion_testing.arena import WinShare
from companion_testing.commands.words import localised_sentence

HELP_PLACE: Final = ("Games of your own", 3)
PLAYERS_ENTRY_POINTS: Final = "companion.players"
"""Entry point group through which packages add players to the arena.

Each entry point is a function with the parameters game name, player and seed. The function returns
a program for the seat.
"""


@click.command("arena")
@game_argument
@click.option(
    "--seats", required=True, metavar="A,B[,C[,D]]",
    help="The player of each seat: random, greedy, learner, friend, strong, rules, or a program.",
)  # fmt: skip
@click.option("--games", "n", type=click.IntRange(1), default=100, show_default=True,
              help="The number of games to play.")  # fmt: skip
@click.option("--seed", default="00", show_default=True, metavar="HEX",
              help="The seed of all chance: the same seed gives the same games.")  # fmt: skip
@set_option
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print the output as JSON, for programs.")
def arena_command(
    game: Game[Any],
    seats: str,
    n: int,
    seed: str,
    pairs: tuple[str, ...],
    seconds: float | None,
    as_json: bool,
) -> None:
    """Let programs play games against each other in every seat, and count their wins.

    Without --seconds, a program imagines a fixed number of games for each answer. Without
    --seconds, the same seed gives the same results.
    """
    names, settings = _entrants(game, seats), parse_game_options(game, _without_hands(game, pairs))
    if why := no_computer_player_reason(game, settings):
        raise click.UsageError(f"{why} {localised_sentence('arena.simulate')}")
    shares = _fought(game, names, settings, n, seed, seconds or 0)
    click.echo(_as_json(game.name, n, names, shares) if as_json else _as_text(names, shares))


def _fought(
    game: Game[Any],
    names: Sequence[str],
    settings: Mapping[str, str],
    n: int,
    seed: str,
    seconds: float,
) -> tuple[WinShare, ...]:
    edition = load_edition_in_use(game, places.record_folder())
    _, book = guarded_face_and_words(
        GameSetup(game, game.names[: len(names)], settings, edition, Chance(seed))
    )
    pitch = arena.ArenaGameSettings(game, settings, edition, book["en"])
    others = _plugged_in()
    with RunningEngines() as engines:

        def make(name: str, player: str, seed: str) -> SeatProgram:
            if name in LEVELS:
                return make_computer_player(game, player, name, seconds, seed)
            if name in others:
                other: SeatProgram = others[name].load()(game.name, player, seed)
                return other
            return engines.start_engine(Path(name), game.name, player, seed)

        played = []
        for arena_game in arena.play_arena_games(pitch, names, n, seed, make, perf_counter):
            played.append(arena_game)
            _progress(len(played), n)
    return arena.win_shares(played)


def _plugged_in() -> dict[str, Plugin]:
    return {plugin.name: plugin for plugin in installed_plugins(PLAYERS_ENTRY_POINTS)}


def _entrants(game: Game[Any], seats: str) -> list[str]:
    """Return the names of the programs for the seats.

    Raise click.UsageError if the number of names is wrong or a name is unknown.
    """
    names = seats.split(",")
    if len(names) not in game.seats:
        lo, hi = game.seats.start, game.seats.stop - 1
        raise click.UsageError(
            localised_sentence("cmd.given.seats", game=game.name, few=lo, most=hi, n=len(names))
        )
    programs = (*LEVELS, *_plugged_in())
    for name in names:
        if name not in programs and not Path(name).is_file():
            raise click.UsageError(
                localised_sentence("arena.no_seat", name=name, seats=", ".join(programs))
            )
    return names


def _without_hands(game: Game[Any], pairs: tuple[str, ...]) -> tuple[str, ...]:
    """Return options with which computer players need no help, followed by the options `pairs`.

    Other values of these options need a person who handles cards or dice for a computer player.
    """
    free = [
        f"{option.name}={value}"
        for option in game.options
        for value in option.values[::-1]
        if option.name in game.options_without_computer_players
        and value not in game.options_without_computer_players[option.name]
    ]
    return (*free, *pairs)


def _progress(n: int, whole: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{n} / {whole} " if n < whole else "\r\033[K")
        sys.stderr.flush()


def _as_json(game: str, n: int, names: Sequence[str], shares: Sequence[WinShare]) -> str:
    def each(value: Callable[[WinShare], float]) -> dict[str, float]:
        return {f"{i}:{names[i]}": round(value(share), 4) for i, share in enumerate(shares)}

    return json.dumps({
        "game": game,
        "games": n,
        "shares": each(lambda share: share.share),
        "low": each(lambda share: share.low),
        "high": each(lambda share: share.high),
        "seconds_a_move": each(lambda share: share.seconds_a_move),
    })  # fmt: skip


def _as_text(names: Sequence[str], shares: Sequence[WinShare]) -> str:
    language = places.system_language()
    rows = []
    for name, seat in zip(names, shares, strict=True):
        share, low, high = (
            format_decimal(100 * x, language) for x in (seat.share, seat.low, seat.high)
        )
        seconds = format_decimal(seat.seconds_a_move, language, ".3f")
        rows.append(
            localised_sentence(
                "arena.row", name=name, share=share, low=low, high=high, seconds=seconds
            )
        )
    return "\n".join(rows)
