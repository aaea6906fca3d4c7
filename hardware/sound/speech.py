"""Synthesis of WAV files in which a voice speaks a text.

The quick engines share one process (`engines.py`), in which espeak-ng's voice stays loaded. The
process receives one line for each sentence, and returns samples. All sentences have the same
loudness. If espeak-ng is not installed, a voice of speech-dispatcher replaces espeak-ng.

A cache contains sentences that were spoken before.

Piper has a process of its own (`piper.py`), which the box starts only for a voice of Piper. Piper
is slow, so a quick voice replaces Piper while a person waits.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from hardware.ports import HardwareError, Respellings
from hardware.sound import respelling
from hardware.sound.cache import SentenceWavCache
from hardware.sound.engine_client import EngineMissingError, SpeechEngineClient
from hardware.sound.voices import (
    ESPEAK,
    LANGUAGES,
    OWN_VOICE_PART,
    VoiceChoice,
    check_voice_file,
    espeak_voice_of_language,
    voice_choices_of_language,
    voice_file_cache_key_part,
)

LOUDNESS_DBFS: Final = -16.0
"""Loudness of all voices: the RMS level (dBFS) of the loudest 200 ms of a sentence."""
DEFAULT_WORDS_PER_MINUTE: Final = 160
"""Default speed in words a minute. The default of espeak-ng (175) is too fast at a table."""

_ENGINES: Final = (sys.executable, "-I", "-S", str(Path(__file__).with_name("engines.py")))
_PIPER: Final = (sys.executable, "-P", "-s", "-m", "hardware.sound.piper")
_PATIENCE: Final = 3.0
_LONG_PATIENCE: Final = 60.0
"""Maximum number of seconds to wait for a sentence of a slow voice, even on a slow machine."""
_MADE: Final = f"5 {LOUDNESS_DBFS}"
"""First part of every key of the cache. Change _MADE if voices sound different than before."""
# control characters end a request; some builds of espeak-ng read [[ ]] as phonemes
_UNSPEAKABLE: Final = re.compile(r"[\x00-\x1f\x7f]|\[{2,}")
_END: Final = re.compile(r"(?<=[.!?…])\s+(?=[0-9A-ZÀ-ÖØ-ÞŒ«“])")


def split_into_sentences(text: str) -> list[str]:
    """Return the sentences of `text`, which the box synthesises and plays one after another.

    The speaker can play the first sentence before the last sentence is synthesised. If many texts
    contain a sentence, the cache stores the sentence only once.

    A lower-case letter does not begin a sentence, so "Stavros… the green file" is one sentence.
    """
    return [part for part in _END.split(text.strip()) if part]


def make_slow_voice_process(command: tuple[str, ...] = _PIPER) -> SpeechEngineClient:
    """Return the process of the slow voices, which is not started yet."""
    arguments = str(LOUDNESS_DBFS), str(_LONG_PATIENCE)
    return SpeechEngineClient((*command, *arguments), _LONG_PATIENCE, OWN_VOICE_PART)


def missing_engine_error(
    choice: VoiceChoice, error: EngineMissingError, part: str
) -> HardwareError:
    """Return an error that names a missing engine, and states how to install the engine."""
    return HardwareError.from_reason(f"no_{choice.engine}", part, why=error)


class VoiceSynthesiser:
    """The voices of a box, which implement `synthesis_queue.SpeechSynthesisPort`.

    - `folder`: the folder of the cache, which is created when needed.
    - `voices`: the folder with the owner's voices, or None if there is no such folder.
    - `speed`: the speed in words a minute.
    - `engines`, `piper`: the commands that start the two processes. Only tests change the commands.
    - `patience`: the number of seconds without an answer after which an engine counts as hanging.
      Only tests change `patience`.

    One thread may call `make_quick_voice_wav` and `save_new_sentences_to_cache`, and another thread
    may call `make_slow_voice_wav`. Any thread may call the other methods.
    """

    def __init__(
        self,
        folder: Path,
        speed: int = DEFAULT_WORDS_PER_MINUTE,
        *,
        voices: Path | None = None,
        engines: tuple[str, ...] = _ENGINES,
        piper: tuple[str, ...] = _PIPER,
        patience: float = _PATIENCE,
    ) -> None:
        self._cache = SentenceWavCache(folder)
        self._unsaved: dict[str, bytes] = {}
        self._voices = voices
        self._known: dict[str, tuple[VoiceChoice, ...]] = {}
        self._chosen: dict[str, VoiceChoice] = {}
        self._speeds = dict.fromkeys(LANGUAGES, speed)
        self._gone: frozenset[VoiceChoice] = frozenset()
        self._news: HardwareError | None = None
        self._names: dict[str, _Names] = {}
        loudness = str(LOUDNESS_DBFS)
        self._engines = SpeechEngineClient((*engines, loudness, str(patience)), patience)
        self._piper = make_slow_voice_process(piper)

    # --- which voice ---

    def voice_choices_for_language(self, language: str) -> tuple[VoiceChoice, ...]:
        """Return the voices of a language, the default voice first; the result is cached."""
        if language not in self._known:
            self._known[language] = voice_choices_of_language(language, self._voices)
        return self._known[language]

    def choose_voice(self, language: str, name: str, speed: int = DEFAULT_WORDS_PER_MINUTE) -> None:
        """Speak `language` with the voice `name` from now on, at `speed` words a minute.

        If `name` is "", use the default voice. If the voice does not exist, use the default voice
        and raise HardwareError.
        """
        named_choices = [
            choice for choice in self.voice_choices_for_language(language) if choice.name == name
        ]
        self._chosen[language] = (*named_choices, *self.voice_choices_for_language(language))[0]
        self._speeds[language] = speed
        if name and not named_choices:
            raise HardwareError.from_reason("voice_gone", OWN_VOICE_PART, name=name)

    def named_or_chosen_voice(self, language: str, name: str = "") -> VoiceChoice:
        """Return the voice with the name `name`, or the chosen voice if there is no such voice.

        If no voice was chosen, espeak-ng's voice is the chosen voice. Raise HardwareError if no
        voice speaks `language`.
        """
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        named_choices = (
            choice for choice in self.voice_choices_for_language(language) if choice.name == name
        )
        return next(named_choices, self._chosen.get(language) or espeak_voice_of_language(language))

    def is_slow_voice(self, language: str, name: str = "") -> bool:
        """Return True if the voice `name`, or the chosen voice if `name` is "", is slow."""
        return self.named_or_chosen_voice(language, name).is_slow

    # --- sound ---

    def make_quick_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        """Return a 16-bit mono WAV file in which a quick voice speaks `text`.

        The method waits for the engine unless the sentence is cached. Another quick voice replaces
        a voice that is slow, not installed or failing. Raise HardwareError if espeak-ng is
        installed but fails, or if no quick voice works.
        """
        failed: list[HardwareError] = []
        for choice in self._quick(language, name):
            spoken = self.text_respelled_for_engine(text, language, choice.engine)
            key = self._key(choice, spoken)
            cached = self._unsaved.get(key) or self._cache.read_wav(key)
            if cached is not None:
                return cached
            try:
                content = self._synthesise_once(choice, spoken)
            except EngineMissingError as error:
                self._gone |= {choice}
                failed.append(missing_engine_error(choice, error, "voice"))
                continue
            except HardwareError as error:
                if choice.engine == ESPEAK:
                    raise
                self._news = error.copy_for_part(OWN_VOICE_PART)
                failed.append(error)
                continue
            self._unsaved[key] = content
            return content
        self._gone = frozenset()
        raise failed[0]

    def cached_slow_voice_wav(self, text: str, language: str, name: str = "") -> bytes | None:
        """Return the WAV file of a text in a slow voice, or None if the file is not cached."""
        return self._cache.read_wav(self._key(*self._choose_voice(text, language, name)))

    def has_cached_wav(self, text: str, language: str, name: str = "") -> bool:
        """Return True if the cache has a WAV file of `text` in the voice `name`."""
        return self._cache.has_wav(self._key(*self._choose_voice(text, language, name)))

    def make_slow_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        """Return a WAV file of a text in a slow voice, and cache the WAV file.

        The synthesis may take a minute. Raise HardwareError if the voice fails.
        """
        choice, spoken = self._choose_voice(text, language, name)
        key = self._key(choice, spoken)
        cached = self._cache.read_wav(key)
        if cached is not None:
            return cached
        try:
            content = self._run_engine(self._piper, choice, spoken)
        except EngineMissingError as error:
            raise missing_engine_error(choice, error, OWN_VOICE_PART) from error
        except HardwareError:
            check_voice_file(
                Path(choice.voice)
            )  # for a damaged voice file, this call raises an error with the reason
            raise
        self._cache.store_wav(key, content)
        return content

    def take_last_failure(self) -> HardwareError | None:
        """Return the last failure of a voice since the previous call.

        If no voice has failed since the previous call, return None.
        """
        news, self._news = self._news, None
        return news

    def use_respellings(self, names: Respellings) -> None:
        """Add `names` to the names that are respelled in all later sentences.

        Any thread may call this method.
        """
        respellings = {language: current.said for language, current in self._names.items()}
        self._names = self._names | {
            language: _Names({**respellings.get(language, {}), **given})
            for language, given in names.items()
        }

    def text_respelled_for_engine(self, text: str, language: str, engine: str = ESPEAK) -> str:
        """Return `text` as the engine receives it, with respelled names and ordinals.

        Raise HardwareError for a language other than "en" and "fr".
        """
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        names = self._names.get(language)
        clean_text = " ".join(_UNSPEAKABLE.sub(" ", text).split())
        return respelling.respell_for_engine(
            names.respell_names(clean_text) if names else clean_text, engine, language
        )

    def cache_sentences(self, sentences: Iterable[tuple[str, str]]) -> int:
        """Synthesise sentences into the cache, and return the size of the WAV files in bytes.

        `sentences`: pairs of a text and its language. Raise HardwareError if a sentence cannot be
        synthesised.
        """
        size = 0
        for text, language in sentences:
            make = (
                self.make_slow_voice_wav
                if self.is_slow_voice(language)
                else self.make_quick_voice_wav
            )
            size += sum(len(make(part, language)) for part in split_into_sentences(text))
            self._keep()
        return size

    def save_new_sentences_to_cache(self) -> None:
        """Write new sentences into the cache, and start the quick process for the next sentence.

        Call this method after each sentence is delivered, so that no sentence waits for the disk.
        """
        self._keep()
        with contextlib.suppress(HardwareError):  # `make_quick_voice_wav` reports this error later
            self._engines.start_unless_running()

    def close(self) -> None:
        """End the quick process; safe to call twice. A later sentence starts the process again."""
        self._keep()
        self._engines.close()

    def end_slow_voice_process(self) -> None:
        """End the slow process for good, even in the middle of a sentence.

        Any thread may call this method.
        """
        self._piper.kill_for_good()

    def _choose_voice(self, text: str, language: str, name: str) -> tuple[VoiceChoice, str]:
        """Return the voice `name`, and `text` as the voice's engine receives it."""
        choice = self.named_or_chosen_voice(language, name)
        return choice, self.text_respelled_for_engine(text, language, choice.engine)

    def _keep(self) -> None:
        while self._unsaved:
            self._cache.store_wav(*self._unsaved.popitem())

    def _quick(self, language: str, name: str) -> tuple[VoiceChoice, ...]:
        """Return the quick voices in the order of the attempts.

        The requested voice is first, espeak-ng is second, and all other voices follow.
        """
        first = self.named_or_chosen_voice(language, name), espeak_voice_of_language(language)
        choices = dict.fromkeys((*first, *self.voice_choices_for_language(language)))
        return tuple(c for c in choices if not c.is_slow and c not in self._gone)

    def _key(self, choice: VoiceChoice, spoken: str) -> str:
        speed = str(self._speeds[choice.language])
        return "\0".join(
            (_MADE, choice.engine, choice.voice, voice_file_cache_key_part(choice), speed, spoken)
        )

    def _synthesise_once(self, choice: VoiceChoice, spoken: str) -> bytes:
        return self._run_engine(self._engines, choice, spoken)

    def _run_engine(self, process: SpeechEngineClient, choice: VoiceChoice, spoken: str) -> bytes:
        """Return the WAV file that an engine's process synthesises.

        If the process had ended and was started again, store an error for `take_last_failure`.
        """
        content = process.synthesise_wav(
            choice.engine, choice.voice, self._speeds[choice.language], spoken
        )
        if lost := process.take_exit_reason():
            self._news = HardwareError.from_reason("again", "voice_again", why=lost)
        return content


class _Names:
    """Names to respell. The search ignores case, finds whole words, and prefers longer names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.said = {name.casefold(): spelling for name, spelling in names.items()}
        longest = sorted(self.said, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest)) or "(?!)"
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)

    def respell_names(self, text: str) -> str:
        return self._pattern.sub(lambda match: self.said[match[0].casefold()], text)
