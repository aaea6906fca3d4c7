"""Checks of instructions such as "shuffle", which are valid only for the players' own cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from companion.core.game import Cue
from companion.say.words import Words
from companion_testing.observed_games import (
    ObservedGames,
    own_cards_setting,
    sample_values_per_name,
)
from companion_testing.table import Faults, GameFault

_START: Final = r"(?:^|[.!?:;,…] (?:and |et )?|\b(?:and|et) )"
"""Pattern of the place in a sentence where an imperative can begin."""


def _pattern(before: str, *phrases: str) -> re.Pattern[str]:
    return re.compile(f"{before}(?:{'|'.join(phrases)})\\b", re.IGNORECASE)


OWN_CARDS_INSTRUCTION_PATTERNS: Final = {
    "en": _pattern(
        _START,
        r"(?:deal|shuffle|draw|cut (?:the|your|it)|turn (?:up|over)|take up)",
        r"put (?:it|those cards|both cards|the (?:\w+ )?card)",
    ),
    "fr": _pattern(
        _START,
        r"(?:donnez|battez|m[êé]l(?:ang)?ez|(?:re)?piochez|tirez|retournez|coupez)",
        r"(?:prenez votre deuxième main|(?:re)?mettez (?:la|les deux|sa|ses) cartes?)",
    ),
}
"""Table from a language to a pattern of instructions that need the players' own cards."""
BOX_CARDS_STATEMENT_PATTERNS: Final = {
    "en": _pattern(
        r"\b", "(?:is|are) (?:shuffled|dealt|drawn|put aside)", "the box (?:deals|draws)"
    ),
    "fr": _pattern(
        r"\b",
        "(?:est|sont) (?:battue|mêlée|mélangée|donnée|tirée|mise)s?",
        "la boîte (?:donne|tire)",
    ),
}
"""Table from a language to a pattern of statements that are true only for the box's cards."""


def check_card_handling_sentences(met: ObservedGames, words: Words) -> Faults:
    """Sentences ask players to handle cards only if the players use their own cards."""
    for cue in sample_values_per_name(met.cues.values(), lambda cue: cue.name):
        for own in sorted(met.card_kinds_of_fact(cue)):
            for sentence in _sentences(cue, words, own=own):
                if (
                    problem := find_card_handling_fault(sentence, words.language, own=own)
                ) is not None:
                    yield GameFault(
                        f"{cue.name} {problem}: {sentence!r}", met.first_place_of_fact(cue)
                    )
    for asked in met.asked.values():
        if own_cards_setting(asked.snapshot.options) is False:
            sentence = words.spoken_question(asked.prompt, asked.snapshot.view)
            if (
                problem := find_card_handling_fault(sentence, words.language, own=False)
            ) is not None:
                yield GameFault(f"{asked.prompt.name} {problem}: {sentence!r}", asked.at)


def find_card_handling_fault(sentence: str, language: str, *, own: bool) -> str | None:
    """Return the fault in a sentence about cards, or None if the sentence is correct.

    - `own` is True if the players use their own cards, False if the box has the cards.
    """
    text = sentence.replace("\xa0", " ").replace("|", " ")
    if not own and OWN_CARDS_INSTRUCTION_PATTERNS[language].search(text):
        return "orders what the box does"
    if own and BOX_CARDS_STATEMENT_PATTERNS[language].search(text):
        return "states as done what people have to do"
    return None


def _sentences(cue: Cue, words: Words, *, own: bool) -> Iterator[str]:
    """Yield the displayed and spoken sentences about an event.

    If the players use their own cards, omit the sentence that quotes a clause, because the clause
    also describes the box's cards.
    """
    yield from (words.fact_text(cue), words.fact_speech(cue, "short"), words.fact_speech(cue))
    if not own:
        yield words.fact_speech(cue, "teaching")
