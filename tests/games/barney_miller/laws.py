"""What holds in every game of Barney Miller, as the kit plays them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from companion.games.barney_miller.board import COUNTS

if TYPE_CHECKING:
    from companion.games.barney_miller.state import State
    from companion.games.testing import Playout


def hidden(state: State) -> list[Any]:
    """Every card that has not been played since all 56 were shuffled (BM-3, BM-11)."""
    return [card for pile in (*state.hands, *state.seconds, state.aside) for card in pile]


def all_56_cards_are_accounted_for(playout: Playout) -> None:
    """BM-2, BM-3, BM-11."""
    played = 0
    for move in playout.moves:
        after = move.after
        for cue in move.cues:
            if cue.name == "dealt" and cue.facts["how"] != "half":
                played = 0  # all 56 were shuffled
            played += cue.name in ("card_played", "zero_played")
        left = hidden(after)
        assert len(left) + played == 56
        assert sum(after.unseen) == len(left)
        assert all(0 <= n <= all_ for n, all_ in zip(after.unseen, COUNTS, strict=True))
        if not after.table.own and after.deals:
            assert Counter(left) == +Counter(dict(enumerate(after.unseen)))


def the_total_goes_over_ten_only_to_end_a_round(playout: Playout) -> None:
    """BM-7."""
    for move in playout.moves:
        after = move.after
        assert after.total < 10 or after.step in ("zero", "commit_suspect", "free_suspect")


def a_card_is_played_unasked_only_if_all_see_that_it_is_a_hands_last(playout: Playout) -> None:
    """BM-6: several cards of one value are asked for, since to pass them by would tell them."""
    for move in playout.moves if not playout.start.table.own else ():
        view = playout.table.game.view(move.before, None)
        hands = dict(view["hand"])
        for cue in move.public:
            who = cue.facts.get("who")
            if cue.name == "dealt":
                hands = dict.fromkeys(hands, cue.facts["cards"])
            elif cue.name == "picked_up":
                hands[who] = view["second"][who]
            elif cue.name in ("card_played", "zero_played"):
                assert hands[who] == 1 or not cue.facts.get("forced")
                hands[who] -= 1


def the_winner_alone_has_four_chips(playout: Playout) -> None:
    """BM-12."""
    outcome = playout.table.game.outcome(playout.end)
    assert outcome is not None
    (winner,) = outcome.winners
    assert outcome.scores[winner] == 4
    assert all(n < 4 for who, n in outcome.scores.items() if who != winner)
    assert sum(cue.name == "game_won" for move in playout.moves for cue in move.cues) == 1


LAWS = (
    all_56_cards_are_accounted_for,
    the_total_goes_over_ten_only_to_end_a_round,
    a_card_is_played_unasked_only_if_all_see_that_it_is_a_hands_last,
    the_winner_alone_has_four_chips,
)
