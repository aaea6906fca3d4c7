"""Tests that a listener hears whole sentences, each once, with the effect of each answer."""

from __future__ import annotations

from io import BytesIO
from typing import Final

import pytest
from babel.messages.pofile import read_po

from companion.catalog import editions, registry
from companion.core.game import Cue
from companion.core.snapshot import Snapshot
from companion.draw.face import load_face
from companion.menus import text_pages
from companion.press.controls import cursor_and_action_after_edge
from companion.press.cursor import Cursor, PressContext
from companion.say.facts import fact_row_or_default, fact_variant_row
from companion.say.words import LANGUAGES
from companion.table.aloud import SpokenScreen, spoken_game_state, spoken_screen
from companion.table.overlays import Overlay
from companion.table.table import RunningGame
from companion_testing import playing
from companion_testing.table import tables_of_all_option_combinations
from hardware.ports import BACK, DOWN, OK, UP, Edge
from tests.ear.listener import Heard
from tests.ear.test_aloud import box, hand, said, whispered
from tests.ear.transcripts import GAMES, LINE_COUNT, PAGE, heard, page, shown
from tests.ear.whole import measure, play, repeated, split
from tests.helpers import words_for

UNSPOKEN: Final = frozenset({"advanced", "corrected"})
"""Facts that only a picture shows, because another fact of the same answer is spoken."""
ENDS: Final = (".", "?", "!", "…", ":", "»", "”", ")")
MOST_HEARD: Final = {
    ("barney-miller", "en"): (5.2, 0.010), ("barney-miller", "fr"): (4.2, 0.004),
    ("baretta", "en"): (8.4, 0.006), ("baretta", "fr"): (7.7, 0.004),
    ("probe", "en"): (11.1, 0.005), ("probe", "fr"): (11.4, 0.009),
    ("kojak", "en"): (15.7, 0.006), ("kojak", "fr"): (16.2, 0.006),
}  # fmt: skip
"""Maximum minutes of speech, and maximum share of repeated words, in SEEDS. They may only fall.

Three games are few: `EAR=20 python -m tests.system.bench listening` prints the means.
"""
SEEDS: Final = range(3)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_no_more_is_heard_of_whole_games_than_before(game: str, language: str) -> None:
    found, (minutes, share) = measure(game, language, SEEDS), MOST_HEARD[game, language]
    assert found.ended == len(SEEDS)
    assert (found.minutes <= minutes, found.repeated <= share) == (True, True), found


def test_a_run_of_three_words_within_four_lines_is_repeated() -> None:
    lines = ["Fish, press to roll.", "Two.", "Harris, press to roll.", *"abc", "Press to roll."]
    assert [*repeated([Heard(line) for line in lines])] == [0, 0, 3, 0, 0, 0, 3]


def test_a_hand_is_spoken_when_it_is_dealt_and_not_when_it_has_only_lost_cards() -> None:
    game = play("barney-miller", "en", 1, secrets=True)
    hands = [(one.ear, split(one.text)[2:]) for one in game.lines if "Your cards" in one.text]
    assert hands
    assert {len(cards) for _, cards in hands} == {9}


def test_what_one_ear_heard_is_new_to_the_room_and_not_to_that_ear() -> None:
    makes = "Two makes three"
    assert [*repeated([Heard(makes, "Ann"), Heard(makes), Heard(makes, "Bob")])] == [0, 0, 3]
    assert [*repeated([Heard(makes, "Ann"), Heard(makes, "Bob")])] == [0, 0]


# --- whole sentences ------------------------------------------------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_every_fact_with_a_moment_has_a_sentence_to_hear(game: str, language: str) -> None:
    words, facts = words_for(game, language), load_face(game).facts
    [file] = (registry.game_file_path(game, "locale") / language / "LC_MESSAGES").glob("*.po")
    keys = {str(message.id) for message in read_po(BytesIO(file.read_bytes()))}
    start = f"{game}.cue."
    shown_facts = {key[len(start) : -len(".text")] for key in keys if key.endswith(".text")}
    mute, told_in_ways = [], {key[len(start) :].split(".")[0] for key in keys if ".speech" in key}
    for way in sorted(name for name in shown_facts if f"{start}{name}.text" in keys):
        name = way.partition(".")[0]
        fact = fact_variant_row(facts, name, way)
        is_public = fact_row_or_default(facts, name).fields is not None
        told = any(
            words.has_sentence(f"{start}{n}.{use}")
            for n in (way, name)
            for use in ("speech", "ear")
        )
        has_ways = way == name and name in told_in_ways
        is_secret = way.endswith(".secret")
        if fact.headline and is_public and not (fact.silent or told or has_ways or is_secret):
            mute.append(way)
    assert {way.partition(".")[0] for way in mute} <= UNSPOKEN


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_every_page_of_the_rules_is_read_in_whole_sentences(game: str, language: str) -> None:
    found = text_pages.rule_book_pages(game, language)
    for number in {leaf.number for leaf in found}:
        pages = [leaf.rows for leaf in found if leaf.number == number]
        text = " ".join(" ".join(rows) for rows in pages)
        texts = text_pages.spoken_text_by_page(pages)
        assert all(one.endswith(ENDS) for one in texts), texts
        assert all(one in text for one in texts)
        [whole] = text_pages.spoken_text_by_page([(text,)])
        assert whole == text
        assert all(text.find(one) in (0, *_begins(text)) for one in texts)


def _begins(text: str) -> list[int]:
    """Return the positions where a sentence may begin: after the end of another sentence."""
    return [n + 1 for n, sign in enumerate(text) if sign.isspace() and text[n - 1] in ENDS]


def test_a_page_on_which_no_sentence_begins_has_the_one_that_goes_on() -> None:
    pages = [("One. Two is",), ("a very",), ("long one.",), ("Three.",)]
    assert text_pages.spoken_text_by_page(pages) == (
        "One. Two is a very long one.", "Two is a very long one.", "Two is a very long one.",
        "Three.",
    )  # fmt: skip


def test_a_moment_without_a_sentence_is_not_read_from_the_display() -> None:
    drive = box(1, 6)
    drawn = Cue("discarded", {"space": "7", "card": "move:1"}, "BA-11")
    words = words_for("baretta", "en")
    assert words.fact_text(drawn)
    found = spoken_screen(
        drive.table.with_overlay(Overlay((drawn,))), lambda _: words, lambda _: {}
    )
    assert found is not None
    assert found.lead == ()


# --- the effect of an answer ----------------------------------------------------------------------


@pytest.mark.parametrize(("language", "texts"), [
    ("en", ("Two", "Two: makes five", "Seven: exactly ten", "Eight: over ten")),
    ("fr", ("Deux", "Deux\u00a0: total cinq", "Sept\u00a0: pile dix", "Huit\u00a0: dépasse dix")),
])  # fmt: skip
def test_a_card_is_heard_with_the_total_it_makes(language: str, texts: tuple[str, ...]) -> None:
    words, first = words_for("barney-miller", language), {"total": 0}
    values = [(2, first), (2, {"total": 3}), (7, {"total": 3}), (8, {"total": 3})]
    found = [words.spoken_answer("play_card", n, view) for n, view in values]
    assert (words.capitalised_number_word(2), *found[1:]) == texts
    assert found[0] == "2"


def test_a_space_beside_a_corner_says_so() -> None:
    words = words_for("baretta", "en")
    path = words.edition["path"]
    at = next(n for n, ident in enumerate(path) if n and not path[n - 1].isdigit())
    spot: dict[str, object] = {"card": None, "kind": "outside", "marker": None, "next": []}
    found = words.spoken_answer("move_to", path[at], {"spaces": {path[at]: spot}})
    assert ", past the " in found


# --- no repetition --------------------------------------------------------------------------------


def test_what_the_thumb_said_is_not_said_again_as_a_fact() -> None:
    drive = box(1, 6, "gang:molls")
    drive.turn_to(6)
    assert said(drive)[-1].startswith("Six")
    drive.speaker.heard.clear()
    drive.press(OK)
    assert not [text for text in said(drive) if text.startswith("Six")]


def test_a_total_that_the_thumb_said_is_not_said_again() -> None:
    drive = box(1, 6, "gang:molls", 4)
    drive.press(UP, DOWN)
    assert said(drive)[-1].startswith("Six: exactly ten")
    drive.speaker.heard.clear()
    drive.press(OK)
    assert "Ten." not in said(drive)


def test_an_early_press_repeats_the_name_of_the_option_alone() -> None:
    screen = SpokenScreen(("game", "move_to"), "en", answers=3)
    for option, echo in (
        ("13, past the Alley: card.", "13."),
        ("2\u00a0: carte.", "2."),
        ("A dot.",) * 2,
    ):
        assert screen._replace(option=option).option_repeated_after_early_press == echo
    curtain = screen._replace(option="Fish: hold OK.", answers=0)
    assert curtain.option_repeated_after_early_press == curtain.option


def test_a_place_is_said_as_the_list_comes_up_and_as_it_comes_round() -> None:
    drive = box(1, 6, "gang:molls")
    drive.turn_to(0)
    drive.speaker.heard.clear()
    drive.press(DOWN, UP, UP)
    assert said(drive) == ["One.", "Zero.", "Ten. 11 of 11"]


@pytest.mark.parametrize(("detail", "text"), [
    ("short", "Ten."), ("normal", "Ten. 11 of 11"), ("teaching", "Ten. 11 of 11"),
])  # fmt: skip
def test_how_much_is_said_of_a_place_is_a_setting(detail: str, text: str) -> None:
    drive = box(1, 6, "gang:molls", speech=detail)
    drive.turn_to(0)
    drive.press(UP)
    assert said(drive)[-1] == text


def test_back_held_with_down_changes_how_much_is_said() -> None:
    drive, found = box(1, 6), []
    for _ in range(3):
        drive.down(BACK)
        drive.down(DOWN)
        drive.wait(2.1)
        drive.up(DOWN)
        drive.up(BACK)
        found.append(drive.settings["speech"])
    assert found == ["short", "teaching", "normal"]
    assert "Each sentence is complete the first time, then short." in said(drive)


# --- at a curtain ---------------------------------------------------------------------------------


def test_up_and_down_at_a_curtain_say_it_again_and_how_it_stands() -> None:
    drive = hand()
    drive.press(UP)
    assert any("take the box" in text for text in said(drive))
    drive.press(DOWN)
    assert any(text.startswith("Captured: ") or ", total " in text for text in said(drive))
    assert whispered(drive) == []


def test_an_open_secret_begins_with_its_first_answer() -> None:
    drive = hand()
    prompt = drive.table.menu_or_game_prompt
    assert prompt is not None
    drive.press(OK, seconds=1.0)
    assert f"1 of {len(prompt.options)}" in whispered(drive, str(prompt.who))[-1]  # type: ignore[union-attr]
    drive.press(OK, seconds=1.1)
    assert drive.table.cursor.looking is None
    assert not [text for text in said(drive) if "choice is made" in text]


def test_up_and_down_turn_what_is_heard_of_an_open_secret() -> None:
    scene = PressContext(None, curtain="Fish", alone=frozenset({"Fish"}), ear=True)
    cursor = Cursor(looking="Fish", listening=True, looked=True)
    down, action = cursor_and_action_after_edge(cursor, Edge(DOWN, True, 1.0), scene)
    assert (down.page, action) == (1, None)
    up, action = cursor_and_action_after_edge(cursor, Edge(UP, True, 1.0), scene)
    assert (up.page, action) == (-1, None)


# --- the state of the game ------------------------------------------------------------------------


def stands(game: str, at: int = 9) -> RunningGame:
    """Return a random game after its answer number `at`."""
    found = registry.find_game(game)
    playout = playing.play_random_game(
        next(iter(tables_of_all_option_combinations(found, editions.load_edition(game)))), 0
    )
    state, table = playout.moves[at].after, playout.table
    snapshot = Snapshot(game, table.players, table.options, None,
                        found.view(state, None), (), 0, 0, 0, None, "", None)  # fmt: skip
    return RunningGame(snapshot, load_face(game))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_how_a_game_stands_fits_one_breath(game: str, language: str) -> None:
    now = stands(game)
    view, players = now.snapshot.view, now.snapshot.players
    text = now.face.spoken_summary(words_for(game, language), view, players)
    assert 0 < len(text.split()) <= 30, text


def test_baretta_is_surveyed_step_by_step_from_where_he_stands() -> None:
    texts = spoken_game_state(stands("baretta"), words_for("baretta", "en"))
    steps = [text for text in texts if "away: " in text or text.startswith("Here: ")]
    assert steps[0].startswith("Here: ")
    assert steps[1].startswith("One step away: ")
    assert len(texts) < 30


# --- the book -------------------------------------------------------------------------------------


def test_the_first_transcript_of_the_book_is_true() -> None:
    text = shown(heard("barney-miller", "en", 0))
    assert text.count("\n") == LINE_COUNT - 1
    assert f"```text\n{text}\n```" in PAGE.read_text(encoding="utf-8"), HOW


HOW: Final = "python -m tests.ear.transcripts writes the page again"


@pytest.mark.long
def test_all_transcripts_of_the_book_are_true() -> None:
    assert "".join(page()) == PAGE.read_text(encoding="utf-8"), HOW
    assert GAMES == 3
