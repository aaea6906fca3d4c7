"""What is said when: a fact's sound first, its sentence after; nothing here ever waits.

A newer fact drops what is not yet spoken of an older one. A secret is never spoken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hardware import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.core import Cue, Prompt
    from companion.words import Words
    from hardware import Speaker

MISTAKES, SCORES, EVERYTHING = 1, 2, 3
LEVELS: Final = {"nothing": 0, "mistakes": MISTAKES, "scores": SCORES, "everything": EVERYTHING}
FAULTS: Final = frozenset({"refused", "damaged", "rules_changed", "hardware", "edition"})
"""Facts that tell of a mistake; all others are scores, and receipts are for those who hear all."""
PERCENT: Final = 10
"""A step of volume, in percent."""


class Voice:
    """Speaks for the box. `settings` are read at every call; `report` takes a speaker's failure."""

    def __init__(
        self,
        speakers: Sequence[Speaker],
        settings: Callable[[], Mapping[str, Any]],
        report: Callable[[HardwareError], None],
    ) -> None:
        self._speakers = speakers
        self._settings = settings
        self._report = report

    def tell(self, cues: Sequence[Cue], words: Words, receipt: str | None = None) -> None:
        """Facts: all their sounds and sentences, in order; private ones are left out.

        `receipt` is the sound of the press that brought them about.
        """
        told = [cue for cue in cues if cue.to is None and self._is_heard(_level(cue))]
        verbosity = self._settings()["speech"]
        if told:
            self._each(lambda speaker: speaker.hush())
        self.sound(receipt)
        for cue in told:
            self.sound(words.sound(cue), _level(cue))
            self._say(words.speech(cue, verbosity), words.language)

    def ask(self, prompt: Prompt, facts: Mapping[str, Any], words: Words) -> None:
        """The question, in the language of whoever is asked, after what is being said."""
        if self._is_heard(EVERYTHING) and not prompt.private:
            self._say(words.asked(prompt, facts), words.language)

    def sound(self, name: str | None, level: int = EVERYTHING) -> None:
        """A sound by itself, such as the receipt of a press."""
        if name is not None and self._is_heard(level):
            self._each(lambda speaker: speaker.play(name))

    def set_volume(self) -> None:
        """Follow the settings: ten percent a step, never below the floor or above the ceiling."""
        settings = self._settings()
        step = min(max(settings["volume"], settings["quietest"]), settings["loudest"])
        self._each(lambda speaker: speaker.set_volume(step * PERCENT))

    def _say(self, text: str, language: str) -> None:
        if text:
            self._each(lambda speaker: speaker.say(text, language))

    def _is_heard(self, level: int) -> bool:
        return level <= LEVELS[self._settings()["heard"]]

    def _each(self, do: Callable[[Speaker], None]) -> None:
        for speaker in self._speakers:
            try:
                do(speaker)
            except HardwareError as error:
                self._report(error)


def _level(cue: Cue) -> int:
    return MISTAKES if cue.name in FAULTS else SCORES
