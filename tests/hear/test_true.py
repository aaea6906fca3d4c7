"""Tests that a sentence is not spoken if it is no longer true when its turn comes."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest

from companion.core.game import Cue
from companion.games.kojak.rules.state import (
    State,
    is_criminal_on_red,
    player_names,
    seats_that_may_arrest,
)
from companion.hear import policy
from companion.hear.voice import Voice
from companion.menus.settings import DEFAULTS
from hardware.mock import FakeSpeaker
from hardware.ports import COMMON_RANK
from hardware.sound.speech import split_into_sentences
from hardware.sound.synthesis_queue import QueuedSentence
from tests.hear.paced import GAMES, Evening, Paced
from tests.helpers import words_for


class Alarm(NamedTuple):
    """A sentence about a criminal on red, and the time of its request."""

    text: str
    colour: str
    able: list[str]
    when: float


class Alarms(Paced):
    """A speaker that checks whether each alarm is true when it begins to sound."""

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[str, tuple[str, list[str]]] = {}
        self.alarms: dict[float, Alarm] = {}
        self.state: State | None = None
        self.lags: list[float] = []
        self.false: list[str] = []

    def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
        if text not in self.told:
            super().say(text, language, rank)
            return
        colour, able = self.told.pop(text)
        for part in split_into_sentences(text):
            mark = 1.0 + len(self.alarms) * 1e-9  # the volume identifies the alarm
            self.alarms[mark] = Alarm(part, colour, able, self.now)
            self.player.accept_items_and_commands([QueuedSentence(part, language, mark, rank=rank)])

    def play_wav(self, wav: bytes, volume: float) -> float:
        alarm = self.alarms.get(volume)
        if alarm is not None and self.state is not None and alarm.text != "Alarm!":
            able = player_names(self.state, seats_that_may_arrest(self.state, alarm.colour))
            self.lags.append(self.now - alarm.when)
            if not is_criminal_on_red(self.state, alarm.colour) or able != alarm.able:
                self.false.append(alarm.text)
        return super().play_wav(wav, volume)


class Chase(Evening):
    """A game of Kojak with a player who presses every 0.6 to 1 s, even during speech."""

    def __init__(self, seed: int, speaker: Alarms) -> None:
        super().__init__("kojak", seed, speaker, hasty=True)
        self.alarms, self.thumb = speaker, Random(seed)

    def stays(self, _: Any) -> float:
        return self.thumb.uniform(0.6, 1.0)

    def thinks(self) -> float:
        return self.thumb.uniform(0.6, 1.0)

    def answered(self, state: Any, cues: list[Cue]) -> None:
        self.alarms.state = state
        rules = self.voice.current_audio_settings
        for cue in cues:
            if cue.name == "on_red":
                said = policy.fact_sentence(cue, self.words, rules)
                self.alarms.told[said] = cue.facts["colour"], cue.facts["may_arrest"]


def chase(games: int) -> Alarms:
    speaker = Alarms()
    table = Chase(1, speaker)
    for _ in range(games):
        table.play()
    return speaker


@pytest.mark.long
def test_an_alarm_that_is_no_longer_true_is_not_said() -> None:
    alarms = chase(max(4, GAMES // 20))
    assert len(alarms.lags) > 5
    assert alarms.false == []


def test_what_ends_an_alarm_is_of_the_same_criminal_or_takes_it_back() -> None:
    words, at = words_for("kojak", "en"), {"colour": "red", "place": "bank"}
    alarm = Cue("on_red", {**at, "may_arrest": ["Ann"], "already": False}, "KO-15")
    speaker = FakeSpeaker()
    voice = Voice([speaker], lambda: DEFAULTS, lambda: 12, lambda _: None)
    other = Cue("off_red", {"colour": "blue", "place": "club", "hunters": []}, "KO-15")
    ends = Cue("off_red", {**at, "hunters": ["Ann"]}, "KO-15")
    undone = Cue("undone", {"who": "Ann", "question": "roll", "value": None, "left": 1})
    for told, retracted in ((other, 0), (ends, 1), (ends, 1), (undone, 2)):
        if retracted != 1 or told is not ends:
            voice.announce_facts([alarm], lambda _: words)
        voice.announce_facts([told], lambda _: words)
        assert len(speaker.retracted) >= retracted, told
    assert speaker.retracted[0] == words.fact_speech(alarm)
