"""Laws that hold in every game of Probe, checked by the test kit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import takewhile
from random import Random
from typing import Any

from companion.core.fold import apply_answer, replace
from companion.core.game import Cues
from companion.games.probe.rules.board import LETTERS, Rack
from companion_testing import Playout


def every_players_items_sum_up_to_the_total(playout: Playout) -> None:
    """PR-6."""
    game, players = playout.table.game, playout.table.players
    told = [0] * len(players)
    for move in playout.moves:
        for cue in move.cues:
            if cue.name == "scored":
                seat = players.index(cue.facts["who"])
                told[seat] += cue.facts["points"]
                assert cue.facts["total"] == told[seat]
        assert list(move.after.scores) == told
    booked = [0] * len(players)
    for seat, points, _, _ in playout.last_state.items:
        booked[seat] += points
    assert tuple(booked) == playout.last_state.scores
    view, outcome = game.view(playout.last_state, None), game.outcome(playout.last_state)
    assert {who: sum(view["items"][who].values()) for who in players} == view["scores"]
    assert outcome is not None
    assert dict(outcome.scores) == view["scores"]


def a_place_that_is_open_stays_open(playout: Playout) -> None:
    """PR-7, PR-13."""
    for move in playout.moves:
        before, after = (
            sum(len(rack.covered) for rack in state.racks if rack.word)
            for state in (move.before, move.after)
        )
        assert after <= before or move.before.step in ("word", "length")
        turns = 2 * len(playout.table.players)
        assert move.after.last is None or 0 <= move.after.last <= turns
    assert not any(rack.covered for rack in playout.last_state.racks)


def no_public_fact_names_a_letter_that_is_still_covered(playout: Playout) -> None:
    """PR-1, PR-3."""
    for move in playout.moves if playout.start.table.secret else ():
        after = move.after
        for cue in move.public_facts:
            if cue.name == "uncovered":
                rack = after.racks[after.table.racks.index(cue.facts["rack"])]
                assert cue.facts["place"] not in rack.covered
                assert cue.facts["letter"] == rack.word[cue.facts["place"] - 1]
            if cue.facts.get("word") is not None:
                rack = after.racks[after.table.racks.index(cue.facts["rack"])]
                assert rack == Rack(cue.facts["word"])
        public = json.dumps([cue._asdict() for cue in move.public_facts])
        for word, hidden in after.racks:
            if len(hidden) == len(word) > 4 and move.prompt.name != "interrupt":
                assert word not in public


def the_boxs_answer_to_a_letter_depends_on_that_letter_only(playout: Playout) -> None:
    """PR-3: the public cues about a letter are equal for words that differ in other letters."""
    rng = Random(playout.seed)
    for move in playout.moves if playout.start.table.secret else ():
        if move.prompt.name != "ask_for":
            continue
        racks = []
        for word, hidden in move.before.racks:
            letters = list(word)
            for place in hidden:
                if letters[place - 1] != move.value:
                    letters[place - 1] = rng.choice([x for x in LETTERS if x != move.value])
            racks.append(Rack("".join(letters), hidden))
        other = replace(move.before, racks=tuple(racks))
        _, cues = apply_answer(playout.table.game, other, move.value)
        assert list(heard(cues)) == list(heard(move.cues))


def the_owner_alone_knows_how_many_places_fit(playout: Playout) -> None:
    """PR-3: with secret words, the owner uncovers the place after every yes, and every own dot.

    If the box uncovers the place, the only private questions are about words.
    """
    table = playout.start.table
    if table.opens != "owner":
        assert not [
            move for move in playout.moves if move.prompt.name == "uncover" and table.secret
        ]
        return
    for move in playout.moves if table.secret else ():
        told = [cue.name for cue in move.cues]
        if "said_yes" in told:
            assert told[-1] == "said_yes"
        if "drawn" in told and move.after.step == "uncover":
            assert told[-1] == "drawn"
        if move.prompt.name != "uncover":
            because = [c.facts["because"] for c in move.cues if c.name == "uncovered"]
            assert set(because) <= {"forced"}


def heard(cues: Cues) -> Iterator[tuple[str, Any]]:
    """Yield the public cues until the next card is turned over or the last words are shown."""
    for cue in takewhile(lambda cue: cue.name not in ("drawn", "survived"), cues):
        yield cue.name, {**cue.facts, "word": None}


LAWS = (
    every_players_items_sum_up_to_the_total,
    a_place_that_is_open_stays_open,
    no_public_fact_names_a_letter_that_is_still_covered,
    the_boxs_answer_to_a_letter_depends_on_that_letter_only,
    the_owner_alone_knows_how_many_places_fit,
)
