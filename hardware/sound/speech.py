"""Speech synthesis: a voice returns the WAV file of a text.

One process has the quick engines (`engines.py`). It keeps espeak-ng's voice loaded, receives a line
for each sentence, and answers with samples of equal loudness. So a sentence starts no process, its
end is known, and the box does not wait. Where espeak-ng is not installed, a voice of
speech-dispatcher replaces it. Sentences that were spoken before are in the cache.

Piper has a second process (`piper.py`), which is started only if one of its voices is chosen. It is
slow: a quick voice replaces it where a person waits.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from hardware.ports import HardwareError, Respellings
from hardware.sound import lexicon
from hardware.sound.cache import SentenceCache
from hardware.sound.engine_process import EngineMissingError, EngineProcess
from hardware.sound.voices import (
    ERROR_PART,
    ESPEAK,
    LANGUAGES,
    VoiceChoice,
    check_voice_file,
    espeak_voice,
    file_stamp,
    voice_choices,
)

LOUDNESS_DBFS: Final = -16.0
"""The level of all voices in dBFS: the RMS of a sentence's loudest 200 ms."""
WORDS_PER_MINUTE: Final = 160
"""The default speed in words a minute; espeak-ng's default of 175 is too fast across a table."""

_ENGINES: Final = (sys.executable, "-I", "-S", str(Path(__file__).with_name("engines.py")))
_PIPER: Final = (sys.executable, "-P", "-s", "-m", "hardware.sound.piper")
_PATIENCE: Final = 3.0
_LONG_PATIENCE: Final = 60.0
"""The seconds for a sentence of a slow voice on the slowest machine, loading included."""
_MADE: Final = f"5 {LOUDNESS_DBFS}"
"""A part of every cache key. Change it with every change that affects the samples."""
# control characters would end a line; some builds of espeak-ng read [[ ]] as phonemes
_UNSPEAKABLE: Final = re.compile(r"[\x00-\x1f\x7f]|\[{2,}")
_END: Final = re.compile(r"(?<=[.!?…])\s+(?=[0-9A-ZÀ-ÖØ-ÞŒ«“])")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of `text`, which are synthesised, cached and played one by one.

    The first sentence is heard before the last one is synthesised, and a rule that follows many
    facts is cached once. A lower-case letter begins no sentence: "Stavros… the green file".
    """
    return [part for part in _END.split(text.strip()) if part]


def make_slow_process(command: tuple[str, ...] = _PIPER) -> EngineProcess:
    """Return the process of a slow voice, not started yet."""
    arguments = str(LOUDNESS_DBFS), str(_LONG_PATIENCE)
    return EngineProcess((*command, *arguments), _LONG_PATIENCE, ERROR_PART)


def missing_engine_error(
    choice: VoiceChoice, error: EngineMissingError, part: str
) -> HardwareError:
    """Return the error for a voice whose engine is not installed; it says how to install it."""
    return HardwareError.from_reason(f"no_{choice.engine}", part, why=error)


class Voices:
    """The voices of a box, as `hardware.sound.synthesis_queue.SynthesisVoice`.

    - `folder`: the cache, created when needed.
    - `voices`: the folder of the owner's voices.
    - `speed`: words a minute.
    - `engines`, `piper`, `patience`: for tests; two commands, and the seconds after which a silent
      engine hangs.

    `wav` and `save` are for one thread, `synthesise` is for another one, all other methods for any.
    """

    def __init__(
        self,
        folder: Path,
        speed: int = WORDS_PER_MINUTE,
        *,
        voices: Path | None = None,
        engines: tuple[str, ...] = _ENGINES,
        piper: tuple[str, ...] = _PIPER,
        patience: float = _PATIENCE,
    ) -> None:
        self._cache = SentenceCache(folder)
        self._unsaved: dict[str, bytes] = {}
        self._voices = voices
        self._known: dict[str, tuple[VoiceChoice, ...]] = {}
        self._chosen: dict[str, VoiceChoice] = {}
        self._speeds = dict.fromkeys(LANGUAGES, speed)
        self._gone: frozenset[VoiceChoice] = frozenset()
        self._news: HardwareError | None = None
        self._names: dict[str, _Names] = {}
        loudness = str(LOUDNESS_DBFS)
        self._engines = EngineProcess((*engines, loudness, str(patience)), patience)
        self._piper = make_slow_process(piper)

    # --- which voice ---

    def choices(self, language: str) -> tuple[VoiceChoice, ...]:
        """Return the voices of a language, the default first. They are searched once."""
        if language not in self._known:
            self._known[language] = voice_choices(language, self._voices)
        return self._known[language]

    def choose(self, language: str, name: str, speed: int = WORDS_PER_MINUTE) -> None:
        """Speak with the voice of that name ("" for the default) at that speed, from now on.

        Raise HardwareError if the voice does not exist; the default speaks then.
        """
        named_choices = [choice for choice in self.choices(language) if choice.name == name]
        self._chosen[language] = (*named_choices, *self.choices(language))[0]
        self._speeds[language] = speed
        if name and not named_choices:
            raise HardwareError.from_reason("voice_gone", ERROR_PART, name=name)

    def choice(self, language: str, name: str = "") -> VoiceChoice:
        """Return the voice of that name, or the chosen one. Raise HardwareError for a language."""
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        named_choices = (choice for choice in self.choices(language) if choice.name == name)
        return next(named_choices, self._chosen.get(language) or espeak_voice(language))

    def is_slow(self, language: str, name: str = "") -> bool:
        """Return True if a sentence of that voice, or of the chosen one, may come late."""
        return self.choice(language, name).is_slow

    # --- sound ---

    def wav(self, text: str, language: str, name: str = "") -> bytes:
        """Return `text` spoken in `language` as a 16-bit mono WAV file, as loud as `LOUDNESS_DBFS`.

        Wait for the engine, unless the sentence is cached. Another voice replaces a slow one, or
        one that fails. Raise HardwareError if there is no engine or no such voice, or if the engine
        fails twice.
        """
        failed: list[HardwareError] = []
        for choice in self._quick(language, name):
            spoken = self.engine_text(text, language, choice.engine)
            key = self._key(choice, spoken)
            cached = self._unsaved.get(key) or self._cache.get(key)
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
                self._news = error.for_part(ERROR_PART)
                failed.append(error)
                continue
            self._unsaved[key] = content
            return content
        self._gone = frozenset()
        raise failed[0]

    def cached_wav(self, text: str, language: str, name: str = "") -> bytes | None:
        """Return the cached WAV of the text by a slow voice; None if there is none."""
        return self._cache.get(self._key(*self._choose_voice(text, language, name)))

    def has(self, text: str, language: str, name: str = "") -> bool:
        """Return True if the cache has the text in that voice."""
        return self._cache.has(self._key(*self._choose_voice(text, language, name)))

    def synthesise(self, text: str, language: str, name: str = "") -> bytes:
        """Synthesise a text with a slow voice, and cache it. May take long. Raise HardwareError."""
        choice, spoken = self._choose_voice(text, language, name)
        key = self._key(choice, spoken)
        cached = self._cache.get(key)
        if cached is not None:
            return cached
        try:
            content = self._run_engine(self._piper, choice, spoken)
        except EngineMissingError as error:
            raise missing_engine_error(choice, error, ERROR_PART) from error
        except HardwareError:
            check_voice_file(
                Path(choice.voice)
            )  # an error of the voice file itself has its own message
            raise
        self._cache.put(key, content)
        return content

    def take_last_failure(self) -> HardwareError | None:
        """Return the last failure of a voice since the last call; None if there was none."""
        news, self._news = self._news, None
        return news

    def pronounce(self, names: Respellings) -> None:
        """Respell these names too, from now on; from any thread."""
        respellings = {language: current.said for language, current in self._names.items()}
        self._names = self._names | {
            language: _Names({**respellings.get(language, {}), **given})
            for language, given in names.items()
        }

    def engine_text(self, text: str, language: str, engine: str = ESPEAK) -> str:
        """Return `text` respelled for an engine.

        Raise HardwareError for a language other than "en" and "fr".
        """
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        names = self._names.get(language)
        clean_text = " ".join(_UNSPEAKABLE.sub(" ", text).split())
        return lexicon.respell(names.respell(clean_text) if names else clean_text, engine, language)

    def render(self, sentences: Iterable[tuple[str, str]]) -> int:
        """Put texts, each with its language, into the cache by sentences; return their bytes.

        Raise HardwareError like `wav`, or like `synthesise` if the chosen voice is slow.
        """
        size = 0
        for text, language in sentences:
            make = self.synthesise if self.is_slow(language) else self.wav
            size += sum(len(make(part, language)) for part in split_sentences(text))
            self._keep()
        return size

    def save(self) -> None:
        """Write new sentences into the cache, and start the process for the next one.

        Call this after a sentence was delivered, so that no sentence waits for it.
        """
        self._keep()
        with contextlib.suppress(HardwareError):  # the next sentence reports the error
            self._engines.start()

    def close(self) -> None:
        """End the quick process; safe to call twice. A later sentence starts it again."""
        self._keep()
        self._engines.close()

    def stop(self) -> None:
        """End the slow process for good, even in the middle of a sentence; from any thread."""
        self._piper.stop()

    def _choose_voice(self, text: str, language: str, name: str) -> tuple[VoiceChoice, str]:
        """Return the voice of that name, and the text as its engine receives it."""
        choice = self.choice(language, name)
        return choice, self.engine_text(text, language, choice.engine)

    def _keep(self) -> None:
        while self._unsaved:
            self._cache.put(*self._unsaved.popitem())

    def _quick(self, language: str, name: str) -> tuple[VoiceChoice, ...]:
        """Return the quick voices to try: the requested one, espeak-ng, then the others."""
        first = self.choice(language, name), espeak_voice(language)
        choices = dict.fromkeys((*first, *self.choices(language)))
        return tuple(c for c in choices if not c.is_slow and c not in self._gone)

    def _key(self, choice: VoiceChoice, spoken: str) -> str:
        speed = str(self._speeds[choice.language])
        return "\0".join((_MADE, choice.engine, choice.voice, file_stamp(choice), speed, spoken))

    def _synthesise_once(self, choice: VoiceChoice, spoken: str) -> bytes:
        return self._run_engine(self._engines, choice, spoken)

    def _run_engine(self, process: EngineProcess, choice: VoiceChoice, spoken: str) -> bytes:
        """Return the WAV of a process.

        Store an error as news if the process died and was restarted.
        """
        content = process.say(choice.engine, choice.voice, self._speeds[choice.language], spoken)
        if lost := process.take_exit_reason():
            self._news = HardwareError.from_reason("again", "voice_again", why=lost)
        return content


class _Names:
    """Names to respell, matched as whole words without regard to case, the longest first."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.said = {name.casefold(): spelling for name, spelling in names.items()}
        longest = sorted(self.said, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest)) or "(?!)"
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)

    def respell(self, text: str) -> str:
        return self._pattern.sub(lambda match: self.said[match[0].casefold()], text)
