"""A speaker for people who read: what would be heard is written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.ports import COMMON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from hardware.ports import Names


class WrittenSpeaker:
    """Gives the names of sounds to `sound`, and sentences to `said`."""

    looks_ahead = False
    """Nothing takes long."""

    def __init__(self, sound: Callable[[str], None], said: Callable[[str], None]) -> None:
        self._sound, self._said = sound, said

    def play(self, sound: str, rank: int = COMMON) -> None:
        """Write a sound's name down."""
        self._sound(sound)

    def say(self, text: str, language: str, rank: int = COMMON) -> None:
        """Write a sentence down."""
        self._said(text)

    def pronounce(self, names: Names) -> None:
        """Write as before: a name is read as it is."""

    def voices(self, language: str) -> tuple[str, ...]:
        """Have none: it is read."""
        return ()

    def choose(self, language: str, voice: str, speed: int) -> None:
        """Write as before: what is read has no voice."""

    def outputs(self) -> tuple[str, ...]:
        """Have none: it is read."""
        return ()

    def use(self, output: str) -> None:
        """Write as before: what is read needs no sound card."""

    def sound_sets(self) -> dict[str, Path]:
        """Have none to choose."""
        return {}

    def use_sounds(self, folder: Path | None) -> None:
        """Sound as before."""

    def expect(self, sentences: Iterable[tuple[str, str]]) -> None:
        """Need no time to write anything."""

    def practise(self, texts: Iterable[str], language: str, voice: str) -> None:
        """Write it as everything else."""
        for text in texts:
            self.say(f"{voice}: {text}", language)

    def hush(self, *, keep: bool = False) -> None:
        """Leave what is written: it makes no noise."""

    def retract(self, texts: Iterable[str]) -> None:
        """Leave what is written, likewise."""

    def set_volume(self, percent: int) -> None:
        """Write as before: what is read has no loudness."""

    def close(self) -> None:
        """Leave what is written: it can still be read."""
