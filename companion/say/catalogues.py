"""Catalogues of sentences: `.po`, which people edit, and beside it the `.mo` that is read.

The build compiles with this file, which therefore needs the standard library alone, and Babel to
compile. Whoever changes a sentence need not build: whoever reads the catalogue next compiles it.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO
from struct import unpack_from
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""When a catalogue was made, as it says of itself: the same source gives the same bytes."""


class Catalogue:
    """The sentences of a compiled catalogue, each looked up where it lies.

    gettext would read all of them first: as long as a tenth of all that comes before the first
    frame. The format is that of the GNU gettext manual, 10.3; keys are in the order of their bytes.
    """

    def __init__(self, file: Path) -> None:
        self._content = file.read_bytes()
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


def compiled(folder: Path, language: str, name: str) -> Path:
    """The compiled catalogue `name` in the `locale/` of a folder, made anew if its source is newer.

    Without Babel, or where nothing may be written, it is taken as it is. Raises FileNotFoundError
    if there is none, and ValueError at a broken source.
    """
    there = folder / "locale" / language / "LC_MESSAGES"
    source, made = there / f"{name}.po", there / f"{name}.mo"
    age = _changed(made)
    if _changed(source) > age and os.access(there, os.W_OK):
        with suppress(ImportError):
            write(source)
            return made
    if not age:
        raise FileNotFoundError(
            f"{made} is missing: install the package (`pip install .`), which makes it."
        )
    return made


def write(source: Path) -> None:
    """Write the `.mo` beside a `.po`. Raises ValueError if it is broken, ImportError: no Babel."""
    # Here and not above: only who edits sentences has it.
    from babel.messages.mofile import write_mo  # noqa: PLC0415
    from babel.messages.pofile import PoFileError, read_po  # noqa: PLC0415

    try:
        with source.open("rb") as file:
            catalogue = read_po(file, abort_invalid=True)
    except (PoFileError, UnicodeDecodeError) as error:
        raise ValueError(f"{source} can not be read: {error}") from error
    catalogue.creation_date = catalogue.revision_date = NEVER
    write_mo(content := BytesIO(), catalogue)
    # Two programs may read it at once: each sees a whole file.
    new = source.with_suffix(f".{os.getpid()}.mo")
    new.write_bytes(content.getvalue())
    new.replace(source.with_suffix(".mo"))


def _changed(file: Path) -> int:
    """When a file was last written, in nanoseconds; 0 if there is none."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0
