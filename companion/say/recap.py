"""The recap of a resumed game: the newest fact or answer that a whole sentence states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from companion.core.game import Cue, Cues

if TYPE_CHECKING:

    class Sentences(Protocol):
        """The sentences of a game: those of `companion.say.words.Words`."""

        def group_moments(self, cues: Cues) -> list[Cues]:
            """Return the public facts in groups: each group is shown as one picture."""

        def speech(self, cue: Cue) -> str:
            """Return a fact as a sentence to hear."""

        def text(self, cue: Cue) -> str:
            """Return a fact as a sentence to read."""


ROW_LETTERS: Final = 21
"""Number of letters that fit into one of the two rows of a recap on the display."""


def recap_sentence(words: Sentences, steps: Sequence[tuple[Cues, Mapping[str, Any]]]) -> str:
    """Return the recap of `steps` (newest first) as one sentence; "" if no sentence fits two rows.

    Each step has its public facts, and the player, question and value of its answer.
    """
    sentences = (text for cues, given in steps for text in _sentences(words, cues, given))
    return next((text for text in sentences if text and _fits(text)), "")


def _sentences(words: Sentences, cues: Cues, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sentences for a step, best first: for its answer, and for its last picture."""
    answered = _answered(words, given)
    for lead, *_ in reversed(words.group_moments(cues)):
        spoken, people = words.speech(lead), {str(given["who"]), str(lead.facts.get("who"))}
        if answered and spoken and not spoken.startswith(str(given["who"])):
            yield f"{answered} {spoken}"
        if any(who in spoken for who in people):
            yield spoken
        yield from (answered, spoken, words.text(lead).replace("|", " "))
    yield answered


def _fits(text: str) -> bool:
    """Return True if a text fits into two rows of the display."""
    ends = (at for at, letter in enumerate(f"{text} ") if letter == " ")
    return any(at <= ROW_LETTERS and len(text) - at - 1 <= ROW_LETTERS for at in ends)


def _answered(words: Sentences, given: Mapping[str, Any]) -> str:
    """Return the sentence for an answer; "" unless it states what the player did."""
    value, who = given["value"], given["who"]
    value = sum(value) if isinstance(value, list) else value  # dice
    text = words.text(Cue("redone", {**given, "value": value})) if who else ""
    return text if text.startswith(f"{who} ") else ""
