"""A loudspeaker with realistic times, and a table that answers faster than the box speaks.

Rules, words, policy and player are real. The clock is simulated. A letter takes 65 ms, and a sound
takes the length of its file. A player answers 1.5 s after each question.
"""

from __future__ import annotations

import os
import wave
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

import sounds
from companion.catalog import registry
from companion.catalog.registry import find_game
from companion.core.fold import apply_answer_to_prompt
from companion.core.prompts import is_answered_by_box
from companion.draw.face import load_face
from companion.hear import policy
from companion.hear.voice import Voice
from companion.menus.settings import DEFAULTS
from companion.play.answer_history import AnswerHistory, AnswerStep
from companion.play.simulate import random_answer
from companion.record.entry import Entry
from companion.say.words import Words
from companion.table.already_spoken import AlreadySpokenKinds
from companion.table.overlays import stage_facts_as_overlays
from hardware.ports import COMMON_RANK, FIRST_RANK
from hardware.sound.playback_queue import (
    PAUSE_AFTER_SCORE_SECONDS,
    SENTENCE_PAUSE_SECONDS,
    SOUND_GAP_SECONDS,
    PlaybackQueue,
    QueuedSound,
    SentenceRemoval,
    SpeakerCommand,
)
from hardware.sound.speech import split_into_sentences
from hardware.sound.synthesis_queue import QueuedSentence, SentenceSynthesis
from tests.hardware.slow import SlowTable
from tests.helpers import PLAYER_NAMES, printed_edition, words_for

SECONDS_PER_LETTER: Final = 0.065
"""Seconds of speech for each letter."""
ANSWER_SECONDS: Final = 1.5
"""Seconds after a question until its answer."""
HAS_REQUESTED_GAMES: Final = "COMPANION_GAMES" in os.environ
"""True if COMPANION_GAMES sets the number of games. Then each test plays all of them."""
GAMES: Final = int(os.environ.get("COMPANION_GAMES", "80"))
"""Number of random games of all four kinds. Half of them would be too few for the medians."""
LONG_STORY_FACTS: Final = {"barney-miller": "round_won", "kojak": "arrest"}
"""Facts that begin a long story."""
LONGEST: Final = {"barney-miller": 9.5, "kojak": 9.0}
"""Maximum length of a long story (s).

The longest story of Barney Miller takes 9.3 s, once in some hundred games: it says *Wojehowicz*
twice, and *the Shopping Molls* lose a suspect. Both sentences have the name, because each may be
spoken alone.
"""
PARTS_OPTIONS: Final = ("deck", "die", "dice", "words")
"""Options that choose between the table's own parts and the box's virtual parts."""
NEXT_ROUND_FACTS: Final = ("card_played", "dealt", "trap", "game_won")
"""Facts after the story: a new round, or the end of the game."""


@cache
def path(sound: str) -> Path:
    return sounds.find_sound_file(sound, *registry.game_sound_folders())


@cache
def length(sound: str) -> float:
    """Return the length of a sound (s)."""
    with wave.open(str(path(sound))) as file:
        return float(file.getnframes() / file.getframerate())


class Paced:
    """A `hardware.Speaker` on a simulated clock. `began` records the begun sounds."""

    has_slow_voice = False

    def __init__(self) -> None:
        self.now = 100.0
        self.began: list[str] = []
        self.retracted: list[str] = []
        self._next = ""
        self.player = PlaybackQueue(_fail, self._make, lambda: None, lambda: self, lambda: self.now)

    @staticmethod
    def _make(sentence: QueuedSentence) -> SentenceSynthesis:
        synthesis = SentenceSynthesis()
        synthesis.content, synthesis.done = sentence.text.encode(), True
        return synthesis

    # --- the device ---

    def play_wav(self, wav: bytes, volume: float) -> float:
        assert volume
        if wav[:4] == b"RIFF":
            return (len(wav) - 44) / 2 / 44_100
        text = wav.decode()
        self.began.append(text)
        return SECONDS_PER_LETTER * len(text)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass

    # --- the port ---

    def play(self, sound: str, rank: int = COMMON_RANK) -> None:
        self.player.accept_items_and_commands([QueuedSound(path(sound), 1.0, rank)])

    def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
        self.player.accept_items_and_commands(
            QueuedSentence(part, language, 1.0, rank=rank) for part in split_into_sentences(text)
        )

    def speak_with_voice(self, texts: Iterable[str], language: str, voice: str) -> None:
        pass

    def prepare_slow_sentences(self, sentences: Iterable[tuple[str, str]]) -> None:
        pass

    def use_respellings(self, names: object) -> None:
        pass

    def voice_names(self, language: str) -> tuple[str, ...]:
        return (language,)

    def choose_voice(self, language: str, voice: str, speed: int) -> None:
        pass

    def sound_card_names(self) -> tuple[str, ...]:
        return ()

    def use_sound_card(self, output: str) -> None:
        pass

    def sound_sets(self) -> dict[str, Path]:
        return {}

    def use_sound_set(self, folder: Path | None) -> None:
        pass

    def stop_and_clear(self, *, keep: bool = False) -> None:
        self.player.accept_items_and_commands(
            [SpeakerCommand.KEEP_FIRST_RANK if keep else SpeakerCommand.HUSH]
        )

    def drop_sentences(self, texts: Iterable[str]) -> None:
        said = frozenset(part for text in texts for part in split_into_sentences(text))
        self.retracted += said
        self.player.accept_items_and_commands([SentenceRemoval(said)])

    def set_volume(self, percent: int) -> None:
        pass

    # --- time ---

    def wait(self, seconds: float) -> None:
        """Let time pass, with all due events."""
        until = self.now + seconds
        while True:
            left = self.player.begin_or_prepare_due_item()
            if left == 0.0:
                continue
            if left is None or self.now + left > until:
                break
            self.now += max(left, 1e-6)
        self.now = until


def backlog(player: PlaybackQueue) -> float:
    """Return the seconds until everything in the queue has been played."""
    left = max(player._ends - player._clock(), 0.0) if player._sounding is not None else 0.0
    return left + talk(player._waiting)


def talk(items: Iterable[QueuedSound | QueuedSentence]) -> float:
    """Return the seconds of sounds and sentences, with pauses."""
    total, before = 0.0, None
    for item in items:
        if isinstance(item, QueuedSentence):
            total += SECONDS_PER_LETTER * len(item.text) + SOUND_GAP_SECONDS + _pause(before)
        else:
            total += length(item.file.stem) + SOUND_GAP_SECONDS
        before = item
    return total


def _pause(before: QueuedSound | QueuedSentence | None) -> float:
    if not isinstance(before, QueuedSentence):
        return 0.0
    return PAUSE_AFTER_SCORE_SECONDS if before.rank == FIRST_RANK else SENTENCE_PAUSE_SECONDS


def length_of(steps: Iterable[policy.Step]) -> float:
    """Return the seconds of steps, with pauses."""
    items: list[QueuedSound | QueuedSentence] = []
    for one in steps:
        if isinstance(one, policy.PlayRankedSound):
            items.append(QueuedSound(path(one.name), 1.0))
        elif isinstance(one, policy.SpeakSentence):
            items += [
                QueuedSentence(part, one.language, 1.0, rank=one.rank)
                for part in split_into_sentences(one.text)
            ]
    return talk(items)


def _fail(error: OSError) -> None:
    raise error


class Asked(NamedTuple):
    """A question: its facts, their speaking time (s), and the backlog (s) when it is shown.

    `ways` are the ways of playing in PLAYED.
    """

    facts: tuple[str, ...]
    talk: float
    backlog: float
    ways: tuple[tuple[str, str], ...]


class Evening:
    """Random games at one table, announced as the box does.

    A `hasty` player does not wait for verdicts to close. `ends` are the seconds from one of ENDS to
    the next round.
    """

    def __init__(
        self,
        game: str,
        seed: int,
        speaker: Paced | SlowTable | None = None,
        *,
        language: str = "en",
        hasty: bool = False,
    ) -> None:
        self.game, self.random = find_game(game), Random(seed)
        self.words, self.face, self.hasty = words_for(game, language), load_face(game), hasty
        self.speaker = speaker or Paced()
        self.known = policy.NOTHING_SPOKEN
        self.voice = Voice(
            [self.speaker], lambda: DEFAULTS, lambda: 12, _fail, known=lambda: self.known
        )
        self.asked: list[Asked] = []
        self.ways: tuple[tuple[str, str], ...] = ()
        self.ends: list[float] = []
        self.vital: list[str] = []

    def of(self, _: str | None) -> Words:
        return self.words

    def play(self) -> None:
        game, random = self.game, self.random
        players = PLAYER_NAMES[: random.choice([n for n in game.seats if n <= len(PLAYER_NAMES)])]
        options = {option.name: random.choice(option.values) for option in game.options}
        self.ways = tuple((name, options[name]) for name in PARTS_OPTIONS if name in options)
        state = game.setup(players, options, printed_edition(game.name))
        line, heard = (
            AnswerHistory(AnswerStep(None, Entry("game"), state, (), 0, 0)),
            AlreadySpokenKinds(self.words.fact_name_with_variant),
        )
        cues: list[Any] = []
        since: AnswerStep | None = None
        while (prompt := game.ask(state)) is not None:
            value = random_answer(prompt, random)
            state, told = apply_answer_to_prompt(game, state, prompt, value)
            line = line.with_answer(Entry("answer", prompt.name, prompt.who, value), state, told)
            cues += told
            after = game.ask(state)
            if not is_answered_by_box(after):
                asked = heard.spoken_up_to_step(line.last).asked
                self.known = policy.AlreadySpokenFacts(heard.spoken_up_to_step(since).facts, asked)
                self.answered(state, cues)
                self.tell(cues, after, game.view(state, None))
                cues, since = [], line.last
        self.speaker.wait(60)

    def answered(self, state: Any, cues: list[Any]) -> None:
        """Handle the state and the facts after an answer. Subclasses override it."""

    def tell(self, cues: list[Any], prompt: Any, view: Any) -> None:
        rules = self.voice.current_audio_settings
        for told in policy.select_facts_to_announce(cues, self.of, rules):
            if told.fact.priority and not told.fact.skippable:
                self.vital += split_into_sentences(told.text)
        spoken = length_of(policy.announcement_steps(cues, self.of, rules, "accepted"))
        staged_now = stage_facts_as_overlays(tuple(cues), self.words, self.face, rules)
        self.voice.announce_facts(cues, self.of, receipt="accepted")
        shown = sum(self.stays(moment) for moment in staged_now.overlays)
        waits = max(backlog(self.speaker.player) - shown, 0.0)
        facts = tuple(map(self.words.fact_name_with_variant, cues))
        self.asked.append(Asked(facts, spoken, waits, self.ways))
        self.ends += self.told_of_an_end(cues)
        if prompt is not None:
            self.voice.speak_question(prompt, view, self.words)
        self.speaker.wait(shown + self.thinks())

    def thinks(self) -> float:
        """Return the seconds until a question is answered."""
        return ANSWER_SECONDS

    def halves(self) -> dict[tuple[str, str], float]:
        """Return the median backlog of questions for each way of playing."""
        waits = defaultdict[tuple[str, str], list[float]](list)
        for asked in self.asked:
            for way in asked.ways:
                waits[way].append(asked.backlog)
        return {way: median(waits[way]) for way in sorted(waits)}

    def stays(self, moment: Any) -> float:
        return ANSWER_SECONDS if self.hasty else moment.duration_seconds

    def told_of_an_end(self, cues: list[Any]) -> list[float]:
        names = [cue.name for cue in cues]
        lead = LONG_STORY_FACTS.get(self.game.name, "")
        if lead not in names:
            return []
        begin = names.index(lead)
        end = next(
            (n for n in range(begin, len(names)) if names[n] in NEXT_ROUND_FACTS), len(names)
        )
        return [
            length_of(
                policy.announcement_steps(
                    cues[begin:end], self.of, self.voice.current_audio_settings, None
                )
            )
        ]

    @property
    def cut(self) -> list[str]:
        """Return the sentences of the first rank that were never spoken."""
        began = [one if isinstance(one, str) else one.text for one in self.speaker.began]
        untrue = Counter(self.speaker.retracted)
        return [*(Counter(self.vital) - Counter(began) - untrue).elements()]
