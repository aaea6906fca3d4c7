"""The commands `companion words` and `voices`: look up words, and synthesise sentences."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import Any

import click

from companion.catalog import registry
from companion.cmd import places, record_owner
from companion.cmd.i18n import command_sentence
from companion.draw.face import load_face
from companion.hear.policy import voice_and_speed_for_language
from companion.menus.settings import settings_with_defaults
from companion.record.scan import scan_file_for_settings
from companion.say import fixed_sentences
from companion.say.decimals import format_decimal
from companion.say.dictionary import DEFAULT_LIST_PACKAGES, WORD_LISTS, Dictionary
from companion.say.words import LANGUAGES, Words
from hardware.sound.speech import VoiceSynthesiser, split_into_sentences


@click.command("words")
@click.argument("language", type=click.Choice(LANGUAGES))
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option(
    "--verbose",
    is_flag=True,
    help=("Also print the names of the Debian packages that contain the word lists."),
)
def words_command(language: str, words: tuple[str, ...], verbose: bool) -> None:
    """Look up words in the word lists of this machine, as the game Probe does."""
    dictionary, unknown = Dictionary(places.word_list_cache_folder()), False
    box = Words(places.system_language())
    for word in words:
        verdict = dictionary.look_up(word, language)
        if verdict is None:
            raise click.ClickException(
                command_sentence("words.no_list", package=DEFAULT_LIST_PACKAGES[language])
            )
        unknown = unknown or not verdict.known
        lists = ", ".join(box(f"box.list.{name}") for name in verdict.lists)
        way = "known" if verdict.known else "name" if verdict.is_proper_name else "unknown"
        click.echo(command_sentence(f"words.{way}", word=word, lists=lists))
    if verbose:
        click.echo(
            command_sentence("words.packages", packages=", ".join(WORD_LISTS[language].values()))
        )
    if unknown:
        click.get_current_context().exit(1)


@click.command()
@click.option(
    "--render",
    is_flag=True,
    help=("Synthesise all sentences that never change, and cache the speech; this takes long."),
)
def voices(render: bool) -> None:
    """Count the spoken sentences that never change, or synthesise these sentences in advance.

    The command uses the voices and speaking speeds in the box's settings.
    """
    click.get_current_context().with_resource(record_owner.act_as_record_owner(None))
    stored: dict[str, Any] = {}
    with suppress(FileNotFoundError):  # without a record, use the default settings
        stored = {
            str(entry.question): entry.value
            for entry in scan_file_for_settings(places.record_file())
        }
    chosen = settings_with_defaults(stored, places.system_language())
    for language in LANGUAGES:
        sentences = fixed_sentences.spoken_sentences_without_placeholders(
            language, split_into_sentences
        )
        line = command_sentence("voices.fixed", language=language, n=len(sentences))
        if render:
            with closing(
                VoiceSynthesiser(places.speech_cache_folder(), voices=places.owner_voices_folder())
            ) as speech:
                speech.choose_voice(language, *voice_and_speed_for_language(chosen, language))
                for game in registry.BUILT_IN_GAMES:
                    speech.use_respellings(load_face(game).names)
                size = speech.cache_sentences((text, language) for text in sentences)
            facts = {
                "n": len(sentences),
                "size": format_decimal(size / 2**20, places.system_language()),
            }
            line = command_sentence("voices.rendered", language=language, **facts)
        click.echo(line)
