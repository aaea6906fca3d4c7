"""French contractions of the word before a filled-in placeholder: « d’Ada », « du loup ».

Catalogues contain the whole word (`de {who}`). This module contracts the word if the value of the
placeholder requires a contraction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter
from typing import Final

from companion.core.letters import capitals_without_accents

VOWELS: Final = frozenset("AEIOU")
_ELIDED: Final = re.compile(r"(?i)(?<![\w’'])(?:(d|l|j|n|s|m|t|c|qu|jusqu|lorsqu|puisqu)e|(l)a) $")
_CONTRACTED: Final = re.compile(r"(?i)(?<![\w’'])(de|à) $")
_ARTICLES: Final = {"le": ("du", "au"), "les": ("des", "aux")}
_NUMBERS: Final = re.compile(r"(?i)(?:huit|onz|oui\b)")
"""Pattern of French words before which « le » and « de » are not shortened, as in « le huit »."""
_MUTE: Final = re.compile(
    r"(?i)h(?:[éêèœ]|abib|adrien|e(?:ctor|len|lo|nri|nriette|rcule|rmin|rmion|rve|ureu)|eure|ilaire|"
    r"i(?:ppolyt|stoire)|o(?:mme|nor|race|rtense|tel)|u(?:bert|go|gue|mbert))"
)
"""Pattern of French words whose initial h is silent, so that `de` becomes `d’` before these words.

A word with h that does not match, such as a foreign name, keeps `de`: « de Hans ».
"""


def is_elision_needed_before(word: str) -> bool:
    """Return True if `de` becomes `d’` before `word`.

    Return False for a single letter, and before « huit », « onze » and « oui ».
    """
    if len(word) < 2 or _NUMBERS.match(word):  # noqa: PLR2004 - a letter of the alphabet
        return False
    first, second = capitals_without_accents(word)[0], capitals_without_accents(word)[1]
    if first == "Y":  # « d’Yves », but « de Yann »
        return second not in VOWELS
    return first in VOWELS or bool(_MUTE.match(word))


def fill_sentence_with_contractions(sentence: str, facts: Mapping[str, object]) -> str:
    """Return a sentence with its placeholders filled in, with French contractions.

    Raise KeyError, ValueError or another error of `str.format_map` if a placeholder has no valid
    value.
    """
    done, formatter = "", Formatter()
    for literal, name, spec, conversion in formatter.parse(sentence):
        done += literal
        if name is not None:
            value, _ = formatter.get_field(name, (), facts)
            value = formatter.convert_field(value, conversion) if conversion else value
            done = append_with_contraction(done, formatter.format_field(value, spec or ""))
    return done


def append_with_contraction(before: str, word: str) -> str:
    """Return the text `before` followed by `word`, with a French contraction if needed."""
    article, _, rest = word.partition(" ")
    if (small := _CONTRACTED.search(before)) and article in _ARTICLES and rest:
        of, to = _ARTICLES[article]
        contraction = of if small[1].casefold() == "de" else to
        if small[1].isupper():
            contraction = contraction.upper() if rest.isupper() else contraction.capitalize()
        return f"{before[: small.start()]}{contraction} {rest}"
    if (elided := _ELIDED.search(before)) and is_elision_needed_before(word):
        return before[: elided.start()] + (elided[1] or elided[2]) + f"’{word}"
    return before + word
