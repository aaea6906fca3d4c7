"""A question on the command line that is answered with yes or no, in the machine's language."""

from __future__ import annotations

import click

from companion.cmd.tongue import said


def agreed(question: str) -> bool:
    """Whether somebody says yes; the bare ENTER key says no. Raises click.Abort."""
    asked = f"{question} {said('ask.answers')}"
    told = click.prompt(asked, default="", value_proc=_yes, show_default=False, prompt_suffix=" ")
    return bool(told)


def _yes(answer: str) -> bool:
    """What a word means. Raises click.BadParameter, and it is asked again."""
    word = answer.strip().casefold()
    if word in said("ask.yes").split():
        return True
    if word and word not in said("ask.no").split():
        raise click.BadParameter(said("ask.which"))
    return False
