"""A fake voice that is never late."""
# ruff: noqa: ARG002 - a fake may not look at what it is asked

from __future__ import annotations

from hardware.ports import HardwareError, Respellings
from hardware.sound.voices import VoiceChoice


class Quick:
    """A voice that returns language and text as its sound; there is no other voice."""

    def wav(self, text: str, language: str, name: str = "") -> bytes:
        return f"{language}{name}:{text}".encode()

    def is_slow(self, language: str, name: str = "") -> bool:
        return False

    def cached_wav(self, text: str, language: str, name: str = "") -> bytes | None:
        return None

    def has(self, text: str, language: str, name: str = "") -> bool:
        return False

    def synthesise(self, text: str, language: str, name: str = "") -> bytes:
        raise HardwareError(f"no slow voice says {text}")

    def take_last_failure(self) -> HardwareError | None:
        return None

    def choices(self, language: str) -> tuple[VoiceChoice, ...]:
        return ()

    def choose(self, language: str, name: str, speed: int) -> None:
        pass

    def stop(self) -> None:
        pass

    def pronounce(self, names: Respellings) -> None:
        pass

    def save(self) -> None:
        pass

    def close(self) -> None:
        pass
