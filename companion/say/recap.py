"""The recap of a resumed game: a sentence about the newest event or answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from companion.core.game import Cue, Cues

if TYPE_CHECKING:

    class Sentences(Protocol):
        """The methods of `companion.say.words.Words` that the recap uses."""

        def group_facts_by_picture(self, cues: Cues) -> list[Cues]:
            """Return the visible public events in groups, one group for each picture."""

        def fact_speech(self, cue: Cue) -> str:
            """Return the spoken sentence for an event."""

        def fact_text(self, cue: Cue) -> str:
            """Return the sentence that the display shows for an event."""


ROW_LETTERS: Final = 21
"""Number of letters in each of the two display rows for a recap."""


def recap_sentence(words: Sentences, steps: Sequence[tuple[Cues, Mapping[str, Any]]]) -> str:
    """Return a sentence about the newest possible step that fits into two display rows.

    Return "" if no sentence fits. `steps` begins with the newest step. Each step is a pair: its
    public events, and a table with the player, question and value of its answer.
    """
    sentences = (text for cues, given in steps for text in _sentences(words, cues, given))
    return next((text for text in sentences if text and _fits(text)), "")


def _sentences(words: Sentences, cues: Cues, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield possible sentences about a step, the best sentence first."""
    answered = _answered(words, given)
    for lead, *_ in reversed(words.group_facts_by_picture(cues)):
        spoken, people = words.fact_speech(lead), {str(given["who"]), str(lead.facts.get("who"))}
        if answered and spoken and not spoken.startswith(str(given["who"])):
            yield f"{answered} {spoken}"
        if any(who in spoken for who in people):
            yield spoken
        yield from (answered, spoken, words.fact_text(lead).replace("|", " "))
    yield answered


def _fits(text: str) -> bool:
    ends = (at for at, letter in enumerate(f"{text} ") if letter == " ")
    return any(at <= ROW_LETTERS and len(text) - at - 1 <= ROW_LETTERS for at in ends)


def _answered(words: Sentences, given: Mapping[str, Any]) -> str:
    """Return an answer's sentence, or "" if the sentence does not begin with the player's name."""
    value, who = given["value"], given["who"]
    value = sum(value) if isinstance(value, list) else value  # dice
    text = words.fact_text(Cue("redone", {**given, "value": value})) if who else ""
    return text if text.startswith(f"{who} ") else ""
