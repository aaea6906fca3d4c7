"""Tests of secret words that no list contains: the box asks the player to confirm the word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from companion.catalog import registry
from companion.core.prompts import Spell, cursor_start_answer_index, legal_answers
from companion.draw.face import load_face
from companion.play.conversation import SURE_QUESTION, Conversation
from companion.play.standing import UNDO_AGREEMENT
from companion.press.controls import LOOK_HOLD_SECONDS
from companion.press.cursor import CONFIRM_UNLISTED_WORD_QUESTION
from companion.press.wheel import DONE_PLACE, ERASE_PLACE
from companion.say.dictionary import Dictionary
from companion.say.words import Words
from companion.table.word_lookup import WordLookup
from hardware.ports import BACK, DOWN, OK
from tests.helpers import Drive, begin_game, fail_to_save, long_lane_params, setup_for
from tests.met import observed_games
from tests.scenes.baretta import HUNCH, question

if TYPE_CHECKING:
    Lists = Callable[[], Dictionary]

WORD: Final = Spell("word", "Ann", 12, ("PROBE",), private=True, listed=True)
SECRET: Final = {"words": "secret", "deck": "own", "remember": "no"}


@pytest.fixture
def lists(tmp_path: Path) -> Lists:
    (tmp_path / "american-english").write_text("probe\nflap\nFlorida\n", "utf-8")
    (tmp_path / "british-english").write_text("probe\n", "utf-8")
    return lambda: Dictionary(tmp_path / "cache", tmp_path)


@pytest.fixture
def doubts(lists: Lists) -> WordLookup:
    return WordLookup(lists)


def test_a_word_that_a_list_has_counts_at_once(doubts: WordLookup) -> None:
    assert doubts.word_lists_without_word("..FLAP.", "en") == ()
    assert doubts.missing_word_list_notices == ()


def test_the_lists_that_do_not_have_a_word_are_named(doubts: WordLookup) -> None:
    assert doubts.word_lists_without_word("FLOP", "en") == ("american-english", "british-english")


def test_a_language_without_a_list_is_told_once(doubts: WordLookup) -> None:
    assert doubts.word_lists_without_word("MOT", "fr") == ()
    (cue,) = doubts.missing_word_list_notices
    assert (cue.name, cue.facts) == ("no_word_list", {"package": "wfrench"})
    doubts.mark_notices_as_announced()
    assert doubts.word_lists_without_word("MOT", "fr") == ()
    assert doubts.missing_word_list_notices == ()


def test_the_lists_are_made_when_the_first_word_is_looked_up() -> None:
    made: list[int] = []

    def dictionary() -> Dictionary:
        made.append(1)
        raise NotImplementedError

    found = WordLookup(dictionary)
    assert made == []
    with pytest.raises(NotImplementedError):
        found.word_lists_without_word("FLOP", "en")


# --- on the box -----------------------------------------------------------------------------------


def spelling(lists: Lists | None, word: str = "FLOP") -> Drive:
    """Return a box on which Ann has spelt a word. No list contains the default word."""
    journal = begin_game(setup_for(SECRET, game="probe", players=("Ann", "Bob", "Cy")))
    drive = Drive(journal, dictionary=lists)
    drive.resume()
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS)
    drive.up(OK)
    if word:
        spell(drive, word)
    return drive


def spell(drive: Drive, text: str) -> None:
    for letter in (*text, DONE_PLACE):
        drive.choose(letter)


def asked(drive: Drive) -> str | None:
    prompt = drive.table.menu_or_game_prompt
    return prompt and prompt.name


def test_the_box_asks_before_such_a_word_counts(lists: Lists) -> None:
    drive = spelling(lists)
    assert (asked(drive), drive.table.cursor.looking) == (CONFIRM_UNLISTED_WORD_QUESTION, "Ann")
    assert drive.session.standing.snapshot.position == 0
    drive.choose("yes")
    assert drive.session.standing.snapshot.position == 1
    assert drive.session.standing.view_with_player_secrets("Ann")["words"] == {"Ann": "FLOP"}
    assert (asked(drive), drive.table.cursor.looking) == ("word", None)


@pytest.mark.parametrize(
    ("language", "shown"), [("en", "American, British"), ("fr", "américaine, britannique")]
)
def test_the_frame_names_the_lists_as_people_know_them(
    doubts: WordLookup, language: str, shown: str
) -> None:
    lists = doubts.word_lists_without_word("FLOP", "en")
    asked = (
        Conversation(WORD, is_pending=True).with_unlisted_word_question("FLOP", lists).next_prompt
    )
    assert asked is not None
    assert Words(language).question_row(asked, {}).endswith(f"|({shown})")


def test_pr1_a_name_is_refused_and_its_letters_stay(lists: Lists) -> None:
    drive = spelling(lists, "FLORIDA")
    assert drive.front.facts["code"] == "word_name"
    drive.skip()
    assert (drive.table.cursor.text, drive.table.cursor.looking) == ("FLORIDA", "Ann")


def test_a_word_that_is_not_kept_can_be_changed_letter_by_letter(lists: Lists) -> None:
    drive = spelling(lists)
    drive.choose("no")
    cursor = drive.table.cursor
    assert (asked(drive), cursor.text, cursor.looking) == ("word", "FLOP", "Ann")
    drive.press("back", "back")
    spell(drive, "AP")
    assert drive.session.standing.view_with_player_secrets("Ann")["words"] == {"Ann": "FLAP"}


def test_a_word_is_looked_up_in_the_language_of_who_spells_it(lists: Lists) -> None:
    drive = spelling(lists, "")
    drive.services.turn.save_settings({"languages": {"Ann": "fr"}})
    spell(drive, "FLOP")
    assert drive.front.facts == {"package": "wfrench"}
    assert drive.session.standing.snapshot.position == 1


def test_without_a_list_the_box_says_so_once_and_takes_any_word() -> None:
    drive = spelling(None)
    assert drive.front.name == "no_word_list"
    assert any("no word list" in text for text in drive.speaker.heard)
    assert drive.session.standing.snapshot.position == 1
    drive.skip()
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS)
    drive.up(OK)
    spell(drive, "XYZZ")
    assert not drive.moments


def test_a_missing_list_is_told_again_if_the_word_can_not_be_saved() -> None:
    drive = spelling(None, "")
    for letter in "FLOP":
        drive.choose(letter)
    drive.turn_to(DONE_PLACE)
    fail_to_save(drive)
    assert drive.front.name == "refused"
    drive.skip()
    drive.down(OK)
    drive.wait(LOOK_HOLD_SECONDS)
    drive.up(OK)
    drive.choose(DONE_PLACE)
    assert drive.front.name == "no_word_list"


def test_a_word_that_will_not_do_is_refused_with_its_reason_and_stays(lists: Lists) -> None:
    drive = spelling(lists)
    drive.choose("no")
    drive.press("back")
    drive.choose(ERASE_PLACE)
    drive.choose(DONE_PLACE)
    assert drive.front.facts["code"] == "word_short"
    drive.skip()
    assert (drive.table.cursor.text, drive.table.cursor.looking) == ("FLO", "Ann")


# --- answers without undo -------------------------------------------------------------------------


def hunch() -> Drive:
    """Return a box on which Play your Hunch asks the player to point at a card, or at none."""
    drive = question("en", HUNCH, 2, 4)
    assert asked(drive) == "hunch"
    return drive


def test_whoever_points_at_a_card_is_asked_once_more_and_no_is_under_the_thumb() -> None:
    drive = hunch()
    before = drive.session.standing.snapshot.position
    drive.press(DOWN, OK)
    assert asked(drive) == SURE_QUESTION
    drive.press(OK)
    assert (asked(drive), drive.session.standing.snapshot.position) == ("hunch", before)


def test_whoever_is_sure_points_with_one_press_more() -> None:
    drive = hunch()
    before = drive.session.standing.snapshot.position
    drive.press(DOWN, OK)
    drive.choose("yes")
    assert drive.session.standing.snapshot.position > before
    assert asked(drive) != SURE_QUESTION


def test_to_keep_quiet_is_not_asked_twice() -> None:
    drive = hunch()
    before = drive.session.standing.snapshot.position
    drive.press(OK)
    assert drive.session.standing.snapshot.position > before


def guessing() -> Drive:
    setup = setup_for(SECRET, game="probe", players=("Ann", "Bob", "Cy"))
    drive = Drive(begin_game(setup, ("PROBE", "FLAP", "MANOEUVRE", "normal")))
    drive.resume()
    drive.press(BACK)
    drive.walk("interrupt", "Bob", "Cy")
    spell(drive, "MANOEUVRA")
    return drive


def test_a_whole_word_is_guessed_once_more_and_can_be_changed_letter_by_letter() -> None:
    drive = guessing()
    before = drive.session.standing.snapshot.position
    assert asked(drive) == SURE_QUESTION
    shown = drive.frame
    drive.press(OK)
    assert (asked(drive), drive.table.cursor.text) == ("guess", "MANOEUVRA")
    drive.press(BACK)
    drive.choose("E")
    drive.choose(DONE_PLACE)
    assert (asked(drive), drive.session.standing.snapshot.position) == (SURE_QUESTION, before)
    assert drive.frame != shown
    drive.press(BACK)
    assert (asked(drive), drive.table.cursor.text) == ("guess", "MANOEUVRE")
    drive.choose(DONE_PLACE)
    drive.choose("yes")
    assert drive.front.facts["right"] is True


def test_a_word_that_will_not_do_is_refused_at_once() -> None:
    drive = guessing()
    drive.press(OK)
    drive.press(*[BACK] * 2)
    for letter in (".", "E", DONE_PLACE):
        drive.choose(letter)
    assert drive.front.name == "refused"


@pytest.mark.long
@pytest.mark.parametrize(
    "game", [registry.BUILT_IN_GAMES[0], *long_lane_params(registry.BUILT_IN_GAMES[1:])]
)
def test_nothing_else_is_asked_twice(game: str) -> None:
    confirmed = {
        asked.prompt.name
        for asked in observed_games(game).asked.values()
        for value in legal_answers(asked.prompt)
        if load_face(game).needs_confirmation(asked.prompt.name, value)
    }
    assert confirmed == {"baretta": {"hunch"}, "probe": {"guess", "misspelled", "stop"}}.get(
        game, set()
    )


def test_to_take_back_past_what_was_seen_starts_on_no() -> None:
    assert UNDO_AGREEMENT.options[cursor_start_answer_index(UNDO_AGREEMENT)] == "no"
