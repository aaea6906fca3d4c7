"""Tests of the checks of files: accepted values, the line of a mistake, the suggested word."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checked_input import source
from checked_input.checks import (
    Check,
    OptionalKey,
    boolean,
    both,
    condition,
    distinct,
    either,
    exact_list,
    find_mistakes,
    first_mistake,
    known_word,
    line_of_text,
    list_of,
    mapping_of,
    nullable,
    number,
    pair_of,
    pattern,
    size_between,
    table,
    text,
    whole_number,
)
from checked_input.nearest import nearest_word

PLAYER = table(name=text(line_of_text(1, 5), distinct), seat=number(1, 4))
TEAM = table(
    player=exact_list(2, PLAYER), colours=list_of(text(known_word("colour", ("red", "blue"))))
)
ANN, BOB = {"name": "Ann", "seat": 1}, {"name": "Bob", "seat": 2}


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"player": [ANN, BOB], "colours": ["red"]}, []),
        ({"player": [ANN, BOB]}, [(("colours",), "missing")]),
        ({"player": [ANN, BOB], "colors": []}, [(("colors",), "unknown_key")]),
        ({"player": [ANN, {"name": "Bob", "saet": 2}], "colours": []},
         [(("player", 1, "saet"), "unknown_key")]),
        ({"player": [ANN, ANN], "colours": []}, [(("player", 1, "name"), "repeated")]),
        ({"player": [ANN, BOB, BOB | {"name": 1}], "colours": []},
         [(("player", 2), "wrong_count"), (("player", 2, "name"), "wrong_type")]),
        ({"player": [ANN, BOB | {"seat": True}], "colours": []},
         [(("player", 1, "seat"), "wrong_type")]),
        ({"player": [ANN, BOB | {"name": "Robert"}], "colours": []},
         [(("player", 1, "name"), "wrong_length")]),
        ({"player": [ANN, 7], "colours": ["rde"]},
         [(("player", 1), "wrong_type"), (("colours", 0), "unknown_word")]),
    ],
)  # fmt: skip
def test_everything_wrong_is_told_once_and_where_it_stands(
    data: dict[str, Any], found: list[tuple[Any, str]]
) -> None:
    assert [(slip.place, slip.code) for slip in find_mistakes(TEAM, data)] == found


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        (whole_number, -3, True),
        (boolean, False, 0),
        (nullable(boolean), None, "yes"),
        (text(pattern(re.compile("[a-f]+"))), "abc", "abg"),
        (pair_of(number(1, 2), nullable(boolean)), [1, None], [3, None]),
        (pair_of(number(1, 2), nullable(boolean)), [2, True], [2]),
        (pair_of(whole_number, whole_number), [2, 2], "22"),
        (both(list_of(whole_number), size_between(1, 2)), [1], []),
        (either(table(a=whole_number), table(b=boolean)), {"b": True}, {"a": 1, "b": True}),
        (condition(str.isupper, "capitals"), "A", "a"),
        (
            table(others=True, a=whole_number, b=OptionalKey(boolean)),
            {"a": 1, "c": 2},
            {"b": True, "c": 2},
        ),
    ],
)
def test_what_a_program_writes_is_right_or_its_first_slip_is_told(
    check: Check, right: object, wrong: object
) -> None:
    fact = table(value=check)
    assert first_mistake(fact, {"value": right}) is None
    slip = first_mistake(fact, {"value": wrong})
    assert slip is not None
    assert slip.place[0] == "value"


def test_a_table_of_any_keys_is_checked_value_by_value() -> None:
    cards = table(cards=mapping_of(number(1, 9)))

    assert find_mistakes(cards, {"cards": {"king": 4, "joker": 3}}) == []
    assert [slip.place for slip in find_mistakes(cards, {"cards": {"king": 0}})] == [
        ("cards", "king")
    ]
    assert [slip.facts["expected"] for slip in find_mistakes(cards, {"cards": []})] == ["table"]


def test_a_thing_is_on_the_line_where_it_begins_whatever_the_layout(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text('buttons.up = 5\n[display]\nchip = [\n  "a",\n  "b",\n]\n')

    line_of = source.read_toml(file).line_of

    assert line_of(("buttons", "up")) == 1
    assert line_of(("display", "chip", 1)) == 5
    assert line_of(("display", "bus")) == 2
    assert line_of(("lamps",)) == 0


def test_a_word_is_recognised_in_capitals_and_with_a_slip() -> None:
    words = ["Kojak", "probe"]

    assert nearest_word("KOJAC", words) == "Kojak"
    assert nearest_word("zzz", words) == ""


def test_nothing_slow_is_imported_before_somebody_makes_a_mistake() -> None:
    program = (
        "import sys; import checked_input.mistakes, checked_input.nearest\n"
        "sys.exit(bool({'tomllib', 'difflib'} & set(sys.modules)))"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
