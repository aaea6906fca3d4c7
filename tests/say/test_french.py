"""French joins its small words with what follows, whoever plays."""

from __future__ import annotations

import gettext
import re
from string import Formatter
from typing import TYPE_CHECKING

import pytest

from companion.games import registry
from companion.say.french import filled
from companion.say.words import Words, compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = (
    *("Ada", "Bob", "Cy", "Dee", "Émile", "Fish", "Gus", "Harris", "Hélène", "Inès", "Jo", "Katy"),
    *("Lou", "Max", "Noé", "Odile", "Œdipe", "Paul", "Quinn", "Rose", "Sam", "Tom", "Ursule"),
    *("Vic", "Wil", "Xi", "Yann", "Yves", "Zoé", "ADA", "ÉMILE", "HUBERT"),
)
TORN = re.compile(r"(?i)\b(?:de|le|la|que|je|ne|se|jusque) (?:[aeiouéèêœ]\w|Yves|Hélène|Hubert)")
OTHERS = re.compile(r"(?i)\b(?:de|à) les? \w")


def sentences() -> Iterator[str]:
    """Every French sentence that has fields to fill in."""
    for catalogue in ("companion", *registry.NAMES):
        with compiled("fr", catalogue).open("rb") as file:
            texts = gettext.GNUTranslations(file)._catalog.values()  # type: ignore[attr-defined]
        yield from (text for text in texts if "{" in text)


@pytest.mark.parametrize(
    ("sentence", "word", "said"),
    [
        ("le mot de {who}", "Ada", "le mot d’Ada"),
        ("le mot de {who}", "Émile", "le mot d’Émile"),
        ("le mot de {who}", "Hélène", "le mot d’Hélène"),
        ("le mot de {who}", "Harris", "le mot de Harris"),
        ("le mot de {who}", "Yves", "le mot d’Yves"),
        ("le mot de {who}", "Yann", "le mot de Yann"),
        ("le mot de {who}", "Œdipe", "le mot d’Œdipe"),
        ("TOUR DE {who}", "ÉMILE", "TOUR D’ÉMILE"),
        ("un membre de {who}", "le Cinquième Gang", "un membre du Cinquième Gang"),
        ("une de {who}", "les Shopping Molls", "une des Shopping Molls"),
        ("à {who} de jouer", "les Ours", "aux Ours de jouer"),
        ("À {who}", "le Gang", "Au Gang"),
        ("dit que {who} joue", "Ada", "dit qu’Ada joue"),
        ("le {who}", "escroc", "l’escroc"),
        ("combien de {who}", "A", "combien de A"),
        ("avance de {who}", "onze", "avance de onze"),
        ("avance de {who}", "huit", "avance de huit"),
        ("plus de {who}", "7", "plus de 7"),
        ("{who} de 3", "Ada", "Ada de 3"),
        ("monde {who}", "Ada", "monde Ada"),
        ("{{de {who}}}", "Ada", "{d’Ada}"),
        ("de {who:>4}", "Bob", "de  Bob"),
    ],
)
def test_small_words_are_joined_with_what_follows(sentence: str, word: str, said: str) -> None:
    assert filled(sentence, {"who": word}) == said


@pytest.mark.parametrize("name", NAMES)
def test_no_sentence_leaves_a_small_word_before_a_name_it_joins(name: str) -> None:
    for sentence in sentences():
        fields = {field for _, field, _, _ in Formatter().parse(sentence) if field}
        said = filled(sentence, dict.fromkeys(fields, name))
        assert not TORN.search(said)
        assert not OTHERS.search(said)
        assert "{" not in said
        assert "OK" in said or "  " not in said  # row 7 has its two ends


def test_english_is_filled_in_as_it_is_written() -> None:
    assert Words("en")("box.hint.menu.undo", n=3).endswith("3.")
