"""Random games to the end. PLAYOUTS=10000 plays that many a table instead of a few dozen."""

from __future__ import annotations

import dataclasses
import json
import os
import random
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from companion.core.chance import Chance
from companion.core.errors import Refused
from companion.core.fold import advance, replace
from companion.core.prompts import Form, accepts, by_box, choices, only
from companion.games import editions
from companion.games.probe import GAME
from companion.games.probe.board import LETTERS, MOST_DOTS, PLACES, Rack
from companion.play import simulate
from companion.play.session import AGREE, Session, Setup
from companion.record.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.game import Cues
    from companion.core.prompts import Answer, Question
    from companion.games.probe.state import State

PLAYOUTS = int(os.environ.get("PLAYOUTS", "25"))
CLOSELY = max(3, PLAYOUTS // 100)
NAMES = ("Ann", "Bob", "Cy", "Dee")
EDITION = editions.load("probe")
LONGEST = 20_000
STRANGE: tuple[Any, ...] = (
    None, True, "", -1, 99, 1.0, [], [7], {}, "yes ", "Bob:middle:3", "Ann:left:0", [7] * 36,
)  # fmt: skip


def at_every_table(test: Any) -> Any:
    for mark in (
        pytest.mark.parametrize("remember", ["no", "yes"]),
        pytest.mark.parametrize("deck", ["virtual", "own"]),
        pytest.mark.parametrize("words", ["racks", "secret"]),
        pytest.mark.parametrize("n", [2, 3, 4]),
    ):
        test = mark(test)
    return test


with_secret_words = pytest.mark.parametrize("n", [2, 3, 4])


def setup(n: int, words: str, deck: str = "virtual", remember: str = "no") -> State:
    return GAME.setup(NAMES[:n], {"words": words, "deck": deck, "remember": remember}, EDITION)


class Move(NamedTuple):
    """What was asked, what was said, and what came of it."""

    before: State
    question: str | None
    value: Answer
    after: State
    cues: Cues


def some_word(rng: random.Random) -> str:
    letters = "".join(rng.choices("AEIOSTRN" + LETTERS, k=rng.randint(4, PLACES)))
    dots = rng.randint(0, min(MOST_DOTS, PLACES - len(letters)))
    before = rng.randint(0, dots)
    return "." * before + letters + "." * (dots - before)


def some_answer(state: State, prompt: Question, rng: random.Random) -> Answer:
    """A random answer; a guess is right as often as not, and a word is any word."""
    if isinstance(prompt, Form):
        given: dict[str, Answer] = {}
        while (part := prompt.ask(given)) is not None:
            given[part.name] = some_answer(state, part, rng)
            if part.name == "guess" and rng.random() < 0.5:
                given["guess"] = state.racks[state.table.racks.index(given["rack"])].word
            if part.name == "points":
                given["points"] = rng.choice([-10, 5, 7])
        return given
    if prompt.name in ("word", "guess"):
        return some_word(rng)
    return simulate.pick(prompt, rng)


def game(start: State, rng: random.Random, out_of_turn: float = 0.02) -> Iterator[Move]:
    """One random game, move by move, with people speaking out of turn now and then."""
    state = start
    while (prompt := GAME.ask(state)) is not None:
        others = [p for p in GAME.anytime(state) if p.name != "stop" or rng.random() < 0.05]
        if others and not by_box(prompt) and rng.random() < out_of_turn:
            other = rng.choice(others)
            value = some_answer(state, other, rng)
            try:
                after, cues = advance(GAME, state, value, other.name)
            except Refused as refused:
                assert refused.code == "too_few_covered"  # noqa: PT017 - the only reason
                continue
            yield Move(state, other.name, value, after, cues)
        else:
            value = some_answer(state, prompt, rng)
            after, cues = advance(GAME, state, value)
            yield Move(state, None, value, after, cues)
        state = after


@at_every_table
def test_every_random_game_ends_and_every_players_items_sum_up_to_the_total(
    n: int, words: str, deck: str, remember: str
) -> None:
    for seed in range(PLAYOUTS):
        rng = random.Random(f"{n} {words} {deck} {remember} {seed}")
        state = setup(n, words, deck, remember)
        told = [0] * n
        for moves, move in enumerate(game(state, rng)):
            assert moves < LONGEST
            for cue in move.cues:
                if cue.name == "scored":
                    seat = NAMES.index(cue.facts["who"])
                    told[seat] += cue.facts["points"]
                    assert cue.facts["total"] == told[seat]
            state = move.after
            assert list(state.scores) == told
            opened = sum(len(r.covered) for r in move.before.racks if r.word)
            shut = sum(len(r.covered) for r in state.racks if r.word)
            assert shut <= opened or move.before.step in ("word", "length")
            assert state.last is None or 0 <= state.last <= 2 * (n - 1)
        booked = [0] * n
        for seat, points, _, _ in state.items:
            booked[seat] += points
        assert tuple(booked) == state.scores
        view = GAME.view(state, None)
        assert {who: sum(view["items"][who].values()) for who in NAMES[:n]} == view["scores"]
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert dict(outcome.scores) == view["scores"]
        assert not any(r.covered for r in state.racks)


# --- a closer look, at fewer games ----------------------------------------------------------------


def closely(n: int, words: str, deck: str = "virtual", remember: str = "no") -> Iterator[Move]:
    for seed in range(CLOSELY):
        rng = random.Random(f"closely {n} {words} {deck} {remember} {seed}")
        yield from game(setup(n, words, deck, remember), rng)


@at_every_table
def test_every_option_of_every_question_is_accepted_and_nothing_else(
    n: int, words: str, deck: str, remember: str
) -> None:
    for move in closely(n, words, deck, remember):
        prompt = GAME.ask(move.after)
        if prompt is None or by_box(prompt):
            continue
        assert len(choices(prompt)) > 1
        assert len(set(choices(prompt))) == len(choices(prompt))
        for value in choices(prompt):
            after, cues = advance(GAME, move.after, value)
            assert after != move.after
            assert all(cue.clause for cue in cues)
        assert not any(accepts(prompt, value) for value in STRANGE)


def test_a_question_out_of_turn_has_something_to_choose() -> None:
    for move in closely(4, "racks"):
        for prompt in GAME.anytime(move.after):
            if isinstance(prompt, Form):
                first = prompt.ask({})
                assert first is not None
                assert only(first) is None


def mixed(state: State, rng: random.Random) -> State:
    """`state` with other letters under every flap, and the letters shown as they are."""
    racks = []
    for word, hidden in state.racks:
        letters = list(word)
        for place in hidden:
            letters[place - 1] = rng.choice(LETTERS + ".")
        racks.append(Rack("".join(letters), hidden))
    return replace(state, racks=tuple(racks))


@with_secret_words
@pytest.mark.parametrize("remember", ["no", "yes"])
def test_nothing_public_depends_on_a_covered_letter(n: int, remember: str) -> None:
    rng = random.Random("mixed")
    for move in closely(n, "secret", remember=remember):
        state = move.after
        other = mixed(state, rng)
        assert GAME.view(other, None) == GAME.view(state, None)
        prompt = GAME.ask(state)
        if prompt is not None and not prompt.private:
            assert GAME.ask(other) == prompt
        assert [p for p in GAME.anytime(other) if not isinstance(p, Form)] == [
            p for p in GAME.anytime(state) if not isinstance(p, Form)
        ]


@with_secret_words
def test_no_public_fact_names_a_letter_that_is_still_covered(n: int) -> None:
    for move in closely(n, "secret"):
        for cue in move.cues:
            if cue.name == "uncovered":
                rack = move.after.racks[move.after.table.racks.index(cue.facts["rack"])]
                assert cue.facts["place"] not in rack.covered
                assert cue.facts["letter"] == rack.word[cue.facts["place"] - 1]
            word = cue.facts.get("word")
            if cue.to is None and word is not None:
                rack = move.after.racks[move.after.table.racks.index(cue.facts["rack"])]
                assert rack == Rack(word)
        public = json.dumps([cue._asdict() for cue in move.cues if cue.to is None])
        for word, hidden in move.after.racks:
            if len(hidden) == len(word) > 4 and move.question != "interrupt":
                assert word not in public


@with_secret_words
def test_the_boxs_answer_to_a_letter_depends_on_that_letter_only(n: int) -> None:
    """What all hear of a question is the same for words that differ elsewhere."""
    rng = random.Random("elsewhere")
    for move in closely(n, "secret"):
        if move.before.step != "ask_for" or move.question is not None:
            continue
        asked = move.value
        racks = []
        for word, hidden in move.before.racks:
            letters = list(word)
            for place in hidden:
                if letters[place - 1] != asked:
                    letters[place - 1] = rng.choice([x for x in LETTERS if x != asked])
            racks.append(Rack("".join(letters), hidden))
        _, cues = advance(GAME, replace(move.before, racks=tuple(racks)), asked)
        assert list(heard(cues)) == list(heard(move.cues))


def heard(cues: Cues) -> Iterator[tuple[str, Any]]:
    """What all hear, until the next card is turned or the last words are shown."""
    for cue in takewhile(lambda cue: cue.name not in ("drawn", "survived"), cues):
        yield cue.name, {**cue.facts, "word": None}


def frozen(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(frozen, value))
    return value is None or type(value) in (int, str, bool)


@at_every_table
def test_every_state_is_made_of_frozen_tuples_and_can_be_hashed_and_put_in_json(
    n: int, words: str, deck: str, remember: str
) -> None:
    for move in closely(n, words, deck, remember):
        parts = {**vars(move.after), **vars(move.after.table)}
        del parts["table"]
        assert all(map(frozen, parts.values()))
        assert hash(move.after) == hash(dataclasses.replace(move.after))
        json.dumps(GAME.view(move.after, None))
        json.dumps([cue._asdict() for cue in move.cues])


@pytest.mark.parametrize("words", ["racks", "secret"])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_session_can_be_undone_to_the_setup_and_redone_to_the_end(n: int, words: str) -> None:
    rng = random.Random(f"undo {n} {words}")
    options = {"words": words, "deck": "virtual", "remember": "no"}
    begun = Setup(GAME, NAMES[:n], options, EDITION, Chance(f"{n} {words}"), mixing=False)
    session = Session.begin(Journal(None), begun, 0)
    history = [session.snapshot.view]
    for _ in range(LONGEST):
        if (prompt := session.prompt) is None:
            break
        state = session._line.last.state
        name = "interrupt" if rng.random() < 0.02 else None
        asked = next((p for p in GAME.anytime(state) if p.name == name), prompt)
        value = some_answer(state, asked, rng)
        try:
            view = session.answer(value, 0, name if asked is not prompt else None).view
        except Refused:
            continue
        history.append(view)
        session.commit()
    answers = session.snapshot.undoable
    assert answers == len(history) - 1
    agreed = 0
    for view in reversed(history[:-1]):
        session.undo(0)
        if session.prompt == AGREE:
            agreed += 1
            session.answer("yes", 0)
        assert session.snapshot.view == view
        session.commit()
    assert bool(agreed) == (words == "secret")
    for view in history[1:]:
        assert session.redo(0).view == view
        session.commit()
    assert session.prompt is None


def test_an_answer_takes_few_presses_on_real_racks() -> None:
    for n in (2, 3, 4):
        options = {"words": "racks", "deck": "virtual", "remember": "no"}
        found = simulate.many(GAME, NAMES[:n], options, EDITION, games=max(100, PLAYOUTS), seed=1)
        assert found.presses / found.asked <= 2.5
