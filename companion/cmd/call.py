"""A command that click reads: what is wrong is one line, and the exit status comes back."""

from __future__ import annotations

import traceback

import click


def call(command: click.Command, name: str, arguments: list[str], *, debug: bool) -> int:
    """Do a command; its exit status. What is wrong with it is one line on standard error."""
    try:
        status: int | None = command.main(arguments, name, standalone_mode=False)
    except click.ClickException as error:
        if debug:
            traceback.print_exc()
        else:
            click.echo(f"companion: {' '.join(error.format_message().split())}", err=True)
        return error.exit_code
    except click.Abort:  # Ctrl-C
        return 130
    return status or 0
