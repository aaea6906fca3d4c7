"""Look-up of words in the system's word lists: `wamerican`, `wbritish` and `wfrench`.

A list is normalised once (capitals without accents) into sorted files in the cache, which are
searched on disk. A list is normalised again when its file changes. Entries with an apostrophe or a
hyphen are omitted, because abbreviations are not words (PR-1). Proper names (only capitalised in
the list) are saved in a separate file.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.letters import strip_accents

LISTS_FOLDER: Final = Path("/usr/share/dict")
WORD_LISTS: Final = {
    "en": {"american-english": "wamerican", "british-english": "wbritish"},
    "fr": {"french": "wfrench"},
}
"""Word lists of each language with their Debian packages; a word in any list is accepted."""
LIST_PACKAGES: Final = {"en": "wamerican", "fr": "wfrench"}
"""Debian package to install, by language, if the language has no word list."""


class WordVerdict(NamedTuple):
    """The result of a look-up: `known`, and the `lists` that decided.

    `lists` is the list that has the word, or all lists searched. `name`: the word is unknown, and a
    list has it as a proper name (PR-1).
    """

    known: bool
    lists: tuple[str, ...]
    name: bool = False


class Dictionary:
    """The word lists in `folder`, with normalised copies in the folder `cache`."""

    def __init__(self, cache: Path, folder: Path = LISTS_FOLDER) -> None:
        self._cache, self._folder = cache, folder

    def look_up(self, word: str, language: str) -> WordVerdict | None:
        """Look a word up, with or without dots and accents.

        Return None if the language has no list, or none that can be read and cached.
        """
        wanted = strip_accents(word).strip(".")
        asked, name_in = [], []
        for name in WORD_LISTS.get(language, {}):
            try:
                words, names = self._folded(name)
                is_word, is_name = _has(words, wanted), _has(names, wanted)
            except OSError:
                continue
            if is_word:
                return WordVerdict(known=True, lists=(name,))
            asked.append(name)
            name_in += [name] * is_name
        lists = tuple(name_in or asked)
        return WordVerdict(known=False, lists=lists, name=bool(name_in)) if lists else None

    def _folded(self, name: str) -> tuple[Path, Path]:
        """Return the sorted files of a list: its words, and its names. Raise OSError."""
        source = self._folder / name
        stat = source.stat()
        words = self._cache / f"{name}-{stat.st_size}-{stat.st_mtime_ns}.words"
        names = words.with_suffix(".names")
        if not (words.exists() and names.exists()):
            self._cache.mkdir(parents=True, exist_ok=True)
            for old in self._cache.glob(f"{name}-*"):
                old.unlink()
            entries = source.read_text(encoding="utf-8", errors="replace").split("\n")
            _keep(names, _spelt(entry for entry in entries if entry[:1].isupper()))
            _keep(words, _spelt(entry for entry in entries if entry.islower()))
        return words, names


def _keep(file: Path, words: Iterable[str]) -> None:
    """Write a sorted file atomically. Raise OSError."""
    new = file.with_suffix(f"{file.suffix}.{os.getpid()}")
    new.write_text("".join(f"{word}\n" for word in sorted(words)), "ascii")
    new.replace(file)


def _spelt(entries: Iterable[str]) -> set[str]:
    """Return entries in capitals without accents; no abbreviations or compounds (PR-1)."""
    folded = strip_accents("\n".join(entry for entry in entries if entry.isalpha()))
    return {word for word in folded.split("\n") if word.isascii()}


def _has(path: Path, word: str) -> bool:
    """Return True if a sorted file has the line; binary search reads a page per step."""
    wanted = word.encode()
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
            lo, hi = 0, len(text)
            while lo < hi:
                begin = text.rfind(b"\n", lo, (lo + hi) // 2) + 1 or lo
                end = text.find(b"\n", begin)
                entry = text[begin:end]
                if entry == wanted:
                    return True
                lo, hi = (end + 1, hi) if entry < wanted else (lo, begin)
    return False
