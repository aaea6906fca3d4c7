"""`companion words`: which words the system's lists have, as Probe asks with secret words."""

from __future__ import annotations

import click

from companion.cmd import places
from companion.say.dictionary import LISTS, PACKAGES, Dictionary, called
from companion.say.words import LANGUAGES


@click.command("words")
@click.argument("language", type=click.Choice(LANGUAGES))
@click.argument("words", nargs=-1, required=True)
@click.option("--verbose", is_flag=True, help="Say also from which Debian packages the lists are.")
def words_command(language: str, words: tuple[str, ...], verbose: bool) -> None:  # noqa: FBT001
    """Say whether words are in the system's word lists, as Probe asks with secret words."""
    dictionary, unknown = Dictionary(places.word_folder()), False
    for word in words:
        found = dictionary.judge(word, language)
        if found is None:
            package = PACKAGES[language]
            raise click.ClickException(f"There is no word list to ask: apt install {package}")
        unknown = unknown or not found.known
        lists = called(found.lists)
        said = f"{word} is a word: {lists} has it." if found.known else f"{word} is not in {lists}."
        click.echo(said)
    if verbose:
        click.echo(f"Packages: {', '.join(LISTS[language].values())}")
    if unknown:
        click.get_current_context().exit(1)
