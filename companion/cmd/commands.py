"""The list of all commands, and the translation of their help.

A command is in the module that has the command's name, or in a module of OTHER_COMMANDS_BY_MODULE.
The module of a command is imported when the command is called. Packages add commands through the
entry-point group ENTRY_POINT_GROUP. An entry of this group consists of a command's name and its
function. The function's module can define the constant HELP_PLACE: the heading of the command in
the help, and the command's position under the heading.

The English help in the source code is the key to the catalogue `help`. The catalogue is in the
folder `locale/` beside this file, or in the folder `locale/` of the package that adds the command.
The sentences of click are also looked up in this catalogue, through gettext.
"""

from __future__ import annotations

import gettext
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from copy import copy
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from types import CodeType
from typing import Final, NamedTuple

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from companion.catalog import registry
from companion.cmd import places
from companion.core.plugins import Plugin, installed_plugins
from companion.core.version import installed_version
from companion.say import catalogues

COMMANDS_FOLDER: Final = Path(__file__).parent
PACKAGE_NAME: Final = "tabletop-companion"
OTHER_COMMANDS_BY_MODULE: Final = {
    "commands": ("completion", "manual"),
    "games": ("edition", "play", "simulate"),
    "history": ("note", "people", "show", "verify"),
    "page": ("hotspot",),
    "seat": ("seats",),
    "transfer": ("backup", "export", "import", "restore", "stick"),
    "words": ("voices",),
}
"""Table from a module to the module's commands that do not have the module's name."""
MODULES_WITHOUT_NAMESAKE_COMMAND: Final = frozenset({
    "__init__", "arguments", "cli", "commands", "first", "i18n", "opening", "places", "preset",
    "record_owner", "repair_screens", "start", "transfer",
})  # fmt: skip
"""Names of the modules in this folder for which no command with the same name exists."""
NO_ARGUMENTS_ERRORS: Final = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""The exception that click raises if a user calls a group of commands without a command.

Versions of click before 8.2 have no such exception and print the group's help.
"""
ENTRY_POINT_GROUP: Final = "companion.commands"
"""Name of the entry-point group through which packages add commands."""
SOURCE_LANGUAGE: Final = "en"
"""The language of the source code, which needs no catalogue."""
SHELL_COMPLETIONS: Final = {"bash": BashComplete, "fish": FishComplete, "zsh": ZshComplete}


class LazyCommands(Mapping[str, click.Command]):
    """A mapping from a name to a command; looking up a command loads the command."""

    def __init__(self, names: Collection[str], make: Callable[[str], click.Command]) -> None:
        self._names, self._make = names, make

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._names:
            raise KeyError(name)
        return self._make(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _built_in() -> Iterator[str]:
    for family in OTHER_COMMANDS_BY_MODULE.values():
        yield from family
    for file in COMMANDS_FOLDER.glob("*.py"):
        if file.stem not in MODULES_WITHOUT_NAMESAKE_COMMAND:
            yield file.stem.replace("_", "-")


BUILT_IN_COMMANDS: Final = tuple(_built_in())


@cache
def find_package_commands() -> Mapping[str, Plugin]:
    """Return the commands that installed packages add, by name of the command.

    Ignore a package's command that has the name of a built-in command, or has no source file.
    """
    there = (
        plugin
        for plugin in installed_plugins(ENTRY_POINT_GROUP)
        if plugin.name not in BUILT_IN_COMMANDS
    )
    return {plugin.name: plugin for plugin in there if plugin.source_file is not None}


class CommandNames(Collection[str]):
    """The names of all commands: built-in commands, and commands that installed packages add."""

    def __contains__(self, name: object) -> bool:
        return name in BUILT_IN_COMMANDS or name in find_package_commands()

    def __iter__(self) -> Iterator[str]:
        yield from BUILT_IN_COMMANDS
        yield from find_package_commands()

    def __len__(self) -> int:
        return len(BUILT_IN_COMMANDS) + len(find_package_commands())


def load_command(name: str) -> click.Command:
    """Import the module of a command, and return the command."""
    if name not in BUILT_IN_COMMANDS:
        command = find_package_commands()[name].load()
        assert isinstance(command, click.Command)
        return command
    module = import_module(f"{__package__}.{command_module_name(name)}")
    there = (each for each in vars(module).values() if isinstance(each, click.Command))
    return next(each for each in there if each.name == name)


def help_only_command_from_bytecode(name: str) -> click.Command:
    """Return a command with only a help text, read from the module's compiled code.

    A list of commands needs only the help texts. Reading the help texts is several times faster
    than importing all modules.
    """
    if name in BUILT_IN_COMMANDS:
        spec = find_spec(f"{__package__}.{command_module_name(name)}")
        module = _module_bytecode(spec and spec.loader)
        called = name.replace("-", "_")
    else:
        plugin = find_package_commands()[name]
        module = _package_module_bytecode(plugin)
        called = plugin.attribute
    functions = {each.co_name: each for each in module.co_consts if isinstance(each, CodeType)}
    function = functions.get(f"{called}_command") or functions[called]
    # Python stores a function's docstring as the first constant of its code object
    return click.Command(name, help=function.co_consts[0])


def _module_bytecode(loader: object) -> CodeType:
    assert isinstance(loader, SourceFileLoader)
    bytecode = loader.get_code(loader.name)
    assert bytecode is not None
    return bytecode


@cache
def _package_module_bytecode(plugin: Plugin) -> CodeType:
    return _module_bytecode(SourceFileLoader(plugin.module, str(plugin.source_file)))


class HelpPlace(NamedTuple):
    """The place of a package's command in the help: a heading, and a position under the heading.

    The commands of packages follow the built-in commands of the same heading, in the order of
    their positions.
    """

    heading: str
    position: int


def help_place_from_bytecode(plugin: Plugin) -> HelpPlace | None:
    """Return the constant HELP_PLACE of a command's module, read from the module's compiled code.

    HELP_PLACE must be the module's first constant that consists of a text and a number. Return None
    if the module has no constant HELP_PLACE.
    """
    bytecode = _package_module_bytecode(plugin)
    if "HELP_PLACE" not in bytecode.co_names:
        return None
    pairs = (pair for pair in bytecode.co_consts if isinstance(pair, tuple))
    return next((HelpPlace(*pair) for pair in pairs if [*map(type, pair)] == [str, int]), None)


def command_module_name(name: str) -> str:
    """Return the name of the module in this folder that contains the command `name`."""
    families = (module for module, inner in OTHER_COMMANDS_BY_MODULE.items() if name in inner)
    return next(families, name.replace("-", "_"))


COMMANDS_BY_HEADING: Final = {
    "Play": (
        "play", "games", "edition", "words", "voices", "stdio", "simulate", "seat", "seats",
    ),
    "Records": (
        "history", "show", "note", "people", "verify", "backup", "restore", "export", "import",
    ),
    "Box": ("page", "hotspot", "doctor", "completion", "manual"),
}  # fmt: skip
"""Table from a heading in the help to its built-in commands, the most used command first."""
ADDED_COMMANDS_HEADING: Final = "Added by packages"
"""The heading in the help above commands whose packages name no heading."""


def all_commands_by_heading() -> dict[str, list[str]]:
    """Return the names of all commands under the headings of the help.

    The headings of packages follow the built-in headings. ADDED_COMMANDS_HEADING is last.
    """
    groups = {heading: [*names] for heading, names in COMMANDS_BY_HEADING.items()}
    added = find_package_commands()
    places = {name: help_place_from_bytecode(plugin) for name, plugin in added.items()}
    placed = [(place, name) for name, place in places.items() if place is not None]
    for place, name in sorted(placed, key=lambda pair: pair[0].position):
        groups.setdefault(place.heading, []).append(name)
    groups[ADDED_COMMANDS_HEADING] = [name for name, place in places.items() if place is None]
    return {heading: names for heading, names in groups.items() if names}


class GroupedCommands(click.Group):
    """The click group of all commands. The help of this group lists the commands by heading."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section with the commands of each heading into the help."""
        del ctx
        groups = all_commands_by_heading()
        longest = max(len(name) for names in groups.values() for name in names)
        for heading, names in groups.items():
            rows = [
                (
                    name,
                    localise_command_help(
                        help_only_command_from_bytecode(name), name
                    ).get_short_help_str(formatter.width - 6 - longest),
                )
                for name in names
            ]
            with formatter.section(command_help_translator(names[0])(heading)):
                formatter.write_dl(rows)


@click.group(cls=GroupedCommands, commands=LazyCommands(CommandNames(), load_command))
@click.version_option(package_name=PACKAGE_NAME, prog_name="companion")
def cli() -> None:
    """Companion, a box beside board games.

    Without a command, `companion` starts the box on its hardware.

    With --debug, an error prints its whole Python traceback.
    """
    registry.set_packaged_games_cache_file(places.packaged_games_cache_file())


def run_companion_command(arguments: list[str], *, debug: bool) -> int:
    """Run the `companion` command that `arguments` name; return the exit status.

    An error is printed as one line on standard error, or as a traceback with `debug`.
    """
    return run_click_command(cli, "companion", arguments, debug=debug)


def run_click_command(
    command: click.Command, name: str, arguments: list[str], *, debug: bool
) -> int:
    """Run a click command; return the exit status.

    An error is printed as one line on standard error, or as a traceback with `debug`.
    """
    try:
        status: int | None = localise_command_help(command).main(
            arguments, name, standalone_mode=False
        )
    except click.ClickException as error:
        if debug:
            traceback.print_exc()
        elif isinstance(error, NO_ARGUMENTS_ERRORS):
            click.echo(error.format_message(), err=True)
        else:
            click.echo(f"companion: {' '.join(error.format_message().split())}", err=True)
        return error.exit_code
    except click.Abort:  # Ctrl-C was pressed
        return 130
    return status or 0


# --- the translated help --------------------------------------------------------------------------


def localise_command_help(command: click.Command, name: str = "") -> click.Command:
    """Return a command with its help in this machine's language, and set click's language.

    `name`: the command's name, from which the function finds the catalogue of a package; "" for a
    built-in command.

    Raise ValueError if the catalogue of this language is invalid.
    """
    language = places.system_language()
    if language == SOURCE_LANGUAGE:
        gettext.textdomain("messages")  # restore gettext's default domain
        return command
    folder = catalogues.compile_catalogue_if_outdated(COMMANDS_FOLDER, language, "help").parents[2]
    gettext.bindtextdomain("help", str(folder))
    gettext.textdomain("help")
    below = command_help_translator if command is cli else None
    return translate_command_help(command, command_help_translator(name), below)


def command_help_translator(name: str) -> Callable[[str], str]:
    """Return the function that translates the help of a command into this machine's language.

    A package that adds commands can have its own catalogue `help`. If that catalogue lacks a
    sentence, the function uses Companion's catalogue.
    """
    language = places.system_language()
    if language == SOURCE_LANGUAGE:
        return str
    ours = _catalogue(COMMANDS_FOLDER, language)
    folder = (
        None
        if not name or name in BUILT_IN_COMMANDS or name not in find_package_commands()
        else find_package_commands()[name].package_folder
    )
    if (
        folder is None
        or not catalogues.catalogue_source_file(folder, language, "help").parent.is_dir()
    ):
        return ours.gettext
    theirs = _catalogue(folder, language)
    theirs.add_fallback(ours)
    return theirs.gettext


def _catalogue(folder: Path, language: str) -> gettext.NullTranslations:
    there = catalogues.compile_catalogue_if_outdated(folder, language, "help").parents[2]
    return gettext.translation("help", str(there), [language])


def translate_command_help(
    command: click.Command,
    say: Callable[[str], str],
    below: Callable[[str], Callable[[str], str]] | None = None,
) -> click.Command:
    """Return a copy of a command and its subcommands, with all help translated by `say`.

    `below`: function from a subcommand's name to the function that translates the subcommand's
    help; None to use `say` for all subcommands.
    """
    copied = copy(command)
    copied.help = command.help and "\n\n".join(map(say, docstring_paragraphs(command.help)))
    copied.params = [_translate_parameter(param, say) for param in command.params]
    copied.options_metavar = command.options_metavar and say(command.options_metavar)
    if isinstance(copied, click.Group):
        copied.subcommand_metavar = say(copied.subcommand_metavar)
        inner = copied.commands
        told_so = LazyCommands(
            inner, lambda name: translate_command_help(inner[name], below(name) if below else say)
        )
        copied.commands = told_so  # type: ignore[assignment] # click adds no command
    return copied


def _translate_parameter(param: click.Parameter, say: Callable[[str], str]) -> click.Parameter:
    copied = copy(param)
    copied.type = copy(param.type)
    copied.type.name = say(param.type.name)
    copied.metavar = param.metavar and say(param.metavar)
    if isinstance(copied, click.Option):
        copied.help = copied.help and say(copied.help)
    return copied


def docstring_paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a docstring, each on one line."""
    return [" ".join(each.split()) for each in cleandoc(text).split("\n\n")]


# --- completion and manual page -------------------------------------------------------------------


@click.command()
@click.argument("shell", type=click.Choice(SHELL_COMPLETIONS))
def completion(shell: str) -> None:
    """Print a shell script that completes command names, options and games.

    For bash, save the script as ~/.local/share/bash-completion/completions/companion.
    """
    root = click.get_current_context().find_root()
    # click's completion variable for this program, as in the module `cli`
    asked = "_COMPANION_COMPLETE"
    click.echo(SHELL_COMPLETIONS[shell](root.command, {}, "companion", asked).source())


@click.command()
def manual() -> None:
    """Print the manual page. The command `companion manual | man -l -` shows the page."""
    root = click.get_current_context().find_root()
    click.echo("\n".join(manual_page_lines(root)))


MANUAL_SUMMARY: Final = (
    "A small box that keeps score, shuffles and settles disputes beside board games of the 1970s"
)


MANUAL_SECTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "FILES": {
        "/etc/companion, ~/.config/companion": (
            "Files that you write: board.toml, settings.toml for a new record, seats.toml, "
            "editions, voices and sets of sounds. An installed box reads the first folder."
        ),
        "/var/lib/companion, ~/.local/share/companion": (
            "Files that the box writes: games.db (every game and the settings), and copies of "
            "games.db in backups."
        ),
        "/var/cache/companion, ~/.cache/companion": (
            "Cached speech and the first screen. You can delete them at any time."
        ),
        "/run/companion/door.sock": "The socket of the running box, for programs.",
    },
    "ENVIRONMENT": {
        "LANGUAGE, LC_ALL, LC_MESSAGES, LANG": "The language of the commands and of a new record.",
        "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME": (
            "Folders to use instead of ~/.config, ~/.local/share and ~/.cache."
        ),
        "TERM": (
            "On a console without braille, the picture is made of half blocks; a dumb terminal "
            "cannot play."
        ),
    },
    "EXIT STATUS": {
        "0": "The command succeeded, or all checks passed.",
        "1": "The command failed, or a check found a problem. Standard error has one line.",
        "2": "The command line has a wrong option or argument.",
        "130": "The command was ended with Ctrl-C.",
    },
}
"""Table from a section's title on the manual page to the section's rows, such as files and texts.
"""


def manual_page_lines(root: click.Context) -> Iterator[str]:
    """Yield the lines of the manual page of a command and its subcommands, formatted for man(7)."""
    yield f'.TH COMPANION 1 "" "companion {installed_version()}" "Companion"'
    yield from (_heading("NAME"), f"companion \\- {_plain(gettext.gettext(MANUAL_SUMMARY))}")
    yield from (_heading("SYNOPSIS"), *_usage(root))
    yield from (_heading("DESCRIPTION"), *_about(root), _heading("OPTIONS"), *_options(root))
    yield _heading("COMMANDS")
    for context in _below(root):
        yield from (".SS " + _plain(" ".join(context.command_path.split()[1:])), *_usage(context))
        yield from (".PP", *_about(context), *_options(context))
    for title, rows in MANUAL_SECTIONS.items():
        yield _heading(title)
        for name, text in rows.items():
            yield from (".TP", f".B {_plain(name)}", _plain(gettext.gettext(text)))


def _heading(title: str) -> str:
    return f".SH {gettext.gettext(title)}"


def commands_of_group(command: click.Command) -> dict[str, click.Command]:
    """Return the commands of a group by name, or an empty table if `command` is no group."""
    if not isinstance(command, click.Group):
        return {}
    context = click.Context(command)
    inner = {name: command.get_command(context, name) for name in command.list_commands(context)}
    return {name: found for name, found in inner.items() if found is not None}


def _below(context: click.Context) -> Iterator[click.Context]:
    for name, command in sorted(commands_of_group(context.command).items()):
        inner = click.Context(command, info_name=name, parent=context)
        if not isinstance(command, click.Group):
            yield inner
        yield from _below(inner)


def _usage(context: click.Context) -> Iterator[str]:
    pieces = context.command.collect_usage_pieces(context)
    yield f".B {context.command_path}"
    yield _plain(" ".join(pieces))


def _about(context: click.Context) -> Iterator[str]:
    paragraphs = (context.command.help or "").split("\n\n")
    for paragraph in paragraphs:
        yield from (".PP", _plain(" ".join(paragraph.replace("\b", "").split())))


def _options(context: click.Context) -> Iterator[str]:
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        is_told = parameter.name != "help" or context.parent is None
        if isinstance(parameter, click.Option) and record is not None and is_told:
            names, text = record
            yield from (".TP", f".B {_plain(names)}", _plain(text))


def _plain(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{escaped}" if escaped.startswith(".") else escaped
