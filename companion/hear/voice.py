"""The box's voice, which sends the steps from `policy` to every speaker's queue."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.core.game import Cue
from companion.core.prompts import JsonValues, Prompt
from companion.hear import policy
from companion.hear.policy import (
    NOTHING_SPOKEN,
    AlreadySpokenFacts,
    AudioSettingsAtHour,
    DropPendingSentences,
    DropUntrueSentences,
    PlayRankedSound,
    SetVolume,
    SpeakSentence,
    Step,
    TemporaryFact,
)
from companion.say.words import LANGUAGES, Words
from hardware.ports import HardwareError, Respellings

MAX_REPEATABLE_SENTENCES: Final = 20
"""The number of stored past sentences, which players can hear again."""

if TYPE_CHECKING:
    from hardware.ports import Speaker


class Voice:
    """The voice of the box, which sends sounds and sentences to the speakers' queues.

    - `settings`: the function that returns the present settings.
    - `hour`: the function that returns the local hour, 0 to 23; None if unknown.
    - `report`: the callback for errors of speakers.
    - `ear`: the function that returns the speaker that only the given player hears; None without a
      second sound output.
    - `known`: the function that returns the events that the box has already announced in the game.
    """

    def __init__(
        self,
        speakers: Sequence[Speaker],
        settings: Callable[[], Mapping[str, Any]],
        hour: Callable[[], int | None],
        report: Callable[[HardwareError], None],
        ear: Callable[[str], Speaker] | None = None,
        known: Callable[[], AlreadySpokenFacts] = AlreadySpokenFacts,
    ) -> None:
        self._speakers = speakers
        self._settings = settings
        self._hour = hour
        self._known = known
        self._report = report
        self._percent: int | None = None
        self._output = self._set = ""
        self._sounds: Path | None = None
        self._spoken: dict[str, tuple[str, int]] = {}
        self._last: Callable[[], tuple[Step, ...]] = tuple
        self._asked: Callable[[], tuple[Step, ...]] = tuple
        self._claims: tuple[TemporaryFact, ...] = ()
        self._ear, self._spoke = ear, False
        self._read: list[str] = []  # words of the answer that was read aloud last
        self._heard: deque[str] = deque(maxlen=MAX_REPEATABLE_SENTENCES)

    @property
    def mute_reason(self) -> str:
        """Return why the box speaks no sentence, as a value of `AudioSettingsAtHour.muted`."""
        return self._now().muted

    @property
    def current_audio_settings(self) -> AudioSettingsAtHour:
        """Return the present settings for sounds and speech, with the events announced so far."""
        return self._now()._replace(known=self._known(), sounds=self._sounds)

    def _now(self) -> AudioSettingsAtHour:
        return policy.audio_settings_at_hour(self._settings(), self._hour())

    def announce_facts(
        self,
        cues: Sequence[Cue],
        words: Callable[[str | None], Words],
        receipt: str | None = None,
    ) -> None:
        """Play the sounds and speak the sentences of public events, in order.

        - `words`: the function that returns the catalogue in a player's language; None means the
          box's language.
        - `receipt`: the sound that confirms the button press; None without a press.
        """
        now = self.current_audio_settings
        steps = self._unspent(policy.announcement_steps(cues, words, now, receipt))
        if spoken := policy.sentences_among_steps(steps):
            whole = now._replace(known=NOTHING_SPOKEN, longest=None)
            self._last = partial(policy.announcement_steps, cues, words, whole, None)
        self._asked = tuple
        self._keep(spoken)
        self._do((*self._outdated(cues), *steps), now)
        self._claims = (*self._claims, *policy.facts_that_may_become_untrue(cues, words, now))

    def speak_fact_without_repeat(self, cue: Cue, words: Callable[[str | None], Words]) -> None:
        """Speak an event's sentence after the present speech. Do not play the event's sound.

        The menu item *Say it again* does not repeat this sentence.
        """
        now = self.current_audio_settings
        spoken = policy.sentences_among_steps(policy.announcement_steps((cue,), words, now, None))
        self._keep(spoken)
        self._do(spoken, now)

    def _unspent(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Remove sentences that only repeat the answer that was just read aloud.

        Return the other steps.

        For example, after the answer "Seven: exactly ten", the sentence "Ten" is removed.
        """
        read, self._read = self._read, []

        def is_spent(step: Step) -> bool:
            words = _words(step.text) if isinstance(step, SpeakSentence) else []
            return bool(words) and words in (read[: len(words)], read[-len(words) :])

        return tuple([step for step in steps if not is_spent(step)])

    def _outdated(self, cues: Sequence[Cue]) -> tuple[DropUntrueSentences, ...]:
        ended = [claim for claim in self._claims if any(map(claim.is_ended_by, cues))]
        self._claims = tuple([claim for claim in self._claims if claim not in ended])
        return (DropUntrueSentences(tuple(claim.text for claim in ended)),) if ended else ()

    def speak_question(
        self, prompt: Prompt, facts: JsonValues, words: Words, *, phones: Sequence[str] = ()
    ) -> None:
        """Speak a question after the present speech.

        - `facts`: the values for placeholders.
        - `words`: the catalogue in the asked player's language.
        - `phones`: the players who answer the question on their phones.
        """
        now = self.current_audio_settings
        steps = policy.question_speech_steps(prompt, facts, words, now, phones=phones)
        all_new = now._replace(known=NOTHING_SPOKEN)
        self._asked = partial(
            policy.question_speech_steps, prompt, facts, words, all_new, phones=phones
        )
        self._keep(policy.sentences_among_steps(steps))
        self._do(steps, now)

    @property
    def recent_sentences(self) -> tuple[str, ...]:
        """Return the latest sentences about events and questions, newest first."""
        return tuple(reversed(self._heard))

    def has_spoken_since_last_call(self) -> bool:
        """Return True if the box has spoken about an event or a question since the last call."""
        spoke, self._spoke = self._spoke, False
        return spoke

    def speak_texts_in_audio_mode(
        self, texts: Sequence[str], language: str, to: str | None, *, cuts: bool
    ) -> None:
        """Speak texts in audio mode.

        - `to`: the only player who hears the texts; None means everybody.
        - `cuts`: whether the texts interrupt the present speech.
        """
        now = self._now()
        steps: tuple[Step, ...] = tuple(SpeakSentence(text, language) for text in texts)
        steps = (DropPendingSentences(keep=True), *steps) if cuts else steps
        if not now.speaks:
            return
        if to is None:
            self._read = _words(texts[-1]) if texts else []
            self._do(steps, now)
        elif self._ear is not None:
            self._whisper(self._ear(to), steps, now)

    def _whisper(self, ear: Speaker, steps: Iterable[Step], now: AudioSettingsAtHour) -> None:
        settings = self._settings()
        try:
            ear.set_volume(now.percent)
            for language in LANGUAGES:
                ear.choose_voice(language, *policy.voice_and_speed_for_language(settings, language))
            for step in steps:
                _give(step, ear)
        except HardwareError as error:
            self._report(error)

    def play_sound(self, name: str) -> None:
        """Play the sound `name`, such as the confirmation of a button press."""
        now = self._now()
        self._do(policy.sound_step(name, now), now)

    def play_volume_sample(self, volume: int) -> None:
        """Play the confirmation sound at a volume that a player tries out.

        `volume`: a value of the setting, from 1 to 10.
        """
        tried = {**self._settings(), "volume": volume, "effects": True}
        now = policy.audio_settings_at_hour(tried, self._hour())
        self._do(policy.sound_step("accepted", now), now)

    def repeat_last_speech(self) -> None:
        """Speak the latest events and the question again, in complete sentences."""
        now = self._now()
        if now.speaks:
            self._do(
                (
                    DropPendingSentences(),
                    *policy.sentences_among_steps((*self._last(), *self._asked())),
                ),
                now,
            )

    def forget_last_speech(self) -> None:
        """Delete the latest events and the question, so that a new game cannot repeat them."""
        self._last = self._asked = tuple

    @property
    def available_voices(self) -> dict[str, tuple[str, ...]]:
        """Return a table from a language to the names of its voices; {} without voices."""
        voices_by_language = {
            language: tuple(
                dict.fromkeys(v for s in self._speakers for v in s.voice_names(language))
            )
            for language in LANGUAGES
        }
        return voices_by_language if any(voices_by_language.values()) else {}

    @property
    def available_sound_cards(self) -> tuple[str, ...]:
        """Return the names of the sound cards that the speakers can use."""
        return tuple(dict.fromkeys(card for s in self._speakers for card in s.sound_card_names()))

    @property
    def available_sound_sets(self) -> dict[str, Path]:
        """Return a table from the name of each available sound set to the set's folder."""
        return {name: at for s in self._speakers for name, at in s.sound_sets().items()}

    def prepare_sentences_for_slow_voices(
        self, sentences: Callable[[], Iterable[SpeakSentence]]
    ) -> None:
        """Let speakers with slow voices synthesise the sentences that the box may speak next.

        `sentences`: the function that returns these sentences; called only if a speaker has a slow
        voice.
        """
        listening = [speaker for speaker in self._speakers if speaker.has_slow_voice]
        if listening and self._now().speaks:
            expected = tuple(dict.fromkeys(sentences()))
            for speaker in listening:
                speaker.prepare_slow_sentences((text, language) for text, language, _ in expected)

    def speak_samples(self, texts: Iterable[str], language: str, voice: str) -> None:
        """Speak sample sentences with the voice `voice`, unless the settings mute the box."""
        now = self._now()
        if now.speaks:
            self._do((), now)
            self._each(lambda speaker: speaker.speak_with_voice(texts, language, voice))

    def set_name_pronunciations(self, names: Respellings) -> None:
        """Set how voices pronounce names: by language, a phonetic respelling for each name."""
        for speaker in self._speakers:
            speaker.use_respellings(names)

    def send_settings_to_speakers(self) -> None:
        """Send changed settings to the speakers: sound card, sounds, voices, volume and silence."""
        now, settings = self._now(), self._settings()
        if settings["loudspeaker"] != self._output:
            self._output = settings["loudspeaker"]
            self._each(lambda speaker: speaker.use_sound_card(self._output))
        if settings["sounds"] != self._set:
            self._set = settings["sounds"]
            self._sounds = self.available_sound_sets.get(self._set)
            self._each(lambda speaker: speaker.use_sound_set(self._sounds))
        for language in LANGUAGES:
            wanted = policy.voice_and_speed_for_language(settings, language)
            if self._spoken.get(language) != wanted:
                self._spoken[language] = wanted
                self._choose(language, *wanted)
        self._do(() if now.level else (DropPendingSentences(),), now)

    def _keep(self, sentences: Sequence[SpeakSentence]) -> None:
        self._heard.extend([sentence.text for sentence in sentences])
        self._spoke = self._spoke or bool(sentences)

    def _do(self, steps: Iterable[Step], now: AudioSettingsAtHour) -> None:
        if now.percent != self._percent:
            self._percent = now.percent
            steps = (SetVolume(now.percent), *steps)
        for step in steps:
            self._each(partial(_give, step))

    def _choose(self, language: str, voice: str, speed: int) -> None:
        self._each(lambda speaker: speaker.choose_voice(language, voice, speed))

    def _each(self, do: Callable[[Speaker], None]) -> None:
        for speaker in self._speakers:
            try:
                do(speaker)
            except HardwareError as error:
                self._report(error)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _give(step: Step, speaker: Speaker) -> None:
    match step:
        case DropPendingSentences(keep):
            speaker.stop_and_clear(keep=keep)
        case DropUntrueSentences(texts):
            speaker.drop_sentences(texts)
        case SetVolume(percent):
            speaker.set_volume(percent)
        case PlayRankedSound(name, rank):
            speaker.play(name, rank)
        case SpeakSentence(text, language, rank):
            speaker.say(text, language, rank)
