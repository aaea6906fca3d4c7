"""The box's voice: what `policy` says is heard, on every speaker; nothing here ever waits."""

from __future__ import annotations

import re
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.hear import policy
from companion.hear.policy import (
    NOTHING,
    HeldFact,
    Hush,
    Retract,
    SaidBefore,
    Sentence,
    Sound,
    Volume,
)
from companion.say.words import LANGUAGES
from hardware.ports import HardwareError

MAX_REPEATED: Final = 20
"""So many of the things that were said can be heard again."""

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from companion.core.game import Cue
    from companion.core.prompts import Prompt, Values
    from companion.hear.policy import Rules, Step
    from companion.say.words import Words
    from hardware.ports import Names, Speaker


class Voice:
    """Speaks for the box. `report` takes a speaker's failure; `ear` speaks to one player alone.

    `settings` are read at every call, and so is `hour`, on the clock of the room, 0 to 23 (None:
    unknown), and `known`, what of the game has been said before.
    """

    def __init__(
        self,
        speakers: Sequence[Speaker],
        settings: Callable[[], Mapping[str, Any]],
        hour: Callable[[], int | None],
        report: Callable[[HardwareError], None],
        ear: Callable[[str], Speaker] | None = None,
        known: Callable[[], SaidBefore] = SaidBefore,
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
        self._claims: tuple[HeldFact, ...] = ()
        self._ear, self._spoke = ear, False
        self._read: list[str] = []  # the words of the option that the room was read last
        self._heard: deque[str] = deque(maxlen=MAX_REPEATED)

    @property
    def mute_reason(self) -> str:
        """What mutes the box, as `Rules` has it."""
        return self._now().muted

    @property
    def rules(self) -> Rules:
        """What is heard now, and how loud, in a game of which something is known."""
        return self._now()._replace(known=self._known(), sounds=self._sounds)

    def _now(self) -> Rules:
        """What is heard now, and how loud, in whole sentences."""
        return policy.rules(self._settings(), self._hour())

    def say(
        self,
        cues: Sequence[Cue],
        words: Callable[[str | None], Words],
        receipt: str | None = None,
    ) -> None:
        """Play the sounds of facts and say their sentences, in order; private ones are left out.

        `receipt` is the sound of the press that brought them about; `words` as for `policy.story`.
        """
        now = self.rules
        steps = self._unspent(policy.story(cues, words, now, receipt))
        if spoken := policy.sentences_of(steps):
            whole = now._replace(known=NOTHING, longest=None)
            self._last = partial(policy.story, cues, words, whole, None)
        self._asked = tuple
        self._keep(spoken)
        self._do((*self._outdated(cues), *steps), now)
        self._claims = (*self._claims, *policy.claims(cues, words, now))

    def remark(self, cue: Cue, words: Callable[[str | None], Words]) -> None:
        """Say a fact after what is being said. It does not take the place of what is said again."""
        now = self.rules
        spoken = policy.sentences_of(policy.story((cue,), words, now, None))
        self._keep(spoken)
        self._do(spoken, now)

    def _unspent(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Return the steps without the sentence that the room was just read, as an option."""
        read, self._read = self._read, []

        def is_spent(step: Step) -> bool:
            words = _words(step.text) if isinstance(step, Sentence) else []
            return bool(words) and read[: len(words)] == words

        return tuple([step for step in steps if not is_spent(step)])

    def _outdated(self, cues: Sequence[Cue]) -> tuple[Retract, ...]:
        """What was claimed and is true no longer, so that it is not said."""
        ended = [one for one in self._claims if any(map(one.is_ended_by, cues))]
        self._claims = tuple(one for one in self._claims if one not in ended)
        return (Retract(tuple(one.text for one in ended)),) if ended else ()

    def ask(self, prompt: Prompt, facts: Values, words: Words, *, phone: bool = False) -> None:
        """Say the question, in the language of the player asked, after what is being said.

        `phone`: that player has one, and answers on it what is to stay secret.
        """
        now = self.rules
        steps = policy.question_steps(prompt, facts, words, now, phone=phone)
        all_new = now._replace(known=NOTHING)
        self._asked = partial(policy.question_steps, prompt, facts, words, all_new, phone=phone)
        self._keep(policy.sentences_of(steps))
        self._do(steps, now)

    @property
    def recent_sentences(self) -> tuple[str, ...]:
        """What the room was told last, the newest first: facts and questions, no single steps."""
        return tuple(reversed(self._heard))

    def has_spoken(self) -> bool:
        """Whether facts or a question were said since this was asked last."""
        spoke, self._spoke = self._spoke, False
        return spoke

    def read(self, texts: Sequence[str], language: str, to: str | None, *, cuts: bool) -> None:
        """Read texts to those who play by ear: to the room, or to the player `to` alone.

        `cuts` drops what is being said. What is for one player never reaches the room.
        """
        now = self._now()
        steps: tuple[Step, ...] = tuple(Sentence(text, language) for text in texts)
        steps = (Hush(keep=True), *steps) if cuts else steps
        if not now.speaks:
            return
        if to is None:
            self._read = _words(texts[-1]) if texts else []
            self._do(steps, now)
        elif self._ear is not None:
            self._whisper(self._ear(to), steps, now)

    def _whisper(self, ear: Speaker, steps: Iterable[Step], now: Rules) -> None:
        """Steps for one ear, as loud and in the voices of the room."""
        settings = self._settings()
        try:
            ear.set_volume(now.percent)
            for language in LANGUAGES:
                ear.choose(language, *policy.voice_and_speed(settings, language))
            for step in steps:
                _give(step, ear)
        except HardwareError as error:
            self._report(error)

    def sound(self, name: str) -> None:
        """Play a sound by itself, such as the receipt of a press."""
        now = self._now()
        self._do(policy.sound(name, now), now)

    def try_out(self, volume: int) -> None:
        """Play the receipt of a press as loud as at `volume`, 1 to 10."""
        tried = {**self._settings(), "volume": volume, "effects": True}
        now = policy.rules(tried, self._hour())
        self._do(policy.sound("accepted", now), now)

    def again(self) -> None:
        """Say the last facts and the question once more, in whole sentences."""
        now = self._now()
        if now.speaks:
            self._do((Hush(), *policy.sentences_of((*self._last(), *self._asked()))), now)

    def forget(self) -> None:
        """Say nothing of another game again: its facts have no words in this one."""
        self._last = self._asked = tuple

    @property
    def voices(self) -> dict[str, tuple[str, ...]]:
        """The voices that can be chosen, by language; nothing if there is no choice."""
        found = {
            language: tuple(dict.fromkeys(v for s in self._speakers for v in s.voices(language)))
            for language in LANGUAGES
        }
        return found if any(found.values()) else {}

    @property
    def outputs(self) -> tuple[str, ...]:
        """The sound cards that can be chosen."""
        return tuple(dict.fromkeys(card for s in self._speakers for card in s.outputs()))

    @property
    def sound_sets(self) -> dict[str, Path]:
        """The folders of the sets of sounds that can be chosen, by name."""
        return {name: at for s in self._speakers for name, at in s.sound_sets().items()}

    def expect(self, sentences: Callable[[], Iterable[Sentence]]) -> None:
        """Have slow voices make what may be said next; without one `sentences` is not called."""
        listening = [speaker for speaker in self._speakers if speaker.looks_ahead]
        if listening and self._now().speaks:
            found = tuple(dict.fromkeys(sentences()))
            for speaker in listening:
                speaker.expect((text, language) for text, language, _ in found)

    def practise(self, texts: Iterable[str], language: str, voice: str) -> None:
        """Say sentences with one certain voice; no-op while the box is mute."""
        now = self._now()
        if now.speaks:
            self._do((), now)
            self._each(lambda speaker: speaker.practise(texts, language, voice))

    def pronounce(self, names: Names) -> None:
        """Have names said right from now on: by language, each as it is respelled."""
        for speaker in self._speakers:
            speaker.pronounce(names)

    def follow(self) -> None:
        """Follow the settings at once: the sound card, sounds, voices, volume, silence."""
        now, settings = self._now(), self._settings()
        if settings["loudspeaker"] != self._output:
            self._output = settings["loudspeaker"]
            self._each(lambda speaker: speaker.use(self._output))
        if settings["sounds"] != self._set:
            self._set = settings["sounds"]
            self._sounds = self.sound_sets.get(self._set)
            self._each(lambda speaker: speaker.use_sounds(self._sounds))
        for language in LANGUAGES:
            wanted = policy.voice_and_speed(settings, language)
            if self._spoken.get(language) != wanted:
                self._spoken[language] = wanted
                self._choose(language, *wanted)
        self._do(() if now.level else (Hush(),), now)

    def _keep(self, sentences: Sequence[Sentence]) -> None:
        """Remember what was said, for who wants to hear it again."""
        self._heard.extend(sentence.text for sentence in sentences)
        self._spoke = self._spoke or bool(sentences)

    def _do(self, steps: Iterable[Step], now: Rules) -> None:
        if now.percent != self._percent:
            self._percent = now.percent
            steps = (Volume(now.percent), *steps)
        for step in steps:
            self._each(partial(_give, step))

    def _choose(self, language: str, voice: str, speed: int) -> None:
        self._each(lambda speaker: speaker.choose(language, voice, speed))

    def _each(self, do: Callable[[Speaker], None]) -> None:
        """Have every speaker do something, and report those that cannot."""
        for speaker in self._speakers:
            try:
                do(speaker)
            except HardwareError as error:
                self._report(error)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _give(step: Step, speaker: Speaker) -> None:
    match step:
        case Hush(keep):
            speaker.hush(keep=keep)
        case Retract(texts):
            speaker.retract(texts)
        case Volume(percent):
            speaker.set_volume(percent)
        case Sound(name, rank):
            speaker.play(name, rank)
        case Sentence(text, language, rank):
            speaker.say(text, language, rank)
