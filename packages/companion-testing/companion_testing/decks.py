"""Orders about cards, such as "shuffle": given only to players who hold real cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from companion.core.game import Cue
from companion.say.words import Words
from companion_testing.met import ObservedGames, is_own, sample_by_name
from companion_testing.table import Fault, Faults

_START: Final = r"(?:^|[.!?:;,…] (?:and |et )?|\b(?:and|et) )"
"""Matches the beginning of a clause, where an imperative can be."""


def _pattern(before: str, *phrases: str) -> re.Pattern[str]:
    return re.compile(f"{before}(?:{'|'.join(phrases)})\\b", re.IGNORECASE)


DECK_ORDERS: Final = {
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
"""Matches imperatives that only players with their own cards can follow."""
DONE_STATEMENTS: Final = {
    "en": _pattern(
        r"\b", "(?:is|are) (?:shuffled|dealt|drawn|put aside)", "the box (?:deals|draws)"
    ),
    "fr": _pattern(
        r"\b",
        "(?:est|sont) (?:battue|mêlée|mélangée|donnée|tirée|mise)s?",
        "la boîte (?:donne|tire)",
    ),
}
"""Matches statements about handled cards, which are true only of the box's cards."""


def check_card_orders(met: ObservedGames, words: Words) -> Faults:
    """Sentences tell players to handle cards only if they play with their own cards."""
    for cue in sample_by_name(met.cues.values(), lambda cue: cue.name):
        for own in sorted(met.decks(cue)):
            for sentence in _sentences(cue, words, own=own):
                if (slip := find_misplaced_order(sentence, words.language, own=own)) is not None:
                    yield Fault(f"{cue.name} {slip}: {sentence!r}", met.place(cue))
    for asked in met.asked.values():
        if is_own(asked.snapshot.options) is False:
            sentence = words.spoken_question(asked.prompt, asked.snapshot.view)
            if (slip := find_misplaced_order(sentence, words.language, own=False)) is not None:
                yield Fault(f"{asked.prompt.name} {slip}: {sentence!r}", asked.at)


def find_misplaced_order(sentence: str, language: str, *, own: bool) -> str | None:
    """Return what is wrong with a sentence at a table with own cards, or with cards of the box."""
    text = sentence.replace("\xa0", " ").replace("|", " ")
    if not own and DECK_ORDERS[language].search(text):
        return "orders what the box does"
    if own and DONE_STATEMENTS[language].search(text):
        return "states as done what people have to do"
    return None


def _sentences(cue: Cue, words: Words, *, own: bool) -> Iterator[str]:
    """Yield the displayed and spoken sentences of a fact; its ruling is for every deck."""
    yield from (words.text(cue), words.speech(cue, "short"), words.speech(cue))
    if not own:
        yield words.speech(cue, "teaching")
