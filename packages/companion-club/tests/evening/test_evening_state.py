"""Tests of the fold: facts in any order, also repeated or late, give one evening."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion_club import claims, new_facts, topics
from companion_club.claims import InvalidClaim
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import compute_evening_state
from companion_club.seating.plan import plan_next_seating
from tests.evening.boxes import merge_message, open_facts, random_points, state_round
from tests.evening.evenings import PLAYER_NAMES
from tests.helpers import max_examples

TABLE_2 = topics.result_topic(1, 2)


def messages(known: CurrentClaims) -> list[tuple[str, bytes]]:
    return [(topic, claims.make_claims_message(heads)) for topic, heads in known.heads.items()]


def told(said: list[tuple[str, bytes]]) -> CurrentClaims:
    known = CurrentClaims()
    for topic, payload in said:
        known = merge_message(known, topic, payload)
    return known


def test_an_evening_is_opened_seated_and_waits_for_its_results() -> None:
    evening = compute_evening_state(open_facts(PLAYER_NAMES))
    assert [len(table) for table in evening.current_round_tables] == [4, 4, 4]
    assert (evening.tables_without_result, evening.conflicts, evening.over) == (
        (1, 2, 3),
        (),
        False,
    )


def test_results_seat_the_next_round_as_the_plan_does() -> None:
    known = state_round(open_facts(PLAYER_NAMES), random.Random(1))
    evening = compute_evening_state(known)
    facts = evening.rounds[:1]
    assert len(evening.rounds) == 2
    assert [sum(r.values()) for r in facts[0].results if r] != []
    assert sum(evening.totals.values()) == sum(sum(r.values()) for r in facts[0].results if r)


def test_five_rounds_are_an_evening() -> None:
    known, rng = open_facts(PLAYER_NAMES), random.Random(1)
    for _ in range(5):
        known = state_round(known, rng)
    evening = compute_evening_state(known)
    assert (evening.over, evening.current_round_tables, evening.tables_without_result) == (
        True,
        (),
        (),
    )
    assert evening.leaders == (max(evening.totals, key=evening.totals.__getitem__),)


@given(order=st.randoms(use_true_random=False))
@settings(max_examples=max_examples(30))
def test_order_and_repetition_do_not_matter(order: random.Random) -> None:
    known = state_round(state_round(open_facts(PLAYER_NAMES), random.Random(1)), random.Random(2))
    said = messages(known) * 2
    order.shuffle(said)
    assert compute_evening_state(told(said)) == compute_evening_state(known)


def test_two_boxes_that_say_the_same_agree() -> None:
    known, rng = open_facts(PLAYER_NAMES), random.Random(1)
    fact = new_facts.result_fact(random_points(compute_evening_state(known), 2, rng))
    both = known.with_own_fact("b", TABLE_2, fact).with_topic_claims(
        TABLE_2, known.with_own_fact("c", TABLE_2, fact).heads[TABLE_2]
    )
    assert len(both.heads[TABLE_2]) == 2
    assert compute_evening_state(both).conflicts == ()
    assert compute_evening_state(both).tables_without_result == (1, 3)


def two_tables_2(known: CurrentClaims) -> CurrentClaims:
    """Return the claims after two boxes have stated different results of table 2."""
    evening, rng = compute_evening_state(known), random.Random(1)
    one = known.with_own_fact("b", TABLE_2, new_facts.result_fact(random_points(evening, 2, rng)))
    other = known.with_own_fact("c", TABLE_2, new_facts.result_fact(random_points(evening, 2, rng)))
    return one.with_topic_claims(TABLE_2, other.heads[TABLE_2])


def test_two_results_of_one_table_are_shown_and_neither_counts() -> None:
    evening = compute_evening_state(two_tables_2(open_facts(PLAYER_NAMES)))
    assert [(found.topic, found.why) for found in evening.conflicts] == [(TABLE_2, "claims")]
    assert evening.tables_without_result == (1, 2, 3)
    assert set(evening.totals.values()) == {0}


def test_a_person_decides_by_a_claim_over_both() -> None:
    known = two_tables_2(open_facts(PLAYER_NAMES))
    decided = new_facts.result_fact(
        random_points(compute_evening_state(known), 2, random.Random(9))
    )
    known = known.with_own_fact("d", TABLE_2, decided)
    assert [head.box for head in known.heads[TABLE_2]] == ["d"]
    assert known.heads[TABLE_2][0].revision == 2
    assert (
        compute_evening_state(known).conflicts,
        compute_evening_state(known).tables_without_result,
    ) == (
        (),
        (1, 3),
    )


def test_a_decision_holds_when_what_it_replaced_comes_late() -> None:
    early = two_tables_2(open_facts(PLAYER_NAMES))
    late = early.with_own_fact(
        "d",
        TABLE_2,
        new_facts.result_fact(random_points(compute_evening_state(early), 2, random.Random(9))),
    )
    for said in ([*messages(late), *messages(early)], [*messages(early), *messages(late)]):
        assert compute_evening_state(told(said)) == compute_evening_state(late)


def test_the_result_of_people_who_sit_elsewhere_does_not_count() -> None:
    """The box of table 3 states its result as the result of table 2."""
    known = open_facts(PLAYER_NAMES)
    strange = known.with_own_fact(
        "c",
        TABLE_2,
        new_facts.result_fact(random_points(compute_evening_state(known), 3, random.Random(1))),
    )
    assert [found.why for found in compute_evening_state(strange).conflicts] == ["strangers"]
    assert compute_evening_state(strange).tables_without_result == (1, 2, 3)


def test_a_result_of_a_table_that_there_is_not_is_shown() -> None:
    known = open_facts(PLAYER_NAMES).with_own_fact(
        "c", topics.result_topic(1, 9), new_facts.result_fact({"Ann": 1})
    )
    assert [found.why for found in compute_evening_state(known).conflicts] == ["no_table"]


def test_a_corrected_result_counts_and_leaves_the_seats_that_were_taken() -> None:
    before = state_round(open_facts(PLAYER_NAMES), random.Random(1))
    seated = compute_evening_state(before).current_round_tables
    last = compute_evening_state(before).rounds[0].tables[1][-1]
    other = {**(compute_evening_state(before).rounds[0].results[1] or {}), last: 900}
    known = before.with_own_fact(
        "z", TABLE_2, new_facts.points_correction_fact(before, 1, 2, other, seats_too=False)
    )
    assert compute_evening_state(known).totals[last] == 900
    assert compute_evening_state(known).current_round_tables == seated
    assert new_facts.players_changing_tables(before, known) == ()
    known = state_round(known, random.Random(2))
    assert compute_evening_state(known).totals[last] > 800


def test_a_correction_of_the_seats_too_says_before_who_would_move() -> None:
    before = state_round(open_facts(PLAYER_NAMES), random.Random(1))
    last = next(
        name
        for name in compute_evening_state(before).rounds[0].tables[1]
        if name in compute_evening_state(before).current_round_tables[1]
    )
    other = {**(compute_evening_state(before).rounds[0].results[1] or {}), last: 900}
    known = before.with_own_fact(
        "z", TABLE_2, new_facts.points_correction_fact(before, 1, 2, other, seats_too=True)
    )
    assert last in {move.who for move in new_facts.players_changing_tables(before, known)}
    assert (
        compute_evening_state(known).current_round_tables
        != compute_evening_state(before).current_round_tables
    )


def with_person(known: CurrentClaims, name: str, change: Any) -> CurrentClaims:
    topic = topics.person_topic(name)
    return known.with_own_fact("z", topic, change(known.heads[topic][0].parsed_fact))


def test_who_goes_and_who_comes_changes_no_round_that_was_seated() -> None:
    known = state_round(open_facts(PLAYER_NAMES), random.Random(1))
    first = compute_evening_state(known).rounds[0].tables
    known = with_person(known, "Bob", lambda fact: new_facts.leave_fact(fact, 1))
    known = known.with_own_fact(
        "z", topics.person_topic("Zoé"), new_facts.person_plays_from_round_fact(since=2)
    )
    evening = compute_evening_state(known)
    assert evening.rounds[0].tables == first
    now = {name for table in evening.current_round_tables for name in table}
    assert now == {*PLAYER_NAMES, "Zoé"} - {"Bob"}
    again = with_person(known, "Bob", lambda fact: new_facts.rejoin_fact(fact, 3))
    assert "Bob" in {
        n
        for t in compute_evening_state(state_round(again, random.Random(2))).current_round_tables
        for n in t
    }


@given(
    off=st.sets(st.sampled_from(PLAYER_NAMES), max_size=9), order=st.randoms(use_true_random=False)
)
@settings(max_examples=max_examples(20))
def test_who_is_taken_off_before_the_first_result_was_never_there_in_any_order(
    off: set[str], order: random.Random
) -> None:
    """Messages may arrive late or twice, also the messages that signed these players up."""
    known, was = (
        open_facts(PLAYER_NAMES),
        open_facts(tuple(name for name in PLAYER_NAMES if name not in off)),
    )
    said = messages(known)
    for name in sorted(off):
        known = with_person(known, name, lambda fact: new_facts.leave_fact(fact, 0))
        said += messages(known)
    order.shuffle(said)
    assert (
        compute_evening_state(told(said))
        == compute_evening_state(known)
        == compute_evening_state(was)
    )
    assert not off & {
        name for table in compute_evening_state(known).current_round_tables for name in table
    }
    known, was = (state_round(each, random.Random(1)) for each in (known, was))
    assert compute_evening_state(known) == compute_evening_state(was)


def test_who_was_taken_off_can_come_after_all_and_later_too() -> None:
    off = with_person(open_facts(PLAYER_NAMES), "Bob", lambda fact: new_facts.leave_fact(fact, 0))
    assert "Bob" not in compute_evening_state(off).totals
    again = with_person(off, "Bob", lambda fact: new_facts.rejoin_fact(fact, 1))
    assert compute_evening_state(again) == compute_evening_state(open_facts(PLAYER_NAMES))
    later = with_person(
        state_round(off, random.Random(1)), "Bob", lambda f: new_facts.rejoin_fact(f, 2)
    )
    assert "Bob" in {
        name for table in compute_evening_state(later).current_round_tables for name in table
    }


def test_two_boxes_that_take_somebody_off_agree() -> None:
    known, topic = open_facts(PLAYER_NAMES), topics.person_topic("Bob")
    fact = new_facts.leave_fact(known.heads[topic][0].parsed_fact, 0)
    one, other = known.with_own_fact("b", topic, fact), known.with_own_fact("c", topic, fact)
    both = one.with_topic_claims(topic, other.heads[topic])
    assert len(both.heads[topic]) == 2
    assert compute_evening_state(both) == compute_evening_state(one) == compute_evening_state(other)


def test_whose_substitute_does_not_come_has_the_seat_again() -> None:
    """PR-17."""
    known = open_facts(PLAYER_NAMES)
    topic = topics.person_topic("Zoé")
    known = known.with_own_fact(
        "z", topic, new_facts.person_plays_from_round_fact(1, plays_for="Ann")
    )
    assert new_facts.find_stand_in(known, "Ann") == "Zoé"
    known = with_person(known, "Zoé", lambda fact: new_facts.leave_fact(fact, 0))
    assert new_facts.find_stand_in(known, "Ann") is None
    assert compute_evening_state(known) == compute_evening_state(open_facts(PLAYER_NAMES))


def test_who_stays_keeps_the_table_from_then_on() -> None:
    known = state_round(open_facts(PLAYER_NAMES), random.Random(1))
    who = next(m.who for m in moves_of(known))
    stays = with_person(known, who, lambda fact: new_facts.keep_table_fact(fact, 2))
    assert who not in {move.who for move in moves_of(stays)}


def moves_of(known: CurrentClaims) -> Any:
    from companion_club.seating.plan import list_table_moves  # noqa: PLC0415 - a helper of two tests

    rounds = compute_evening_state(known).rounds
    return list_table_moves(rounds[-2].tables, rounds[-1].tables)


def test_a_substitute_takes_over_seat_and_total() -> None:
    """PR-17."""
    known = state_round(open_facts(PLAYER_NAMES), random.Random(1))
    known = known.with_own_fact(
        "z", topics.person_topic("Zoé"), new_facts.person_plays_from_round_fact(2, plays_for="Ann")
    )
    was = compute_evening_state(state_round(open_facts(PLAYER_NAMES), random.Random(1)))
    assert compute_evening_state(known).totals["Zoé"] == was.totals["Ann"]
    assert "Ann" not in compute_evening_state(known).totals
    assert compute_evening_state(state_round(known, random.Random(2))).problem is None


def test_two_substitutes_of_one_player_are_a_problem_that_is_told() -> None:
    known = open_facts(PLAYER_NAMES)
    for name in ("Zoé", "Xav"):
        known = known.with_own_fact(
            "z",
            topics.person_topic(name),
            new_facts.person_plays_from_round_fact(2, plays_for="Ann"),
        )
    assert "Ann" in str(compute_evening_state(known).problem)


def test_the_bell_ends_an_evening_without_a_number_of_games() -> None:
    known = state_round(open_facts(PLAYER_NAMES, games=None), random.Random(1))
    assert not compute_evening_state(known).over
    rules = known.heads["rules"][0].parsed_fact
    assert compute_evening_state(known.with_own_fact("z", "rules", {**rules, "last": 1})).over


def test_without_rules_there_is_nothing_to_say() -> None:
    assert compute_evening_state(CurrentClaims()) == compute_evening_state(
        CurrentClaims()
    )._replace(rules=None)
    assert compute_evening_state(CurrentClaims()).rounds == ()


GOOD = json.loads(messages(open_facts(("Ann",)))[0][1])


@pytest.mark.parametrize(
    "damage",
    [
        b"", b"\xff", b"[]", b"[" * 70_000, b"NaN", b'{"v": 2}', b'{"v": 1}',
        json.dumps({**GOOD, "hash": "0" * 64}).encode(),
        json.dumps({**GOOD, "box": "someone-else"}).encode(),
        json.dumps({**GOOD, "box": "../../etc"}).encode(),
        json.dumps({**GOOD, "fact": {**GOOD["fact"], "games": 99}}).encode(),
        json.dumps({**GOOD, "also": 7}).encode(),
        json.dumps({**GOOD, "also": [GOOD] * 16}).encode(),
        json.dumps({**GOOD, "over": ["short"]}).encode(),
    ],
)  # fmt: skip
def test_a_message_that_is_damaged_or_forged_says_nothing(damage: bytes) -> None:
    with pytest.raises(InvalidClaim):
        claims.parse_valid_claims("rules", damage)


@pytest.mark.parametrize(
    ("topic", "fact"),
    [
        ("rules", {}),
        ("rules", {**GOOD["fact"], "games": 0}),
        ("rules", {**GOOD["fact"], "games": True}),
        ("rules", {**GOOD["fact"], "seed": "xyz"}),
        ("rules", {**GOOD["fact"], "rule": []}),
        ("people/Ann", {"here": [], "stay": [], "plays_for": None}),
        ("people/Ann", {"here": [[0, None]], "stay": [], "plays_for": None}),
        ("people/", new_facts.person_plays_from_round_fact()),
        ("people/%41nn", new_facts.person_plays_from_round_fact()),
        ("people/Zoe%CC%81", new_facts.person_plays_from_round_fact()),
        ("result/1/1", {"points": {"Ann": 1.5}}),
        ("result/1/1", {"points": {"Ann": True}}),
        ("result/1/1", {"points": []}),
        ("result/1/1", {"points": {}, "before": [{}]}),
        ("result/0/1", new_facts.result_fact({})),
        ("secrets", {}),
    ],
)
def test_a_fact_that_is_none_is_refused(topic: str, fact: dict[str, Any]) -> None:
    with pytest.raises(InvalidClaim):
        CurrentClaims().with_own_fact("a", topic, fact)


def test_the_plan_of_the_facts_is_what_the_command_prints() -> None:
    """The fold and the command call one function."""
    assert compute_evening_state(open_facts(PLAYER_NAMES)).current_round_tables == plan_of(
        PLAYER_NAMES
    )


def plan_of(names: tuple[str, ...]) -> Any:
    from companion_club.seating.facts import SeatingFacts  # noqa: PLC0415 - a helper of one test

    return plan_next_seating(SeatingFacts("progressive", 5, "game", names, "c0ffee")).tables
