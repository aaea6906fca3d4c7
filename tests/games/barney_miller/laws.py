"""Laws that hold in every game of Barney Miller, checked by the test kit."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.core.prompts import Choose
from companion.games.barney_miller.rules.board import CARD_COUNTS
from companion.games.barney_miller.rules.state import State
from companion_testing import Playout


def hidden(state: State) -> list[Any]:
    """Return all cards not played since the last shuffle of all 56 cards (BM-3, BM-11)."""
    return [card for pile in (*state.hands, *state.seconds, state.aside) for card in pile]


def all_56_cards_are_accounted_for(playout: Playout) -> None:
    """BM-2, BM-3, BM-11."""
    played = 0
    for move in playout.moves:
        after = move.after
        for cue in move.cues:
            if cue.name == "dealt" and cue.facts["how"] in ("first", "again"):
                played = 0  # all 56 were shuffled
            played += cue.name in ("card_played", "zero_played")
        left = hidden(after)
        if not after.deals:
            continue  # players are still taking their seats
        assert len(left) + played == 56
        assert sum(after.unseen) == len(left)
        assert all(n <= all_ for n, all_ in zip(after.unseen, CARD_COUNTS, strict=True))
        if not after.table.own:
            assert Counter(left) == +Counter(dict(enumerate(after.unseen)))


def the_total_goes_over_ten_only_to_end_a_round(playout: Playout) -> None:
    """BM-7, or BM-15 if all other players have left."""
    ended = ("zero", "commit_suspect", "free_suspect")
    for move in playout.moves:
        after = move.after
        assert after.total < 10 or after.step in ended or (after.step == "over" and after.out)


def a_card_is_played_unasked_only_if_all_see_that_it_is_a_hands_last(playout: Playout) -> None:
    """BM-6: several cards of one value need a question, because skipping it would reveal them."""
    for move in playout.moves if not playout.start.table.own else ():
        view = playout.table.game.view(move.before, None)
        hands = dict(view["hand"])
        for cue in move.public_facts:
            who = cue.facts.get("who")
            if cue.name == "dealt":
                hands = dict.fromkeys(hands, cue.facts["cards"])
            elif cue.name == "picked_up":
                hands[who] = view["second"][who]
            elif cue.name in ("card_played", "zero_played"):
                assert hands[who] == 1 or not cue.facts.get("forced")
                hands[who] -= 1


def own_cards_are_asked_for_and_every_one_is_believed(playout: Playout) -> None:
    """BM-11: players may be wrong about cards, so their answers prove nothing to the box."""
    for move in playout.moves if playout.start.table.own else ():
        if move.is_out_of_turn:
            continue  # corrections have their own tests
        if isinstance(move.prompt, Choose) and move.prompt.name == "play_card":
            assert sorted(move.prompt.options) == [*range(11)]
        played = [cue for cue in move.cues if cue.name in ("card_played", "zero_played")]
        assert not any(cue.facts.get("forced") for cue in played)
        unseen = [move.before.unseen[cue.facts.get("value", 0)] for cue in played]
        told = [cue.facts["n"] for cue in move.cues if cue.name == "too_many"]
        assert len(told) == len([n for n in unseen if n <= 0])


def at_ten_only_those_are_asked_who_for_all_that_was_seen_can_have_a_zero(playout: Playout) -> None:
    """BM-8."""
    for move in playout.moves:
        state = move.before
        if state.step == "zero":
            assert state.hands[state.turn]
            assert state.table.own or state.unseen[0]


def the_winner_alone_has_four_chips(playout: Playout) -> None:
    """BM-12, or BM-15 if all other players have left."""
    outcome = playout.table.game.outcome(playout.last_state)
    assert outcome is not None
    (winner,) = outcome.winners
    if len(playout.last_state.out) == len(playout.table.players) - 1:
        assert winner not in playout.table.game.view(playout.last_state, None)["out"]
        return
    assert outcome.scores[winner] == 4
    assert all(n < 4 for who, n in outcome.scores.items() if who != winner)
    assert sum(cue.name == "game_won" for move in playout.moves for cue in move.cues) == 1


LAWS = (
    all_56_cards_are_accounted_for,
    the_total_goes_over_ten_only_to_end_a_round,
    a_card_is_played_unasked_only_if_all_see_that_it_is_a_hands_last,
    own_cards_are_asked_for_and_every_one_is_believed,
    at_ten_only_those_are_asked_who_for_all_that_was_seen_can_have_a_zero,
    the_winner_alone_has_four_chips,
)
