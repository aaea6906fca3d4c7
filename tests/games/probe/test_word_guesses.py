"""Tests of the computer player's guesses of a whole word (PR-15): only if the risk is worth it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

import pytest

from companion.catalog import editions
from companion.core.fold import apply_answer, state_after_answers
from companion.core.game import Cue, SeatMemory
from companion.core.prompts import Form
from companion.games.probe import GAME
from companion.games.probe.known import lexicon
from companion.games.probe.known.lexicon import WordsOfOneLength
from companion.games.probe.known.word_guesses import guess_whole_word
from companion.games.probe.rules.state import State
from companion.seat.player import LEVELS, ComputerSeat

EDITION: Final = editions.load_edition("probe")
OPTIONS: Final = {option.name: option.values[0] for option in GAME.options} | {"words": "secret"}
NORMAL: Final = [*range(36)]
KNOWN: Final = (
    *("LETTER", "BETTER", "FETTER", "HOUSES", "PUZZLES", "WORDY"),
    *("WAXWING", "WAXWINGS", "SEASIDE", "SEASIDES"),
)


@pytest.fixture(autouse=True)
def _list(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    blocks = tuple(
        WordsOfOneLength("".join(one for one in KNOWN if len(one) == n).encode(), n)
        for n in lexicon.WORD_LENGTHS
    )
    monkeypatch.setattr(lexicon, "installed_word_lists", lambda: ("short",))
    monkeypatch.setattr(lexicon, "load_words_by_length", lambda _name: blocks)
    lexicon.installed_words_fitting_rack.cache_clear()
    yield
    lexicon.installed_words_fitting_rack.cache_clear()


def begun(words: tuple[str, str, str], *letters: str) -> State:
    """Return a game with these secret words, after Ann asked Bob for these letters."""
    state = GAME.setup(("Ann", "Bob", "Cy"), OPTIONS, EDITION)
    asks = [one for letter in letters for one in ("Bob", letter)]
    for value in (*words, NORMAL, *asks):
        state = state_after_answers(GAME, state, [value])
        question = GAME.ask(state)
        while question is not None and question.name == "uncover":
            assert not isinstance(question, Form)
            state = state_after_answers(GAME, state, [question.options[0]])  # type: ignore[union-attr]
            question = GAME.ask(state)
    return state


def called(
    state: State, *refused: str, player: str = "Ann", **more: Any
) -> Mapping[str, Any] | None:
    """Return the guess of a player who remembers that Bob said no to these letters."""
    facts = tuple(Cue("said_no", {"who": "Cy", "whom": "Bob", "asked": one}) for one in refused)
    told = SeatMemory(("Ann", "Bob", "Cy"), OPTIONS, EDITION, facts, **more)
    found: Mapping[str, Any] | None = guess_whole_word(
        GAME.view(state, None), told, player, Random(1)
    )
    return found


def test_pr_15_the_only_word_that_fits_is_called_and_wins_its_values() -> None:
    state = begun(("LETTER", "PUZZLES", "HOUSES"), "P")
    guess = called(state, ".")
    assert guess == {"who": "Ann", "whom": "Bob", "rack": "Bob", "guess": "PUZZLES"}
    after, _ = apply_answer(GAME, state, dict(guess), "interrupt")
    assert after.scores[0] - state.scores[0] > 100


def test_while_several_words_fit_none_is_called() -> None:
    assert called(begun(("HOUSES", "LETTER", "HOUSES"), "E"), ".") is None


def test_pr_15_nobody_calls_a_word_with_four_covered_places_or_the_own_one() -> None:
    state = begun(("LETTER", "WORDY", "BETTER"), "W")
    assert called(state, ".") is None
    assert called(begun(("LETTER", "PUZZLES", "BETTER"), "P"), ".", player="Bob") is None


def test_a_word_that_was_called_in_vain_is_not_called_again() -> None:
    state = begun(("LETTER", "PUZZLES", "HOUSES"), "P")
    first = called(state, ".")
    assert called(state, ".", called=(first,)) is None


def test_who_forgets_calls_later() -> None:
    """Both words fit. With a full memory, five covered places are few enough for a guess."""
    state = begun(("LETTER", "HOUSES", "PUZZLES"), "H")
    likely = dict(zip(("HOUSES", "HAMMER"), (0.6, 0.4), strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "companion.games.probe.known.word_guesses.list_weighted_fitting_words",
            lambda *_: likely,
        )
        assert called(state) is not None
        assert called(state, span=3) is None
        assert called(state, span=0) is None


def test_a_refused_call_is_not_taken_for_a_refused_answer() -> None:
    state = begun(("LETTER", "PUZZLES", "HOUSES"), "P")
    seat = ComputerSeat(GAME, "Ann", LEVELS["strong"], edition=EDITION)
    hello = {"type": "hello", "players": ["Ann", "Bob", "Cy"], "options": OPTIONS}
    refusal = {
        "type": "tell", "event": "said_no", "who": "Cy", "whom": "Bob", "asked": ".", "text": "",
    }  # fmt: skip
    said = [
        seat.process_and_answer_line(line)
        for line in (hello, refusal, {"type": "state"} | GAME.view(state, None))
    ]
    assert said[2] is not None
    assert said[2]["interrupt"]["guess"] == "PUZZLES"
    ask = {
        "type": "ask", "id": 7, "who": "Ann", "question": "ask_whom",
        "choices": [{"value": "Bob"}, {"value": "Cy"}],
    }  # fmt: skip
    assert seat.process_and_answer_line(ask) is not None
    assert seat.process_and_answer_line({"type": "error", "message": ""}) is None
