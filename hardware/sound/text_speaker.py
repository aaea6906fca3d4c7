"""A speaker that reports sounds and sentences as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.ports import COMMON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from hardware.ports import Names


class WrittenSpeaker:
    """Passes the names of sounds to `sound`, and sentences to `said`."""

    looks_ahead = False
    """Text needs no preparation."""

    def __init__(self, sound: Callable[[str], None], said: Callable[[str], None]) -> None:
        self._sound, self._said = sound, said

    def play(self, sound: str, rank: int = COMMON) -> None:
        """Report the name of a sound."""
        self._sound(sound)

    def say(self, text: str, language: str, rank: int = COMMON) -> None:
        """Report a sentence."""
        self._said(text)

    def pronounce(self, names: Names) -> None:
        """Do nothing: text needs no respelling."""

    def voices(self, language: str) -> tuple[str, ...]:
        """Return no voices."""
        return ()

    def choose(self, language: str, voice: str, speed: int) -> None:
        """Do nothing: text has no voice."""

    def outputs(self) -> tuple[str, ...]:
        """Return no sound cards."""
        return ()

    def use(self, output: str) -> None:
        """Do nothing: text needs no sound card."""

    def sound_sets(self) -> dict[str, Path]:
        """Return no sound sets."""
        return {}

    def use_sounds(self, folder: Path | None) -> None:
        """Do nothing: sounds are reported by name."""

    def expect(self, sentences: Iterable[tuple[str, str]]) -> None:
        """Do nothing: text needs no preparation."""

    def practise(self, texts: Iterable[str], language: str, voice: str) -> None:
        """Report the sentences."""
        for text in texts:
            self.say(f"{voice}: {text}", language)

    def hush(self, *, keep: bool = False) -> None:
        """Do nothing: text cannot be stopped."""

    def retract(self, texts: Iterable[str]) -> None:
        """Do nothing: text cannot be stopped."""

    def set_volume(self, percent: int) -> None:
        """Do nothing: text has no volume."""

    def close(self) -> None:
        """Do nothing: the text remains."""
