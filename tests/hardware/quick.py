"""A fake voice that returns at once."""
# ruff: noqa: ARG002 - a fake may ignore arguments

from __future__ import annotations

from hardware.ports import HardwareError, Respellings
from hardware.sound.voices import VoiceChoice


class Quick:
    """A quick voice that returns language and text as its sound. There is no slow voice."""

    def make_quick_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        return f"{language}{name}:{text}".encode()

    def is_slow_voice(self, language: str, name: str = "") -> bool:
        return False

    def cached_slow_voice_wav(self, text: str, language: str, name: str = "") -> bytes | None:
        return None

    def has_cached_wav(self, text: str, language: str, name: str = "") -> bool:
        return False

    def make_slow_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        raise HardwareError(f"no slow voice says {text}")

    def take_last_failure(self) -> HardwareError | None:
        return None

    def voice_choices_for_language(self, language: str) -> tuple[VoiceChoice, ...]:
        return ()

    def choose_voice(self, language: str, name: str, speed: int) -> None:
        pass

    def end_slow_voice_process(self) -> None:
        pass

    def use_respellings(self, names: Respellings) -> None:
        pass

    def save_new_sentences_to_cache(self) -> None:
        pass

    def close(self) -> None:
        pass
