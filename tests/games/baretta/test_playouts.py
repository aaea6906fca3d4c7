"""Random games to the end. PLAYOUTS=10000 plays that many a table instead of a few dozen."""

from __future__ import annotations

import dataclasses
import json
import os
import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.chance import Chance
from companion.core.fold import advance, fold, replace
from companion.core.prompts import Choose, Roll, Shuffle, accepts, by_box, choices
from companion.games import editions
from companion.games.baretta import GAME
from companion.games.baretta.board import CARD_SPACES, MARKERS, decks
from companion.play.session import Session, Setup
from companion.play.simulate import pick
from companion.record.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.game import Cues
    from companion.core.prompts import Answer
    from companion.games.baretta.state import State

PLAYOUTS = int(os.environ.get("PLAYOUTS", "25"))
CLOSELY = max(3, PLAYOUTS // 100)
NAMES = ("Ann", "Bob", "Cy", "Dee")
PRINTED = editions.load("baretta")
CARDS = Counter(decks(PRINTED))
LONGEST = 5_000
STRANGE: tuple[Any, ...] = (
    None, True, "", -1, 1, 14, 1.0, [], [7], {}, "pass ", "25", "nobody", [7] * 44,
)  # fmt: skip

every_table = [
    pytest.mark.parametrize("wounded", ["down", "up"]),
    pytest.mark.parametrize("deck", ["virtual", "own"]),
    pytest.mark.parametrize("n", [2, 3, 4]),
]
of_any_size = pytest.mark.parametrize("n", [2, 3, 4])


def at_every_table(test: Any) -> Any:
    for mark in every_table:
        test = mark(test)
    return test


def setup(rng: random.Random, n: int, deck: str, wounded: str) -> State:
    dice = rng.choice(["companion", "real"])
    return GAME.setup(NAMES[:n], {"deck": deck, "dice": dice, "wounded": wounded}, PRINTED)


def game(start: State, rng: random.Random) -> Iterator[tuple[State, Answer, State, Cues]]:
    """One random game, move by move: before, the answer, after, and what happened."""
    state = start
    while (prompt := GAME.ask(state)) is not None:
        # as likely as the box thinks it, or all the same: both have to come to an end
        even = isinstance(prompt, Choose) and rng.random() < 0.5
        value = rng.choice(choices(prompt)) if even else pick(prompt, rng)
        after, cues = advance(GAME, state, value)
        yield state, value, after, cues
        state = after


def cards(state: State) -> list[str | None]:
    """All the cards: on the board, in the piles, and out of the game."""
    on_board = [spot.card for spot in state.spots if spot is not None]
    return [*on_board, *(card for pile in state.piles for card in pile), *state.gone]


def check_cards(state: State) -> None:
    found = cards(state)
    assert len(found) == 48
    known = Counter(card for card in found if card is not None)
    assert known == CARDS if not state.table.own else known <= CARDS


def check_markers(state: State) -> None:
    out = Counter(spot.by for spot in state.spots if spot is not None and spot.marked)
    assert None not in out
    assert max(out.values(), default=0) <= MARKERS


@at_every_table
def test_every_random_game_ends_with_one_winner_48_cards_and_no_seventh_marker(
    n: int, deck: str, wounded: str
) -> None:
    for seed in range(PLAYOUTS):
        rng = random.Random(f"{n} {deck} {wounded} {seed}")
        start = state = setup(rng, n, deck, wounded)
        answers, ended = [], 0
        for _, value, after, cues in game(start, rng):
            answers.append(value)
            ended += sum(cue.name == "game_won" for cue in cues)
            if after.piles:
                check_cards(after)
            check_markers(after)
            assert len(answers) < LONGEST
            state = after
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert len(outcome.winners) == 1
        assert outcome.winners[0] not in GAME.view(state, None)["out"]
        assert ended == 1
        assert fold(GAME, start, answers) == state


# --- secrets --------------------------------------------------------------------------------------


def twin(state: State, knows: int | None, rng: random.Random) -> State:
    """`state` with every card dealt anew that the seat `knows` (None: nobody) can not see.

    Arrest cards stay with their players, and nobody's placed card becomes what it can not be.
    """
    spots, piles = list(state.spots), [list(pile) for pile in state.piles]
    laid = [i for i, spot in enumerate(spots) if spot and spot.by is None and not spot.up]
    cells: list[tuple[list[Any], int]] = []
    deck: list[Any] = [spots[i].card for i in laid]  # type: ignore[union-attr]
    for seat, pile in enumerate(piles):
        placed = [i for i, s in enumerate(spots) if s and s.by == seat and not s.up]
        hidden = [] if seat == knows else placed
        own = [spots[i].card for i in hidden]  # type: ignore[union-attr]
        up = int(state.shown[seat])
        own += pile[up:]
        rng.shuffle(own)
        for i in hidden:
            spots[i] = spots[i]._replace(card=own.pop())  # type: ignore[union-attr]
        pile[up:] = own
        cells += [(pile, i) for i in range(up, len(pile)) if not str(pile[i]).startswith("arrest")]
    deck += [pile[i] for pile, i in cells]
    rng.shuffle(deck)
    for i in laid:
        spots[i] = spots[i]._replace(card=deck.pop())  # type: ignore[union-attr]
    for pile, i in cells:
        pile[i] = deck.pop()
    return replace(state, spots=tuple(spots), piles=tuple(map(tuple, piles)))


def closely(n: int, deck: str) -> Iterator[tuple[random.Random, State]]:
    for seed in range(CLOSELY):
        rng = random.Random(f"closely {n} {deck} {seed}")
        start = setup(rng, n, deck, rng.choice(["down", "up"]))
        yield rng, start
        for _, _, after, _ in game(start, rng):
            yield rng, after


@of_any_size
def test_no_public_view_question_or_others_view_depends_on_an_unseen_card(n: int) -> None:
    for rng, state in closely(n, "virtual"):
        if not state.piles:
            continue
        other = twin(state, None, rng)
        assert Counter(cards(other)) == CARDS
        assert GAME.view(other, None) == GAME.view(state, None)
        assert GAME.ask(other) == GAME.ask(state)
        for seat, name in enumerate(NAMES[:n]):
            own = GAME.view(state, name)
            assert GAME.view(twin(state, seat, rng), name) == own
            assert {**own, "seen": None} == {**GAME.view(state, None), "seen": None}


@of_any_size
def test_a_players_secrets_are_the_own_placed_cards_and_nobody_elses(n: int) -> None:
    for _, state in closely(n, "virtual"):
        told = [(cue.to, cue.facts["space"], cue.facts["card"]) for cue in GAME.secrets(state)]
        assert told == [
            (NAMES[spot.by], str(i + 1), spot.card)
            for i, spot in enumerate(state.spots)
            if spot is not None and spot.by is not None and not spot.up
        ]


def strings(value: Any) -> Iterator[str]:
    """Every text in a value, keys too."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from strings(key)
            yield from strings(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from strings(inner)
    else:
        yield str(value)


def named(value: Any) -> Counter[str]:
    """The cards that are named in a value; what a cue or a field is called is no card."""
    return Counter(
        text.removeprefix("up:") for text in strings(value) if text.removeprefix("up:") in CARDS
    )


@of_any_size
def test_no_card_is_named_to_all_but_those_that_lie_face_up_or_come_up(n: int) -> None:
    for seed in range(PLAYOUTS):
        rng = random.Random(f"named {n} {seed}")
        for before, _, after, cues in game(setup(rng, n, "virtual", "down"), rng):
            view = GAME.view(after, None)
            up = [spot.card for spot in after.spots if spot is not None and spot.up]
            up += [pile[0] for pile, shown in zip(after.piles, after.shown, strict=True) if shown]
            assert named(view) == Counter(up)
            for cue in cues:
                if cue.to is None and not cue.reveals:
                    known = named(cue.facts)
                    assert not known or (cue.name == "discarded" and known <= Counter(after.gone))
            prompt = GAME.ask(after)
            assert prompt is None or not prompt.private
            assert not named(choices(prompt) if isinstance(prompt, Choose) else ())
            private = [cue for cue in cues if cue.to is not None]
            assert all(cue.name == "placed" for cue in private)
            assert all(cue.to == NAMES[before.turn] for cue in private)


@pytest.mark.parametrize("deck", ["virtual", "own"])
def test_only_the_boxs_own_cards_turn_a_secret_over(deck: str) -> None:
    found = set()
    for seed in range(PLAYOUTS):
        rng = random.Random(f"reveals {seed}")
        for _, _, _, cues in game(setup(rng, 3, deck, "down"), rng):
            found |= {cue.name for cue in cues if cue.reveals}
    secrets = {"turned", "guessed", "wounded", "not_arrest"}
    assert found == (secrets if deck == "virtual" else set())


@of_any_size
def test_what_all_hear_before_a_card_comes_up_does_not_depend_on_it(n: int) -> None:
    for seed in range(CLOSELY):
        rng = random.Random(f"heard {n} {seed}")
        for before, value, _, _ in game(setup(rng, n, "virtual", "down"), rng):
            if not before.piles:
                continue
            tales = []
            for state in (before, twin(before, None, rng)):
                _, cues = advance(GAME, state, value)
                public = [cue for cue in cues if cue.to is None]
                first = (i for i, cue in enumerate(public) if cue.reveals)
                tales.append(public[: next(first, len(public))])
            shortest = min(map(len, tales))
            assert tales[0][:shortest] == tales[1][:shortest]


# --- a closer look, at fewer games ----------------------------------------------------------------


@pytest.mark.parametrize("deck", ["virtual", "own"])
@of_any_size
def test_every_option_of_every_question_is_accepted_and_nothing_else(n: int, deck: str) -> None:
    for _, state in closely(n, deck):
        prompt = GAME.ask(state)
        if prompt is None:
            continue
        offered = () if by_box(prompt) else choices(prompt)
        assert by_box(prompt) or len(offered) > 1 or isinstance(prompt, Roll)
        assert len(set(offered)) == len(offered)
        for value in offered:
            after, cues = advance(GAME, state, value)
            assert after != state
            assert all(cue.clause for cue in cues)
        odd = [value for value in STRANGE if value not in offered]
        assert not any(accepts(prompt, value) for value in odd)


@pytest.mark.parametrize("deck", ["virtual", "own"])
@of_any_size
def test_the_board_people_see_is_the_board_that_is(n: int, deck: str) -> None:
    for _, state in closely(n, deck):
        view = GAME.view(state, None)
        spaces = view["spaces"]
        assert len(spaces) == len(state.table.board.ids)
        assert view["baretta"] in spaces
        for i, spot in enumerate(state.spots):
            shown = spaces[str(i + 1)]
            assert (shown["card"] is None) == (spot is None)
            marked = spot is not None and spot.marked
            assert shown["marker"] == (NAMES[spot.by] if marked and spot else None)  # type: ignore[index]
        markers = Counter(space["marker"] for space in spaces.values())
        assert view["markers"] == {name: MARKERS - markers[name] for name in NAMES[:n]}
        kinds = Counter(space["kind"] for space in spaces.values())
        assert (kinds["outside"], kinds["corner"], kinds["hideout"]) == (CARD_SPACES, 4, 1)
        assert all(spaces[space]["card"] is None for space in list(spaces)[CARD_SPACES:])


def frozen(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(frozen, value))
    return value is None or type(value) in (int, str, bool, float)


@pytest.mark.parametrize("deck", ["virtual", "own"])
@of_any_size
def test_every_state_is_made_of_frozen_tuples_and_can_be_hashed_and_put_in_json(
    n: int, deck: str
) -> None:
    for i, (_, state) in enumerate(closely(n, deck)):
        parts = {**vars(state), "table": None}
        assert all(map(frozen, parts.values()))
        json.dumps([parts, GAME.view(state, None), GAME.view(state, "Ann")])
        if i % 50 == 0:
            table = {**vars(state.table), **vars(state.table.board), "board": None}
            assert all(map(frozen, table.values()))
            assert hash(state) == hash(dataclasses.replace(state))
            json.dumps(dataclasses.asdict(state))


@pytest.mark.parametrize("deck", ["virtual", "own"])
@of_any_size
def test_a_session_can_be_undone_to_the_setup_and_redone_to_the_end(n: int, deck: str) -> None:
    rng = random.Random(f"undo {n} {deck}")
    options = {"deck": deck, "dice": "companion", "wounded": "down"}
    begun = Setup(GAME, NAMES[:n], options, PRINTED, Chance(f"{n} {deck}"), mixing=False)
    session = Session.begin(Journal(None), begun, 0)
    history = [session.snapshot.view]
    while (prompt := session.prompt) is not None:
        assert not isinstance(prompt, Shuffle)
        history.append(session.answer(pick(prompt, rng), 0).view)
        session.commit()
    for view in reversed(history[:-1]):
        asked = session.undo_needs_agreement
        session.undo(0)
        if asked:
            session.answer("yes", 0)
        assert session.snapshot.view == view
        session.commit()
    for view in history[1:]:
        assert session.redo(0).view == view
        session.commit()
    assert session.prompt is None


def test_undoing_past_a_secret_look_needs_the_tables_yes() -> None:
    options = {"deck": "virtual", "dice": "companion", "wounded": "down"}
    rng = random.Random("look")
    begun = Setup(GAME, NAMES[:2], options, PRINTED, Chance("look"), mixing=False)
    session = Session.begin(Journal(None), begun, 0)
    while not (placed := [cue for cue in session.snapshot.cues if cue.to is not None]):
        prompt = session.prompt
        assert prompt is not None
        session.answer(pick(prompt, rng), 0)
    unseen = session.undo_needs_agreement
    session.look(str(placed[0].to), 0)
    assert session.undo_needs_agreement
    came_up = any(cue.reveals for cue in session.snapshot.cues)
    assert unseen == came_up
