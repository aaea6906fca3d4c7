"""The help of the commands, and what click says of mistakes, in the language of the machine.

The English that stands in the source is the key to a catalogue that only this looks into: `help`,
in the `locale/` beside this file. click looks its own sentences up in it, as gettext does.
"""

from __future__ import annotations

import gettext
from copy import copy
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.cmd import places
from companion.say import catalogues

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER: Final = Path(__file__).parent
SOURCE: Final = "en"
"""The language that needs no catalogue."""


def told(command: click.Command) -> click.Command:
    """A command as it tells of itself here; from now on click does, too. Raises ValueError."""
    language = places.language()
    if language == SOURCE:
        gettext.textdomain("messages")  # as a process begins
        return command
    folder = catalogues.compiled(FOLDER, language, "help").parents[2]
    gettext.bindtextdomain("help", str(folder))
    gettext.textdomain("help")
    return translated(command, gettext.translation("help", str(folder), [language]).gettext)


def translated(command: click.Command, say: Callable[[str], str]) -> click.Command:
    """A copy of a command and of all below it: what it says of itself as `say` has it."""
    copied = copy(command)
    copied.help = command.help and "\n\n".join(map(say, paragraphs(command.help)))
    copied.params = [_translated(param, say) for param in command.params]
    copied.options_metavar = command.options_metavar and say(command.options_metavar)
    if isinstance(copied, click.Group):
        copied.subcommand_metavar = say(copied.subcommand_metavar)
        inner = copied.commands.items()
        copied.commands = {name: translated(each, say) for name, each in inner}
    return copied


def _translated(param: click.Parameter, say: Callable[[str], str]) -> click.Parameter:
    """An option or an argument: its help, and what it takes."""
    copied = copy(param)
    copied.type = copy(param.type)
    copied.type.name = say(param.type.name)
    copied.metavar = param.metavar and say(param.metavar)
    if isinstance(copied, click.Option):
        copied.help = copied.help and say(copied.help)
    return copied


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring, each on one line."""
    return [" ".join(each.split()) for each in cleandoc(text).split("\n\n")]
