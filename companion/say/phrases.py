"""What can be said before it happens.

A sentence without fields is always the same: `companion voices --render` has all of them spoken
once, so that they come out of the cache on the night.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.catalog import registry
from companion.say.catalogues import Catalogue
from companion.say.sentences import of_the_box, read_compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_SPOKEN: Final = frozenset({"speech", "short", "normal", "teaching"})
"""The last word of the keys of what is said about a fact."""


def fixed_sentences(language: str, split: Callable[[str], Sequence[str]]) -> tuple[str, ...]:
    """Every sentence without fields that `language` may say, in all games; each once, in order.

    `split` takes a text apart into the sentences that the voice makes one by one. The rules are
    among them: who wants to be taught hears one after a fact.
    """
    spoken = (text for key, text in _entries(language) if is_spoken(key))
    return tuple(sorted({part for text in spoken for part in split(text) if _is_whole(part)}))


def _is_whole(part: str) -> bool:
    """Whether it is a sentence without fields, and no word of a line by ear."""
    return "{" not in part and part.endswith((".", "!", "?", "…"))


def is_spoken(key: str) -> bool:
    """Whether what stands under a key is to be heard."""
    _, _, said = key.partition(".")
    kind, _, rest = said.partition(".")
    return kind in ("say", "rule") or (kind == "cue" and rest.rpartition(".")[2] in _SPOKEN)


def _entries(language: str) -> Iterator[tuple[str, str]]:
    """Keys and sentences of all catalogues; a count as it is said alone is a sentence, too."""
    for key, text in of_the_box(language):
        owner, _, number = key.partition(".")
        yield (f"box.say.{number}", f"{text}.") if owner == "number" else (key, text)
    for name in registry.names():
        yield from Catalogue(read_compiled(language, name)).items()
