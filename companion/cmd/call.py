"""A command that click reads: what is wrong is one line, and the exit status comes back."""

from __future__ import annotations

import traceback
from typing import Final

import click

from companion.cmd.helping import told

ONLY_HELP: Final = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""What a group without a command raises; before click 8.2 it printed its help."""


def call(command: click.Command, name: str, arguments: list[str], *, debug: bool) -> int:
    """Do a command; its exit status. What is wrong with it is one line on standard error."""
    try:
        status: int | None = told(command).main(arguments, name, standalone_mode=False)
    except click.ClickException as error:
        if debug:
            traceback.print_exc()
        elif isinstance(error, ONLY_HELP):
            click.echo(error.format_message(), err=True)
        else:
            click.echo(f"companion: {' '.join(error.format_message().split())}", err=True)
        return error.exit_code
    except click.Abort:  # Ctrl-C
        return 130
    return status or 0
