"""Arguments that several commands share: game, players, options, settings, yes-or-no questions."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from click.shell_completion import CompletionItem

from companion.catalog import editions, registry
from companion.catalog.editions import InvalidEditionError
from companion.cmd import places
from companion.cmd.i18n import (
    command_sentence,
    describe_file_mistake,
    describe_value_mistake,
    localised_error_text,
    unknown_name_message,
)
from companion.core.errors import UnknownGame, UnplayableGame
from companion.core.game import Game
from companion.core.name_comparison import appearance_key, normalise_name
from companion.menus import settings
from companion.menus.new_game import FORBIDDEN_NAMES
from companion.say.words import LANGUAGES

MAX_TYPED_NAME_LETTERS: Final = 40
"""Maximum number of letters in a player's name. The small display shows the first ten letters."""


class GameArgumentType(click.ParamType[Game[Any]]):
    """The click parameter type for a game's name.

    For an unknown name, the error message names the most similar game.
    """

    name = "game"

    def convert(self, value: Any, param: Any, ctx: Any) -> Game[Any]:
        """Return the game with the name `value`. Report a usage error if no game has this name."""
        if isinstance(value, Game):
            return value
        try:
            return registry.find_game(value)
        except UnplayableGame as error:
            self.fail(localised_error_text(error), param, ctx)
        except UnknownGame:
            self.fail(
                unknown_name_message("game", str(value), registry.playable_game_names(), like=0.3),
                param,
                ctx,
            )

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the games whose names begin with the typed text."""
        del ctx, param
        return [
            CompletionItem(name)
            for name in registry.playable_game_names()
            if name.startswith(incomplete)
        ]


game_argument = click.argument("game", type=GameArgumentType(), metavar="GAME")
players_option = click.option("--players", help="The names of the players, separated by commas.")
set_option = click.option(
    "--set",
    "pairs",
    multiple=True,
    metavar="OPTION=VALUE",
    help=("Set an option of the game; repeatable."),
)


lang_option = click.option(
    "--lang", type=click.Choice(LANGUAGES), help="The language of the output."
)
set_box_option = click.option(
    "--set-box", "box", multiple=True, metavar="OPTION=VALUE",
    help="Set an option of the box, and save it in the record; repeatable.",
)  # fmt: skip
socket_option = click.option(
    "--socket", type=click.Path(dir_okay=False, path_type=Path), metavar="PATH",
    help="The path of the box's socket (default: in the folder of the record).",
)  # fmt: skip


class BoxConnectionOptions(NamedTuple):
    """The options for access to the running box: the box's socket, a seat and a token."""

    socket: Path | None
    seat: str | None
    token: str | None


def add_box_connection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for access to the running box to a click command.

    The command receives a `BoxConnectionOptions` as its argument `way`, or None if --connect is not
    given.
    """

    @wraps(command)
    def run_command(
        *, connect: bool, socket: Path | None, seat: str | None, token: str | None, **given: Any
    ) -> Any:
        return command(**given, way=BoxConnectionOptions(socket, seat, token) if connect else None)

    for option in (
        click.option("--token", metavar="T", help="The secret token that the box gave for --seat."),
        click.option(
            "--seat",
            metavar="NAME",
            help=("With --connect: the player whose seat to take; needs --token."),
        ),
        socket_option,
        click.option(
            "--connect",
            is_flag=True,
            help=("Connect standard input and output to the running box."),
        ),
    ):
        run_command = option(run_command)
    return run_command


def parse_player_names(game: Game[Any], names: str | None) -> tuple[str, ...]:
    """Return the players' names. Raise click.UsageError if the names are not valid.

    `names`: the names, separated by commas. If `names` is None, return default names of the game
    for its minimum number of players.
    """
    few = game.names[: game.seats.start]
    players = tuple(map(normalise_name, names.split(","))) if names is not None else few
    if len(players) not in game.seats:
        lo, hi = game.seats.start, game.seats.stop - 1
        seats = {"game": game.name, "few": lo, "most": hi, "n": len(players)}
        raise click.UsageError(command_sentence("given.seats", **seats))
    for name in players:
        if not name or not name.isprintable() or ":" in name or len(name) > MAX_TYPED_NAME_LETTERS:
            raise click.UsageError(
                command_sentence("given.no_name", name=repr(name), n=MAX_TYPED_NAME_LETTERS)
            )
        if name.casefold() in FORBIDDEN_NAMES:
            raise click.UsageError(command_sentence("given.taken_name", name=repr(name)))
    if len(set(map(appearance_key, players))) != len(players):
        raise click.UsageError(command_sentence("given.twice"))
    return players


def parse_game_options(game: Game[Any], pairs: tuple[str, ...]) -> dict[str, str]:
    """Return a game's options by name.

    `pairs`: texts of the form OPTION=VALUE. An option without a pair gets the option's first value.

    Raise click.UsageError if an option is not valid.
    """
    options = {option.name: option.values[0] for option in game.options}
    for pair in pairs:
        name, _, value = pair.partition("=")
        option = next((option for option in game.options if option.name == name), None)
        if option is None:
            raise click.UsageError(unknown_name_message("option", name, options))
        if value not in option.values:
            raise click.UsageError(unknown_name_message("value", value, option.values, option=name))
        options[name] = value
    return options


def parse_box_settings(pairs: tuple[str, ...]) -> dict[str, Any]:
    """Parse texts of the form OPTION=VALUE. Return the box's settings as a record stores them.

    Raise click.UsageError if a setting is not valid.
    """
    values: dict[str, Any] = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        if name not in settings.DEFAULTS:
            raise click.UsageError(unknown_name_message("setting", name, settings.DEFAULTS))
        named = {"yes": True, "no": False, "off": None}
        read: Any = int(value) if value.isdecimal() else named.get(value, value)
        if isinstance(settings.DEFAULTS[name], list):
            read = [part for part in value.split(",") if part]
        if slip := settings.setting_value_mistake(name, read):
            raise click.UsageError(describe_value_mistake(slip))
        values[name] = read
    return values


def load_edition_in_use(game: Game[Any], taught: Path | None) -> dict[str, Any]:
    """Return the edition (the description of the printed board) that a game uses.

    `taught`: folder with editions that players entered during games; None to ignore these
    editions.

    If the edition has a mistake, raise click.ClickException with the first mistake.
    """
    folders = places.config_folder(), taught
    try:
        return editions.load_edition(game.name, *folders)
    except InvalidEditionError as error:
        file = editions.active_edition_file(game.name, *folders)
        every = f"companion edition {game.name} --check {file}"
        first = describe_file_mistake(error.mistakes[0])
        raise click.ClickException(
            command_sentence("edition.spoilt", mistake=first, command=every)
        ) from error


def ask_yes_no(question: str) -> bool:
    """Ask a question until the user types yes or no; return True for yes.

    An empty line counts as no. Raise click.Abort if the user presses Ctrl-C.
    """
    asked = f"{question} {command_sentence('ask.answers')}"
    answer = click.prompt(asked, default="", value_proc=_yes, show_default=False, prompt_suffix=" ")
    return bool(answer)


def _yes(answer: str) -> bool:
    word = answer.strip().casefold()
    if word in command_sentence("ask.yes").split():
        return True
    if word and word not in command_sentence("ask.no").split():
        raise click.BadParameter(command_sentence("ask.which"))
    return False
