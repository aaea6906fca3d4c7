"""Tests of random games with a voice that takes three seconds for a sentence: none is late.

Rules, words, policy, player and queue are real. The clock is simulated. A table thinks for 0.2 to
20 seconds, so that many sentences are stopped, dropped or not ready. `COMPANION_GAMES=1000` plays
the promised number of games.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Final

import pytest

from companion.catalog.registry import BUILT_IN_GAMES, find_game
from companion.core.fold import apply_answer_to_prompt
from companion.core.prompts import is_answered_by_box
from companion.hear import policy
from companion.hear.voice import Voice
from companion.menus.settings import DEFAULTS
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.record.journal import Journal
from companion.say.words import Words
from companion.table.sentence_prefetch import sentences_to_prefetch
from hardware.ports import MAX_QUEUED_IMPORTANT_ITEMS
from hardware.sound.synthesis_queue import SLOW_VOICE_WAIT_SECONDS
from tests.hardware.slow import SlowTable
from tests.hear.paced import GAMES
from tests.helpers import PLAYER_NAMES, printed_edition, setup_for, words_for

EVENING: Final = 20
"""Maximum number of games in an evening. Each game uses the sentences of the earlier games."""
THINKS: Final = (0.2, 0.7, 2.0, 6.0, 20.0)
"""Seconds that a table may take for an answer."""


class Evening:
    """Games at one table, one after another, with their speaker."""

    def __init__(self, game: str, seed: int) -> None:
        self.game, self.random = find_game(game), Random(seed)
        self.words = words_for(game, "en")
        self.speaker = SlowTable()
        self.voice = Voice([self.speaker], lambda: DEFAULTS, lambda: 12, self.fail)

    def fail(self, error: OSError) -> None:
        raise error

    def of(self, _: str | None) -> Words:
        return self.words

    def play(self) -> None:
        """Play a random game and announce it as the box does."""
        game, random, players = (
            self.game,
            self.random,
            PLAYER_NAMES[: max(self.game.seats.start, 2)],
        )
        options = {option.name: random.choice(option.values) for option in game.options}
        state = game.setup(players, options, printed_edition(game.name))
        cues: list[Any] = []
        while (prompt := game.ask(state)) is not None:
            state, told = apply_answer_to_prompt(game, state, prompt, random_answer(prompt, random))
            cues += told
            after = game.ask(state)
            if not is_answered_by_box(prompt) and not is_answered_by_box(after):
                self.tell(cues, after, game.view(state, None))
                cues = []
        self.speaker.wait(60)

    def tell(self, cues: list[Any], prompt: Any, view: Any) -> None:
        """Announce the facts of an answer and the next question, then let the table think."""
        self.voice.announce_facts(cues, self.of, receipt="accepted")
        if prompt is not None:
            self.voice.speak_question(prompt, view, self.words)
        self.speaker.wait(self.random.choice(THINKS))

    def check(self) -> None:
        speaker = self.speaker
        late = [began for began in speaker.began if began.late > SLOW_VOICE_WAIT_SECONDS + 1e-3]
        assert late == []
        assert Counter(began.text for began in speaker.began) <= Counter(speaker.orders)
        assert speaker.most <= MAX_QUEUED_IMPORTANT_ITEMS
        assert {began.voice for began in speaker.began} == {"quick", "slow"}
        assert speaker.room.reports == []


@pytest.mark.long
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_with_a_slow_voice_nothing_is_late_or_heard_twice(game: str) -> None:
    games = GAMES // len(BUILT_IN_GAMES)
    for begin in range(0, games, EVENING):
        table = Evening(game, begin)
        for _ in range(min(EVENING, games - begin)):
            table.play()
        table.check()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_what_is_foreseen_is_what_is_said_and_changes_nothing(game: str) -> None:
    """Nearly all spoken sentences were predicted, and the prediction does not change the record."""
    random, words = Random(1), words_for(game, "en")
    table = SlowTable()
    voice = Voice([table], lambda: DEFAULTS, lambda: 12, lambda _: None)
    options = {option.name: option.values[0] for option in find_game(game).options}
    session = Session.begin(
        Journal(None),
        setup_for(options, game=game, players=PLAYER_NAMES[: find_game(game).seats.start]),
        0,
    )
    found = wanted = 0
    for _ in range(60):
        prompt = session.standing.pending_prompt
        if prompt is None:
            break
        before = session.standing.snapshot, session.standing.history, list(session._batch)
        seen = {
            text
            for text, *_ in sentences_to_prefetch(
                session, lambda _: words, voice.current_audio_settings
            )
        }
        assert (session.standing.snapshot, session.standing.history, session._batch) == before
        if not seen:
            session.answer(random_answer(prompt, random), 0)
            continue
        answer = random_answer(prompt, random)
        after = session.standing.snapshot_after_answer(answer)
        session.answer(answer, 0)
        assert after is not None
        said = {
            one.text
            for one in policy.select_facts_to_announce(
                after.cues, lambda _: words, voice.current_audio_settings
            )
        } - {""}
        wanted += len(said)
        found += len(said & seen)
    assert found >= wanted * 0.8
    assert session.standing.snapshot_after_answer("no answer at all") is None
