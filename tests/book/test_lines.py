"""Tests of the generated sections about games in docs/protocol.md."""

from __future__ import annotations

import re
from typing import Final

import pytest

from book.lines import (
    EVERY_GAME,
    format_protocol_section,
    load_line_field_meanings,
    load_state_field_meanings,
)
from book.observed import observe_sample_games
from book.questions import ask_field_values, load_ask_field_meanings
from companion.catalog import registry
from companion.door import line_fields
from tests.protocol_page import BLOCK_PATTERN, PROTOCOL_PAGE, field_rows

MAX_WORDS: Final = 6000
"""Maximum number of words on the page, with generated words and without table borders."""
SECTIONS: Final = ("State", "Questions", "Events", "Values", "Secrets", "Forms")
LINES: Final = {
    "hello": line_fields.HELLO_FIELD_CHECKS,
    "tell": {**line_fields.TELL_FIELD_CHECKS, "clause": None},
    "secret": line_fields.SECRET_FIELD_CHECKS,
    "state": line_fields.ADDED_STATE_FIELD_CHECKS,
    "over": {**line_fields.OVER_FIELD_CHECKS, "state": None},
    "offers": {"forms": None},
    "error": line_fields.ERROR_FIELD_CHECKS,
    "events": {
        **line_fields.COMMON_EVENT_FIELD_CHECKS, **line_fields.START_EVENT_FIELD_CHECKS,
    },
}  # fmt: skip
"""The sections about all games, with the fields or events of the schema."""


def test_the_page_has_a_generated_section_for_each_game() -> None:
    every = {(game, section) for game in registry.BUILT_IN_GAMES for section in SECTIONS}
    every |= {(EVERY_GAME, section) for section in (*LINES, "ask", "form")}
    assert {*BLOCK_PATTERN.findall(PROTOCOL_PAGE.read_text("utf-8"))} == every - {
        ("kojak", "Secrets")
    }  # Kojak has no secrets


def count_words(text: str) -> int:
    return sum(re.search(r"\w", word) is not None for word in text.split())


def test_the_page_is_no_longer_than_its_limit_and_half_of_it_is_generated() -> None:
    page = PROTOCOL_PAGE.read_text("utf-8")
    generated = sum(count_words(block[0]) for block in BLOCK_PATTERN.finditer(page))
    assert count_words(page) <= MAX_WORDS
    assert generated >= count_words(page) / 2


def named(section: str) -> list[str]:
    return [name for names in load_line_field_meanings(section) for name in names.split(", ")]


@pytest.mark.parametrize("section", LINES)
def test_the_page_has_each_field_of_the_schema_once(section: str) -> None:
    assert sorted(named(section)) == sorted(LINES[section])


def test_the_page_has_each_field_of_an_ask_once() -> None:
    fields = {**line_fields.ASK_FIELD_CHECKS, **line_fields.ADDED_ASK_FIELD_CHECKS}
    assert sorted(named("ask") + named("form")) == sorted(fields)


@pytest.mark.parametrize("section", [*LINES, "ask", "form"])
def test_every_field_and_event_has_a_meaning_in_both_languages(section: str) -> None:
    for meaning in load_line_field_meanings(section).values():
        assert meaning.keys() == {"en", "fr"}
        assert all(meaning.values())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_a_generated_section_has_the_same_names_in_both_languages(game: str, section: str) -> None:
    english, french = (
        format_protocol_section(game, section, language) for language in ("en", "fr")
    )
    assert re.findall(r"`(.*?)`", english) == re.findall(r"`(.*?)`", french)
    assert english != french or not english


def test_a_field_is_listed_with_the_values_that_its_check_expects() -> None:
    values = format_protocol_section("baretta", "Values", "en")
    assert "- `criminal`: `killer`, `bank_robber`, `safecracker`, `hijacker`\n" in values
    assert "- `placed`: `space`, `card` (`card`)\n" in format_protocol_section(
        "baretta", "Secrets", "en"
    )
    assert "`seated`, `tied`, `up`, `vain`\N{NO-BREAK SPACE}: booléen\n" in format_protocol_section(
        "baretta", "Values", "fr"
    )
    assert field_rows("Secrets", "probe") == {"words": {"words", "doubted"}}


def test_a_value_that_differs_from_the_other_events_is_in_the_row_of_its_event() -> None:
    events = format_protocol_section("kojak", "Events", "en")
    assert "- `blocked`: `who`, `car`\n" in events
    assert "`mission` (`red`, `yellow`, `blue`, `green` or null)" in events


def test_an_event_has_its_cue_and_the_variants_that_have_another() -> None:
    events = format_protocol_section("barney-miller", "Events", "en")
    assert "Cue `round_won`, `over_ten` (`over`)\n" in events


@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_every_field_of_a_state_and_no_other_has_a_meaning_in_both_languages(game: str) -> None:
    assert {*load_state_field_meanings(game)} == {*observe_sample_games(game).state_values}
    assert all(
        meaning.keys() == {"en", "fr"} for meaning in load_state_field_meanings(game).values()
    )
    assert not [
        meaning for meaning in load_state_field_meanings(game).values() if not all(meaning.values())
    ]


@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_every_field_of_a_question_and_no_other_has_a_meaning(game: str) -> None:
    meanings = load_ask_field_meanings(game)
    assert {*meanings} == {*ask_field_values(game)}
    assert all(meaning.keys() == {"en", "fr"} for meaning in meanings.values())


def test_a_question_has_its_choices_its_fields_and_the_options_that_it_needs() -> None:
    questions = format_protocol_section("baretta", "Questions", "en")
    assert "- `accused` (`criminals=choose`): `killer`, `bank_robber`, " in questions
    assert "`draw`, `swap`: key of `spaces` or `pass`\n" in questions
    assert "- `lies` (`deck=own`): `empty`, `down`, `marker:PLAYER`, " in questions
    assert "Fields `steps` (number, the length of the move)\n" in questions
    assert "- `ask_for`: `A` to `Z` or `.`\n" in format_protocol_section("probe", "Questions", "en")


def test_a_line_out_of_turn_has_its_parts_and_its_label() -> None:
    forms = format_protocol_section("kojak", "Forms", "en")
    assert forms.startswith("With `correct`, at `happened`, `roll`, `throw`:\n\n")
    assert '- `{"what": "file", "who", "colour"}` (`deck=own`): who has which file\n' in forms
    assert '- `{"stop"}`: End the game\n' in format_protocol_section("probe", "Forms", "en")


def test_baretta_shows_the_newest_fields_of_its_state_with_what_they_mean() -> None:
    state = format_protocol_section("baretta", "State", "en")
    assert "- `left` (list): players who left for good" in state
    assert "- `asked` (text?): why `card` is asked: `landed`" in state
