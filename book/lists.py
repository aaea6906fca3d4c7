"""Lists for the book: commands of the command line, options of games, and recorded games."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from companion.catalog import registry
from companion.cmd import places
from companion.cmd.commands import cli, commands_of_group, localise_command_help
from companion_testing.playthrough import cut_playthrough_after_first_round
from tests.helpers import words_for

TABLE_HEADS: Final = {
    "en": {
        "options": "| option | possible values; the first value is the default |",
        "flags": "| option | meaning |",
        "between": "; ",
    },
    "fr": {
        "options": "| option | valeurs possibles ; la première est la valeur par défaut |",
        "flags": "| option | signification |",
        "between": " ; ",
    },
}
PLAYTHROUGHS_FOLDER: Final = Path(__file__).parents[1] / "tests" / "playthroughs"
MAX_PLAYTHROUGH_LINE_LETTERS: Final = 110
"""Maximum length of a line in a playthrough (letters); longer lines are cut."""
TABLE_RULE: Final = "| --- | --- |"
FLAG_OR_CODE_PATTERN: Final = re.compile(r"`[^`]*`|--[a-z][a-z-]*")
"""Pattern of a command-line flag, or of a passage that is already marked as code."""


def find_command(name: str) -> click.Command:
    """Return the command `name`, such as `evening plan`. Raise KeyError for an unknown name."""
    command: click.Command = cli
    for word in name.split():
        inner = commands_of_group(command).get(word)
        if inner is None:
            raise KeyError(name)
        command = inner
    return command


def full_command_names(command: click.Command = cli, before: str = "") -> Iterator[str]:
    """Yield the full name of every command, such as `evening plan`; groups are omitted."""
    if isinstance(command, click.Group):
        for name, inner in sorted(commands_of_group(command).items()):
            yield from full_command_names(inner, f"{before} {name}".strip())
    else:
        yield before


def format_command_help(name: str) -> str:
    """Return a command's usage, help and options as Markdown, in the language of this machine."""
    # the package that defines the command's first word has the translations
    its = localise_command_help(find_command(name), name.partition(" ")[0])
    context = click.Context(its, info_name=f"companion {name}")
    usage = " ".join([context.command_path, *its.collect_usage_pieces(context)])
    rows = [record for parameter in its.params if (record := parameter.get_help_record(context))]
    table = [f"| `{_cell(flag)}` | {_cell(_mark_flags(text))} |" for flag, text in rows if text]
    head = [TABLE_HEADS[places.system_language()]["flags"], TABLE_RULE] if table else []
    text = _mark_flags(inspect.cleandoc(its.help or ""))
    return "\n".join([f"```text\n{usage}\n```\n", text, "", *head, *table])


def _mark_flags(text: str) -> str:
    """Return `text` with flags marked as code.

    Outside code, the book would show two hyphens as a dash.
    """
    return FLAG_OR_CODE_PATTERN.sub(
        lambda match: match[0] if match[0][0] == "`" else f"`{match[0]}`", text
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def format_game_options(game: str, language: str) -> str:
    """Return a Markdown table of a game's options, with the labels that the box shows."""
    its, words = registry.find_game(game), words_for(game, language)
    rows = (
        f"| `{option.name}` | "
        + TABLE_HEADS[language]["between"].join(
            f"{words.game_option_value_label(game, option.name, value)} (`{value}`)"
            for value in option.values
        )
        + " |"
        for option in its.options
        if len(option.values) > 1  # the box asks only about options with several values
    )
    return "\n".join((TABLE_HEADS[language]["options"], TABLE_RULE, *rows))


def format_playthrough_start(game: str, language: str) -> str:
    """Return the first round of a recorded game as text; long lines are cut."""
    text = (PLAYTHROUGHS_FOLDER / f"{game}-{language}.txt").read_text("utf-8")
    lines = cut_playthrough_after_first_round(text).splitlines()
    cut = (
        line
        if len(line) <= MAX_PLAYTHROUGH_LINE_LETTERS
        else f"{line[: MAX_PLAYTHROUGH_LINE_LETTERS - 1]}…"
        for line in lines
    )
    return "\n".join(("```text", *cut, "```"))
