"""Random games to the end. PLAYOUTS=10000 plays that many a table instead of a few dozen."""

from __future__ import annotations

import dataclasses
import json
import os
import random
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from companion.core.chance import Chance
from companion.core.fold import advance, fold, replace
from companion.core.prompts import SIDES, Choose, Roll, Shuffle, accepts, by_box, choices
from companion.games import editions
from companion.games.kojak import GAME
from companion.games.kojak.board import COLOURS, HUNTING, deck
from companion.play.session import Session, Setup
from companion.play.simulate import pick
from companion.record.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.game import Cue, Cues
    from companion.core.prompts import Answer, Prompt
    from companion.games.kojak.state import State

PLAYOUTS = int(os.environ.get("PLAYOUTS", "15"))
CLOSELY = max(3, PLAYOUTS // 100)
NAMES = ("Ann", "Bob", "Cy", "Dee")
LONGEST = 20_000
PRINTED = editions.load("kojak")
STRANGE: tuple[Any, ...] = (
    None, True, "", -1, 7, 1.0, [], [7], [1.0], {}, "trap ", "advance:red", "Zed", [7] * 16,
)  # fmt: skip
REACHABLE = {
    "to_mission": {"nothing", "mission"},
    "to_place": {"nothing", "trap", "parked"},
    "to_station": {"nothing", "trap", "station"},
    "hunting": {"nothing", "trap", "entrance"},
}

every_table = [
    pytest.mark.parametrize("short", ["no", "yes"]),
    pytest.mark.parametrize("deck", ["own", "virtual"]),
    pytest.mark.parametrize("n", [2, 3, 4]),
]


def at_every_table(test: Any) -> Any:
    for mark in every_table:
        test = mark(test)
    return test


class Move(NamedTuple):
    """One answer of a random game: before it, the answer, after it, and what happened."""

    before: State
    value: Answer
    after: State
    cues: Cues


def game(start: State, rng: random.Random) -> Iterator[Move]:
    state = start
    while (prompt := GAME.ask(state)) is not None:
        value = some_answer(prompt, rng)
        after, cues = advance(GAME, state, value)
        yield Move(state, value, after, cues)
        state = after


def some_answer(prompt: Prompt, rng: random.Random) -> Answer:
    """As likely as it is, so that own cards come as from real decks; now and then any other."""
    if isinstance(prompt, Shuffle):
        return rng.sample(range(prompt.n), prompt.n)
    if isinstance(prompt, Roll) and not prompt.real:
        return [rng.randint(1, SIDES)]
    if prompt.name != "card" and rng.random() < 0.1:
        return rng.choice(choices(prompt))
    return pick(prompt, rng)


def begin(n: int, deck: str, short: str, seed: int) -> State:
    die = ("companion", "real", "none")[seed % 3]
    return GAME.setup(NAMES[:n], {"deck": deck, "die": die, "short": short}, PRINTED)


# --- What holds in every game ---------------------------------------------------------------------


def under(cards: tuple[Any, ...], n: int) -> tuple[Any, ...]:
    return cards[n:] + cards[:n]


def the_cards_are_all_there_and_in_order(move: Move) -> None:
    """KO-8, KO-13, KO-16: cards go under the pile, are kept, and come back; nothing else."""
    before, after, cues = move.before, move.after, move.cues
    missions = [cue.facts for cue in cues if cue.name == "mission"]
    traps = sum(cue.name == "trap" for cue in cues)
    arrests = [cue.facts for cue in cues if cue.name == "arrest"]
    assert len(after.traps) == 20
    assert len(after.missions) + sum(map(bool, after.held)) == 16
    if before.step.startswith("shuffle"):
        return
    if before.table.own and before.step == "card":
        assert after.traps[:-1] == before.traps[1:] or not traps
        assert after.missions[: 16 - 4] == before.missions[1:][: 16 - 4] or not missions
        return
    assert after.traps == under(before.traps, traps)
    refused = [facts["colour"] for facts in missions if not facts["kept"]]
    assert before.missions[: len(refused)] == tuple(refused)
    pile = under(before.missions, len(refused))
    if len(missions) > len(refused):
        assert pile[0] == missions[-1]["colour"]
        pile = pile[1:]
    for facts in arrests:
        pile += (facts["colour"],) * (1 + len(facts["lost"]))
    assert after.missions == pile


def a_closed_file_never_comes_back(move: Move) -> None:
    for i, colour in enumerate(COLOURS):
        closed = move.before.closed[i]
        if closed is not None:
            assert move.after.closed[i] == closed
            assert move.after.circle[i] is None
            assert colour not in move.after.held
        assert (move.after.circle[i] is None) == (move.after.closed[i] is not None)


def nobody_arrests_without_a_warrant_and_red(move: Move) -> None:
    """KO-15, read off the public view before."""
    for cue in move.cues:
        if cue.name == "arrest":
            view = GAME.view(move.before, None)
            who, colour = cue.facts["who"], cue.facts["colour"]
            assert (move.value, view["to_act"]) == ("entrance", who)
            assert view["warrant"][who]
            assert view["stage"][who] == HUNTING
            assert view["mission"][who] == colour
            assert view["circle"][colour] in view["red"][colour]
            assert who in view["may_arrest"]


def a_mission_is_kept_only_as_ko8_says(move: Move) -> None:
    missions = [cue for cue in move.cues if cue.name == "mission"]
    view = GAME.view(move.before, None) if missions else {}
    for cue in missions:
        colour, who = cue.facts["colour"], cue.facts["who"]
        others = [p for p, c in view["mission"].items() if c == colour and p != who]
        posted = any(view["warrant"][p] for p in others)
        is_open = view["files"][colour] == "open"
        if cue.facts["why"] == "deadlock":
            assert is_open
            held = set(view["mission"].values())
            assert {c for c in COLOURS if view["files"][c] == "open"} <= held
            assert not any(view["warrant"].values())
        else:
            assert cue.facts["kept"] == (is_open and (not others or posted))


@at_every_table
def test_every_random_game_ends_and_keeps_all_its_cards(n: int, deck: str, short: str) -> None:
    for seed in range(PLAYOUTS):
        rng = random.Random(f"{n} {deck} {short} {seed}")
        start = state = begin(n, deck, short, seed)
        answers, told = [], Counter[str]()
        for move in game(start, rng):
            answers.append(move.value)
            told.update(cue.name for cue in move.cues)
            the_cards_are_all_there_and_in_order(move)
            a_closed_file_never_comes_back(move)
            nobody_arrests_without_a_warrant_and_red(move)
            a_mission_is_kept_only_as_ko8_says(move)
            assert len(answers) < LONGEST
            state = move.after
        it_has_ended_as_ko18_says(state, told, short)
        assert fold(GAME, start, answers) == state


def it_has_ended_as_ko18_says(state: State, told: Counter[str], short: str) -> None:
    outcome = GAME.outcome(state)
    assert outcome is not None
    (winner,) = outcome.winners
    assert outcome.scores[winner] == max(outcome.scores.values())
    assert sum(outcome.scores.values()) == told["arrest"] == (1 if short == "yes" else 4)
    assert told["game_won"] == 1
    tied = [who for who, n in outcome.scores.items() if n == outcome.scores[winner]]
    assert told["tied"] == (len(tied) > 1)
    assert set(GAME.view(state, None)["race"]) == (set(tied) if told["tied"] else set())


# --- A closer look, at fewer games ----------------------------------------------------------------


def closely(n: int, deck: str, short: str) -> Iterator[Move]:
    for seed in range(CLOSELY):
        rng = random.Random(f"closely {n} {deck} {short} {seed}")
        yield from game(begin(n, deck, short, seed), rng)


@at_every_table
def test_every_option_of_every_question_is_accepted_and_nothing_else(
    n: int, deck: str, short: str
) -> None:
    for state, _, _, _ in closely(n, deck, short):
        prompt = GAME.ask(state)
        assert prompt is not None
        assert not prompt.private
        assert len(set(choices(prompt))) == len(choices(prompt)) != 1
        for value in choices(prompt) if not by_box(prompt) else ():
            after, cues = advance(GAME, state, value)
            assert after != state
            assert all(cue.clause and cue.to is None for cue in cues)
        assert not any(accepts(prompt, value) for value in STRANGE)
        if prompt.name == "happened":
            stage = GAME.view(state, None)["stage"][prompt.who]
            assert set(choices(prompt)) == REACHABLE[stage]


def twin(state: State, rng: random.Random) -> State:
    """`state` with the cards in both piles shuffled anew."""
    return replace(
        state,
        missions=tuple(rng.sample(state.missions, len(state.missions))),
        traps=tuple(rng.sample(state.traps, len(state.traps))),
    )


@pytest.mark.parametrize("n", [2, 3, 4])
def test_no_view_and_no_question_depends_on_a_card_in_a_pile(n: int) -> None:
    rng = random.Random(n)
    for before, value, after, cues in closely(n, "virtual", "no"):
        other = twin(after, rng)
        for player in (None, *NAMES[:n]):
            assert GAME.view(other, player) == GAME.view(after, player)
        assert GAME.ask(other) == GAME.ask(after)
        if not before.step.startswith("shuffle") and not drawn(cues):
            assert advance(GAME, twin(before, rng), value)[1] == cues


def drawn(cues: Cues) -> list[Cue]:
    return [cue for cue in cues if cue.name == "drawn"]


@at_every_table
def test_a_drawn_card_is_told_once_and_only_if_the_box_drew_it(
    n: int, deck: str, short: str
) -> None:
    for move in closely(n, deck, short):
        shown = [cue for cue in move.cues if cue.name in ("mission", "trap")]
        cards = [cue.facts["colour" if cue.name == "mission" else "card"] for cue in shown]
        assert [cue.facts["card"] for cue in drawn(move.cues)] == (cards * (deck == "virtual"))
        assert len(shown) == 1 or not any(cue.name == "trap" for cue in shown)
        asked_for = {"mission", "trap"} if deck == "virtual" else {*dict(deck_of(move.before))}
        assert not shown or move.value in asked_for


def deck_of(state: State) -> tuple[tuple[str, int], ...]:
    return (*state.table.missions, *state.table.traps)


@at_every_table
def test_the_criminals_walk_as_the_cues_say_and_red_is_always_told(
    n: int, deck: str, short: str
) -> None:
    for before, _, after, cues in closely(n, deck, short):
        for i, colour in enumerate(COLOURS):
            old, new, reds = before.circle[i], after.circle[i], before.table.reds[i]
            walked = [c for c in cues if c.name == "advanced" and c.facts["colour"] == colour]
            for cue in walked:
                assert (cue.facts["from"], cue.facts["to"]) == (old, new)
            assert old == new or walked or new is None
            told = [c.name for c in cues if c.name.endswith("_red") and c.facts["colour"] == colour]
            if new is not None and (old in reds) != (new in reds):
                assert told == ["on_red" if new in reds else "off_red"]


@at_every_table
def test_own_cards_are_known_as_well_as_they_were_told(n: int, deck: str, short: str) -> None:
    for move in closely(n, deck, short):
        prompt = GAME.ask(move.before)
        if not isinstance(prompt, Choose) or prompt.name != "card":
            continue
        assert sum(prompt.weights) > 0
        known = Counter(filter(None, (*move.before.missions, *move.before.held)))
        assert known <= Counter(dict(move.before.table.missions))
        assert Counter(filter(None, move.before.traps)) <= Counter(cards_of(move.before))


def cards_of(state: State) -> dict[str, int]:
    return Counter(card for card in deck(state.table.traps) if card is not None)


def frozen(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(frozen, value))
    return value is None or type(value) in (int, str, bool)


@at_every_table
def test_every_state_is_made_of_frozen_tuples_and_can_be_hashed_and_put_in_json(
    n: int, deck: str, short: str
) -> None:
    for _, _, state, _ in closely(n, deck, short):
        parts = {**vars(state), **vars(state.table)}
        del parts["table"]
        assert all(map(frozen, parts.values()))
        assert hash(state) == hash(dataclasses.replace(state))
        json.dumps(dataclasses.asdict(state))


@pytest.mark.parametrize("deck", ["own", "virtual"])
def test_a_session_can_be_undone_to_the_setup_and_redone_to_the_end(deck: str) -> None:
    rng = random.Random(deck)
    options = {"deck": deck, "die": "companion", "short": "yes"}
    begun = Setup(GAME, NAMES[:3], options, PRINTED, Chance(deck), mixing=False)
    session = Session.begin(Journal(None), begun, 0)
    history = [session.snapshot.view]
    while (prompt := session.prompt) is not None:
        history.append(session.answer(some_answer(prompt, rng), 0).view)
        session.commit()
    assert session.snapshot.undoable == len(history) - 1
    for view in reversed(history[:-1]):
        snapshot = session.undo(0)
        if session.prompt is not None and session.prompt.name == "agree_undo":
            snapshot = session.answer("yes", 0)
        assert snapshot.view == view
        session.commit()
    for view in history[1:]:
        assert session.redo(0).view == view
        session.commit()
    assert session.prompt is None
