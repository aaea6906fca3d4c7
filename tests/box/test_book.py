"""The rule book on the box: found from the first screen and in a game, turned, and readable."""

from __future__ import annotations

import pytest

from companion.box.menus import book
from companion.draw.canvas import font
from companion.games import clauses, registry
from companion.say.words import LANGUAGES, Words
from hardware import DOWN, UP
from tests.helpers import Drive, begun, setup_for

OWN = {"deck": "own", "die": "real", "track": "ask"}
every_game = pytest.mark.parametrize("game", registry.NAMES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def in_the_rules(game: str = "kojak") -> Drive:
    drive = Drive()
    drive.choose("rules")
    drive.choose(game)
    return drive


@every_game
@every_language
def test_every_word_of_every_clause_stands_on_a_page_in_letters_that_there_are(
    game: str, language: str
) -> None:
    letters = font("small")
    for n, heading in enumerate(clauses.read(game)):
        found: dict[tuple[str, str], list[str]] = {}
        for number, mark, rows in book.leaves(game, n, language):
            found.setdefault((number, mark), []).extend(" ".join(rows).split())
            assert all(len(row) <= 21 for row in rows)
            assert all(letter.isspace() or any(letters.glyph(letter)[0]) for row in rows
                       for letter in row)  # fmt: skip
        for clause in heading.clauses:
            said = found[clause.number, clause.mark]
            assert " ".join(clause.text[language].replace("*", "").split()) in " ".join(said)
        assert not any(row[:1] in {*":;?!»"} for leaf in book.leaves(game, n, language)
                       for row in leaf.rows)  # fmt: skip


@every_language
def test_every_mark_has_a_word(language: str) -> None:
    assert all(Words(language)(f"box.mark.{mark}") for mark in clauses.MARKS)


@every_game
@every_language
def test_a_title_fits_its_line(game: str, language: str) -> None:
    titles = book.headings(game, language)
    assert titles
    assert all(0 < len(title) <= 19 for title in titles)
    assert len({*titles}) == len(titles)


def test_the_first_screen_leads_to_the_rules_of_every_game() -> None:
    drive = Drive()
    drive.choose("rules")
    assert drive.table.prompt is not None
    assert drive.table.prompt.options == registry.NAMES  # type: ignore[union-attr]


def test_the_wheel_turns_the_pages_and_ok_goes_back_to_the_titles() -> None:
    drive = in_the_rules()
    drive.choose("0")
    assert drive.page == "leaf"
    first = drive.frame
    drive.press("down")
    assert drive.frame != first
    drive.press("up")
    assert drive.frame == first
    drive.press("ok")
    assert drive.page == "headings"


def test_back_leads_page_by_page_to_the_first_screen() -> None:
    drive = in_the_rules()
    drive.choose("0")
    pages = []
    for _ in range(3):
        drive.press("back")
        pages.append(drive.page)
    assert pages == ["headings", "rules", "home"]


def test_a_game_opens_its_own_book_and_goes_on_as_it_was() -> None:
    drive = Drive(begun(setup_for(OWN), (1, 6)))
    drive.choose("resume")
    drive.press("ok")
    before = drive.frame
    drive.press("back")
    drive.choose("rules")
    assert drive.page == "headings"
    drive.choose("0")
    for _ in range(3):
        drive.press("back")
    assert drive.frame == before


def test_a_game_without_a_book_offers_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clauses, "about", lambda _: None)
    drive = Drive(begun(setup_for(OWN), (1, 6)))
    drive.choose("resume")
    drive.press("ok")
    drive.press("back")
    assert drive.table.prompt is not None
    assert "rules" not in drive.table.prompt.options  # type: ignore[union-attr]


def test_the_first_screen_reads_no_book_again_with_each_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive = Drive()
    drive.press(DOWN)
    monkeypatch.setattr(clauses, "_book", lambda game: pytest.fail(f"{game} is read again"))
    drive.press(DOWN, UP, UP)
    assert drive.page == "home"
