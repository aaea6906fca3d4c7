"""Sentences without placeholders, which a voice can synthesise before play.

The command `companion voices --render` synthesises these sentences once, so that their audio is in
the cache during play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from companion.catalog import registry
from companion.say.catalogues import SentenceCatalogue
from companion.say.sentences import box_and_service_sentences, load_compiled_catalogue

_SPOKEN: Final = frozenset({"speech", "short", "normal", "teaching"})
"""Last words of the catalogue keys of spoken sentences, as in `cue.walk.speech`."""


def spoken_sentences_without_placeholders(
    language: str, split: Callable[[str], Sequence[str]]
) -> tuple[str, ...]:
    """Return the spoken sentences without placeholders in a language, sorted.

    The sentences are from the box, its services and all games. They include the texts of clauses,
    which the box speaks at the verbosity "teaching". `split` divides a text into the sentences that
    a voice synthesises separately.
    """
    spoken = (text for key, text in _entries(language) if is_spoken_key(key))
    return tuple(sorted({part for text in spoken for part in split(text) if _is_whole(part)}))


def _is_whole(part: str) -> bool:
    return "{" not in part and part.endswith((".", "!", "?", "…"))


def is_spoken_key(key: str) -> bool:
    """Return True if the box speaks the sentence with the catalogue key `key`."""
    _, _, path = key.partition(".")
    kind, _, rest = path.partition(".")
    return kind in ("say", "rule") or (kind == "cue" and rest.rpartition(".")[2] in _SPOKEN)


def _entries(language: str) -> Iterator[tuple[str, str]]:
    """Yield every key with its sentence, from the catalogues of the box, services and games.

    A number word becomes a spoken sentence: "Seven" is yielded as "Seven.".
    """
    for key, text in box_and_service_sentences(language):
        owner, _, number = key.partition(".")
        yield (f"box.say.{number}", f"{text}.") if owner == "number" else (key, text)
    for name in registry.playable_game_names():
        yield from SentenceCatalogue(load_compiled_catalogue(language, name)).items()
