"""Random games to the end. PLAYOUTS=10000 plays that many a table instead of a few hundred."""

from __future__ import annotations

import dataclasses
import json
import os
import random
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.chance import Chance
from companion.core.fold import advance, fold, replace
from companion.core.prompts import SIDES, Roll, Shuffle, accepts, by_box, choices
from companion.games.barney_miller import GAME
from companion.games.barney_miller.board import COUNTS
from companion.play.session import Session, Setup
from companion.record.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.game import Cue, Cues
    from companion.core.prompts import Answer, Prompt
    from companion.games.barney_miller.state import State

PLAYOUTS = int(os.environ.get("PLAYOUTS", "300"))
CLOSELY = max(4, PLAYOUTS // 100)
NAMES = ("Ann", "Bob", "Cy", "Dee")
LONGEST = 5_000
STRANGE: tuple[Any, ...] = (
    None, True, "", -1, 11, 1.0, [], [7], [1.0], {}, "pass ", "gang:nobody", [7] * 56,
)  # fmt: skip

every_table = [
    pytest.mark.parametrize("deck", ["own", "virtual"]),
    pytest.mark.parametrize("n", [2, 3, 4]),
]


def at_every_table(test: Any) -> Any:
    for mark in every_table:
        test = mark(test)
    return test


def setup(rng: random.Random, n: int, deck: str, edition: dict[str, Any]) -> State:
    options = {
        "deck": deck,
        "die": rng.choice(["companion", "real"]),
        "track": rng.choice(["edition", "ask"]),
    }
    return GAME.setup(NAMES[:n], options, edition)


def some_answer(prompt: Prompt, rng: random.Random) -> Answer:
    if isinstance(prompt, Shuffle):
        return rng.sample(range(prompt.n), prompt.n)
    if isinstance(prompt, Roll) and not prompt.real:
        return [rng.randint(1, SIDES) for _ in range(prompt.dice)]
    return rng.choice(choices(prompt))


def game(start: State, rng: random.Random) -> Iterator[tuple[State, Answer, State, Cues]]:
    """One random game, move by move: before, the answer, after, and what happened."""
    state = start
    while (prompt := GAME.ask(state)) is not None:
        value = some_answer(prompt, rng)
        after, cues = advance(GAME, state, value)
        yield state, value, after, cues
        state = after


def hidden(state: State) -> list[Any]:
    """Every card that has not been played since all 56 were shuffled (BM-3, BM-11)."""
    return [card for pile in (*state.hands, *state.seconds, state.aside) for card in pile]


@at_every_table
def test_every_random_game_ends_with_one_winner_and_all_56_cards_accounted_for(
    n: int, deck: str, edition: dict[str, Any]
) -> None:
    for seed in range(PLAYOUTS):
        rng = random.Random(f"{n} {deck} {seed}")
        start = state = setup(rng, n, deck, edition)
        answers, ended, played = [], 0, 0
        for _, value, after, cues in game(start, rng):
            answers.append(value)
            ended += sum(cue.name == "game_won" for cue in cues)
            for cue in cues:
                if cue.name == "dealt" and cue.facts["how"] != "half":
                    played = 0  # all 56 were shuffled
                played += cue.name in ("card_played", "zero_played")
            left = len(hidden(after))
            assert left + played == 56, (seed, len(answers))
            assert sum(after.unseen) == left
            if deck == "virtual" and after.deals:
                assert Counter(hidden(after)) == +Counter(dict(enumerate(after.unseen)))
            assert all(
                0 <= unseen <= all_ for unseen, all_ in zip(after.unseen, COUNTS, strict=True)
            )
            assert after.total < 10 or after.step in ("zero", "commit_suspect", "free_suspect")
            assert len(answers) < LONGEST
            state = after
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert len(outcome.winners) == 1
        chips = outcome.scores
        assert chips[outcome.winners[0]] == 4
        assert all(chips[name] < 4 for name in NAMES[:n] if name not in outcome.winners)
        assert ended == 1
        assert fold(GAME, start, answers) == state


# --- a closer look, at fewer games ----------------------------------------------------------------


def twin(state: State, knows: int | None, rng: random.Random) -> State:
    """`state` with every card dealt anew that the seat `knows` (None: nobody) can not see."""
    piles = [*state.hands, *state.seconds, state.aside]
    free = [i for i in range(len(piles)) if i != knows]
    cards = [card for i in free for card in piles[i]]
    rng.shuffle(cards)
    for i in free:
        piles[i], cards = tuple(cards[: len(piles[i])]), cards[len(piles[i]) :]
    n = len(state.hands)
    return replace(state, hands=tuple(piles[:n]), seconds=tuple(piles[n : 2 * n]), aside=piles[-1])


def closely(n: int, deck: str, edition: dict[str, Any]) -> Iterator[tuple[random.Random, State]]:
    for seed in range(CLOSELY):
        rng = random.Random(f"closely {n} {deck} {seed}")
        start = setup(rng, n, deck, edition)
        yield rng, start
        for _, _, after, _ in game(start, rng):
            yield rng, after


@at_every_table
def test_every_option_of_every_question_is_accepted_and_nothing_else(
    n: int, deck: str, edition: dict[str, Any]
) -> None:
    for _, state in closely(n, deck, edition):
        prompt = GAME.ask(state)
        if prompt is None:
            continue
        assert by_box(prompt) or len(choices(prompt)) > 0
        assert len(set(choices(prompt))) == len(choices(prompt))
        for value in choices(prompt) if not by_box(prompt) else ():
            after, cues = advance(GAME, state, value)
            assert after != state or [c.name for c in cues] == ["unwanted"]
            assert all(c.clause for c in cues)
        assert not any(accepts(prompt, value) for value in STRANGE)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_no_public_view_and_no_others_view_depends_on_an_unseen_card(
    n: int, edition: dict[str, Any]
) -> None:
    for rng, state in closely(n, "virtual", edition):
        public = GAME.view(state, None)
        assert "cards" not in json.dumps(public)
        assert GAME.view(twin(state, None, rng), None) == public
        for seat, name in enumerate(NAMES[:n]):
            own = GAME.view(state, name)
            assert own == {**public, "cards": sorted(state.hands[seat])}  # type: ignore[type-var]
            assert GAME.view(twin(state, seat, rng), name) == own


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_question_about_hidden_cards_is_private_to_its_player(
    n: int, edition: dict[str, Any]
) -> None:
    for rng, state in closely(n, "virtual", edition):
        prompt = GAME.ask(state)
        if prompt is None or prompt.name not in ("play_card", "zero"):
            assert prompt is None or not prompt.private
            assert GAME.ask(twin(state, None, rng)) == prompt
            continue
        assert prompt.private
        assert prompt.who == NAMES[state.turn]
        assert GAME.ask(twin(state, state.turn, rng)) == prompt


def heard(cues: Cues) -> Iterator[Cue]:
    """What all hear, until a last card of which there was no choice is turned."""
    public = (cue for cue in cues if cue.to is None)
    return takewhile(lambda cue: not cue.facts.get("forced"), public)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_what_all_hear_of_a_card_does_not_depend_on_an_unseen_card(
    n: int, edition: dict[str, Any]
) -> None:
    for seed in range(CLOSELY):
        rng = random.Random(f"heard {n} {seed}")
        for before, value, _, cues in game(setup(rng, n, "virtual", edition), rng):
            if before.step != "play_card" or before.total + value == 10:
                continue  # at ten, whether a 0 is held is heard: that is the rule
            _, others = advance(GAME, twin(before, before.turn, rng), value)
            assert list(heard(cues)) == list(heard(others))
            assert all(c.to == c.facts["who"] for c in cues if c.name == "hand")
            assert all(c.name == "hand" for c in cues if c.to is not None)


def frozen(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(frozen, value))
    return value is None or type(value) in (int, str, bool)


@at_every_table
def test_every_state_is_made_of_frozen_tuples_and_can_be_hashed_and_put_in_json(
    n: int, deck: str, edition: dict[str, Any]
) -> None:
    for _, state in closely(n, deck, edition):
        parts = {**vars(state), **vars(state.table)}
        del parts["table"]
        assert all(map(frozen, parts.values()))
        assert hash(state) == hash(dataclasses.replace(state))
        json.dumps(dataclasses.asdict(state))
        json.dumps(GAME.view(state, None))


@at_every_table
def test_a_session_can_be_undone_to_the_setup_and_redone_to_the_end(
    n: int, deck: str, edition: dict[str, Any]
) -> None:
    rng = random.Random(f"undo {n} {deck}")
    options = {"deck": deck, "die": "companion", "track": "edition"}
    begun = Setup(GAME, NAMES[:n], options, edition, Chance(f"{n} {deck}"), mixing=False)
    session = Session.begin(Journal(None), begun, 0)
    history = [session.snapshot.view]
    while (prompt := session.prompt) is not None:
        history.append(session.answer(some_answer(prompt, rng), 0).view)
        session.commit()
    answers = session.snapshot.undoable
    assert answers == len(history) - 1
    for view in reversed(history[:-1]):
        assert session.undo(0).view == view
        session.commit()
    assert session.snapshot.undoable == 0
    for view in history[1:]:
        assert session.redo(0).view == view
        session.commit()
    assert session.snapshot.undoable == answers
    assert session.prompt is None
