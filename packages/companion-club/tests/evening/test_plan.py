"""Tests of PR-17 and the other seating rules, with literal facts."""

from __future__ import annotations

import hashlib
import hmac
import random
from typing import Any

import pytest

from companion_club.seating.facts import SeatingError, parse_seating_facts
from tests.evening.evenings import (
    PLAYER_NAMES,
    count_meetings,
    facts_as_json,
    parse_error,
    parse_next,
    people,
    play_round,
)

FIRST = [["Ann", "Bob", "Cy", "Di"], ["Eve", "Flo", "Gus", "Hal"], ["Ida", "Jo", "Kai", "Leo"]]
POINTS = [
    {"Ann": 40, "Bob": 30, "Cy": 20, "Di": 10},
    {"Eve": 1, "Flo": 2, "Gus": 3, "Hal": 4},
    {"Ida": 0, "Jo": -5, "Kai": 7, "Leo": 6},
]


def after_one(**more: Any) -> dict[str, Any]:
    data = facts_as_json([*PLAYER_NAMES], rounds=[{"tables": FIRST, "results": POINTS}])
    return {**data, **more}


def tables(data: dict[str, Any]) -> list[set[str]]:
    return [set(table) for table in parse_next(data).tables]


def test_the_first_goes_to_the_next_table_and_the_second_to_the_one_before() -> None:
    """PR-17: Ann, Hal and Kai won; Bob, Gus and Leo were second."""
    assert tables(after_one()) == [
        {"Cy", "Di", "Kai", "Gus"},
        {"Eve", "Flo", "Ann", "Leo"},
        {"Ida", "Jo", "Hal", "Bob"},
    ]


def test_the_moves_are_told_with_the_totals_and_who_leads() -> None:
    found = parse_next(after_one()).as_json_value()
    assert {"who": "Ann", "from": 1, "to": 2} in found["moves"]
    assert len(found["moves"]) == 6
    assert (found["round"], found["over"], found["leaders"]) == (2, False, ["Ann"])
    assert found["totals"] == {name: n for result in POINTS for name, n in result.items()}


def test_with_two_tables_both_change() -> None:
    """PR-17."""
    data = facts_as_json([*PLAYER_NAMES[:8]], rounds=[{"tables": FIRST[:2], "results": POINTS[:2]}])
    assert tables(data) == [{"Cy", "Di", "Hal", "Gus"}, {"Eve", "Flo", "Ann", "Bob"}]


def test_while_a_table_has_two_players_every_table_sends_one() -> None:
    """PR-17: otherwise the pairs would never change."""
    pairs = [[*PLAYER_NAMES[n : n + 2]] for n in range(0, 12, 2)]
    results = [{first: 1, second: 0} for first, second in pairs]
    data = facts_as_json([*PLAYER_NAMES], rounds=[{"tables": pairs, "results": results}])
    assert tables(data)[:3] == [{"Bob", "Kai"}, {"Di", "Ann"}, {"Flo", "Cy"}]


def test_which_total_counts_is_an_option() -> None:
    """PR-17: Gus and Kai win the second game of table 1, but Cy and Di have more in all."""
    second = [[*table] for table in parse_next(after_one()).tables]
    one, *others = [dict.fromkeys(table, 0) for table in second]
    results = [{**one, "Di": 1, "Kai": 2, "Gus": 3}, *others]
    data = after_one()
    data["rounds"] = [*data["rounds"], {"tables": second, "results": results}]
    by_game = parse_next({**data, "which_total": "game"})
    by_total = parse_next({**data, "which_total": "carried"})
    assert {move.who for move in by_game.moves if move.origin == 1} == {"Gus", "Kai"}
    assert {move.who for move in by_total.moves if move.origin == 1} == {"Cy", "Di"}


def test_a_tie_is_drawn_as_anybody_can_work_out() -> None:
    """PR-17: the lower HMAC-SHA-256 of `move|round|name` under the seed goes first."""
    equal = [dict.fromkeys(table, 5) for table in FIRST]
    data = facts_as_json([*PLAYER_NAMES], rounds=[{"tables": FIRST, "results": equal}])
    lot = {
        name: hmac.new(b"c0ffee", f"move|2|{name}".encode(), hashlib.sha256).digest()
        for name in PLAYER_NAMES
    }
    order = sorted(FIRST[0], key=lot.__getitem__)
    goes = {move.who: move.to for move in parse_next(data).moves if move.origin == 1}
    assert goes == {order[0]: 2, order[1]: 3}


@pytest.mark.parametrize(
    ("n", "sizes"),
    [(2, [2]), (3, [3]), (4, [4]), (5, [3, 2]), (6, [3, 3]), (9, [3, 3, 3]), (12, [4, 4, 4]),
     (13, [4, 3, 3, 3])],
)  # fmt: skip
def test_players_make_tables_of_four_and_three(n: int, sizes: list[int]) -> None:
    """PR-17."""
    assert [len(table) for table in parse_next(facts_as_json(n)).tables] == sizes


def test_who_can_not_walk_keeps_the_table_and_the_next_in_rank_goes() -> None:
    """PR-17: Ann won and stays, so Bob goes as the first and Cy as the second."""
    found = parse_next(after_one(stay=["Ann"]))
    assert {"Ann", "Di"} < set(found.tables[0])
    assert {(move.who, move.to) for move in found.moves if move.origin == 1} == {
        ("Bob", 2),
        ("Cy", 3),
    }


@pytest.mark.parametrize("sizes", [(4, 3), (4, 3, 3), (4, 4, 3), (4, 4, 4)])
@pytest.mark.parametrize("stays", range(3))
def test_pr17_two_leave_each_table_and_lead_it_whoever_stays(
    sizes: tuple[int, ...], stays: int
) -> None:
    """If E, the last of table 2, stays, still only two players leave table 1."""
    names = iter("ABCDEFGHIJKL")
    seated = [[next(names) for _ in range(size)] for size in sizes]
    points = [{name: len(table) - n for n, name in enumerate(table)} for table in seated]
    points[1] = {name: n for n, name in enumerate(seated[1])}
    staying = [table[0] for table in seated[1 : 1 + stays]]
    data = facts_as_json([n for table in seated for n in table], stay=staying,
                 rounds=[{"tables": seated, "results": points}])  # fmt: skip
    found = parse_next(data)
    assert [len(table) for table in found.tables] == [*sizes]
    for n, (table, results) in enumerate(zip(seated, points, strict=True), 1):
        walk = sorted(set(table) - {*staying}, key=lambda name: -results[name])
        assert {move.who for move in found.moves if move.origin == n} == {*walk[:2]}


def test_pr17_who_leads_makes_room_for_a_new_table_as_one_of_the_two_that_leave() -> None:
    """A ninth player opens a third table, which Ann and Hal complete; Bob and Gus change."""
    data = facts_as_json(
        [*PLAYER_NAMES[:8], "Zoé"], rounds=[{"tables": FIRST[:2], "results": POINTS[:2]}]
    )
    assert tables(data) == [{"Cy", "Di", "Gus"}, {"Eve", "Flo", "Bob"}, {"Ann", "Hal", "Zoé"}]


def test_pr17_who_leads_a_table_with_a_seat_too_many_is_one_of_the_two_that_leave_it() -> None:
    """Nine players remain, and table 3 has one too many: Kai takes a free seat at table 1."""
    found = parse_next(after_one(left=["Ann", "Cy", "Hal"]))
    assert [len(table) for table in found.tables] == [3, 3, 3]
    assert {move.who: move.to for move in found.moves if move.origin == 3} == {"Kai": 1, "Leo": 2}
    assert {move.who for move in found.moves if move.origin == 2} == {"Gus", "Flo"}


LETTERS = [[*"ABCD"], [*"EFGH"], [*"IJKL"]]
"""Tables whose players are named in the order of their points."""


def lettered(*seats: list[str], late: str = "", **more: Any) -> dict[str, Any]:
    results = [{name: -10 * n for n, name in enumerate(table)} for table in seats]
    names = [*(name for table in seats for name in table), *late]
    return facts_as_json(names, rounds=[{"tables": [*seats], "results": results}], **more)


def test_pr17_a_lone_first_goes_on_and_who_was_to_come_there_comes_instead() -> None:
    """E and I move to a fourth table. Only A goes on, and J goes to table 1 instead of table 2."""
    assert tables(lettered(*LETTERS, late="Z")) == [
        {*"CDFJ"}, {*"GHA"}, {*"KLB"}, {*"EIZ"},
    ]  # fmt: skip


def test_pr17_a_lone_second_goes_back_and_who_was_to_come_there_comes_instead() -> None:
    """Two tables have one player each who can walk: all but B go on."""
    data = lettered([*"ABC"], [*"DEF"], [*"GHI"], stay=[*"EFHI"])
    assert tables(data) == [{*"CDG"}, {*"EFA"}, {*"HIB"}]


def test_pr17_a_lone_first_changes_places_with_somebody_newly_seated() -> None:
    """Seven players become nine. A and E take new seats, and B changes places with F."""
    data = lettered([*"ABCD"], [*"EFG"], late="YZ")
    found = tables(data)
    assert {*"CDF"} == found[0]
    assert found[1] > {*"GB"}
    assert found[1] | found[2] == {*"GBAEYZ"}
    assert "E" in found[2]


def test_pr17_a_lone_first_who_can_not_change_goes_for_the_second() -> None:
    """Only A takes a new seat, at table 2. Of table 2 only E can leave, and B takes E's seat."""
    data = lettered([*"ABCD"], [*"EFGH"], left=[*"GH"])
    assert tables(data) == [{*"CDE"}, {*"FAB"}]


def test_a_table_where_all_stay_sends_nobody_and_gets_nobody() -> None:
    found = parse_next(after_one(stay=FIRST[1]))
    assert list(found.tables[1]) == FIRST[1]
    assert len(found.moves) == 4


def test_a_late_comer_takes_a_free_seat_with_nothing() -> None:
    """Bob left, so his table has a seat for Zoé. No other player has to move for it."""
    found = parse_next(after_one(players=[*PLAYER_NAMES, "Zoé"], left=["Bob"]))
    assert "Zoé" in found.tables[0]
    assert (found.totals["Zoé"], found.totals["Bob"]) == (0, 30)
    assert not any("Bob" in table for table in found.tables)


def test_a_thirteenth_player_opens_a_fourth_table() -> None:
    assert sorted(map(len, parse_next(after_one(players=[*PLAYER_NAMES, "Zoé"])).tables)) == [
        3,
        3,
        3,
        4,
    ]


def test_only_the_last_tables_are_closed_and_not_where_somebody_stays() -> None:
    gone = ["Ann", "Eve", "Ida", "Jo"]
    assert len(parse_next(after_one(left=gone)).tables) == 2
    kept = parse_next(after_one(left=gone, stay=["Leo"]))
    assert [len(table) for table in kept.tables] == [3, 3, 2]
    assert "Leo" in kept.tables[2]


def test_a_substitute_takes_over_seat_and_total() -> None:
    """PR-17: Zoé gets Ann's total and Ann's moves."""
    found = parse_next(after_one(substitutes={"Ann": "Zoé"}))
    was = parse_next(after_one())
    assert found.totals["Zoé"] == was.totals["Ann"] == 40
    assert "Ann" not in found.totals
    assert [move._replace(who="Ann") for move in found.moves if move.who == "Zoé"] == [
        move for move in was.moves if move.who == "Ann"
    ]


def test_a_table_that_broke_off_scores_nothing_and_goes_on() -> None:
    data = facts_as_json([*PLAYER_NAMES], rounds=[{"tables": FIRST, "results": [{}, *POINTS[1:]]}])
    found = parse_next(data)
    assert [found.totals[name] for name in FIRST[0]] == [0, 0, 0, 0]
    assert len(found.moves) == 6


def test_the_last_game_ends_the_evening() -> None:
    found = parse_next(after_one(games=1))
    assert (found.over, found.tables, found.number) == (True, (), 1)
    assert found.leaders == ("Ann",)


def test_an_evening_without_a_number_of_games_lasts_until_the_bell() -> None:
    assert not parse_next(after_one(games=None)).over
    assert parse_next(after_one(games=None, bell=True)).over


def test_swiss_puts_those_who_lead_at_one_table_if_they_have_not_met() -> None:
    """Ann leads. Kai is the best whom Ann has not met, and Hal the best whom neither has met."""
    found = parse_next(after_one(rule="swiss"))
    assert set(found.tables[0]) == {"Ann", "Kai", "Hal", "Bob"}


def test_a_round_robin_of_pairs_has_all_meet_once() -> None:
    data = facts_as_json(8, rule="round_robin", games=7, seats=2)
    rng = random.Random(1)
    while not (found := parse_next(data)).over:
        data = play_round(data, found.tables, rng)
    assert count_meetings(data) == (28, 28)


def test_sixteen_players_meet_in_a_round_robin_whom_they_have_not_met() -> None:
    data, rng = facts_as_json(16, rule="round_robin"), random.Random(1)
    while not (found := parse_next(data)).over:
        data = play_round(data, found.tables, rng)
    pairs, of = count_meetings(data)
    assert pairs > of * 0.8


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("two_seats", {"players": ["Ann", "Ann"]}),
        ("two_seats", {"players": ["Zoe\u0301", "Zo\u00e9"]}),
        ("two_seats", {"rounds": [{"tables": [["Ann", "Bob"], ["Ann", "Cy"]], "results": []}]}),
        ("two_seats", {"substitutes": {"Ann": "Zoé", "Bob": "Zoé"}}),
        ("unknown_player", {"rounds": [{"tables": [["Ann", "Xavier"]], "results": []}]}),
        ("unknown_player", {"stay": ["Xavier"]}),
        ("unknown_player", {"left": ["Xavier"]}),
        ("unknown_player", {"substitutes": {"Xavier": "Zoé"}}),
        ("unknown_player", {"rounds": [{"tables": [["Ann", "Bob"]], "results": [{"Cy": 1}]}]}),
        ("missing_result", {"rounds": [{"tables": FIRST, "results": [None, *POINTS[1:]]}]}),
        ("missing_result", {"rounds": [{"tables": FIRST, "results": POINTS[:2]}]}),
        ("missing_result", {"rounds": [{"tables": FIRST, "results": [{"Ann": 1}, *POINTS[1:]]}]}),
        ("impossible", {"players": ["Ann"]}),
        ("impossible", {"left": [*PLAYER_NAMES[1:]]}),
        ("impossible", {"games": 0}),
        ("impossible", {"games": True}),
        ("impossible", {"rule": "chess"}),
        ("impossible", {"rule": ["swiss"]}),
        ("impossible", {"which_total": None}),
        ("impossible", {"seed": "not hex"}),
        ("impossible", {"seats": 1}),
        ("impossible", {"players": [*PLAYER_NAMES, ""]}),
        ("impossible", {"players": [*PLAYER_NAMES, "\ud800"]}),
        ("impossible", {"players": [*PLAYER_NAMES, "a" * 41]}),
        ("impossible", {"players": {"Ann": 1}}),
        ("impossible", {"substitutes": {"Ann": "Bob", "Bob": "Ann"}}),
        ("impossible", {"rounds": [{"tables": [], "results": []}]}),
        ("impossible", {"rounds": [{"tables": FIRST, "results": [*POINTS, {}]}]}),
        ("impossible", {"rounds": [{"tables": FIRST, "results": [{"Ann": 1.5}]}]}),
        ("impossible", {"rounds": [{"tables": FIRST, "results": [{"Ann": True}]}]}),
        ("impossible", {"rounds": [{"tables": FIRST, "results": [{"Ann": 10**12}]}]}),
        ("impossible", {"rounds": 7}),
    ],
)  # fmt: skip
def test_what_can_not_be_planned_has_one_code(code: str, change: dict[str, Any]) -> None:
    assert parse_error({**facts_as_json([*PLAYER_NAMES]), **change}) == code


@pytest.mark.parametrize(
    "text",
    [
        b"", b"null", b"[]", b'"Ann"', b"{", b"\xff\xfe", b"NaN", b'{"games": NaN}',
        b'{"games": 1, "games": 2}', b"[" * 100_000, b"9" * 10_000,
        b'{"games":' + b"9" * 5_000 + b"}",
    ],
)  # fmt: skip
def test_what_is_no_json_of_facts_is_refused(text: bytes) -> None:
    with pytest.raises(SeatingError) as refused:
        parse_seating_facts(text)
    assert refused.value.code == "impossible"


def test_a_corrected_result_changes_the_seats_that_follow_from_it() -> None:
    corrected = after_one()
    corrected["rounds"] = [{"tables": FIRST, "results": [{**POINTS[0], "Di": 50}, *POINTS[1:]]}]
    assert {move.who for move in parse_next(corrected).moves if move.origin == 1} == {"Di", "Ann"}


def test_two_hundred_tables_are_planned() -> None:
    assert len(parse_next(facts_as_json(people(800))).tables) == 200


def test_who_has_just_come_stays_at_the_free_seat_whatever_the_others_scored() -> None:
    """All others have negative points. So Late, with 0 points, leads table 2, but does not move."""
    seats = [["Ann", "Bob", "Cy", "Di"], ["Eve", "Flo", "Gus"]]
    people = [name for table in seats for name in table]
    results = [dict.fromkeys(table, -10) for table in seats]
    data = facts_as_json([*people, "Late"], rounds=[{"tables": seats, "results": results}])
    assert "Late" in tables(data)[1]
