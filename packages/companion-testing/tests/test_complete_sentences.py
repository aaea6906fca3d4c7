"""Tests of the kit's rule that the text of a fact is a complete sentence."""

from __future__ import annotations

import pytest

from companion_testing.complete_sentences import has_sentence_start_and_end


@pytest.mark.parametrize(
    "text",
    [
        "Bob leaves the game.",
        "“Wounded” leaves it.",
        "5 is the total.",
        "Élu\xa0!",
        "«\xa0Oui.\xa0»",
    ],
)
def test_a_text_with_a_capital_and_a_full_stop_is_complete(text: str) -> None:
    assert has_sentence_start_and_end(text)


@pytest.mark.parametrize("text", ["leaves the game.", "écrit.", "Bob rolls next", "at once", "12"])
def test_a_text_with_a_small_letter_or_without_a_full_stop_is_not_complete(text: str) -> None:
    assert not has_sentence_start_and_end(text)
