"""Voices on this machine: voice files of the owner, and voices of the installed engines.

A voice of Piper is a file in the voices folder, such as `fr_FR-….onnx`, with a `.json` file beside
the voice file. The name of the voice file begins with the language, and the `.json` file must name
the same language. This module reads only the `.json` file, which is small.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from checked_input import strict_json
from hardware.ports import HardwareError

LANGUAGES: Final = ("en", "fr")
"""Codes of the languages that the box can speak."""
ESPEAK, PIPER, DISPATCHER = "espeak-ng", "piper", "speech-dispatcher"
"""Names of the engines.

The engine speech-dispatcher offers the voices of other engines, such as mbrola and pico.
"""
MODULE_FOLDER_PATTERNS: Final = ("lib/speech-dispatcher-modules", "lib/*/speech-dispatcher-modules",
                  "libexec/speech-dispatcher-modules")  # fmt: skip
"""Patterns for folders with speech-dispatcher's modules, relative to the system's folder (/usr)."""
MODULE_SETTINGS_FOLDER: Final = Path("/etc/speech-dispatcher/modules")
"""Folder with the settings files of speech-dispatcher's modules."""
IGNORED_MODULES: Final = ("dummy", "generic", "espeak-ng")
"""Names of modules that the box ignores.

The modules dummy and generic play sound themselves. The box uses espeak-ng without a module.
"""
LIST_TIMEOUT_SECONDS: Final = 1.5
"""Maximum number of seconds in which a module must list its voices.

The module of pico needs 0.05 s on a desktop computer.
"""
MAX_VOICE_BYTES: Final = 256 * 2**20
"""Maximum size of a voice file in bytes: twice the size of Piper's high-quality voices."""
OWN_VOICE_PART: Final = "own_voice"
"""Value of an error's attribute `part`.

The value means that the chosen voice has failed, and that another voice speaks instead.
"""

_MAX_FILE_BYTES: Final = 2**20
_VOICE: Final = re.compile(r"^200-([^\t\n]+)\t(\w[^\t\n ]*)\t(?:none)?$", re.MULTILINE)
"""Pattern of a line that lists a voice without variants: the voice's name and its language."""
_LICENCE: Final = re.compile(r"^\W*licen[cs]e\W+(\S.*)$", re.IGNORECASE | re.MULTILINE)


class VoiceChoice(NamedTuple):
    """Voice that the user can choose.

    - `name`: the name of the voice on the screen and in the settings.
    - `engine`: the name of the voice's engine.
    - `language`: the language that the voice speaks.
    - `voice`: the engine's identifier of the voice: a language, a name, or the path of a file.
    """

    name: str
    engine: str
    language: str
    voice: str

    @property
    def is_slow(self) -> bool:
        """Return True if the synthesis of a sentence may take longer than the spoken sentence."""
        return self.engine == PIPER


class PiperVoiceProperties(NamedTuple):
    """Language code, quality and licence of a voice of Piper. A missing value is ""."""

    language: str
    quality: str
    licence: str


def voice_choices_of_language(
    language: str, folder: Path | None, *, system: Path = Path("/usr")
) -> tuple[VoiceChoice, ...]:
    """Return the voices of a language, the default voice first.

    The voices in the owner's `folder` precede all others, because the owner has chosen to install
    these voices.
    """
    owner_voices = tuple(
        VoiceChoice(f.stem, PIPER, language, str(f))
        for f in voice_files_in_folder(folder, language)
    )
    return (
        *owner_voices,
        espeak_voice_of_language(language),
        *_dispatcher_voices(language, system),
    )


def espeak_voice_of_language(language: str) -> VoiceChoice:
    """Return the voice of espeak-ng for a language."""
    return VoiceChoice(ESPEAK, ESPEAK, language, language)


def _dispatcher_voices(language: str, system: Path) -> tuple[VoiceChoice, ...]:
    paths = (
        path for folder in MODULE_FOLDER_PATTERNS for path in sorted(system.glob(f"{folder}/sd_*"))
    )
    named = {path.name.removeprefix("sd_"): path for path in paths}
    return tuple(
        VoiceChoice(
            _display_name(module, voice), DISPATCHER, language, f"{code} {path} {settings} {voice}"
        )
        for module, path in named.items()
        if module not in IGNORED_MODULES
        for settings in (MODULE_SETTINGS_FOLDER / f"{module}.conf",)
        for voice, code in _module_voices(path, settings)
        if re.split(r"[_-]", code)[0].lower() == language
    )


def _display_name(module: str, voice: str) -> str:
    """Return the name that the screen shows for a voice, such as "sd flite kal16"."""
    engine = module.removeprefix("espeak-ng-")
    return f"sd {voice}" if engine in voice else f"sd {engine} {voice}"


@cache
def _module_voices(module: Path, settings: Path) -> tuple[tuple[str, str], ...]:
    """Return the names and language codes of a module's voices; the result is cached.

    Some voices have a hundred variants, so the variants of voices are omitted. If a module does not
    answer, return ().
    """
    try:
        answer = subprocess.run(  # safe: the command is an installed module
            (str(module), str(settings)),
            input="INIT\nLIST VOICES\nQUIT\n",
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=LIST_TIMEOUT_SECONDS,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple((name, code) for name, code in _VOICE.findall(answer))


def voice_files_in_folder(folder: Path | None, language: str = "") -> tuple[Path, ...]:
    """Return the voice files of `language`, sorted by name.

    If `language` is "", return the voice files of all languages. Return () if the folder cannot be
    read.
    """
    if folder is None or not os.path.isdir(folder):  # noqa: PTH112 - also False if unreadable
        return ()
    return tuple(sorted(file for file in folder.glob("*.onnx") if file.name.startswith(language)))


def voice_file_cache_key_part(choice: VoiceChoice) -> str:
    """Return the size and the modification time of a voice's file, as part of a cache key.

    If the voice is not a voice of Piper, return "". If the file of a voice of Piper does not exist,
    return "gone".
    """
    if choice.engine != PIPER:
        return ""
    try:
        status = os.stat(choice.voice)  # noqa: PTH116 - the path is a str
    except OSError:
        return "gone"
    return f"{status.st_size} {status.st_mtime_ns}"


def read_voice_properties(file: Path) -> PiperVoiceProperties:
    """Return the language, quality and licence of a voice, from the files beside its voice file.

    Raise HardwareError if the files are missing or do not belong to this voice.
    """
    config = read_voice_config(file)
    try:
        code = str(config.get("language", {}).get("code") or config["espeak"]["voice"])
        quality = str(config["audio"].get("quality", ""))
        rate = config["audio"]["sample_rate"]
    except (KeyError, TypeError, AttributeError) as error:
        raise HardwareError.from_reason(
            "not_of_a_voice", OWN_VOICE_PART, file=f"{file.name}.json", why=error
        ) from None
    if not isinstance(rate, int) or not 8_000 <= rate <= 48_000:  # noqa: PLR2004 - hertz
        raise HardwareError.from_reason(
            "wrong_rate", OWN_VOICE_PART, file=f"{file.name}.json", rate=repr(rate)
        )
    language = re.split(r"[_-]", code)[0].lower()
    if not file.name.startswith(f"{language}_") and not file.name.startswith(f"{language}-"):
        raise HardwareError.from_reason(
            "other_language", OWN_VOICE_PART, file=file.name, code=repr(code)
        )
    return PiperVoiceProperties(code, quality, _licence(file))


def check_voice_file(file: Path) -> Path:
    """Return `file` if the voice file has a valid size and a valid `.json` file.

    Raise HardwareError if the voice file or its `.json` file is not valid.
    """
    read_voice_properties(file)
    try:
        size = file.stat().st_size
    except OSError as error:
        raise HardwareError.from_reason(
            "no_file", OWN_VOICE_PART, file=file.name, why=error.strerror
        ) from error
    if not 0 < size <= MAX_VOICE_BYTES:
        raise HardwareError.from_reason("wrong_size", OWN_VOICE_PART, file=file.name, size=size)
    return file


def read_voice_config(file: Path) -> Any:
    """Return the content of the `.json` file beside a voice file.

    Raise HardwareError if the `.json` file is missing, too large or not valid.
    """
    beside = file.with_name(f"{file.name}.json")
    try:
        if beside.stat().st_size > _MAX_FILE_BYTES:
            raise HardwareError.from_reason("too_large", OWN_VOICE_PART, file=beside.name)
        return strict_json.parse_json(beside.read_bytes())
    except OSError as error:
        raise HardwareError.from_reason(
            "no_file", OWN_VOICE_PART, file=beside.name, why=error.strerror
        ) from error
    except ValueError as error:
        raise HardwareError.from_reason(
            "no_json", OWN_VOICE_PART, file=beside.name, why=error
        ) from error


def _licence(file: Path) -> str:
    for beside in _cards(file):
        try:
            match = _LICENCE.search(beside.read_text("utf-8", "replace")[:_MAX_FILE_BYTES])
        except OSError:
            continue
        if match:
            return match[1].strip()
    return ""


def _cards(file: Path) -> Iterable[Path]:
    yield file.with_suffix(".MODEL_CARD")
    yield file.with_name("MODEL_CARD")
