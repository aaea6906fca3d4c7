"""The sections of the games in docs/protocol.md, which the book generates."""

from __future__ import annotations

import re
from typing import Final

import pytest

from book.lines import fields, lines, states
from companion.catalog import registry
from tests.protocol_page import BLOCK, PAGE, rows

MOST_WORDS: Final = 6000
SECTIONS: Final = ("Options", "State", "Questions", "Events", "Secrets", "Sounds")


def test_the_page_has_a_generated_section_for_each_game_and_few_other_words() -> None:
    page = PAGE.read_text("utf-8")
    every = {(game, section) for game in registry.NAMES for section in SECTIONS}
    assert {*BLOCK.findall(page)} == every - {("kojak", "Secrets")}  # it has none
    assert len(BLOCK.sub("", page).split()) <= MOST_WORDS


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("game", registry.NAMES)
def test_a_generated_section_has_the_same_names_in_both_languages(game: str, section: str) -> None:
    english, french = (lines(game, section, language) for language in ("en", "fr"))
    assert re.findall(r"`(.*?)`", english) == re.findall(r"`(.*?)`", french)
    assert english.splitlines()[0] != french.splitlines()[0] or section in ("Secrets", "Questions")


def test_a_field_is_listed_with_the_values_that_its_check_expects() -> None:
    events = lines("baretta", "Events", "en")
    assert (
        "`criminal` (`killer`, `bank_robber`, `safecracker`, `hijacker`), `forced` (true or"
        in events
    )
    assert "| `placed` | `space`, `card` (`card`) |" in lines("baretta", "Secrets", "en")
    assert "`tied` (vrai ou faux)" in lines("baretta", "Events", "fr")
    assert rows("Secrets", "probe") == {"words": {"words", "doubted"}}


@pytest.mark.parametrize("game", registry.NAMES)
def test_every_field_of_a_state_and_no_other_has_a_meaning_in_both_languages(game: str) -> None:
    assert {*fields(game)} == {*states(game)}
    assert all(meaning.keys() == {"en", "fr"} for meaning in fields(game).values())
    assert not [meaning for meaning in fields(game).values() if not all(meaning.values())]


def test_baretta_shows_the_newest_fields_of_its_state_with_what_they_mean() -> None:
    state = lines("baretta", "State", "en")
    assert "| `left` | list | a list of the players who have left for good" in state
    assert "| `asked` | text or null | why a `card` is asked for: `landed`" in state
