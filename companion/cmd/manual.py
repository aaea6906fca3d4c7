"""`companion completion` and `companion manual`: what a shell and `man` know of the commands."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from companion.cmd.tongue import said

if TYPE_CHECKING:
    from collections.abc import Iterator

SHELLS: Final = {"bash": BashComplete, "fish": FishComplete, "zsh": ZshComplete}


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what lets a shell complete commands, options and games, for its folder of such scripts.

    For bash that is ~/.local/share/bash-completion/completions/companion.
    """
    root = click.get_current_context().find_root()
    asked = "_COMPANION_COMPLETE"  # click's name for it, as `cli` has it
    click.echo(SHELLS[shell](root.command, {}, "companion", asked).source())


@click.command()
def manual() -> None:
    """Print the page for `man`: companion manual | man -l -."""
    root = click.get_current_context().find_root()
    click.echo("\n".join(page(root)))


def page(root: click.Context) -> Iterator[str]:
    """The lines of the manual page of a command and all below it, for man(7)."""
    yield f'.TH COMPANION 1 "" "companion {version("tabletop-companion")}" "Companion"'
    yield from (_heading("name"), f"companion \\- {_plain(said('manual.summary'))}")
    yield from (_heading("synopsis"), *_usage(root))
    yield from (_heading("description"), *_about(root), _heading("options"), *_options(root))
    yield _heading("commands")
    for context in _below(root):
        yield from (".SS " + _plain(" ".join(context.command_path.split()[1:])), *_usage(context))
        yield from (".PP", *_about(context), *_options(context))


def _heading(part: str) -> str:
    return f".SH {said(f'manual.{part}')}"


def _below(context: click.Context) -> Iterator[click.Context]:
    """The commands of a group, and theirs, in the order of their names."""
    if not isinstance(context.command, click.Group):
        return
    for name, command in sorted(context.command.commands.items()):
        inner = click.Context(command, info_name=name, parent=context)
        if not isinstance(command, click.Group):
            yield inner
        yield from _below(inner)


def _usage(context: click.Context) -> Iterator[str]:
    pieces = context.command.collect_usage_pieces(context)
    yield f".B {context.command_path}"
    yield _plain(" ".join(pieces))


def _about(context: click.Context) -> Iterator[str]:
    """What a command's help says, paragraph by paragraph."""
    paragraphs = (context.command.help or "").split("\n\n")
    for paragraph in paragraphs:
        yield from (".PP", _plain(" ".join(paragraph.replace("\b", "").split())))


def _options(context: click.Context) -> Iterator[str]:
    """A paragraph for each option, with what click says of it; --help stands once."""
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        is_told = parameter.name != "help" or context.parent is None
        if isinstance(parameter, click.Option) and record is not None and is_told:
            names, text = record
            yield from (".TP", f".B {_plain(names)}", _plain(text))


def _plain(text: str) -> str:
    """Text whose signs roff takes for themselves."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{escaped}" if escaped.startswith(".") else escaped
