"""Look-up of words in Debian's word lists `wamerican`, `wbritish` and `wfrench`.

Each word list is converted once to capitals without accents, and saved in two sorted files in the
cache. One file contains words, and the other file contains proper names. A changed word list is
converted again. A look-up searches the sorted files on disk. Entries of a word list with an
apostrophe or a hyphen are omitted (PR-1).
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.letters import capitals_without_accents

LISTS_FOLDER: Final = Path("/usr/share/dict")
WORD_LISTS: Final = {
    "en": {"american-english": "wamerican", "british-english": "wbritish"},
    "fr": {"french": "wfrench"},
}
"""Table from a language to its word lists, each with its Debian package.

A word is valid if at least one of the word lists contains the word.
"""
DEFAULT_LIST_PACKAGES: Final = {"en": "wamerican", "fr": "wfrench"}
"""Table from a language to the Debian package to install if no word list is installed."""


class WordVerdict(NamedTuple):
    """The result of a word's look-up.

    - `known` is True if a word list contains the word.
    - `lists`: names of word lists. If the word is known, the first word list that contains the
      word. If the word is a proper name, the word lists that contain the name. Otherwise, all
      searched word lists.
    - `is_proper_name` is True if the word is not known, but is a proper name in a word list (PR-1).
    """

    known: bool
    lists: tuple[str, ...]
    is_proper_name: bool = False


class Dictionary:
    """The word lists in `folder`, with converted copies in the folder `cache`."""

    def __init__(self, cache: Path, folder: Path = LISTS_FOLDER) -> None:
        self._cache, self._folder = cache, folder

    def look_up(self, word: str, language: str) -> WordVerdict | None:
        """Look a word up in all word lists of a language, and return the result. Ignore accents.

        Ignore dots at both ends of the word: a dot is a blank place in the game Probe. Return None
        if the language has no word list, or if no word list can be read and cached.
        """
        wanted = capitals_without_accents(word).strip(".")
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
        return (
            WordVerdict(known=False, lists=lists, is_proper_name=bool(name_in)) if lists else None
        )

    def _folded(self, name: str) -> tuple[Path, Path]:
        """Return the paths of a word list's sorted files: words, and proper names.

        Raise OSError if the word list cannot be read, or if the sorted files cannot be written.
        """
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
    new = file.with_suffix(f"{file.suffix}.{os.getpid()}")
    new.write_text("".join(f"{word}\n" for word in sorted(words)), "ascii")
    new.replace(file)


def _spelt(entries: Iterable[str]) -> set[str]:
    """Return the entries in capitals without accents.

    Omit entries with a character that is not a letter, such as an apostrophe or a hyphen (PR-1).
    """
    folded = capitals_without_accents("\n".join(entry for entry in entries if entry.isalpha()))
    return {word for word in folded.split("\n") if word.isascii()}


def _has(path: Path, word: str) -> bool:
    """Return True if a sorted file has the line `word`.

    The file is mapped into memory and searched by bisection, so only a small part of the file is
    read.
    """
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
