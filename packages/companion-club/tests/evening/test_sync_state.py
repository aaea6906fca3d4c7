"""Tests of boxes with a fake broker that forgets, repeats and stops: at the end all boxes agree.

The variable EVENINGS sets the number of random evenings.
"""

from __future__ import annotations

import json
import os
import random
from typing import Final

import pytest

from companion_club import claims, new_facts, topics
from companion_club.evening_state import compute_evening_state
from companion_club.sync_state import EveningSyncState
from tests.evening.boxes import MessageHub, open_facts, random_points
from tests.evening.evenings import PLAYER_NAMES
from tests.helpers import long_lane_params

EVENINGS: Final = int(os.environ.get("EVENINGS", "40"))
FEW: Final = 6
"""Evenings in the first case of the test. The second case plays all other evenings."""


def club(*boxes: str) -> MessageHub:
    """Return connected boxes; the first box has opened the evening."""
    hub = MessageHub(
        EveningSyncState(boxes[0], open_facts(PLAYER_NAMES)), *map(EveningSyncState, boxes[1:])
    )
    for n, box in enumerate(boxes):
        hub.connect(box, f"session {n}")
    hub.settle(random.Random(1))
    return hub


def all_agree(hub: MessageHub) -> bool:
    first, *others = (link.known_claims for link in hub.boxes.values())
    return all(known == first for known in others)


def test_everybody_hears_what_was_said_before_they_came() -> None:
    hub = club("a", "b", "c")
    assert all_agree(hub)
    assert len(compute_evening_state(hub.boxes["c"].known_claims).current_round_tables) == 3


def test_a_result_said_without_a_connection_is_said_when_there_is_one() -> None:
    hub = club("a", "b", "c")
    hub.cut("b")
    evening = compute_evening_state(hub.boxes["b"].known_claims)
    hub.say(
        "b",
        topics.result_topic(1, 2),
        new_facts.result_fact(random_points(evening, 2, random.Random(1))),
    )
    assert topics.result_topic(1, 2) not in hub.kept
    hub.connect("b", "again")
    hub.settle(random.Random(1))
    assert compute_evening_state(hub.boxes["c"].known_claims).tables_without_result == (1, 3)


def test_a_broker_that_lost_everything_is_told_again_each_fact_by_its_box() -> None:
    hub = club("a", "b", "c")
    hub.die(forgetful=True)
    for box in "cba":
        hub.connect(box, f"again {box}")
    before = hub.said
    hub.settle(random.Random(1))
    assert all_agree(hub)
    assert hub.kept.keys() > {"rules", "people/Ann"}
    assert hub.said - before < 40, "several boxes publish each fact again"


def test_the_facts_of_a_box_that_is_gone_for_good_are_told_by_the_others() -> None:
    hub = club("a", "b", "c")
    hub.die(forgetful=True)
    del hub.boxes["a"]
    for box in "bc":
        hub.connect(box, f"again {box}")
    hub.settle(random.Random(1))
    assert "rules" in hub.kept


def test_two_boxes_that_believe_to_be_table_2_are_seen_by_a_third_that_comes_later() -> None:
    hub = club("a", "b", "c")
    hub.cut("b")
    evening = compute_evening_state(hub.boxes["b"].known_claims)
    for box in "bc":
        fact = new_facts.result_fact(random_points(evening, 2, random.Random(box)))
        hub.say(box, topics.result_topic(1, 2), fact)
    hub.connect("b", "again")
    hub.settle(random.Random(1))
    hub.boxes["d"] = EveningSyncState("d")
    hub.connect("d", "late")
    hub.settle(random.Random(1))
    assert [
        found.why for found in compute_evening_state(hub.boxes["d"].known_claims).conflicts
    ] == ["claims"]
    assert all_agree(hub)


def test_a_forged_message_is_shown_and_what_it_covered_is_said_again() -> None:
    hub = club("a", "b", "c")
    forged = json.loads(hub.kept["people/Ann"])
    forged["fact"]["here"] = [[1, 1]]
    hub.kept["people/Ann"] = json.dumps(forged).encode()
    for waiting in hub.under_way.values():
        waiting.append(("people/Ann", hub.kept["people/Ann"]))
    hub.settle(random.Random(1))
    assert any("people/Ann" in str(problem) for problem in hub.boxes["c"].problems)
    heads = hub.boxes["a"].known_claims.heads["people/Ann"]
    assert hub.kept["people/Ann"] == claims.make_claims_message(heads)
    assert all_agree(hub)


def test_an_evening_that_is_over_is_said_by_nobody_once_it_was_taken_off_the_broker() -> None:
    hub, rng = club("a", "b", "c"), random.Random(1)
    while not (evening := compute_evening_state(hub.boxes["a"].known_claims)).over:
        for table in evening.tables_without_result:
            topic = topics.result_topic(len(evening.rounds), table)
            hub.say(
                "abc"[table - 1], topic, new_facts.result_fact(random_points(evening, table, rng))
            )
        hub.settle(rng)
    hub.forget()
    hub.settle(rng)
    assert hub.kept == {}
    assert compute_evening_state(hub.boxes["b"].known_claims).over, "the box has lost its evening"
    assert [link.problems for link in hub.boxes.values()] == [()] * 3


def test_an_evening_that_goes_on_is_said_again_whatever_is_taken_off_the_broker() -> None:
    hub = club("a", "b", "c")
    before = {topic: text for topic, text in hub.kept.items() if not topics.box_in_topic(topic)}
    hub.forget()
    hub.settle(random.Random(1))
    assert hub.kept == before


@pytest.mark.long
@pytest.mark.parametrize("seeds", [range(FEW), *long_lane_params([range(FEW, EVENINGS)])], ids=str)
def test_whatever_happens_all_agree_and_nothing_is_lost(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        hub = club("a", "b", "c", "d")
        for step in range(40):
            disturbed(hub, rng, f"{seed} {step}")
        hub.die(forgetful=rng.random() < 0.5)
        said = {box: link.known_claims for box, link in hub.boxes.items()}
        for box in rng.sample([*hub.boxes], len(hub.boxes)):
            hub.connect(box, f"end {seed} {box}")
        hub.settle(rng, twice=0.2)
        assert all_agree(hub), seed
        known = hub.boxes["a"].known_claims
        for each in said.values():
            for topic, heads in each.heads.items():
                assert claims.unreplaced_claims((*known.heads[topic], *heads)) == known.heads[topic]


def disturbed(hub: MessageHub, rng: random.Random, session: str) -> None:
    """Cause a random event: a result, a new or lost connection, a dead broker, deliveries."""
    box = rng.choice([*hub.boxes])
    match rng.randrange(8):
        case 0:
            hub.cut(box)
        case 1:
            hub.connect(box, session)
        case 2 if rng.random() < 0.2:
            hub.die(forgetful=rng.random() < 0.5)
        case 3 | 4:
            evening = compute_evening_state(hub.boxes[box].known_claims)
            if evening.current_round_tables:
                table = rng.randint(1, len(evening.current_round_tables))
                fact = new_facts.result_fact(random_points(evening, table, rng))
                hub.say(box, topics.result_topic(len(evening.rounds), table), fact)
        case _:
            for each in [each for each, waiting in hub.under_way.items() if waiting]:
                hub.deliver(each, rng, twice=0.2)


def test_a_fact_that_another_process_stored_is_said_as_soon_as_it_is_read() -> None:
    """The other process uses a name that no connected box has."""
    hub, topic = club("a"), topics.result_topic(1, 1)
    link = hub.boxes["a"]
    fact = new_facts.result_fact(
        dict.fromkeys(compute_evening_state(link.known_claims).current_round_tables[0], 10)
    )
    stored = {topic: link.known_claims.with_own_fact("typist", topic, fact).heads[topic]}
    link, said = link.with_stored_claims(stored)
    assert said == ((topic, claims.make_claims_message(stored[topic])),)
    assert link.with_stored_claims(stored) == (link, ())
    assert hub.boxes["a"].without_connection().with_stored_claims(stored)[1] == ()
