"""The box's voice: what `policy` says is heard, on every speaker; nothing here ever waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.hear import policy
from companion.hear.policy import Hush, Sentence, Sound, Volume
from hardware import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.core.game import Cue
    from companion.core.prompts import Prompt
    from companion.hear.policy import Rules, Step
    from companion.say.words import Words
    from hardware import Names, Speaker


class Voice:
    """Speaks for the box. `report` takes a speaker's failure.

    `settings` are read at every call, and so is `hour`, on the clock of the room, 0 to 23.
    """

    def __init__(
        self,
        speakers: Sequence[Speaker],
        settings: Callable[[], Mapping[str, Any]],
        hour: Callable[[], int],
        report: Callable[[HardwareError], None],
    ) -> None:
        self._speakers = speakers
        self._settings = settings
        self._hour = hour
        self._report = report
        self._percent: int | None = None
        self._last: tuple[Sentence, ...] = ()
        self._asked: tuple[Sentence, ...] = ()

    @property
    def rules(self) -> Rules:
        """What is heard now, and how loud."""
        return policy.rules(self._settings(), self._hour())

    def say(
        self,
        cues: Sequence[Cue],
        words: Callable[[str | None], Words],
        receipt: str | None = None,
    ) -> None:
        """Facts: their sounds and sentences, in order; private ones are left out.

        `receipt` is the sound of the press that brought them about; `words` as for `policy.story`.
        """
        now = self.rules
        steps = policy.story(cues, words, now, receipt)
        self._last, self._asked = policy.said(steps) or self._last, ()
        self._do(steps, now)

    def ask(self, prompt: Prompt, facts: Mapping[str, Any], words: Words) -> None:
        """The question, in the language of whoever is asked, after what is being said."""
        now = self.rules
        steps = policy.asked(prompt, facts, words, now)
        self._asked = policy.said(steps)
        self._do(steps, now)

    def sound(self, name: str) -> None:
        """A sound by itself, such as the receipt of a press."""
        now = self.rules
        self._do(policy.sound(name, now), now)

    def again(self) -> None:
        """What was said last, once more: the facts, and the question after them."""
        now = self.rules
        if now.speaks:
            self._do((Hush(), *self._last, *self._asked), now)

    def pronounce(self, names: Names) -> None:
        """Have names said right from now on: by language, each as it is respelled."""
        for speaker in self._speakers:
            speaker.pronounce(names)

    def follow(self) -> None:
        """Follow the settings at once: the volume, and silence in the middle of a sentence."""
        now = self.rules
        self._do(() if now.level else (Hush(),), now)

    def _do(self, steps: Iterable[Step], now: Rules) -> None:
        if now.percent != self._percent:
            self._percent = now.percent
            steps = (Volume(now.percent), *steps)
        for step in steps:
            for speaker in self._speakers:
                try:
                    _give(speaker, step)
                except HardwareError as error:
                    self._report(error)


def _give(speaker: Speaker, step: Step) -> None:
    match step:
        case Hush():
            speaker.hush()
        case Volume(percent):
            speaker.set_volume(percent)
        case Sound(name):
            speaker.play(name)
        case Sentence(text, language):
            speaker.say(text, language)
