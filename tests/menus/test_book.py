"""Tests of the rule book on the box: opened from the first screen or in a game, page by page."""

from __future__ import annotations

import pytest

from companion.catalog import clauses, registry
from companion.draw import screens
from companion.draw.canvas import load_font
from companion.menus import text_pages as book
from companion.say.words import LANGUAGES, Words
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from hardware.ports import DOWN, UP
from tests.helpers import Drive, begin_game, setup_for

OWN = {"deck": "own", "die": "real", "track": "ask"}
every_game = pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def in_the_rules(game: str = "kojak") -> Drive:
    drive = Drive()
    drive.choose("rules")
    drive.choose(game)
    return drive


@pytest.mark.sampled(1)
@every_game
@every_language
def test_every_word_of_every_clause_stands_on_a_page_in_letters_that_there_are(
    game: str, language: str
) -> None:
    letters = load_font("small")
    for heading in clauses.read_rule_sheet_sections(game):
        found: dict[tuple[str, str], list[str]] = {}
        under = [
            leaf
            for leaf in book.rule_book_pages(game, language)
            if leaf.title in heading.title.values()
        ]
        for _, number, mark, rows, *_ in under:
            found.setdefault((number, mark), []).extend(" ".join(rows).split())
            assert all(len(row) <= 21 for row in rows)
            assert all(letter.isspace() or any(letters.glyph_columns(letter)[0]) for row in rows
                       for letter in row)  # fmt: skip
        for clause in heading.clauses:
            said = found[clause.number, clause.mark]
            assert " ".join(clause.text[language].replace("*", "").split()) in " ".join(said)
        assert not any(row[:1] in {*":;?!»"} for leaf in under for row in leaf.rows)


@every_language
def test_every_mark_has_a_word(language: str) -> None:
    assert all(Words(language)(f"box.mark.{mark}") for mark in clauses.AUTHORITY_MARKS)


@pytest.mark.sampled(1)
@every_game
@every_language
def test_a_title_fits_its_line(game: str, language: str) -> None:
    titles = book.rule_book_headings(game, language)
    assert titles
    assert all(0 < len(title) <= 19 for title in titles)
    assert len({*titles}) == len(titles)


def test_the_first_screen_leads_to_the_rules_of_every_game() -> None:
    drive = Drive()
    drive.choose("rules")
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.options == registry.BUILT_IN_GAMES  # type: ignore[union-attr]


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


@pytest.mark.sampled(1)
@every_game
@every_language
def test_a_page_says_its_title_its_clause_and_how_firm_that_is(game: str, language: str) -> None:
    words = Words(language)
    for leaf in book.rule_book_pages(game, language):
        with draw_frames_on_recording_canvas():
            screens.rule_page_frame(leaf, words)
        first, second = (
            [text for row, _, text, _ in RecordingCanvas.last.texts if row == wanted]
            for wanted in (0, 1)
        )
        assert first == [leaf.title]
        assert second == [
            f"{leaf.number} {words(f'box.mark.{leaf.mark}')}", f"{leaf.page}/{leaf.pages}"
        ]  # fmt: skip
        assert len(" ".join(second)) <= 21
        assert not RecordingCanvas.last.cut


def test_the_wheel_turns_from_a_title_on_through_the_whole_book() -> None:
    drive, pages = in_the_rules(), book.rule_book_pages("kojak", "en")
    drive.choose("3")
    titles = [*dict.fromkeys(leaf.title for leaf in pages)]
    assert pages[drive.table.cursor.at].title == titles[3]
    drive.press("up")
    assert pages[drive.table.cursor.at].title == titles[2]
    drive.press(*["down"] * len(pages))
    assert pages[drive.table.cursor.at].title == titles[2]


def test_back_leads_page_by_page_to_the_first_screen() -> None:
    drive = in_the_rules()
    drive.choose("0")
    pages = []
    for _ in range(3):
        drive.press("back")
        pages.append(drive.page)
    assert pages == ["headings", "rules", "home"]


@pytest.mark.sampled(1)
@every_game
def test_a_game_opens_its_own_book_and_goes_on_as_it_was(game: str) -> None:
    options = {option.name: option.values[0] for option in registry.find_game(game).options}
    drive = Drive(begin_game(setup_for(options, game=game)))
    drive.choose("resume")
    drive.press("ok")
    before = drive.frame
    drive.press("back")
    drive.choose("rules")
    assert (drive.page, drive.state.book) == ("headings", game)
    drive.choose("0")
    for _ in range(3):
        drive.press("back")
    assert drive.frame == before


def test_a_game_without_a_book_offers_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clauses, "has_rule_sheet", lambda _: False)
    drive = Drive(begin_game(setup_for(OWN), (1, 6)))
    drive.choose("resume")
    drive.press("ok")
    drive.press("back")
    assert drive.table.menu_or_game_prompt is not None
    assert "rules" not in drive.table.menu_or_game_prompt.options  # type: ignore[union-attr]


def test_neither_the_first_screen_nor_the_menu_reads_a_book(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive = Drive(begin_game(setup_for(OWN), (1, 6)))
    monkeypatch.setattr(clauses, "_book", lambda game: pytest.fail(f"{game} is read again"))
    drive.press(DOWN, UP, UP)
    assert drive.page == "home"
    drive.choose("resume")
    drive.press("ok")
    drive.press("back")
    assert drive.page == "menu"
