"""Tests of help and usage errors in the language of the machine, from click and from us."""

from __future__ import annotations

import ast
import gettext
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Final

import click
import pytest
from babel.messages.pofile import read_po

import companion_testing as testing
from companion.catalog import editions, registry
from companion.cmd import commands, places
from companion.cmd.commands import (
    cli,
    docstring_paragraphs,
    localise_command_help,
    run_companion_command,
)
from companion_testing import PROPERTIES
from companion_testing.commands.check import run_and_print_checks
from companion_testing.commands.new_game import InvalidGameName

HELP: Final = "locale/fr/LC_MESSAGES/help.po"
FOLDERS: Final = {plugin.package_folder for plugin in commands.find_package_commands().values()} - {
    None
}
FILES: Final = [folder / HELP for folder in (commands.COMMANDS_FOLDER, *FOLDERS) if folder]
OURS: Final = "The help of the commands"
"""The comment above our own texts in the catalogues."""
CLICK: Final = Path(click.__file__).parent
ENGLISH: Final = re.compile(
    r"Usage|Options:|Commands:|Show |default:|required|ARGS|TEXT\b|INTEGER|FILE|PATH|RANGE"
    r"|DIRECTORY|NAME|TITLE|GAME|FOLDER|Missing|No such|Invalid|Error|Got |exist\b"
    r"|\b(?:the|and|of|is|valid)\b"
)
"""Words of click and of our help that no French help contains."""
MADE: Final = {name: commands.load_command(name) for name in commands.CommandNames()}
"""All commands, loaded before a test changes the language, because click translates types then."""


@pytest.fixture(autouse=True)
def speaking_french(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    for context in every(cli, "companion"):
        vars(context.command)["_help_option"] = None  # click caches this option in English
    yield
    gettext.textdomain("messages")


@cache
def catalogue() -> dict[str, tuple[str, ...]]:
    """Return the translations by English text. A text with a plural has its singular as key."""
    messages = [one for file in FILES for one in (*read_po(BytesIO(file.read_bytes())),)]
    return {
        one.id if isinstance(one.id, str) else one.id[0]: (
            (one.string,) if isinstance(one.string, str) else (*one.string,)
        )
        for one in messages
        if one.id
    }


def every(command: click.Command, name: str) -> Iterator[click.Context]:
    """Yield the contexts of a command and of all its subcommands."""
    context = click.Context(command, info_name=name)
    yield context
    for inner, each in commands.commands_of_group(command).items():
        yield from every(each, f"{name} {inner}")


def texts(context: click.Context) -> Iterator[str]:
    """Yield the English help texts of one of our commands."""
    yield from docstring_paragraphs(context.command.help or "")
    for param in context.command.params:
        if isinstance(param, click.Option) and param.name != "version":
            yield param.help or ""


def kinds(context: click.Context) -> Iterator[str]:
    """Yield the names of the types of the options and arguments."""
    for param in context.command.params:
        yield param.type.name
        yield param.metavar or ""


@cache
def of_click() -> frozenset[str]:
    """Return the texts that click translates."""
    found = set[str]()
    texts = (file.read_text("utf-8") for file in CLICK.glob("*.py"))
    for text in (text for text in texts if "gettext" in text):
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(func=ast.Name(id="_" | "ngettext"), args=[ast.Constant(value=x), *_]):
                    found.add(str(x))
                case _:
                    pass
    return frozenset(found)


def test_every_sentence_of_clicks_has_a_french_one() -> None:
    assert len(of_click()) > 50
    assert not of_click() - catalogue().keys()


def test_all_that_a_command_says_of_itself_has_a_french_text_and_nothing_else_has() -> None:
    there = {text for context in every(cli, "companion") for text in texts(context) if text}
    there |= {*PROPERTIES.values(), *commands.all_commands_by_heading()}
    there.add(commands.ADDED_COMMANDS_HEADING)
    there |= {text for rows in commands.MANUAL_SECTIONS.values() for text in rows.values()}
    values = {text for context in every(cli, "companion") for text in kinds(context) if text}
    assert len(there) > 100
    assert not (there | values) - catalogue().keys()
    written = "".join(file.read_text("utf-8").partition(OURS)[2] for file in FILES)
    lines = re.findall(r'^msgid "(.+)"$', written, re.MULTILINE)
    keys = {ast.literal_eval(f'"{key}"') for key in lines}
    assert keys == there


def test_each_command_stands_in_one_group_and_each_option_has_its_help() -> None:
    grouped = [name for group in commands.all_commands_by_heading().values() for name in group]
    shown = [name for name, command in cli.commands.items() if not command.hidden]
    assert sorted(grouped) == sorted(shown)
    for context in every(cli, "companion"):
        options = [one for one in context.command.params if isinstance(one, click.Option)]
        silent = [one.opts for one in options if not one.help and not one.hidden]
        assert not silent, context.command_path


def test_the_help_lists_the_commands_by_group_in_french_too() -> None:
    text = localise_command_help(cli).get_help(
        click.Context(localise_command_help(cli), info_name="companion")
    )
    heads = [line for line in text.splitlines() if line.endswith(":") and line[0] != " "]
    titles = ("Jouer", "Parties jouées", "Boîte", "Vos propres jeux")
    assert [head.rstrip(":\N{NO-BREAK SPACE}") for head in heads][-4:] == [*titles]


def test_the_list_says_of_each_command_what_the_command_says_and_imports_none() -> None:
    for name, command in MADE.items():
        assert commands.help_only_command_from_bytecode(name).help == command.help, name
    listed = (
        "from companion.cmd.commands import run_companion_command; import sys; "
        "run_companion_command(['--help'], debug=False)"
    )
    loaded = f"{listed}; print(*sys.modules)"
    *_, modules = subprocess.check_output([sys.executable, "-c", loaded], text=True).splitlines()
    homes = {
        f"companion.cmd.{commands.command_module_name(name)}" for name in commands.BUILT_IN_COMMANDS
    }
    homes |= {
        plugin.module.partition(".")[0] for plugin in commands.find_package_commands().values()
    }
    assert homes & {*modules.split()} == {commands.__name__}


def test_our_packages_name_the_headings_of_their_commands() -> None:
    groups = commands.all_commands_by_heading()
    assert commands.ADDED_COMMANDS_HEADING not in groups
    assert groups["Play"][-1] == "evening"
    assert groups["Games of your own"] == ["new-game", "check", "arena"]
    for plugin in commands.find_package_commands().values():
        place = vars(import_module(plugin.module))["HELP_PLACE"]
        assert commands.help_place_from_bytecode(plugin) == place


def test_a_translation_keeps_fields_options_and_what_is_quoted() -> None:
    marks = re.compile(r"\{\w+|--[a-z-]+|%\(\w+\)s|`[^`]+`|\S+\.md")
    for english, (first, *_) in catalogue().items():
        assert {*marks.findall(english)} == {*marks.findall(first)}, english


def test_french_sets_its_double_marks_off_with_a_no_break_space() -> None:
    for text in chain(*catalogue().values()):
        assert not re.search(r"[^\u00a0][;?!](?:\s|$)|[^\u00a0]:(?:\s|$)", text), text


@pytest.mark.long
def test_no_help_of_any_command_has_english_in_it() -> None:
    contexts = [*every(localise_command_help(cli), "companion")]
    assert len(contexts) > 40
    assert not ENGLISH.findall("\n".join(commands.manual_page_lines(contexts[0])))
    for context in contexts:
        text = context.get_help()
        assert not ENGLISH.findall(text), text


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("arguments", "french"),
    [
        ("simulte", "Il n’y a pas de commande 'simulte'. Vouliez-vous dire 'simulate' ?"),
        ("show", "Il manque l’argument 'N'."),
        ("show x", "Valeur incorrecte pour 'N' : 'x' n’est pas un entier."),
        ("simulate --seed", "L’option '--seed' veut une valeur."),
        ("simulate kojak --games 0", "Valeur incorrecte pour '--games' : 0 n’est pas dans"),
        ("simulate kojak --odd", "Il n’y a pas d’option '--odd'."),
        ("import nowhere", "Fichier 'nowhere' introuvable."),
        ("games one two", "Il y a des arguments de trop (one two)"),
        ("words de mot", "'de' n’est pas parmi 'en', 'fr'."),
        ("evening leave", "Il manque l’argument 'NOM'."),
        ("evening add", "Nommez une MANCHE et une TABLE"),
        ("evening add 1 1", "Donnez les points de chacun"),
        ("evening add 1 1 Ann", "n’est pas NOM=POINTS"),
        ("evening status --broker x:y", "n’est ni HÔTE ni HÔTE:PORT"),
        ("evening status --evening A", "lettres minuscules, chiffres"),
        ("evening host --cert /dev/null", "Donnez --cert et --key ensemble."),
        ("stdio", "Nommez un JEU"),
        ("stdio kojak --seed x", "chiffres hexadécimaux"),
        ("stdio kojak --connect", "--connect ne prend pas de JEU"),
        ("stick", "Nommez le dossier de la clé USB."),
    ],
)
def test_what_is_wrong_with_a_call_is_said_in_french(
    arguments: str, french: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_companion_command(arguments.split(), debug=False) == 2
    told = capsys.readouterr().err.replace("\u00a0", " ")
    assert french in told
    assert not ENGLISH.findall(told)


def test_a_group_without_a_command_shows_its_help_as_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_companion_command(["evening"], debug=False)
    out = "".join(capsys.readouterr())
    assert out.startswith("Emploi")
    assert out.count("\n") > 10


def test_the_language_is_found_as_gettext_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for wished, found in (("de:fr:en", "fr"), ("en_GB:en", "en"), ("de", "en"), ("", "fr")):
        monkeypatch.setenv("LANGUAGE", wished)
        assert places.system_language() == found
        assert (localise_command_help(cli) is cli) == (found == "en")
        assert (gettext.gettext("Missing command.") == "Missing command.") == (found == "en")


@pytest.mark.parametrize("name", ["Sum Up", "kojak"])
def test_a_game_that_can_not_be_called_so_is_refused_in_french(name: str) -> None:
    with pytest.raises(InvalidGameName) as refused:
        run_companion_command(["new-game", name], debug=False)
    assert not ENGLISH.findall(str(refused.value))


def test_random_games_and_a_game_that_is_tried_are_told_in_french(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (
        run_companion_command(
            ["simulate", "kojak", "--games", "1", "--players", "Ann,Bob"], debug=True
        )
        == 0
    )
    told = capsys.readouterr().out
    assert "par partie" in told
    assert not re.search(r"\d\.\d", told)
    assert not ENGLISH.findall(told), told
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(testing, "run_all_checks", lambda *_, **__: ())
        run_and_print_checks(
            registry.find_game("kojak"), editions.load_edition("kojak"), 1, said.append
        )
    assert len(said) == 1 + len(PROPERTIES)
    assert not any(map(ENGLISH.findall, said))
