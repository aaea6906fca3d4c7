"""Sentences as sound: a voice gives a WAV file's bytes for a text.

One process of our own has the quick engines (`engines.py`): it keeps espeak-ng's voice
loaded, takes a line a sentence, and answers with samples of equal loudness. So a
sentence starts no process, its end is certain, and what is slow happens beside the box's own work.
Where espeak-ng is not installed, a voice of speech-dispatcher stands in for it. What was said
before comes from the cache, without any process.

A voice of Piper has a second process (`piper.py`), which is started if such a
voice is chosen, and not before. It is slow: the first one stands in where it is waited for.
"""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardware.ports import HardwareError
from hardware.sound import lexicon
from hardware.sound.cache import Cache
from hardware.sound.engine_process import EngineProcess, MissingError
from hardware.sound.voices import (
    ESPEAK,
    LANGUAGES,
    PART,
    Choice,
    check_voice_file,
    choices,
    espeak,
    stamp,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hardware.ports import Names

LOUDNESS: Final = -16.0
"""The level of all voices, in dBFS: the RMS of a sentence's loudest 200 ms."""
SPEED: Final = 160
"""Words a minute: espeak-ng's own 175 is too fast across a table."""

_ENGINES: Final = (sys.executable, "-I", "-S", str(Path(__file__).with_name("engines.py")))
_PIPER: Final = (sys.executable, "-P", "-s", "-m", "hardware.sound.piper")
_PATIENCE: Final = 3.0
_LONG_PATIENCE: Final = 60.0
"""Seconds for a sentence of a slow voice, on the slowest machine; the first one loads it, too."""
_MADE: Final = f"5 {LOUDNESS}"
"""Part of every cache key: to be changed with all that changes the samples."""
# Control characters would end a line, and [[ ]] is phonemes to some builds of espeak-ng.
_UNSPEAKABLE: Final = re.compile(r"[\x00-\x1f\x7f]|\[{2,}")
_END: Final = re.compile(r"(?<=[.!?…])\s+(?=[0-9A-ZÀ-ÖØ-ÞŒ«“])")


def parts(text: str) -> list[str]:
    """Give the sentences of `text`, which are made, kept and heard one by one.

    So the first one is heard before the last one is made, and what follows a fact (its rule) is
    made once for all facts. A lower-case letter begins no sentence: "Stavros… the green file".
    """
    return [part for part in _END.split(text.strip()) if part]


def slow(command: tuple[str, ...] = _PIPER) -> EngineProcess:
    """Give the process of a slow voice, which is not started yet."""
    told = str(LOUDNESS), str(_LONG_PATIENCE)
    return EngineProcess((*command, *told), _LONG_PATIENCE, PART)


def missing(choice: Choice, error: MissingError, part: str) -> HardwareError:
    """The error for a voice whose engine is not installed: it says how to."""
    return HardwareError.of(f"no_{choice.engine}", part, why=error)


class Speech:
    """The voices of a box, as `hardware.sound.synthesis.SynthesisVoice`.

    `folder` keeps what was said before and is made when needed; `voices` is where the owner's own
    voices are. `speed` is in words a minute. `engines` and `piper`, commands, and `patience`
    (seconds until a silent engine counts as hanging) are for tests. `wav` and `save` are for one
    thread, `read` is for another, the rest is for any.
    """

    def __init__(
        self,
        folder: Path,
        speed: int = SPEED,
        *,
        voices: Path | None = None,
        engines: tuple[str, ...] = _ENGINES,
        piper: tuple[str, ...] = _PIPER,
        patience: float = _PATIENCE,
    ) -> None:
        self._cache = Cache(folder)
        self._unsaved: dict[str, bytes] = {}
        self._voices = voices
        self._known: dict[str, tuple[Choice, ...]] = {}
        self._chosen: dict[str, Choice] = {}
        self._speeds = dict.fromkeys(LANGUAGES, speed)
        self._gone: frozenset[Choice] = frozenset()
        self._news: HardwareError | None = None
        self._names: dict[str, _Names] = {}
        told = str(LOUDNESS)
        self._engines = EngineProcess((*engines, told, str(patience)), patience)
        self._piper = slow(piper)

    # --- which voice ---

    def choices(self, language: str) -> tuple[Choice, ...]:
        """Give the voices of a language, the usual one first; looked for once."""
        if language not in self._known:
            self._known[language] = choices(language, self._voices)
        return self._known[language]

    def choose(self, language: str, name: str, speed: int = SPEED) -> None:
        """From now on, speak with the voice of that name ("": the usual one), and so fast.

        Raises HardwareError if it is not there; then the usual one speaks.
        """
        found = [choice for choice in self.choices(language) if choice.name == name]
        self._chosen[language] = (*found, *self.choices(language))[0]
        self._speeds[language] = speed
        if name and not found:
            raise HardwareError.of("voice_gone", PART, name=name)

    def choice(self, language: str, name: str = "") -> Choice:
        """Give the voice of that name, or the chosen one. Raises HardwareError for a language."""
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        found = (choice for choice in self.choices(language) if choice.name == name)
        return next(found, self._chosen.get(language) or espeak(language))

    def is_slow(self, language: str, name: str = "") -> bool:
        """Whether a sentence of that voice, or of the chosen one, may come late."""
        return self.choice(language, name).is_slow

    # --- sound ---

    def wav(self, text: str, language: str, name: str = "") -> bytes:
        """Give `text` spoken in `language`, as loud as `LOUDNESS`: a 16-bit mono WAV file's bytes.

        Waits for the engine, unless the sentence was said before. A slow voice, and one that fails,
        is stood in for. Raises HardwareError if there is no engine or no such voice, or if it
        failed twice in a row.
        """
        failed: list[HardwareError] = []
        for choice in self._quick(language, name):
            spoken = self.engine_text(text, language, choice.engine)
            key = self._key(choice, spoken)
            known = self._unsaved.get(key) or self._cache.get(key)
            if known is not None:
                return known
            try:
                content = self._synthesise_once(choice, spoken)
            except MissingError as error:
                self._gone |= {choice}
                failed.append(missing(choice, error, "voice"))
                continue
            except HardwareError as error:
                if choice.engine == ESPEAK:
                    raise
                self._news = error.about(PART)
                failed.append(error)
                continue
            self._unsaved[key] = content
            return content
        self._gone = frozenset()
        raise failed[0]

    def cached_wav(self, text: str, language: str, name: str = "") -> bytes | None:
        """Give the WAV that a slow voice has made of the text before; None if it has not."""
        return self._cache.get(self._key(*self._choose_voice(text, language, name)))

    def has(self, text: str, language: str, name: str = "") -> bool:
        """Whether that voice has said it before."""
        return self._cache.has(self._key(*self._choose_voice(text, language, name)))

    def synthesise(self, text: str, language: str, name: str = "") -> bytes:
        """Have a slow voice say something, and keep it. May take long. Raises HardwareError."""
        choice, spoken = self._choose_voice(text, language, name)
        key = self._key(choice, spoken)
        known = self._cache.get(key)
        if known is not None:
            return known
        try:
            content = self._run_engine(self._piper, choice, spoken)
        except MissingError as error:
            raise missing(choice, error, PART) from error
        except HardwareError:
            check_voice_file(
                Path(choice.voice)
            )  # what is wrong with its file is said in its own words
            raise
        self._cache.put(key, content)
        return content

    def news(self) -> HardwareError | None:
        """Give the last failure of a voice since the last call; None if there was none."""
        news, self._news = self._news, None
        return news

    def pronounce(self, names: Names) -> None:
        """Respell these names too for the engine, from now on; from any thread."""
        known = {language: own.said for language, own in self._names.items()}
        self._names = self._names | {
            language: _Names({**known.get(language, {}), **given})
            for language, given in names.items()
        }

    def engine_text(self, text: str, language: str, engine: str = ESPEAK) -> str:
        """Give `text` as an engine is told it, respelled.

        Raises HardwareError for another language than "en" and "fr".
        """
        if language not in LANGUAGES:
            raise HardwareError(f"no voice speaks {language!r}; there are: {', '.join(LANGUAGES)}")
        names = self._names.get(language)
        said = " ".join(_UNSPEAKABLE.sub(" ", text).split())
        return lexicon.respell(names.respell(said) if names else said, engine, language)

    def render(self, sentences: Iterable[tuple[str, str]]) -> int:
        """Put texts, each with its language, into the cache by parts; give their size in bytes.

        Raises HardwareError as `wav` does, or `read` if the chosen voice is a slow one.
        """
        size = 0
        for text, language in sentences:
            make = self.synthesise if self.is_slow(language) else self.wav
            size += sum(len(make(part, language)) for part in parts(text))
            self._keep()
        return size

    def save(self) -> None:
        """Write new sentences into the cache, and start the process for the next one.

        Call it after a sentence was given, which then waits for neither.
        """
        self._keep()
        with contextlib.suppress(HardwareError):  # the next sentence that needs it will tell
            self._engines.start()

    def close(self) -> None:
        """End the quick process; safe to call twice, and a later sentence starts it again."""
        self._keep()
        self._engines.close()

    def stop(self) -> None:
        """End the slow process for good, even in the middle of a sentence; from any thread."""
        self._piper.stop()

    def _choose_voice(self, text: str, language: str, name: str) -> tuple[Choice, str]:
        """Give the voice of that name, and what it is told."""
        choice = self.choice(language, name)
        return choice, self.engine_text(text, language, choice.engine)

    def _keep(self) -> None:
        while self._unsaved:
            self._cache.put(*self._unsaved.popitem())

    def _quick(self, language: str, name: str) -> tuple[Choice, ...]:
        """Give the quick voices to try: the wished one, espeak-ng, and then any other."""
        first = self.choice(language, name), espeak(language)
        known = dict.fromkeys((*first, *self.choices(language)))
        return tuple(c for c in known if not c.is_slow and c not in self._gone)

    def _key(self, choice: Choice, spoken: str) -> str:
        speed = str(self._speeds[choice.language])
        return "\0".join((_MADE, choice.engine, choice.voice, stamp(choice), speed, spoken))

    def _synthesise_once(self, choice: Choice, spoken: str) -> bytes:
        return self._run_engine(self._engines, choice, spoken)

    def _run_engine(self, process: EngineProcess, choice: Choice, spoken: str) -> bytes:
        """Have a process say it; that one was lost over it, and started again, is news."""
        content = process.say(choice.engine, choice.voice, self._speeds[choice.language], spoken)
        if lost := process.take_exit_reason():
            self._news = HardwareError.of("again", "voice_again", why=lost)
        return content


class _Names:
    """Names to be respelled: as whole words, whatever their case, the longest first."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.said = {name.casefold(): said for name, said in names.items()}
        longest = sorted(self.said, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest)) or "(?!)"
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)

    def respell(self, text: str) -> str:
        return self._pattern.sub(lambda found: self.said[found[0].casefold()], text)
