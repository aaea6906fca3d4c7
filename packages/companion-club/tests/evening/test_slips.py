"""Tests of slips (results as codes): a box accepts only a new result of its own evening."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import segno

from companion_club import new_facts, slips, table
from companion_club.attendant import MAX_STATUS_MESSAGE_BYTES
from companion_club.box.status import parse_evening_status
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import compute_evening_state
from companion_club.slips import InvalidSlip
from tests.evening.boxes import open_facts, random_points

NAMES = ("Ann", "Bob", "Cy", "Di", "Émile", "Flo", "Gus", "Zoé +#/%")


def with_result(box: str = "9f2c11aa") -> tuple[CurrentClaims, CurrentClaims, str]:
    """Return an evening without a result, the evening with table 2's result, and that slip."""
    known = open_facts(NAMES)
    scores = random_points(compute_evening_state(known), 2, random.Random(8))
    said = known.with_own_fact(box, "result/1/2", new_facts.result_fact(scores, {"id": "x"}))
    return known, said, slips.format_result_slip("club-1", compute_evening_state(said), 1, 2, box)


def test_a_slip_is_taken_by_another_box_and_meets_the_real_one_without_a_conflict() -> None:
    known, said, text = with_result()
    found = slips.parse_new_result_from_slip(
        text.lower(), "club-1", compute_evening_state(known), known
    )
    assert found is not None
    topic, slip = found
    after = known.with_own_fact("b", topic, slip.result_fact)
    assert compute_evening_state(after).rounds == compute_evening_state(said).rounds
    both = after.with_topic_claims(topic, said.heads[topic])
    assert len(both.heads[topic]) == 2
    assert compute_evening_state(both).conflicts == ()
    assert compute_evening_state(both).totals == compute_evening_state(said).totals
    assert (
        slips.parse_new_result_from_slip(text, "club-1", compute_evening_state(both), both) is None
    )


def test_a_slip_fits_two_pixels_a_module() -> None:
    scores = dict.fromkeys(NAMES[:4], -99999)
    known = open_facts(NAMES[:4])
    said = known.with_own_fact("9f2c11aa", "result/1/1", new_facts.result_fact(scores))
    text = slips.format_result_slip("club-1", compute_evening_state(said), 1, 1, "9f2c11aa")
    rows = segno.make(text, error="l", micro=False, boost_error=False).matrix
    assert 2 * len(rows) <= 62


@pytest.mark.parametrize(
    "wrong",
    [
        "", "hello", "E/1/2/9F2C11AA/1.2.3.4/0123456789", "E/9/2/9F2C11AA/1.2.3.4/0123456789",
        "E/1/9/9F2C11AA/1.2.3.4/0123456789", "E/1/2/9F2C11AA/1.2.3/0123456789",
    ],
)  # fmt: skip
def test_a_text_that_is_no_slip_of_this_evening_says_so(wrong: str) -> None:
    known, _, _ = with_result()
    with pytest.raises(InvalidSlip):
        slips.parse_new_result_from_slip(wrong, "club-1", compute_evening_state(known), known)


def test_another_evening_other_people_and_another_result_are_refused() -> None:
    known, said, text = with_result()
    others = open_facts((*NAMES[:7], "Hal"))
    cases: list[tuple[Any, str, CurrentClaims]] = [
        (text, "club-2", known),
        (text, "club-1", others),
        (text, "club-1", known.with_own_fact("b", "result/1/2", new_facts.result_fact({}))),
        (text.replace("9F2C11AA", "9F2C11AB"), "club-1", known),
    ]
    for each, name, there in cases:
        with pytest.raises(InvalidSlip):
            slips.parse_new_result_from_slip(each, name, compute_evening_state(there), there)
    assert (
        slips.parse_new_result_from_slip(text, "club-1", compute_evening_state(said), said) is None
    )


def test_a_status_of_very_long_names_fits_a_line_of_the_door() -> None:
    names = tuple(f"{'é' * 36}{n:04}" for n in range(400))
    told = table.evening_status_for_table(compute_evening_state(open_facts(names)), 3)
    short = table.shorten_evening_status(told, MAX_STATUS_MESSAGE_BYTES)
    assert len(json.dumps(told)) > MAX_STATUS_MESSAGE_BYTES > len(json.dumps(short))
    read, whole = parse_evening_status(short), parse_evening_status(told)
    assert (read.players_at_own_table, read.round, read.places) == (
        whole.players_at_own_table,
        whole.round,
        whole.places,
    )


def test_a_table_without_a_result_has_no_slip() -> None:
    known, _, _ = with_result()
    assert slips.format_result_slip("club-1", compute_evening_state(known), 1, 1, "x") == ""
