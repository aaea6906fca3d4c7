"""The group of the commands `companion evening …` (docs/evening.md), and the command `plan`.

Programs call `plan` often, so this module imports only what `plan` needs. The other commands are
imported when a user calls one of these commands or lists all commands.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import click

from companion_club.seating import plan

HELP_PLACE: Final = ("Play", 1)


class EveningCommandGroup(click.Group):
    """The group of the evening commands; commands that use a broker need the package paho-mqtt."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all evening commands."""
        _import_all_commands()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the evening command `cmd_name`, or None if there is no such command."""
        if cmd_name not in self.commands:
            _import_all_commands()
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Raise click.ClickException if paho-mqtt is needed but missing."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] != "paho":
                raise
            words = import_module("companion_club.commands.words")
            raise click.ClickException(words.localised_sentence("evening.no_paho")) from error


def _import_all_commands() -> None:
    import_module("companion_club.commands.organiser")  # adds commands to the group


@click.group(cls=EveningCommandGroup)
def evening() -> None:
    """Run an evening of games at many tables: seat the players, and rank them."""


@evening.command("plan")
def plan_command() -> int:
    """Read the facts of an evening as JSON, and print the next seating.

    If there is no next seating, the exit status is 1.

    docs/evening.md describes the facts of an evening and the seating rules.
    """
    return plan.main(_english_error_text)


def _english_error_text(error: BaseException) -> str:
    words = import_module("companion_club.words")
    return str(words.english_error_text(error))
