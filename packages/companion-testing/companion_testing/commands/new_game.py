"""Command `companion new-game`: write a first game from the files in `template/`."""

from __future__ import annotations

from pathlib import Path
from string import Template
from typing import Final

import click

from companion.catalog import packages, registry
from companion.core.errors import CompanionError
from companion.core.game import API_VERSION
from companion.core.version import installed_version
from companion_testing.commands.words import localised_sentence

HELP_PLACE: Final = ("Games of your own", 1)
TEMPLATE_FOLDER: Final = Path(__file__).parents[1] / "template"
MAX_TITLE_LETTERS: Final = 19
"""Maximum number of letters in a game's title; a menu line has room for this number."""
TEMPLATE_TARGET_PATHS: Final = {
    "pyproject.toml.in": "pyproject.toml",
    "README.md.in": "README.md",
    "init.py.in": "$module/__init__.py",
    "rules.py.in": "$module/rules.py",
    "face.py.in": "$module/face.py",
    "en.po.in": "$module/locale/en/LC_MESSAGES/$name.po",
    "fr.po.in": "$module/locale/fr/LC_MESSAGES/$name.po",
    "test.py.in": "test_$module.py",
    "hatch_build.py.in": "hatch_build.py",
    "gitignore.in": ".gitignore",
}
"""The path in the new game for each file in `template/`."""
PUBLISHING_METADATA: Final = """\
readme = "README.md"
keywords = ["board game", "companion"]
"""
"""Lines of `pyproject.toml` that only a published package needs."""


class InvalidGameName(CompanionError, ValueError):
    """The error for a text that is not a valid name or title of a game."""


class NewGamePathExists(CompanionError, FileExistsError):
    """The error for a new game whose file or folder already exists. Nothing was changed."""


def write_new_game(name: str, folder: Path, *, package: bool, french: str = "") -> Path:
    """Write a new game into a new folder in `folder`, and return the path of the new folder.

    - `package`: add metadata for a package index.
    - `french`: the French title, or "" to use the English title.

    Raise InvalidGameName if the name or the title is not valid. Raise NewGamePathExists if the new
    folder exists, and OSError if a file cannot be written.
    """
    _check(name)
    if len(french) > MAX_TITLE_LETTERS or not french.isprintable() or {*french} & {*'"\\{}|'}:
        raise InvalidGameName(
            localised_sentence("new_game.no_title", name=repr(french), n=MAX_TITLE_LETTERS)
        )
    root = folder / (f"companion-{name}" if package else name)
    facts = _facts(name, package=package)
    facts["french"] = french or facts["title"]
    try:
        root.mkdir()
    except FileExistsError:
        raise NewGamePathExists(localised_sentence("new_game.is_there", folder=root)) from None
    for source, target in TEMPLATE_TARGET_PATHS.items():
        file = root / Template(target).substitute(facts)
        file.parent.mkdir(parents=True, exist_ok=True)
        text = (TEMPLATE_FOLDER / source).read_text("utf-8")
        file.write_text(Template(text).substitute(facts), "utf-8")
    return root


def _check(name: str) -> None:
    """Raise InvalidGameName if a name is not valid as the name of a new game."""
    if not packages.GAME_NAME_PATTERN.fullmatch(name) or len(name) > MAX_TITLE_LETTERS:
        raise InvalidGameName(
            localised_sentence("new_game.no_name", name=repr(name), n=MAX_TITLE_LETTERS)
        )
    if name in packages.RESERVED_NAMES or name in registry.playable_game_names():
        raise InvalidGameName(localised_sentence("new_game.taken", name=name))


def _facts(name: str, *, package: bool) -> dict[str, str]:
    module, words = f"companion_{name.replace('-', '_')}", name.split("-")
    initials = "".join(word[0] for word in words) if len(words) > 1 else name[:2]
    return {
        "name": name,
        "title": name.replace("-", " ").capitalize(),
        "module": module,
        "package": f"companion-{name}",
        "mark": initials[:2].upper(),
        "api": str(API_VERSION),
        "companion": _least(installed_version()),
        "metadata": PUBLISHING_METADATA if package else "",
    }


def _least(ours: str) -> str:
    """Return the lowest version of Companion that the new game requires, for its `pyproject.toml`.

    `ours` is the version that is running. A checkout's version counts commits, and another clone
    may contain fewer commits. For a checkout, therefore return the first development version of the
    checkout's release.
    """
    release, dev, _ = ours.partition("+")[0].partition(".dev")
    return f"{release}.dev0" if dev else release


@click.command("new-game")
@click.argument("name", metavar="NAME")
@click.option("--package", is_flag=True, help="Add the metadata that a published package needs.")
@click.option("--french", default="", metavar="TITLE", help="The French title of the game.")
def new_game_command(name: str, package: bool, french: str) -> None:
    """Write a small complete game into a new folder, as a start for your own game."""
    written = write_new_game(name, Path(), package=package, french=french)
    click.echo(localised_sentence("new_game.written", folder=written))
    click.echo(f"pip install -e './{written}[play,test]'")
    click.echo("companion play")
