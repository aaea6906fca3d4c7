"""The first line of a game's record, which stores the setup of the game.

The record can be older than the installed rules of the game. If the record lacks an option, the
option gets its first value. If the rules reject a recorded value or answer, functions of this
module raise OutdatedRecordedGame.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from companion.catalog import registry
from companion.core.chance import Chance
from companion.core.errors import CompanionError, OutdatedRecordedGame
from companion.core.game import Option
from companion.play.answer_history import ComputerPlayerProgram, GameSetup


def fresh_game_id() -> str:
    """Return a new UUID that identifies a game in every record."""
    return str(uuid.uuid4())


def record_header_from_setup(setup: GameSetup) -> dict[str, Any]:
    """Return the first line of a game's record for a setup, as JSON values.

    An option that the setup lacks gets its first value.
    """
    usual = {option.name: option.values[0] for option in setup.game.options}
    header = {
        "game": setup.game.name,
        "players": setup.players,
        "options": usual | dict(setup.options),
        "edition": setup.edition,
        "seed": setup.chance.seed,
        "commitment": setup.chance.seed_commitment,
        "mixing": setup.mixing,
    }
    if setup.programs:
        header["programs"] = {who: program._asdict() for who, program in setup.programs.items()}
    if (origin := registry.game_package_version(setup.game.name)) is not None:
        header |= origin._asdict()
    return header


def setup_from_record_header(header: Mapping[str, Any]) -> GameSetup:
    """Return the setup of a recorded game, read from the record's first line.

    Raise GameNotInstalled if the package is missing. Raise OutdatedRecordedGame if the rules have
    changed, or if the record lacks the seed. Raise UnknownGame if the game cannot be played for
    another reason.
    """
    game = registry.find_game_of_record(header["game"], package_from_record_header(header))
    if header["seed"] is None:
        raise OutdatedRecordedGame("kept_back")
    with rule_errors_as_outdated_game():
        return GameSetup(
            game=game,
            players=tuple(header["players"]),
            options=_options(game.options, header["options"]),
            edition=header["edition"],
            chance=Chance(header["seed"]),
            mixing=header["mixing"],
            programs=computer_players_from_record_header(header),
        )


def computer_players_from_record_header(
    header: Mapping[str, Any],
) -> dict[str, ComputerPlayerProgram]:
    """Return the computer players of a recorded game, by the name of the player."""
    return {
        who: ComputerPlayerProgram(**program) for who, program in header.get("programs", {}).items()
    }


def package_from_record_header(header: Mapping[str, Any]) -> registry.PackageVersion | None:
    """Return the package name and version of a recorded game; None if the game is built in."""
    return (
        registry.PackageVersion(header["package"], header["version"])
        if "package" in header
        else None
    )


def _options(options: tuple[Option, ...], recorded: Mapping[str, str]) -> dict[str, str]:
    """Return the recorded options; an option that the record lacks gets its first value.

    Raise OutdatedRecordedGame if a recorded value of an option no longer exists in the rules.
    """
    chosen = {option.name: option.values[0] for option in options} | dict(recorded)
    for option in options:
        if chosen[option.name] not in option.values:
            raise OutdatedRecordedGame(
                "option", option=option.name, value=repr(chosen[option.name])
            )
    return chosen


@contextmanager
def rule_errors_as_outdated_game() -> Iterator[None]:
    """Convert exceptions of a game's rules within the `with` block to OutdatedRecordedGame.

    A CompanionError stays unchanged.
    """
    try:
        yield
    except CompanionError:
        raise
    except Exception as error:
        raise OutdatedRecordedGame("outgrown", why=f"{type(error).__name__}: {error}") from error
