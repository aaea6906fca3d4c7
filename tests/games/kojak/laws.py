"""Laws that hold in every game of Kojak, checked by the test kit."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from companion.core.prompts import Choose, legal_answers
from companion.games.kojak.rules.board import COLOURS, HUNTING_STAGE, unshuffled_deck
from companion_testing import Move, Playout

REACHABLE: Final = {
    "to_mission": {"nothing", "mission", "blocked"},
    "to_place": {"nothing", "trap", "parked", "blocked"},
    "to_station": {"nothing", "trap", "station", "blocked"},
    "hunting": {"nothing", "trap", "entrance", "blocked"},
}


def under(cards: tuple[Any, ...], n: int) -> tuple[Any, ...]:
    return cards[n:] + cards[:n]


def played(playout: Playout) -> list[Move]:
    """Return the moves without corrections (KO-21)."""
    return [move for move in playout.moves if not move.is_out_of_turn]


def told(move: Move, *names: str) -> list[Any]:
    """Return the fields of the cues with these names."""
    return [cue.facts for cue in move.cues if cue.name in names]


def the_cards_are_all_there_and_in_order(playout: Playout) -> None:
    """KO-8, KO-13, KO-16: cards go under the pile, are held, and return. No card is lost."""
    for move in played(playout):
        before, after = move.before, move.after
        missions, traps = told(move, "mission"), len(told(move, "trap"))
        assert len(after.traps) == 20
        assert len(after.missions) + sum(map(bool, after.held)) == 16
        if before.step.startswith("shuffle"):
            continue
        if before.table.own and before.step in ("card", "criminal", "order"):
            assert after.traps[:-1] == before.traps[1:] or not traps
            assert after.missions[: 16 - 4] == before.missions[1:][: 16 - 4] or not missions
            continue
        assert after.traps == under(before.traps, traps)
        refused = tuple(facts["colour"] for facts in missions if not facts["kept"])
        assert before.missions[: len(refused)] == refused
        pile = under(before.missions, len(refused))
        if len(missions) > len(refused):
            assert pile[0] == missions[-1]["colour"]
            pile = pile[1:]
        for facts in told(move, "arrest"):
            pile += (facts["colour"],) * (1 + len(facts["lost"]))
        assert after.missions == pile


def a_closed_file_never_comes_back(playout: Playout) -> None:
    """KO-16."""
    for move in played(playout):
        for i, colour in enumerate(COLOURS):
            if (closed := move.before.closed[i]) is not None:
                assert move.after.closed[i] == closed
                assert colour not in move.after.held
            assert (move.after.circle[i] is None) == (move.after.closed[i] is not None)


def nobody_arrests_without_a_warrant_and_red(playout: Playout) -> None:
    """KO-15, checked with the public view before the move."""
    for move in played(playout):
        for facts in told(move, "arrest"):
            view = playout.table.game.view(move.before, None)
            who, colour = facts["who"], facts["colour"]
            assert (move.value, view["to_act"]) == ("entrance", who)
            assert view["warrant"][who]
            assert view["stage"][who] == HUNTING_STAGE
            assert view["mission"][who] == colour
            assert view["circle"][colour] in view["red"][colour]
            assert who in view["may_arrest"]


def a_mission_is_kept_only_as_ko8_says(playout: Playout) -> None:
    for move in played(playout):
        missions = told(move, "mission")
        view = playout.table.game.view(move.before, None) if missions else {}
        for facts in missions:
            colour, who = facts["colour"], facts["who"]
            others = [p for p, c in view["mission"].items() if c == colour and p != who]
            posted = any(view["warrant"][p] for p in others)
            is_open = view["files"][colour] == "open"
            if facts["why"] == "deadlock":
                assert is_open
                assert not _could_be_kept(view, who).intersection(move.before.missions)
            else:
                assert facts["kept"] == (is_open and (not others or posted))


def _could_be_kept(view: Any, who: str) -> set[str]:
    """Return the open files that no other player holds, or whose warrant is posted."""
    held = {colour for name, colour in view["mission"].items() if name != who}
    posted = {view["mission"][name] for name, is_posted in view["warrant"].items() if is_posted}
    return {c for c in COLOURS if view["files"][c] == "open" and (c not in held or c in posted)}


def it_ends_as_ko18_says(playout: Playout) -> None:
    game, short = playout.table.game, playout.table.options["short"] == "yes"
    names = Counter(cue.name for move in playout.moves for cue in move.cues)
    outcome = game.outcome(playout.last_state)
    assert outcome is not None
    (winner,) = outcome.winners
    assert names["game_won"] == 1
    if names["left"]:  # the tests of KO-23 cover leaving
        return
    most = outcome.scores[winner]
    tied = {who for who, n in outcome.scores.items() if n == most}
    assert most == max(outcome.scores.values())
    assert sum(outcome.scores.values()) == (1 if short else 4)
    assert names["corrected"] or names["arrest"] == (1 if short else 4)
    assert names["tied"] == (len(tied) > 1)
    assert set(game.view(playout.last_state, None)["race"]) == (tied if names["tied"] else set())


def a_detective_reaches_only_what_the_stage_allows(playout: Playout) -> None:
    """KO-5 to KO-7."""
    for move in played(playout):
        if move.prompt.name == "happened":
            stage = playout.table.game.view(move.before, None)["stage"][move.prompt.who]
            assert isinstance(move.prompt, Choose)
            assert set(legal_answers(move.prompt)) - {"six"} == REACHABLE[stage]


def a_warrant_is_posted_at_the_station_or_beside_another(playout: Playout) -> None:
    """KO-11, KO-12."""
    at_once = playout.table.options["beside"] == "at_once"
    for move in played(playout):
        for facts in told(move, "posted"):
            assert move.value in ("station", "parked")
            assert move.value == "station" or (at_once and facts["with"])
        for facts in told(move, "parked"):
            others = [seat for seat, held in enumerate(move.before.held) if held == facts["colour"]]
            hunted = any(move.before.stages[seat] == HUNTING_STAGE for seat in others)
            assert not (at_once and hunted)


def a_drawn_card_is_told_once_and_only_if_the_box_drew_it(playout: Playout) -> None:
    """KO-7, KO-13."""
    for move in played(playout):
        virtual = not move.before.table.own
        cards = [
            cue.facts["colour" if cue.name == "mission" else "card"]
            for cue in move.cues
            if cue.name in ("mission", "trap")
        ]
        drawn = [facts["card"] for facts in told(move, "drawn")]
        assert drawn == cards * virtual
        assert len(cards) == 1 or not told(move, "trap")
        deck_of = {*dict(move.before.table.missions), *dict(move.before.table.traps)}
        assert not cards or move.value in ({"mission", "trap"} if virtual else deck_of)


def the_criminals_walk_as_the_cues_say_and_red_is_always_told(playout: Playout) -> None:
    """KO-4, KO-13, KO-14."""
    for move in played(playout):
        for i, colour in enumerate(COLOURS):
            old, new = move.before.circle[i], move.after.circle[i]
            reds = move.before.table.reds[i]
            walked = [facts for facts in told(move, "advanced") if facts["colour"] == colour]
            assert all((facts["from"], facts["to"]) == (old, new) for facts in walked)
            assert old == new or walked or new is None
            if new is not None and (old in reds) != (new in reds):
                name = "on_red" if new in reds else "off_red"
                found = [c.name for c in move.cues if c.name in ("on_red", "off_red")
                         and c.facts["colour"] == colour]  # fmt: skip
                assert found == [name]


def own_cards_are_known_as_well_as_they_were_told(playout: Playout) -> None:
    """KO-8, KO-13."""
    for move in played(playout):
        if isinstance(move.prompt, Choose) and move.prompt.name == "card":
            state = move.before
            traps = Counter(card for card in unshuffled_deck(state.table.traps) if card is not None)
            assert sum(move.prompt.weights) > 0
            known = Counter(filter(None, (*state.missions, *state.held)))
            assert known <= Counter(dict(state.table.missions))
            assert Counter(filter(None, state.traps)) <= traps


LAWS = (
    the_cards_are_all_there_and_in_order,
    a_closed_file_never_comes_back,
    nobody_arrests_without_a_warrant_and_red,
    a_mission_is_kept_only_as_ko8_says,
    it_ends_as_ko18_says,
    a_detective_reaches_only_what_the_stage_allows,
    a_warrant_is_posted_at_the_station_or_beside_another,
    a_drawn_card_is_told_once_and_only_if_the_box_drew_it,
    the_criminals_walk_as_the_cues_say_and_red_is_always_told,
    own_cards_are_known_as_well_as_they_were_told,
)
