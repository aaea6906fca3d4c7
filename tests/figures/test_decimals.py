"""Tests of hours and averages: in French they have a decimal comma everywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

import click
import pytest

from companion.cmd import history, places
from companion.door.record_requests import RecordRequestHandler
from companion.figures import sentences
from companion.menus.past_games import describe_person_statistics as person_hint
from companion.page import non_live_pages
from companion.say.decimals import format_decimal
from companion.say.words import LANGUAGES, Words
from companion.table import statistics_pages
from tests.helpers import format_day
from tests.scenes.figures import everybody

DECIMAL: Final = re.compile(r"\d[.,]\d")
FOUND: Final = everybody()


class Kept:
    """The statistics of FOUND instead of a StatisticsCache."""

    def group_statistics(self, _day: object) -> object:
        return FOUND.group

    def people_statistics(self) -> object:
        return FOUND.people

    def game_specific_person_counts(self, who: str) -> object:
        return FOUND.counted[who]

    def hardest_secret_words(self) -> object:
        return FOUND.hardest

    def list_games_one_year_ago(self, _now: int, _day: object) -> object:
        return FOUND.year_ago


def on_the_box(words: Words) -> Iterator[str]:
    for who in (None, *(one.name for one in FOUND.people)):
        for page in statistics_pages.person_or_group_statistics_pages(FOUND, who, words).pages:
            yield from (f"{row.text} {row.figure}" for row in page.rows)
    for one in FOUND.people:
        yield person_hint(words, one.name, FOUND)


def on_the_page(words: Words) -> Iterator[str]:
    archive = RecordRequestHandler(
        places.record_file(), places.record_file(), format_day, lambda: 0
    )
    group = json.loads(json.dumps(archive._group(Kept())))  # type: ignore[arg-type]
    for person in group["people"]:
        yield from (str(cell.text) for cell in non_live_pages._person_row(person, words))
        yield from non_live_pages._person(person, words)
    yield from non_live_pages._together(group, words)


def by_the_command(words: Words, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    told: list[str] = []
    monkeypatch.setattr(click, "echo", told.append)
    history._table(Kept(), FOUND.people, words)  # type: ignore[arg-type]
    yield from told
    for one in FOUND.people:
        yield from sentences.person_statistics_sentences(words, one)


@pytest.mark.parametrize(("language", "point"), [("en", "."), ("fr", ",")])
def test_a_decimal_is_written_as_the_language_writes_it_on_the_box_the_page_and_in_a_terminal(
    language: str, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = Words(language)
    for told in (
        " ".join(on_the_box(words)),
        re.sub(r'"[^"]*"', "", " ".join(on_the_page(words))),
        " ".join(by_the_command(words, monkeypatch)),
    ):
        assert {found[1] for found in DECIMAL.findall(told)} == {point}, told


def test_a_decimal_may_be_of_any_form() -> None:
    assert [format_decimal(1.25, language, ".2f") for language in LANGUAGES] == ["1.25", "1,25"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_year_with_one_game_is_told_of_one(language: str) -> None:
    words = Words(language)
    told = words.sentence_for_count("box.figures.year", 1, year=1976, hours="0,4", wins="Ann 1")
    assert (
        words.sentence_for_count("box.figures.year", 12, year=1976, hours="0,4", wins="Ann 1")
        != told
    )
    assert re.search(r"\b1 (game|partie)\b", told)
