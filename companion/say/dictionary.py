"""Whether a word is in the word lists of the system: `wamerican`, `wbritish` and `wfrench`.

A list is folded once (capitals without accents) into a sorted file of the cache, and searched there
without being loaded; it is folded anew when it changes. Names and shortened forms are no words
(PR-1): entries with a capital, an apostrophe or a hyphen are left out.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.letters import plain

FOLDER: Final = Path("/usr/share/dict")
LISTS: Final = {
    "en": {"american-english": "wamerican", "british-english": "wbritish"},
    "fr": {"french": "wfrench"},
}
"""The lists of each language, and what brings them; a word is known if one of them has it."""
PACKAGES: Final = {"en": "wamerican", "fr": "wfrench"}
"""What to install where there is none."""


class Verdict(NamedTuple):
    """Whether a word is `known`, and the `lists` that judged: the one that has it, or all asked."""

    known: bool
    lists: tuple[str, ...]


def called(lists: tuple[str, ...]) -> str:
    """The lists as people know them: "American, British"."""
    return ", ".join(name.removesuffix("-english").capitalize() for name in lists)


class Dictionary:
    """The word lists in `folder`; what is made of them is kept in `cache`."""

    def __init__(self, cache: Path, folder: Path = FOLDER) -> None:
        self._cache, self._folder = cache, folder

    def judge(self, word: str, language: str) -> Verdict | None:
        """Look a word up, with its dots or without, in any spelling of its accents.

        None if the language has no list here, or none that can be read and kept.
        """
        wanted = plain(word).strip(".")
        asked = []
        for name in LISTS.get(language, {}):
            try:
                known = _has(self._folded(name), wanted)
            except OSError:
                continue
            if known:
                return Verdict(known=True, lists=(name,))
            asked.append(name)
        return Verdict(known=False, lists=tuple(asked)) if asked else None

    def _folded(self, name: str) -> Path:
        """The sorted file of a list as it is now. Raises OSError."""
        source = self._folder / name
        stat = source.stat()
        kept = self._cache / f"{name}-{stat.st_size}-{stat.st_mtime_ns}.words"
        if not kept.exists():
            self._cache.mkdir(parents=True, exist_ok=True)
            for old in self._cache.glob(f"{name}-*.words"):
                old.unlink()
            new = kept.with_suffix(f".{os.getpid()}")
            new.write_text("".join(f"{word}\n" for word in sorted(_words(source))), "ascii")
            new.replace(kept)
        return kept


def _words(source: Path) -> set[str]:
    """The words of a list, folded; without names, shortened forms and what is joined (PR-1)."""
    entries = source.read_text(encoding="utf-8", errors="replace").split("\n")
    folded = plain("\n".join(entry for entry in entries if entry.isalpha() and entry.islower()))
    return {word for word in folded.split("\n") if word.isascii()}


def _has(path: Path, word: str) -> bool:
    """Whether a sorted file of lines has this one; it reads a page for each halving."""
    wanted = word.encode()
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
            lo, hi = 0, len(text)
            while lo < hi:
                begin = text.rfind(b"\n", lo, (lo + hi) // 2) + 1 or lo
                end = text.find(b"\n", begin)
                found = text[begin:end]
                if found == wanted:
                    return True
                lo, hi = (end + 1, hi) if found < wanted else (lo, begin)
    return False
