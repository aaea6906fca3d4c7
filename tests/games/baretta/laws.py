"""Laws that hold in every game of Baretta, checked by the test kit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.core.prompts import Choose, legal_answers
from companion.games.baretta.rules.board import (
    CARD_SPACE_COUNT,
    MARKERS_PER_PLAYER,
    deck_card_counts,
)
from companion.games.baretta.rules.state import State
from companion_testing import Playout


def cards(state: State) -> list[str | None]:
    """Return all cards: on the board, in the piles, and out of the game."""
    on_board = [spot.card for spot in state.spots if spot is not None]
    return [*on_board, *(card for pile in state.piles for card in pile), *state.gone]


def all_48_cards_stay_in_the_game(playout: Playout) -> None:
    """BA-1, BA-2. Own cards may differ from the counted cards until a correction (BA-18)."""
    all_ = Counter(deck_card_counts(playout.table.edition))
    for move in playout.moves:
        if move.prompt.name == "correct" and move.after.table.own:
            return
        if move.after.piles:
            found = cards(move.after)
            assert len(found) == 48
            assert move.after.table.own or Counter(found) == all_


def nobody_has_a_seventh_marker_out(playout: Playout) -> None:
    """BA-8."""
    for move in playout.moves:
        out = Counter(spot.by for spot in move.after.spots if spot is not None and spot.marked)
        assert None not in out
        assert max(out.values(), default=0) <= MARKERS_PER_PLAYER


def one_player_wins_who_is_not_out(playout: Playout) -> None:
    """BA-14, BA-16."""
    outcome = playout.table.game.outcome(playout.last_state)
    assert outcome is not None
    (winner,) = outcome.winners
    assert winner not in playout.table.game.view(playout.last_state, None)["out"]
    assert sum(cue.name == "game_won" for move in playout.moves for cue in move.cues) == 1


def only_the_boxs_own_cards_turn_a_secret_over(playout: Playout) -> None:
    """BA-7, BA-12 to BA-14."""
    found = {cue.name for move in playout.moves for cue in move.cues if cue.reveals}
    own = playout.start.table.own
    assert found <= (set() if own else {"turned", "guessed", "wounded", "not_arrest"})


def a_players_secrets_are_the_cards_placed_or_looked_at(playout: Playout) -> None:
    """BA-8, BA-10."""
    game, players = playout.table.game, playout.table.players
    for move in playout.moves if not playout.start.table.own else ():
        told = [(cue.to, cue.facts["space"], cue.facts["card"]) for cue in game.secrets(move.after)]
        assert told == [
            (players[seat], str(i + 1), spot.card)
            for i, spot in enumerate(move.after.spots)
            if spot is not None and not spot.up
            for seat in (spot.by, *spot.seen)
            if seat is not None
        ]


def nothing_stays_of_what_was_dropped_or_is_done(playout: Playout) -> None:
    """BA-18, BA-20: the state keeps unfinished parts of a turn only while they are asked about."""
    asked_at = {
        "moving": {"move_to"},
        "hunch": {"hunch", "card", "another"},
        "swapping": {"swap_with"},
        "mixing": {"shuffle_pile"},
        "cutting": {"cut", "shuffle_pile"},
    }
    for n, move in enumerate(playout.moves):
        state = move.after
        stale = {
            field: (getattr(state, field), state.step)
            for field, steps in asked_at.items()
            if getattr(state, field) not in (None, (), "") and state.step not in steps
        }
        assert not stale, (playout.table.id, playout.seed, n, move.prompt.name, stale)


def the_board_people_see_is_the_board_that_is(playout: Playout) -> None:
    """BA-1."""
    game, players = playout.table.game, playout.table.players
    for move in playout.moves[::10]:
        state, view = move.after, game.view(move.after, None)
        spaces = view["spaces"]
        assert len(spaces) == len(state.table.board.ids)
        assert view["baretta"] in spaces
        for i, spot in enumerate(state.spots):
            shown = spaces[str(i + 1)]
            assert (shown["card"] is None) == (spot is None)
            assert shown["marker"] == (players[spot.by] if spot and spot.marked else None)
        markers = Counter(space["marker"] for space in spaces.values())
        assert view["markers"] == {name: MARKERS_PER_PLAYER - markers[name] for name in players}
        kinds = Counter(space["kind"] for space in spaces.values())
        assert (kinds["outside"], kinds["corner"], kinds["hideout"]) == (CARD_SPACE_COUNT, 4, 1)
        assert all(spaces[space]["card"] is None for space in list(spaces)[CARD_SPACE_COUNT:])


def no_card_is_named_to_all_but_those_that_lie_face_up_or_come_up(playout: Playout) -> None:
    """BA-7, BA-8, BA-12."""
    game, known = playout.table.game, deck_card_counts(playout.table.edition)
    for move in playout.moves[::2] if not playout.start.table.own else ():
        state = move.after
        up = [spot.card for spot in state.spots if spot is not None and spot.up]
        up += [pile[0] for pile, shown in zip(state.piles, state.shown, strict=True) if shown]
        assert named(game.view(state, None), known) == Counter(up)
        for cue in move.public_facts:
            found = named(cue.facts, known)
            assert cue.reveals or not found or cue.name == "discarded"
            assert cue.reveals or found <= Counter(state.gone)
        prompt = game.ask(state)
        assert not named(legal_answers(prompt) if isinstance(prompt, Choose) else (), known)


def named(value: Any, known: Any) -> Counter[str]:
    """Return the cards that are named in a value. Names of cues and fields are no cards."""
    texts = (text.removeprefix("up:") for text in strings(value))
    return Counter(text for text in texts if text in known)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from strings(key)
            yield from strings(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from strings(inner)
    else:
        yield str(value)


LAWS = (
    all_48_cards_stay_in_the_game,
    nobody_has_a_seventh_marker_out,
    one_player_wins_who_is_not_out,
    only_the_boxs_own_cards_turn_a_secret_over,
    a_players_secrets_are_the_cards_placed_or_looked_at,
    nothing_stays_of_what_was_dropped_or_is_done,
    the_board_people_see_is_the_board_that_is,
    no_card_is_named_to_all_but_those_that_lie_face_up_or_come_up,
)
