"""A result as a code: it is read by those who know the seats, once, and nothing else is taken."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
import segno

from companion_club import sayings, slips, table
from companion_club.attendant import MAX_MESSAGE_BYTES
from companion_club.box.status import read_status
from companion_club.fold import fold
from companion_club.slips import NotASlip
from tests.evening.boxes import opened, points

if TYPE_CHECKING:
    from companion_club.known import Known

NAMES = ("Ann", "Bob", "Cy", "Di", "Émile", "Flo", "Gus", "Zoé +#/%")


def with_result(box: str = "9f2c11aa") -> tuple[Known, Known, str]:
    """An evening without a result, one where table 2 has said its own, and that as a slip."""
    known = opened(NAMES)
    scores = points(fold(known), 2, random.Random(8))
    said = known.said(box, "result/1/2", sayings.result(scores, {"id": "x"}))
    return known, said, slips.format_slip("club-1", fold(said), 1, 2, box)


def test_a_slip_is_taken_by_another_box_and_meets_the_real_one_without_a_conflict() -> None:
    known, said, text = with_result()
    found = slips.accept_slip(text.lower(), "club-1", fold(known), known)
    assert found is not None
    topic, slip = found
    after = known.said("b", topic, slip.fact)
    assert fold(after).rounds == fold(said).rounds
    both = after.with_claims(topic, said.heads[topic])
    assert len(both.heads[topic]) == 2
    assert fold(both).conflicts == ()
    assert fold(both).totals == fold(said).totals
    assert slips.accept_slip(text, "club-1", fold(both), both) is None


def test_a_slip_fits_two_pixels_a_module() -> None:
    scores = dict.fromkeys(NAMES[:4], -99999)
    known = opened(NAMES[:4])
    said = known.said("9f2c11aa", "result/1/1", sayings.result(scores))
    text = slips.format_slip("club-1", fold(said), 1, 1, "9f2c11aa")
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
    with pytest.raises(NotASlip):
        slips.accept_slip(wrong, "club-1", fold(known), known)


def test_another_evening_other_people_and_another_result_are_refused() -> None:
    known, said, text = with_result()
    others = opened((*NAMES[:7], "Hal"))
    cases: list[tuple[Any, str, Known]] = [
        (text, "club-2", known),
        (text, "club-1", others),
        (text, "club-1", known.said("b", "result/1/2", sayings.result({}))),
        (text.replace("9F2C11AA", "9F2C11AB"), "club-1", known),
    ]
    for each, name, there in cases:
        with pytest.raises(NotASlip):
            slips.accept_slip(each, name, fold(there), there)
    assert slips.accept_slip(text, "club-1", fold(said), said) is None


def test_a_status_of_very_long_names_fits_a_line_of_the_door() -> None:
    names = tuple(f"{'é' * 36}{n:04}" for n in range(400))
    told = table.status(fold(opened(names)), 3)
    short = table.shorten_status(told, MAX_MESSAGE_BYTES)
    assert len(json.dumps(told)) > MAX_MESSAGE_BYTES > len(json.dumps(short))
    read, whole = read_status(short), read_status(told)
    assert (read.here, read.round, read.places) == (whole.here, whole.round, whole.places)


def test_a_table_without_a_result_has_no_slip() -> None:
    known, _, _ = with_result()
    assert slips.format_slip("club-1", fold(known), 1, 1, "x") == ""
