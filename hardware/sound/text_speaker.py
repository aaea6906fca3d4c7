"""Speaker that reports the names of sounds and the text of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hardware.ports import COMMON_RANK, SpeakerWithoutChoices


class TextSpeaker(SpeakerWithoutChoices):
    """Speaker that calls `sound` with the name of each sound, and `said` with each sentence."""

    def __init__(self, sound: Callable[[str], None], said: Callable[[str], None]) -> None:
        self._sound, self._said = sound, said

    def play(self, sound: str, rank: int = COMMON_RANK) -> None:
        """Call `sound` with the name of the sound."""
        self._sound(sound)

    def say(self, text: str, language: str, rank: int = COMMON_RANK) -> None:
        """Call `said` with the sentence."""
        self._said(text)

    def speak_with_voice(self, texts: Iterable[str], language: str, voice: str) -> None:
        """Call `said` with each sentence, preceded by the name of its voice."""
        for text in texts:
            self.say(f"{voice}: {text}", language)

    def stop_and_clear(self, *, keep: bool = False) -> None:
        """Do nothing, because reported text cannot be stopped."""

    def drop_sentences(self, texts: Iterable[str]) -> None:
        """Do nothing, because reported text cannot be stopped."""

    def set_volume(self, percent: int) -> None:
        """Do nothing, because text has no volume."""

    def close(self) -> None:
        """Do nothing, because there is no sound device to release."""
