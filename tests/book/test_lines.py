"""Tests of the generated sections about games in docs/protocol.md."""

from __future__ import annotations

import re
from typing import Final

import pytest

from book.lines import (
    format_protocol_section,
    load_state_field_meanings,
    observe_state_field_values,
)
from companion.catalog import registry
from tests.protocol_page import BLOCK_PATTERN, PROTOCOL_PAGE, field_rows

MAX_WORDS: Final = 6000
"""Maximum number of words on the page, with generated words and without table borders."""
SECTIONS: Final = ("State", "Questions", "Events", "Values", "Secrets")


def test_the_page_has_a_generated_section_for_each_game() -> None:
    every = {(game, section) for game in registry.BUILT_IN_GAMES for section in SECTIONS}
    assert {*BLOCK_PATTERN.findall(PROTOCOL_PAGE.read_text("utf-8"))} == every - {
        ("kojak", "Secrets")
    }  # Kojak has no secrets


def test_the_page_is_no_longer_than_its_limit() -> None:
    words = [word for word in PROTOCOL_PAGE.read_text("utf-8").split() if re.search(r"\w", word)]
    assert len(words) <= MAX_WORDS


@pytest.mark.sampled(3)
@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_a_generated_section_has_the_same_names_in_both_languages(game: str, section: str) -> None:
    english, french = (
        format_protocol_section(game, section, language) for language in ("en", "fr")
    )
    assert re.findall(r"`(.*?)`", english) == re.findall(r"`(.*?)`", french)
    assert english != french or section == "Questions" or not english


def test_a_field_is_listed_with_the_values_that_its_check_expects() -> None:
    values = format_protocol_section("baretta", "Values", "en")
    assert "- `criminal`: `killer`, `bank_robber`, `safecracker`, `hijacker`\n" in values
    assert "- `placed`: `space`, `card` (`card`)\n" in format_protocol_section(
        "baretta", "Secrets", "en"
    )
    assert "`seated`, `tied`, `up`, `vain`\N{NO-BREAK SPACE}: booléen\n" in format_protocol_section(
        "baretta", "Values", "fr"
    )
    assert field_rows("Secrets", "probe") == {"words": {"words"}}


def test_a_value_that_differs_from_the_other_events_is_in_the_row_of_its_event() -> None:
    events = format_protocol_section("kojak", "Events", "en")
    assert "- `blocked`: `who`, `car`\n" in events
    assert "`mission` (`red`, `yellow`, `blue`, `green` or null)" in events


def test_an_event_has_its_cue_and_the_variants_that_have_another() -> None:
    events = format_protocol_section("barney-miller", "Events", "en")
    assert "Cue `round_won`, `over_ten` (`over`)\n" in events


@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_every_field_of_a_state_and_no_other_has_a_meaning_in_both_languages(game: str) -> None:
    assert {*load_state_field_meanings(game)} == {*observe_state_field_values(game)}
    assert all(
        meaning.keys() == {"en", "fr"} for meaning in load_state_field_meanings(game).values()
    )
    assert not [
        meaning for meaning in load_state_field_meanings(game).values() if not all(meaning.values())
    ]


def test_baretta_shows_the_newest_fields_of_its_state_with_what_they_mean() -> None:
    state = format_protocol_section("baretta", "State", "en")
    assert "- `left` (list): players who left for good" in state
    assert "- `asked` (text?): why `card` is asked: `landed`" in state
