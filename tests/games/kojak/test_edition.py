"""Tests of an edition of Kojak: accepted values and reports of mistakes (KO-1 to KO-4, KO-13)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checked_input.mistakes import FileMistake
from companion.catalog import editions
from companion.games.kojak import GAME
from companion.games.kojak.rules.board import mission_card_counts, trap_card_counts, unshuffled_deck
from tests.english import mistake_text

BUILT_IN = re.sub("(?m)^#.*$", "#", editions.built_in_edition_file("kojak").read_text("utf-8"))
CIRCLE = '["dot", "plain", "plain", "red"]'
FOUR = '"red", "yellow", "blue", "green"'
DOTS = '["dot", "dot", "red"]'
LONG = str(["dot"] + ["red"] * 12)
NO_PLACE = '"jail" is not a place; expected: "bank", "city_hall", "club", "hotel"'
NO_FIELD = '"blue" is not a field; expected: "dot", "plain", "red", "unknown"'
TRAPS = "[1, 1, 2, 3]"
MISTAKES = [  # [replaced text, replacement, part of the reported line, the sentence]
    ("= 3", "= -1", "-1", "-1 is not valid; expected: 0-20"),
    ("= 3", "= true", "true", "true is the wrong kind of value; expected: whole number"),
    ("kojak = 3", "", "[[file]]", '"kojak" is missing'),
    ('r = "red"', 'r = "rde"', "rde", '"rde" is not a colour; did you mean "red"?'),
    ('r = "red"', 'r = "pink"', "pink", f'"pink" is not a colour; expected: {FOUR}'),
    ('"bank"', '"hotel"', '"hotel" # last', '"hotel" appears twice'),
    ('"bank"', '"jail"', "jail", NO_PLACE),
    (CIRCLE, '["dot", "plain"]', CIRCLE[:15], "[...] is not valid; expected: a red space"),
    (CIRCLE, '["red", "plain"]', '["red"', '"red" is not valid; expected: "dot"'),
    (CIRCLE, DOTS, DOTS, '"dot" is not valid; expected: "plain", "red"'),
    (CIRCLE, '["dot", "blue", "red"]', "blue", NO_FIELD),
    (CIRCLE, LONG, LONG, '"circle" is a list of 13; expected: 2-12'),
    ("ns = 4", "ns = 0", "= 0", "0 is not valid; expected: 1-16"),
    ("ns = 4", "ns = 5", "ns = 4 # last", "17 is not valid; expected: 16 missions in all"),
    (TRAPS, "[1, 1, 10, 3]", "10, 3]", "10 is not valid; expected: -9 to 9"),
    (TRAPS, '[1, 1, "blue", 3]', '"blue", 3]', '"blue" is not an order; expected: "red"'),
    (TRAPS, "[1, 1, true, 3]", "true", "true is the wrong kind of value; expected: whole number"),
    ("kojak = 3", "kojak = 3\nlose_turn = -1", "-1", "-1 is not valid; expected: 0-20"),
    (
        "kojak = 3",
        "kojak = 3\nall = [1]",
        "3] # last",
        "21 is not valid; expected: 20 trap cards in all",
    ),
    (TRAPS, "[1, 1, 3]", "3] # last", "19 is not valid; expected: 20 trap cards in all"),
    ("traps =", "trap =", "trap =", '"trap" is not a key here; did you mean "traps"?'),
]


def mistakes_of(folder: Path, text: str) -> list[FileMistake]:
    file = folder / "kojak.toml"
    file.write_text(text, encoding="utf-8")
    return editions.find_edition_file_mistakes("kojak", file)


def changed(old: str, new: str) -> str:
    """Return the built-in edition: the first `old` replaced, and the last file's lines marked."""
    assert old in BUILT_IN
    first, last = BUILT_IN.replace(old, new, 1).rsplit("[[file]]", 1)
    return first + "[[file]]" + re.sub("(?m)$", " # last", last)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("old", "new", "there", "sentence"), MISTAKES)
def test_a_mistake_tells_its_line_what_was_found_and_what_was_expected(
    tmp_path: Path, old: str, new: str, there: str, sentence: str
) -> None:
    text = changed(old, new)
    lines = enumerate(text.split("\n"), 1)
    line = next(n for n, line in lines if there in line and not line.startswith("cars"))

    (found, *others) = mistakes_of(tmp_path, text)

    assert mistake_text(found) == sentence
    assert found.line == (0 if "missing" in sentence else line)
    assert all("in all" in mistake_text(other) for other in others)


@pytest.mark.parametrize(
    ("cars", "sentence"),
    [
        ('["red", "red", "blue", "green"]', '"red" appears twice'),
        ('["red", "blue", "green"]', '"cars" is a list of 3; expected: 4'),
        ('["pink", "red", "blue", "green"]', f'"pink" is not a colour; expected: {FOUR}'),
    ],
)
def test_ko3_the_cars_are_of_four_colours(tmp_path: Path, cars: str, sentence: str) -> None:
    (found,) = mistakes_of(tmp_path, BUILT_IN.replace(f"[{FOUR}]", cars))
    assert mistake_text(found) == sentence


def test_an_edition_of_before_has_neither_cars_nor_other_orders(tmp_path: Path) -> None:
    assert mistakes_of(tmp_path, BUILT_IN.replace(f"cars = [{FOUR}]\n", "")) == []


@pytest.mark.parametrize("n", [3, 5])
def test_there_are_four_files_and_only_then_are_their_cards_counted(tmp_path: Path, n: int) -> None:
    first, *three = BUILT_IN.split("[[file]]\n")[-4:]
    head = BUILT_IN.split("[[file]]\n")[0]
    files = [first, *three, first][:n]

    found = mistakes_of(tmp_path, "[[file]]\n".join([head, *files]))

    assert mistake_text(found[0]) == f'"file" is a list of {n}; expected: 4'
    assert {m.code for m in found} <= {"wrong_count", "repeated"}


def test_the_cards_of_real_copies_may_be_other_ones(tmp_path: Path) -> None:
    text = BUILT_IN.replace("kojak = 3", "kojak = 4").replace("[1, 1, 2, 2, 3]", "[2, 2, 2, 5]")
    text = text.replace("missions = 4", "missions = 3", 1).replace(
        "missions = 4", "missions = 5", 1
    )
    text = text.replace(CIRCLE, '["dot", "red", "plain", "red", "plain", "plain"]', 1)

    assert mistakes_of(tmp_path, text) == []

    printed = tomllib.loads(text)
    assert len(unshuffled_deck(mission_card_counts(printed))) == 16
    assert len(unshuffled_deck(trap_card_counts(printed))) == 20
    assert GAME.decks(printed)["advance:yellow:2"] == 3


def test_ko13_other_orders_are_data_and_few_of_them_need_be_there(tmp_path: Path) -> None:
    text = BUILT_IN.replace("kojak = 3", 'kojak = 0\nall = [1, "red"]\nlose_turn = 2')
    text = text.replace("[1, 1, 2, 2, 3]", '[-2, -1, 0, "red"]')

    assert mistakes_of(tmp_path, text) == []

    counts = GAME.decks(tomllib.loads(text))
    assert sum(counts.values()) - 16 == 20
    yellow = [name for name in counts if "yellow" in name and ":" in name]
    assert yellow == ["back:yellow:2", "back:yellow:1", "stay:yellow", "to_red:yellow"]
    assert (counts["advance:all:1"], counts["to_red:all"], counts["lose_turn"]) == (1, 1, 2)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (TRAPS, TRAPS, []),
        (TRAPS, "[1, 1, 3, 3]", ["red"]),
        ("[1, 1, 2, 2, 3]", "[2, 2, 2, 2, 2]", ["yellow"]),
        ("[1, 1, 2, 2, 3]", '[2, 2, 2, 2, "red"]', []),
        (TRAPS, "[1, 1, 3, 3] # at length", ["red"]),
        (CIRCLE, '["dot", "red", "plain", "red", "plain"]', []),
        (CIRCLE, '["dot", "red"]', []),
    ],
)
def test_ko13_a_colour_that_can_be_locked_out_of_red_is_told_and_never_refused(
    tmp_path: Path, old: str, new: str, told: list[str]
) -> None:
    assert mistakes_of(tmp_path, BUILT_IN.replace(old, new, 1)) == []
    found = editions.unusual_edition_value_warnings("kojak", tmp_path / "kojak.toml")
    assert [mistake_text(warning).split()[1] for warning in found] == told
    assert all("only a Kojak card puts him there" in mistake_text(warning) for warning in found)
    lines = BUILT_IN.replace(old, new, 1).splitlines()
    assert all(lines[warning.line - 1].startswith("traps = ") for warning in found)


def test_ko13_without_a_kojak_card_a_colour_locked_out_may_leave_no_end(tmp_path: Path) -> None:
    text = BUILT_IN.replace("kojak = 3", "kojak = 0").replace(TRAPS, "[2, 2, 2, 2, 2, 2, 2]", 1)
    assert mistakes_of(tmp_path, text) == []
    (found,) = editions.unusual_edition_value_warnings("kojak", tmp_path / "kojak.toml")
    assert mistake_text(found).endswith(": the game may have no end")


@pytest.mark.parametrize(("language", "word"), [("en", "# What is"), ("fr", "# Ce qui")])
def test_a_new_edition_explains_every_key_in_the_users_language(
    tmp_path: Path, language: str, word: str
) -> None:
    text = editions.write_user_edition_template("kojak", tmp_path, language).read_text("utf-8")
    comments = "\n".join(re.findall("(?m)^#.*$", text))

    assert text.startswith(word)
    assert editions.load_edition("kojak", tmp_path) == editions.load_edition("kojak")
    for key in ("colour", "place", "circle", "missions", "traps", "all", "lose_turn"):
        assert f"`{key}`" in comments
    for value in re.findall(r'"\w+"', BUILT_IN):
        assert value in comments
    assert len(re.findall("assumed|supposé", comments)) >= 3


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["red", "dot", "x"]),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=6,
)
KEYS = st.sampled_from(["colour", "place", "circle", "missions", "traps", "x"])


@pytest.mark.long
@given(
    kojak=VALUES,
    files=VALUES | st.lists(VALUES | st.dictionaries(KEYS, VALUES), min_size=4, max_size=4),
)
@settings(deadline=None)
def test_no_data_crashes_the_model(kojak: Any, files: Any) -> None:
    for place, code, facts in editions._judge("kojak", {"kojak": kojak, "file": files}):
        assert mistake_text(
            FileMistake(editions.built_in_edition_file("kojak"), len(place), code, facts)
        )
