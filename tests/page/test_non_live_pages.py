"""Tests of the pages about recorded games, made from a real record, in both languages."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from companion.catalog import registry
from companion.door.record_requests import RecordRequestHandler
from companion.page import page_html
from companion.page.score_curve import AllSeatScores, make_score_curve
from companion.record.journal import Journal
from companion.say.words import LANGUAGES, Words
from tests.helpers import NOW_SECONDS, OWN_PARTS_OPTIONS, begin_game, format_day, setup_for
from tests.page.door import page
from tests.system.bench import pressed

PARTS = ("section", "details", "ul", "tbody", "nav", "p")
"""Elements that must not be empty."""
PATHS = ("/history", "/rules", "/people", *(f"/game/{n}" for n in range(1, 6)))


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a record. Games 1 to 4: a finished game of each kind. Game 5: an unfinished one."""
    path = tmp_path_factory.mktemp("box") / "games.db"
    with closing(Journal(path)) as journal:
        with journal.game_adder_with_single_commit() as add:
            for game in registry.BUILT_IN_GAMES:
                with closing(pressed.over(game)) as played:
                    add(played.read_lines_of_game(1))
        begin_game(setup_for(OWN_PARTS_OPTIONS), (), journal)
    return path


@pytest.fixture(scope="module")
def pages(record: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """Return every page, by language and path."""

    async def read() -> dict[tuple[str, str], str]:
        async with page(tmp_path_factory.mktemp("page")) as web:
            figures = record.with_name("figures.db")
            web.door.archive = RecordRequestHandler(
                record, figures, format_day, lambda: NOW_SECONDS
            ).reply_to_request
            return {
                (language, path): (await web.ask(path, Accept_Language=language)).body.decode()
                for language in LANGUAGES
                for path in PATHS
            }

    return asyncio.run(read())


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_people_and_the_table_as_a_whole_are_told(
    pages: dict[tuple[str, str], str], language: str
) -> None:
    words, text = Words(language), pages[language, "/people"]
    with_rate = words("box.figures.of", what="Kojak", share="")
    assert with_rate.strip() in text
    assert words("page.undated") in text
    assert "1970" not in text, "a game without a clock has no time"
    assert words("page.nemesis") in text


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_says_that_its_chance_was_straight(
    pages: dict[tuple[str, str], str], language: str
) -> None:
    for n in range(1, 5):
        text = pages[language, f"/game/{n}"]
        told = Words(language)("box.figures.verified", code="").rstrip(". ")
        assert told in text


def test_every_page_is_well_formed(pages: dict[tuple[str, str], str]) -> None:
    for (language, path), text in pages.items():
        main = text[text.index("<main") : text.index("</main>") + len("</main>")]
        tree = ET.fromstring(main.replace("&nbsp;", " "))  # noqa: S314 - ours
        assert tree.tag == "main", (language, path)
        for part in (one for tag in PARTS for one in tree.iter(tag)):
            assert "".join(part.itertext()).strip(), (language, path, part.tag, "is empty")


def test_a_day_is_written_as_people_do() -> None:
    stamp = "2026-11-22T20:14:03+00:00"
    assert page_html.format_date_in_words(stamp, Words("en")) == "22 Nov 2026"
    assert page_html.format_date_and_time(stamp, Words("fr")) == "22 nov. 2026, 20:14"


def test_who_has_won_is_no_curve() -> None:
    won = [AllSeatScores(0, (0, 0)), AllSeatScores(9, (1, 0))]
    assert make_score_curve(won, ("Ann", "Bob")) is None
    assert make_score_curve([*won, AllSeatScores(12, (1, 2))], ("Ann", "Bob")) is not None


def test_the_title_of_the_rules_has_a_colon_as_each_language_writes_it() -> None:
    assert Words("en")("page.rules_of", game="Probe") == "Rules: Probe"
    assert Words("fr")("page.rules_of", game="Probe") == "Règles\N{NO-BREAK SPACE}: Probe"
