"""Catalogues of sentences, which are `.po` files for people and compiled `.mo` files beside them.

The build runs this file alone, so this file imports only the standard library. If a `.po` file has
changed, `read_catalogue` compiles the `.po` file again.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from struct import pack, unpack_from
from typing import Final

MAGIC: Final = 0x950412DE
"""Number in the first four bytes of a compiled catalogue."""
CHARSET_HEADER: Final = "Content-Type: text/plain; charset=UTF-8\n"
MSGID_FIELD_NAMES: Final = ("msgid", "msgid_plural")
PO_LINE: Final = re.compile(r'(?:(msgid|msgid_plural|msgstr(?:\[\d\])?) )?"((?:[^"\\]|\\.)*)"')
"""Pattern of a line in a `.po` file: a field with its text, or a further line of the text."""
ESCAPE_SEQUENCE: Final = re.compile(r"\\(.)")


class SentenceCatalogue:
    """The sentences of a compiled catalogue. Each sentence is decoded when it is looked up.

    The GNU gettext manual, section 10.3, describes the format of the compiled catalogue. The keys
    are sorted by their bytes. The module `gettext` is not used, because `gettext` holds all
    sentences in memory and cannot list the sentences. Speech synthesis in advance, the web page and
    the test kit need a list of all sentences.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        _, _, self._count, self._keys, self._texts = unpack_from("<5I", self._content)
        # each frame asks for many optional sentences that do not exist; `Sentences` caches the rest
        self._absent: set[str] = set()

    def gettext(self, key: str) -> str:
        """Return the sentence of `key`, or `key` itself if the catalogue lacks the sentence."""
        if key in self._absent:
            return key
        wanted = key.encode()
        at = bisect_left(range(self._count), wanted, key=self._key)
        if at < self._count and self._key(at) == wanted:
            return self._string(self._texts, at).decode()
        self._absent.add(key)
        return key

    def items(self) -> Iterator[tuple[str, str]]:
        """Yield every key in the catalogue with its sentence."""
        for at in range(self._count):
            if key := self._key(at):  # the empty key belongs to the catalogue's header
                yield key.decode(), self._string(self._texts, at).decode()

    def _key(self, at: int) -> bytes:
        return self._string(self._keys, at)

    def _string(self, table: int, at: int) -> bytes:
        size, begin = unpack_from("<2I", self._content, table + 8 * at)
        return self._content[begin : begin + size]


def compile_catalogue_if_outdated(folder: Path, language: str, name: str) -> Path:
    """Compile a catalogue if its `.mo` file is missing or old, and return the path of this file.

    The `.mo` file is written only if its folder is writable.

    Raise FileNotFoundError if the catalogue has neither file. Raise ValueError if the `.po` file is
    invalid.
    """
    read_catalogue(folder, language, name)
    return catalogue_source_file(folder, language, name).with_suffix(".mo")


def catalogue_source_file(folder: Path, language: str, name: str) -> Path:
    """Return the path of a catalogue's `.po` file, even if the `.po` file does not exist."""
    return folder / "locale" / language / "LC_MESSAGES" / f"{name}.po"


def read_catalogue(folder: Path, language: str, name: str) -> bytes:
    """Return the bytes of the compiled catalogue `name` in `locale/` of a folder.

    If the compiled file is missing or older than its `.po` file, compile the `.po` file. Save the
    new compiled file if its folder is writable. Raise FileNotFoundError if the folder has neither
    file, and ValueError if the `.po` file is invalid.
    """
    written = catalogue_source_file(folder, language, name)
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


def write_compiled_catalogue(written: Path) -> None:
    """Write the `.mo` file beside a `.po` file. Raise ValueError if the `.po` file is invalid."""
    _keep(written.with_suffix(".mo"), _compiled(written))


def _keep(made: Path, content: bytes) -> None:
    """Write a file atomically, because two programs may write the file at the same time."""
    new = made.with_suffix(f".{os.getpid()}.new")
    new.write_bytes(content)
    new.replace(made)


def _changed(file: Path) -> int:
    """Return the time at which a file was last changed (ns), or 0 if the file is missing."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


# --- compilation ----------------------------------------------------------------------------------


def _compiled(written: Path) -> bytes:
    """Return a `.po` file compiled to the `.mo` format.

    Raise ValueError with the line number if a line is invalid.
    """
    try:
        texts = {key: text for key, text in _entries(written.read_text("utf-8")) if text}
    except ValueError as error:  # ValueError includes UnicodeDecodeError
        raise ValueError(f"{written} cannot be read: {error}") from None
    about = texts.get("", "")
    texts[""] = about if "charset=" in about else about + CHARSET_HEADER
    rows = sorted((key.encode(), text.encode()) for key, text in texts.items())
    at = 28 + 16 * len(rows)
    keys, sentences, strings = b"", b"", b""
    for place in range(2):  # row[0] is the key, row[1] the sentence
        table = b""
        for row in rows:
            table += pack("<2I", len(row[place]), at + len(strings))
            strings += row[place] + b"\0"
        keys, sentences = sentences, table
    tables = 28, 28 + 8 * len(rows)
    return pack("<7I", MAGIC, 0, len(rows), *tables, 0, at) + keys + sentences + strings


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield each key with the sentence, or with all plural forms. Skip fuzzy entries."""
    entry: dict[str, str] = {}
    field, fuzzy, skipped = "", False, False
    for n, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if not line or line.startswith("#"):
            fuzzy |= line.startswith("#,") and "fuzzy" in line
            continue
        match = PO_LINE.fullmatch(line)
        if match is None or (match[1] != "msgid" and not entry and not skipped):
            raise ValueError(f"line {n} is none of a catalogue: {line}")
        if match[1] == "msgid":
            yield from _whole(entry)
            entry, skipped, fuzzy = {}, fuzzy, False
        if not skipped:
            field = match[1] or field
            entry[field] = entry.get(field, "") + ESCAPE_SEQUENCE.sub(_unescaped, match[2])
    yield from _whole(entry)


def _whole(entry: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the key and text of an entry, with a zero byte between singular and plural forms."""
    if entry:
        key = [text for field, text in entry.items() if field.startswith("msgid")]
        yield (
            "\0".join(key),
            "\0".join(entry[field] for field in entry if field not in MSGID_FIELD_NAMES),
        )


def _unescaped(match: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(match[1], match[1])
