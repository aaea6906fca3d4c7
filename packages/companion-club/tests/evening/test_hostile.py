"""Tests of hostile messages: no message stops a box, or removes a result."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Final

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion.catalog import registry
from companion.cmd.arguments import parse_player_names
from companion.cmd.commands import cli
from companion_club import attendant, claims, folder, new_facts, table, topics
from companion_club.box.status import parse_evening_status
from companion_club.broker import BrokerAddress
from companion_club.claims import (
    MAX_FACT_BYTES,
    MAX_MESSAGE_BYTES,
    MAX_REPLACED,
    Claim,
    InvalidClaim,
)
from companion_club.commands.organiser import evening_status_lines
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import compute_evening_state
from companion_club.finding import FoundEvening
from companion_club.seating import facts as reading
from companion_club.seating.facts import SeatingError
from companion_club.sync_state import MAX_BOXES, MAX_MEGABYTES, EveningSyncState
from tests.english import english_error, raises_english
from tests.evening.boxes import MessageHub, merge_message, open_facts
from tests.evening.evenings import PLAYER_NAMES
from tests.helpers import long_lane_params

TOPIC: Final = topics.result_topic(1, 1)
TOPICS: Final = ("rules", "people/Ann", TOPIC, "box/a.b/online", "box/evil/online", "junk", "")


def signed(
    fact: Any, topic: str = TOPIC, revision: int = 1, box: str = "evil", **more: Any
) -> bytes:
    """Return a message with one claim and its correct hash, which any program can compute."""
    over = more.get("over", [])
    text = json.dumps(fact, sort_keys=True, separators=(",", ":"))
    found = Claim(topic, revision, box, frozenset(over), text)
    data = {"v": 1, "revision": revision, "box": box, "over": over, "hash": found.hash}
    return json.dumps({**data, "fact": fact, **more}).encode()


def points(n: int = 0) -> dict[str, Any]:
    return new_facts.result_fact(
        dict.fromkeys(compute_evening_state(open_facts(PLAYER_NAMES)).current_round_tables[0], n)
    )


def club() -> MessageHub:
    hub = MessageHub(
        EveningSyncState("a", open_facts(PLAYER_NAMES)),
        EveningSyncState("b"),
        EveningSyncState("c"),
    )
    for box in "abc":
        hub.connect(box, f"session {box}")
    hub.settle(random.Random(1))
    return hub


def sent(hub: MessageHub, topic: str, payload: bytes) -> None:
    """Publish a retained message as a stranger, and deliver it and all replies."""
    hub.kept[topic] = payload
    for waiting in hub.under_way.values():
        waiting.append((topic, payload))
    hub.settle(random.Random(1))


HOSTILE: Final = {
    "an infinite number": b'{"v":1,"revision":1,"box":"e","hash":"","over":[],"fact":{"a":1e999}}',
    "depth": b'{"v":1,"revision":1,"box":"e","hash":"","over":[],"fact":{"a":%s}}'
    % (b"[" * 987 + b"]" * 987),
    "half a letter": rb'{"v":1,"revision":1,"box":"e","hash":"","over":[],"fact":{"\ud800":1}}',
    "a name twice": b'{"v":1,"v":1}',
    "thousands of digits": b'{"v":1,"revision":%s}' % (b"9" * 5000),
    "a number that is no fact": signed({"points": {"Ann": 1e308}}),
    "too much": b" " * (MAX_MESSAGE_BYTES + 1),
}


@pytest.mark.sampled(7)
@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("what", HOSTILE)
def test_a_message_that_can_not_be_read_ends_no_box(what: str, topic: str) -> None:
    hub = club()
    before = [link.known_claims for link in hub.boxes.values()]
    sent(hub, topic, HOSTILE[what])
    assert [link.known_claims for link in hub.boxes.values()] == before
    hub.say("b", topics.result_topic(1, 2), points(3))
    hub.settle(random.Random(1))
    assert topics.result_topic(1, 2) in hub.boxes["c"].known_claims.heads


@pytest.mark.parametrize("topic", ["box/a.b/online", "junk", "rules/", "people/", "result/1/٣"])
def test_a_topic_is_looked_at_before_its_message(topic: str) -> None:
    with raises_english(InvalidClaim, match="this topic does not exist"):
        claims.parse_valid_claims(topic, HOSTILE["an infinite number"])


PERSON: Final = new_facts.person_plays_from_round_fact()
RULES: Final = new_facts.new_evening_rules("club", "probe", "c0ffee")


@pytest.mark.parametrize(
    ("topic", "fact"),
    [
        ("rules", {**RULES, "more": 1}),
        ("rules", {**RULES, "seats": True}),
        ("rules", {**RULES, "title": ["club"]}),
        ("rules", {**RULES, "tables": "3"}),
        ("rules", {**RULES, "until": "at ten"}),
        ("people/Ann", {**PERSON, "more": 1}),
        ("people/Ann", {**PERSON, "plays_for": ""}),
        ("people/Ann", {**PERSON, "here": {"1": 2}}),
        (TOPIC, {**points(), "more": 1}),
        (TOPIC, {**points(), "before": {"to": 1}}),
        (TOPIC, {**points(), "before": [{"to": 1, "points": {}, "more": 1}]}),
        (TOPIC, {**points(), "game": {"id": 7}}),
        (TOPIC, {**points(), "game": {"id": "x", "cards": "7 9"}}),
        (TOPIC, {**points(), "game": "x"}),
        (TOPIC, {"points": {"Ann": 10**4000}}),
    ],
)
def test_a_fact_has_the_fields_of_its_topic_and_no_others(topic: str, fact: Any) -> None:
    with pytest.raises(InvalidClaim):
        claims.parse_valid_claims(topic, signed(fact, topic))


def test_what_a_box_says_of_its_game_and_of_a_slip_is_a_fact() -> None:
    proof = {"id": "x", "game": "probe", "commitment": "0", "seed": "1", "line": "2"}
    for game in (None, {"id": "x", "game": "probe"}, proof, {"slip": "A1B2C3D4E5", "box": "a"}):
        heads = claims.parse_valid_claims(TOPIC, signed({**points(), "game": game}))
        assert heads[0].parsed_fact["game"] == game


# --- maximum sizes ------------------------------------------------------------------------------


def test_a_fact_has_two_kilobytes_whatever_its_letters() -> None:
    title = "é" * (MAX_FACT_BYTES // 2)
    with raises_english(InvalidClaim, match="at most 2048 bytes"):
        claims.parse_valid_claims("rules", signed({**RULES, "title": title}, "rules"))
    with raises_english(InvalidClaim, match="at most 2048 bytes"):
        CurrentClaims().with_own_fact("a", "rules", {**RULES, "title": title})
    many = [chr(0x4E00 + n) * 40 for n in range(12)]
    CurrentClaims().with_own_fact(
        "a", TOPIC, {**new_facts.result_fact(dict.fromkeys(many, -99999)), "before": []}
    )


def test_two_long_claims_of_one_result_make_no_box_shout_and_take_it_from_no_disk(
    tmp_path: Path,
) -> None:
    hub = club()
    hub.say("a", TOPIC, points(7))
    hub.settle(random.Random(1))
    before = hub.said
    for n in range(2):
        sent(hub, TOPIC, signed({**points(n), "before": ["x" * 60_000]}, box=f"evil{n}"))
    assert hub.said - before == 2, "the box of the result must answer each claim once"
    for box, link in hub.boxes.items():
        folder.merge_claims_into_file(tmp_path / box, TOPIC, link.known_claims.heads[TOPIC])
        known, problems = folder.load_claims_and_errors(tmp_path / box)
        assert (known.heads[TOPIC][0].parsed_fact["points"], problems) == (points(7)["points"], ())


def test_what_can_not_be_read_again_is_not_written_over_what_can(tmp_path: Path) -> None:
    known = CurrentClaims().with_own_fact("a", TOPIC, points(7))
    folder.merge_claims_into_file(tmp_path, TOPIC, known.heads[TOPIC])
    damaged = known.heads[TOPIC][0]._replace(fact=json.dumps({"points": {"Ann": "x" * 70_000}}))
    with pytest.raises(InvalidClaim):
        folder.merge_claims_into_file(tmp_path, TOPIC, (damaged,))
    assert folder.load_claims_and_errors(tmp_path)[0] == known


@pytest.mark.long
@given(
    st.lists(st.integers(0, 400), max_size=40, unique=True),
    st.lists(st.text(alphabet="aé\u4e00\U0001f600", min_size=1, max_size=40), max_size=3),
    st.randoms(use_true_random=False),
)
def test_what_is_said_can_be_read_and_nothing_of_it_is_lost(
    numbers: list[int], names: list[str], rng: random.Random
) -> None:
    """Otherwise a box would publish a claim again that the broker already has."""
    every: list[Claim] = []
    for n in numbers:
        over = [f"{rng.getrandbits(256):064x}" for _ in range(rng.choice((0, 3, 200)))]
        fact = new_facts.result_fact(dict.fromkeys(names, n))
        every += claims.parse_claims_and_errors(
            TOPIC, signed(fact, over=over, revision=rng.randint(1, 9))
        ).claims
    heads = claims.unreplaced_claims(every)
    if heads:
        assert len(claims.make_claims_message(heads)) <= MAX_MESSAGE_BYTES
        assert claims.parse_valid_claims(TOPIC, claims.make_claims_message(heads)) == heads


def test_one_claim_that_is_forged_takes_nothing_from_the_others_beside_it() -> None:
    hub = club()
    good = json.loads(signed(points(1), box="d"))
    sent(hub, TOPIC, json.dumps({**good, "also": [{**good, "hash": "0" * 64}]}).encode())
    for link in hub.boxes.values():
        assert link.known_claims.heads[TOPIC][0].box == "d"
        assert "does not match the fact of box d" in english_error(link.problems[0])


# --- corrections by a person --------------------------------------------------------------------


@pytest.mark.parametrize("revision", [0, -1, True, 1.0, (1 << 31) + 1, 10**4000])
def test_a_revision_is_a_number_up_to_two_to_the_31(revision: Any) -> None:
    with raises_english(InvalidClaim, match="a claim needs"):
        claims.parse_valid_claims(TOPIC, signed(points(), revision=revision))


def test_what_has_the_highest_revision_can_be_corrected() -> None:
    known = merge_message(CurrentClaims(), TOPIC, signed(points(9), revision=1 << 31))
    after = known.with_own_fact("desk", TOPIC, points(1))
    assert [head.box for head in after.heads[TOPIC]] == ["desk"]
    assert (
        merge_message(CurrentClaims(), TOPIC, claims.make_claims_message(after.heads[TOPIC]))
        == after
    )


@pytest.mark.long
@pytest.mark.parametrize("rivals", [20, *long_lane_params([300])])
@pytest.mark.parametrize("revision", [1, 7])
def test_hundreds_of_rival_claims_are_corrected_by_one_press(rivals: int, revision: int) -> None:
    hub = club()
    every = [signed(points(n), revision=revision, box=f"e{n}") for n in range(rivals)]
    for each in every:
        sent(hub, TOPIC, each)
    for n in range(2):
        hub.say("c", TOPIC, points(40 + n))
        hub.settle(random.Random(1))
    for link in hub.boxes.values():
        assert [head.box for head in link.known_claims.heads[TOPIC]] == ["c"]
    assert compute_evening_state(hub.boxes["b"].known_claims).conflicts == ()


@pytest.mark.long
def test_rivals_that_name_hundreds_of_others_are_corrected_and_stay_so() -> None:
    rng, known = random.Random(1), CurrentClaims()
    every: list[bytes] = []
    for n in range(20):
        over = [f"{rng.getrandbits(256):064x}" for _ in range(MAX_REPLACED)]
        every.append(signed(points(n), over=over, box=f"e{n}"))
        known = merge_message(known, TOPIC, every[-1])
    known = known.with_own_fact("desk", TOPIC, points(99))
    for late in every:
        known = merge_message(known, TOPIC, late)
    assert [head.box for head in known.heads[TOPIC]] == ["desk"]


@pytest.mark.long
def test_three_hundred_corrections_of_one_result_leave_the_last_one() -> None:
    known, late = CurrentClaims(), []
    for n in range(300):
        known = known.with_own_fact("desk", TOPIC, points(n))
        late.append(claims.make_claims_message(known.heads[TOPIC]))
    for each in late:
        known = merge_message(known, TOPIC, each)
    assert [head.parsed_fact for head in known.heads[TOPIC]] == [points(299)]


@pytest.mark.long
def test_a_result_that_is_corrected_often_stays_short() -> None:
    known = open_facts(PLAYER_NAMES)
    for _ in range(3):
        known = known.with_own_fact("a", TOPIC, points())
    for number in (2, 3):
        names = compute_evening_state(known).current_round_tables[number - 1]
        known = known.with_own_fact(
            "a", topics.result_topic(1, number), new_facts.result_fact(dict.fromkeys(names, 1))
        )
    for n in range(50):
        told = points(n)["points"]
        known = known.with_own_fact(
            "a", TOPIC, new_facts.points_correction_fact(known, 1, 1, told, seats_too=False)
        )
    (head,) = known.heads[TOPIC]
    assert head.parsed_fact["before"] == [{"to": 2, "points": points()["points"]}]
    assert head.parsed_fact["points"] == points(49)["points"]


# --- memory of a box ----------------------------------------------------------------------------


def test_boxes_that_say_to_be_there_are_counted_up_to_a_limit() -> None:
    link = EveningSyncState("a").with_new_connection("now")
    for n in range(3 * MAX_BOXES):
        link, _ = link.with_received_message(
            topics.presence_topic(f"b{n}"), b'{"online": true, "session": "x"}'
        )
    assert len(link.present) == MAX_BOXES
    link, _ = link.with_received_message(topics.presence_topic("b1"), b'{"online": false}')
    assert len(link.present) == MAX_BOXES - 1
    assert not link.with_received_message(
        topics.presence_topic("c"), b" " * 2000 + b'{"online": true}'
    )[0].present - (link.present)


def test_an_evening_of_others_is_known_up_to_a_limit_and_what_is_ours_always() -> None:
    link = EveningSyncState(
        "a", CurrentClaims().with_own_fact("a", TOPIC, points(1))
    ).with_new_connection("now")
    full, _ = link._replace(size=MAX_MEGABYTES << 20).with_received_message(
        "people/Ann", signed(PERSON, "people/Ann")
    )
    assert full.known_claims == link.known_claims
    assert "there is no room" in english_error(full.problems[0])
    after, _ = full.with_own_fact(topics.result_topic(1, 2), points(2))
    assert topics.result_topic(1, 2) in after.known_claims.heads


def test_what_no_topic_is_told_of_is_not_remembered() -> None:
    link = EveningSyncState("a").with_new_connection("now")
    for n in range(100):
        link, _ = link.with_received_message(f"junk/{n}", b"x" * 1000)
    assert (link.received_heads, link.known_claims.heads, len(link.problems)) == ({}, {}, 20)


@pytest.mark.parametrize("letter", ["é", "\u4e00", "\U0001f600"])
def test_somebody_with_a_long_name_is_written_down(letter: str, tmp_path: Path) -> None:
    name = letter * 40
    known = CurrentClaims().with_own_fact("a", topics.person_topic(name), PERSON)
    folder.merge_claims_into_file(
        tmp_path, topics.person_topic(name), known.heads[topics.person_topic(name)]
    )
    assert folder.load_claims_and_errors(tmp_path) == (known, ())
    assert folder.newest_saved_claim_time(tmp_path) > 0


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Soirée\u00a0!", "Soirée !"),
        ("Soirée\u202f!", "Soirée !"),
        (" two\nlines\t", "two lines"),
        ("\x1b[2Jred\u200b", "[2Jred"),
        ("x" * 90, "x" * 40),
        ("\x00", ""),
    ],
)
def test_a_title_is_shown_in_one_line_everywhere(title: str, shown: str) -> None:
    known = merge_message(
        CurrentClaims(), "rules", signed({**RULES, "title": title, "game": title}, "rules")
    )
    evening = compute_evening_state(known)
    status = table.evening_status_for_table(evening, 1)
    assert {status["title"], status["game"]} == {shown}
    assert parse_evening_status(status).title == shown
    assert all(line.isprintable() for line in evening_status_lines(evening, known))
    found = attendant._format_evening(
        FoundEvening(
            "club",
            topics.rules_with_short_titles(known.heads["rules"][0].parsed_fact),
            BrokerAddress(""),
        )
    )
    (row,) = parse_evening_status({"state": "none", "found": [found]}).found
    assert row.title == (shown or "club")


@pytest.mark.parametrize("name", ["Ann ", "Ann\u00a0", "\uff21nn", "Zoe\u0301"])
def test_a_name_that_is_not_written_in_the_usual_way_is_nobodys(name: str) -> None:
    with raises_english(InvalidClaim, match="this topic does not exist"):
        CurrentClaims().with_own_fact("a", topics.person_topic(name), PERSON)


def test_two_names_that_look_alike_are_not_two_players() -> None:
    known = CurrentClaims().with_own_fact("a", topics.person_topic("Ann"), PERSON)
    assert new_facts.find_similar_signed_up_name(known, "\u0410nn") == "Ann"
    assert new_facts.find_similar_signed_up_name(known, "Ann") is None
    for other in ("\u0410nn", "Ann "):
        data = {"rule": "progressive", "games": 1, "players": ["Ann", other, "Bob"]}
        with raises_english(SeatingError, match="twice"):
            reading.seating_facts_from_json(data)


def test_a_name_that_looks_like_a_players_is_not_signed_up_and_starts_no_game(
    tmp_path: Path,
) -> None:
    at = ["--folder", str(tmp_path)]
    assert CliRunner().invoke(cli, ["evening", "open", "Club", *at]).exit_code == 0
    assert CliRunner().invoke(cli, ["evening", "sign", "Ann", *at]).exit_code == 0
    found = CliRunner().invoke(cli, ["evening", "sign", "\u0410nn", *at])
    assert (found.exit_code, "looks like Ann" in found.output) == (1, True)
    with pytest.raises(click.UsageError, match="the same name"):
        parse_player_names(registry.find_game("probe"), "Ann,\u0410nn")


def test_what_is_wrong_with_a_message_does_not_keep_the_message() -> None:
    for payload in (b"x" * 60_000, signed({**PERSON, "more": "x" * 60_000}, "people/Ann")):
        (problem,) = claims.parse_claims_and_errors("people/Ann", payload).problems
        assert (problem.__traceback__, problem.__cause__, problem.__context__) == (None,) * 3
