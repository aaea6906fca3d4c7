"""Catalogues of sentences: `.po`, which people edit, and beside it the `.mo` that is read.

The build compiles with this file, which therefore needs the standard library alone. Whoever changes
a sentence need not build: whoever reads the catalogue next compiles it.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from struct import pack, unpack_from
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAGIC: Final = 0x950412DE
"""What a compiled catalogue begins with."""
CHARSET: Final = "Content-Type: text/plain; charset=UTF-8\n"
KEYS: Final = ("msgid", "msgid_plural")
LINE: Final = re.compile(r'(?:(msgid|msgid_plural|msgstr(?:\[\d\])?) )?"((?:[^"\\]|\\.)*)"')
"""A line of a source, or one that goes on."""
ESCAPED: Final = re.compile(r"\\(.)")


class Catalogue:
    """The sentences of a compiled catalogue, each looked up where it lies.

    gettext keeps all of them in memory and has no way to list them, which the phrases that are said
    in advance, the page and the kit need. The format is that of the GNU gettext manual, 10.3; keys
    are in the order of their bytes.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        _, _, self._count, self._keys, self._texts = unpack_from("<5I", self._content)
        self._found: dict[str, str] = {}

    def gettext(self, key: str) -> str:
        """The sentence of a key; the key, if there is none."""
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._looked_up(key)
        return found

    def _looked_up(self, key: str) -> str:
        wanted = key.encode()
        at = bisect_left(range(self._count), wanted, key=self._key)
        is_there = at < self._count and self._key(at) == wanted
        return self._string(self._texts, at).decode() if is_there else key

    def items(self) -> Iterator[tuple[str, str]]:
        """Every key with its sentence."""
        for at in range(self._count):
            if key := self._key(at):  # the first has what the catalogue says of itself
                yield key.decode(), self._string(self._texts, at).decode()

    def _key(self, at: int) -> bytes:
        return self._string(self._keys, at)

    def _string(self, table: int, at: int) -> bytes:
        size, begin = unpack_from("<2I", self._content, table + 8 * at)
        return self._content[begin : begin + size]


def compile_catalogue(folder: Path, language: str, name: str) -> Path:
    """Where the compiled catalogue `name` in a folder's `locale/` lies; made anew as by `read`.

    Raises FileNotFoundError if there is none, and ValueError at a broken source.
    """
    read(folder, language, name)
    return source_file(folder, language, name).with_suffix(".mo")


def source_file(folder: Path, language: str, name: str) -> Path:
    """Where the source of a catalogue lies; it may be missing where the compiled one is."""
    return folder / "locale" / language / "LC_MESSAGES" / f"{name}.po"


def read(folder: Path, language: str, name: str) -> bytes:
    """The compiled catalogue `name` in the `locale/` of a folder, made anew if its source is newer.

    It is kept beside its source, where that may be written. Raises FileNotFoundError if there is
    neither, and ValueError at a broken source.
    """
    written = source_file(folder, language, name)
    made = written.with_suffix(".mo")
    age = _changed(made)
    if _changed(written) > age:
        content = _compiled(written)
        if os.access(made.parent, os.W_OK):
            _keep(made, content)
        return content
    if not age:
        raise FileNotFoundError(
            f"{written} is missing: install the package again (`pip install .`)."
        )
    return made.read_bytes()


def write(written: Path) -> None:
    """Write the `.mo` beside a `.po`. Raises ValueError if it is broken."""
    _keep(written.with_suffix(".mo"), _compiled(written))


def _keep(made: Path, content: bytes) -> None:
    """Write it; two programs may do so at once, and each sees a whole file."""
    new = made.with_suffix(f".{os.getpid()}.new")
    new.write_bytes(content)
    new.replace(made)


def _changed(file: Path) -> int:
    """When a file was last written, in nanoseconds; 0 if there is none."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


# --- from source to bytes -------------------------------------------------------------------------


def _compiled(written: Path) -> bytes:
    """A `.po` as the `.mo` that it comes to. Raises ValueError with the line that is broken."""
    try:
        texts = {key: text for key, text in _entries(written.read_text("utf-8")) if text}
    except ValueError as error:  # no UTF-8, too
        raise ValueError(f"{written} cannot be read: {error}") from None
    about = texts.get("", "")
    texts[""] = about if "charset=" in about else about + CHARSET
    rows = sorted((key.encode(), text.encode()) for key, text in texts.items())
    at = 28 + 16 * len(rows)
    keys, found, strings = b"", b"", b""
    for place in range(2):  # all keys, then all sentences
        table = b""
        for row in rows:
            table += pack("<2I", len(row[place]), at + len(strings))
            strings += row[place] + b"\0"
        keys, found = found, table
    tables = 28, 28 + 8 * len(rows)
    return pack("<7I", MAGIC, 0, len(rows), *tables, 0, at) + keys + found + strings


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Each key with its sentence, or with all of its plurals; what is fuzzy is left out."""
    entry: dict[str, str] = {}
    field, fuzzy, skipped = "", False, False
    for n, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if not line or line.startswith("#"):
            fuzzy |= line.startswith("#,") and "fuzzy" in line
            continue
        found = LINE.fullmatch(line)
        if found is None or (found[1] != "msgid" and not entry and not skipped):
            raise ValueError(f"line {n} is none of a catalogue: {line}")
        if found[1] == "msgid":
            yield from _whole(entry)
            entry, skipped, fuzzy = {}, fuzzy, False
        if not skipped:
            field = found[1] or field
            entry[field] = entry.get(field, "") + ESCAPED.sub(_unescaped, found[2])
    yield from _whole(entry)


def _whole(entry: dict[str, str]) -> Iterator[tuple[str, str]]:
    """An entry as it is compiled: its parts one behind the other, with a zero between them."""
    if entry:
        key = [text for field, text in entry.items() if field.startswith("msgid")]
        yield "\0".join(key), "\0".join(entry[field] for field in entry if field not in KEYS)


def _unescaped(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(found[1], found[1])
