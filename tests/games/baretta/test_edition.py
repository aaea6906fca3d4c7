"""Tests of an edition of Baretta: the board as a graph, 44 cards, and reports of mistakes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.catalog import editions
from companion.games.baretta.rules.board import (
    deck_card_counts,
    make_board_from_edition,
    make_table_setup,
)
from tests.english import ENGLISH_WORDS, mistake_text
from tests.helpers import max_examples

BUILT_IN = re.sub("(?m)^#.*$", "#", editions.built_in_edition_file("baretta").read_text("utf-8"))
PRINTED = tomllib.loads(BUILT_IN)


def changed(*changes: tuple[str, str]) -> str:
    text = BUILT_IN
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def told(folder: Path, text: str) -> list[str]:
    file = folder / "baretta.toml"
    file.write_text(text, encoding="utf-8")
    return [
        mistake_text(mistake) for mistake in editions.find_edition_file_mistakes("baretta", file)
    ]


MISTAKES = [  # [replaced text, replacement, the sentence]
    ('"5", "6"', '"6", "5"', '"6" is not valid; expected: "5"'),
    ('"5", "6"', '"5"', '"path" is a list of 27; expected: 28'),
    ('"station", "7"', '"staton", "7"', '"staton" is not a space; did you mean "station"?'),
    ('"station", "7"', '"alley", "7"', '"alley" appears twice'),
    ('"apartment", "1"', '"1", "apartment"', '"1" is not valid; expected: a corner'),
    ('"3", "a1"', '"x9", "a1"', '"x9" is not valid; expected: a space where the way goes on'),
    ('"a3", "hideout"', '"a3", "hidout"', '"hidout" is not a space; did you mean "hideout"?'),
    ('"a1", "a2"', '"a1", "a1"', '"a1" appears twice'),
    ('["3", "a1", "a2", "a3", "hideout"]', '["3"]', '"shortcuts" is a list of 1; expected: 2+'),
    ('"unmark"', '"unmrk"', '"unmrk" is not a board effect; did you mean "unmark"?'),
    (
        '"to:hideout"',
        '"to:hidout"',
        '"to:hidout" is not a board effect; did you mean "to:hideout"?',
    ),
    (
        '"unmark"',
        '"to:apartment"',
        '"to:hideout" is not valid; expected: a place that leads no further',
    ),
    ("hunch = 6", "hunch = 5", '"cards" is a list of 43; expected: 44'),
    ("hunch = 6", "hunc = 6", '"hunc" is not a card; did you mean "hunch"?'),
    ('"move:8"', '"move:13"', '"move:13" is not a card; did you mean "move:3"?'),
    ('"go_to:alley"', '"go_to:25"', '"go_to:25" is not a card; did you mean "go_to:5"?'),
    ('"assumed"', '"assumd"', '"assumd" is not a way to count; did you mean "assumed"?'),
    ("hunch = 6", 'hunch = "6"', '"6" is the wrong kind of value; expected: whole number'),
    ("hunch = 6", "hunch = 0", "0 is not valid; expected: 1-44"),
    ('id = "alley"', 'id = "station"', '"station" appears twice'),
    ('id = "alley"', 'id = "pass"', '"pass" is not valid; expected: 1-12 letters a-z or hyphens'),
    ('name = "Alley"', 'name = "The dark alley"', '"The dark alley" is 14 characters long'),
    ('name = "Alley"', 'nmae = "Alley"', '"nmae" is not a key here; did you mean "name"?'),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("old", "new", "sentence"), MISTAKES)
def test_a_mistake_tells_what_was_found_and_what_was_expected(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    assert any(message.startswith(sentence) for message in told(tmp_path, changed((old, new))))


def test_ba2_who_says_nothing_of_the_counts_has_them_assumed(tmp_path: Path) -> None:
    text = changed(('counts = "assumed"', ""))
    assert told(tmp_path, text) == []
    options = {
        "deck": "own",
        "dice": "real",
        "wounded": "up",
        "criminals": "choose",
        "cutting": "yes",
    }
    assert make_table_setup(("Ann", "Bob"), options, tomllib.loads(text)).count_status == "assumed"


def test_the_hideout_must_be_within_reach(tmp_path: Path) -> None:
    start, end = BUILT_IN.index("shortcuts"), BUILT_IN.index("hideout =")
    for ways in ("[]", '[["3", "a1", "9"]]'):
        text = f"{BUILT_IN[:start]}shortcuts = {ways}\n{BUILT_IN[end:]}"
        assert told(tmp_path, text) == ['"shortcuts" is not valid; expected: a way to the hideout']


def test_another_board_with_crossing_shortcuts_and_other_corners_passes(tmp_path: Path) -> None:
    text = changed(
        ('["3", "a1", "a2", "a3", "hideout"]', '["apartment", "a1", "m", "c3"]'),
        ('["9", "b1", "b2", "b3", "hideout"]', '["10", "m", "hideout"]'),
        ('"poolhall", "19"', '"docks", "19"'),
        ('"go_to:poolhall" = 1', '"go_to:docks" = 1'),
        ('id = "poolhall"\nname = "Poolhall"\nfrench = "le Billard"\ndoes = "nothing"',
         'id = "docks"\nname = "Docks"\ndoes = "take_back"'),
    )  # fmt: skip
    assert told(tmp_path, text) == []
    board = make_board_from_edition(tomllib.loads(text))
    crossing = board.ids.index("m")
    ids = [board.ids[space] for space in board.links[crossing]]
    assert sorted(ids) == ["10", "a1", "c3", "hideout"]
    assert len(board.at) == len(board.ids)


def test_the_deck_is_counted_with_its_arrest_cards() -> None:
    assert sum(deck_card_counts(PRINTED).values()) == 48


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["id", "does", "x"]), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(["path", "shortcuts", "hideout", "cards", "corner", "x"])


@given(data=st.dictionaries(KEYS, VALUES), whole=st.booleans())
@settings(max_examples=max_examples(60))
def test_no_data_crashes_the_model(data: dict[str, Any], whole: bool) -> None:  # noqa: FBT001
    for place, code, _ in editions._judge("baretta", {**PRINTED, **data} if whole else data):
        assert isinstance(place, tuple)
        assert ENGLISH_WORDS.has_sentence(f"cmd.mistake.{code}")
