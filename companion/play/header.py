"""The first line of a game's record: what it was begun with, written down and read again.

A record can be older than the rules. An option that its first line does not have is the option's
first value; rules that reject a recorded value or answer raise Outgrown.
"""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from companion.catalog import registry
from companion.core.chance import Chance
from companion.core.errors import CompanionError, Outgrown
from companion.play.line import Program, Setup

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.core.game import Option


def fresh_id() -> str:
    """What a game is known by wherever its record goes: a UUID."""
    return str(uuid.uuid4())


def header_of(setup: Setup) -> dict[str, Any]:
    """What a game is begun with, as JSON values; of an option that was left out the usual one."""
    usual = {option.name: option.values[0] for option in setup.game.options}
    header = {
        "game": setup.game.name,
        "players": setup.players,
        "options": usual | dict(setup.options),
        "edition": setup.edition,
        "seed": setup.chance.seed,
        "commitment": setup.chance.commitment,
        "mixing": setup.mixing,
    }
    if setup.programs:
        header["programs"] = {who: one._asdict() for who, one in setup.programs.items()}
    if (origin := registry.origin(setup.game.name)) is not None:
        header |= origin._asdict()
    return header


def setup_of(header: Mapping[str, Any]) -> Setup:
    """What a recorded game was begun with.

    Raises UnknownGame: NotInstalled with the package that is missing, or Outgrown.
    """
    game = registry.recorded(header["game"], origin_of(header))
    if header["seed"] is None:
        raise Outgrown("kept_back")
    with of_other_rules():
        return Setup(
            game=game,
            players=tuple(header["players"]),
            options=_options(game.options, header["options"]),
            edition=header["edition"],
            chance=Chance(header["seed"]),
            mixing=header["mixing"],
            programs=programs_of(header),
        )


def programs_of(header: Mapping[str, Any]) -> dict[str, Program]:
    """The players of a recorded game whose seat the box played, and how."""
    return {who: Program(**one) for who, one in header.get("programs", {}).items()}


def origin_of(header: Mapping[str, Any]) -> registry.Origin | None:
    """The package that a recorded game was played with; None if it was built in."""
    return registry.Origin(header["package"], header["version"]) if "package" in header else None


def _options(options: tuple[Option, ...], recorded: Mapping[str, str]) -> dict[str, str]:
    """The options of a recorded game. Raises Outgrown if it was played as nobody can any more."""
    chosen = {option.name: option.values[0] for option in options} | dict(recorded)
    for option in options:
        if chosen[option.name] not in option.values:
            raise Outgrown("option", option=option.name, value=repr(chosen[option.name]))
    return chosen


@contextmanager
def of_other_rules() -> Iterator[None]:
    """Whatever a recorded game makes the rules of today raise in here is Outgrown."""
    try:
        yield
    except CompanionError:
        raise
    except Exception as error:
        raise Outgrown("outgrown", why=f"{type(error).__name__}: {error}") from error
