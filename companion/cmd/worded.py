"""`companion words`: which words the system's lists have, as Probe asks with secret words."""

from __future__ import annotations

import click

from companion.cmd import places
from companion.cmd.tongue import said
from companion.say.dictionary import LISTS, PACKAGES, Dictionary
from companion.say.words import LANGUAGES, Words


@click.command("words")
@click.argument("language", type=click.Choice(LANGUAGES))
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option("--verbose", is_flag=True, help="Say also from which Debian packages the lists are.")
def words_command(language: str, words: tuple[str, ...], verbose: bool) -> None:  # noqa: FBT001
    """Say whether words are in the system's word lists, as Probe asks with secret words."""
    dictionary, unknown = Dictionary(places.word_folder()), False
    box = Words(places.language())
    for word in words:
        found = dictionary.judge(word, language)
        if found is None:
            raise click.ClickException(said("words.no_list", package=PACKAGES[language]))
        unknown = unknown or not found.known
        lists = ", ".join(box(f"box.list.{name}") for name in found.lists)
        way = "known" if found.known else "name" if found.name else "unknown"
        click.echo(said(f"words.{way}", word=word, lists=lists))
    if verbose:
        click.echo(said("words.packages", packages=", ".join(LISTS[language].values())))
    if unknown:
        click.get_current_context().exit(1)
