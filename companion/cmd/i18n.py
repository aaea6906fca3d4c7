"""What the commands say: in the language of this machine, from a catalogue of their own."""

from __future__ import annotations

import errno
import os
from functools import cache
from typing import TYPE_CHECKING, Final

from companion.cmd import places
from companion.core.errors import Explained
from companion.say.words import Words
from handwritten.nearest import nearest
from hardware import HardwareError
from hardware.wiring import BoardError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from handwritten.mistakes import Mistake


SYSTEM: Final = {os.strerror(number): name for number, name in errno.errorcode.items()} | {
    "Name or service not known": "EAI_NONAME",
    "No address associated with hostname": "EAI_NODATA",
    "Temporary failure in name resolution": "EAI_AGAIN",
}
"""What the system says, which is in English: by what is called so in C (`EACCES`)."""


@cache
def _words(language: str) -> Words:
    return Words(language)


def said(name: str, /, **facts: object) -> str:
    """The sentence of that name."""
    return _words(places.language())(f"cmd.{name}", **facts)


def counted(name: str, n: int, **facts: object) -> str:
    """The sentence of that name for so many of a thing."""
    return _words(places.language()).counted(f"cmd.{name}", n, **facts)


def hinted(of: str, found: str, known: Iterable[str], like: float = 0.6, **facts: object) -> str:
    """That there is no such thing `of` a kind: the one that was meant, or all that there are."""
    there = list(known)
    near = nearest(found, there, like)
    way = f"given.{'near' if near else 'no'}_{of}"
    return said(way, found=repr(found), near=near, known=", ".join(there), **facts)


def wrong(error: BaseException) -> str:
    """What an error says; in English if it is one that nobody but a programmer should meet."""
    match error:
        case Explained():
            return _wrong(error.key, error.fields)
        case BoardError():
            return "\n".join(map(mistaken, error.mistakes))
        case HardwareError(reason=str(why)) if why:
            return _wrong(f"hardware.{why}", error.fields)
        case OSError(strerror=str(), filename=str() | bytes() | os.PathLike() as file):
            return said("wrong.file", file=os.fsdecode(file), why=reason(error))
        case OSError(strerror=str()):
            return reason(error)
        case _:
            return str(error)


def _wrong(key: str, fields: Mapping[str, object]) -> str:
    return said(f"wrong.{key}", **{name: _told(field) for name, field in fields.items()})


def _told(field: object) -> object:
    """A field of a sentence: what was wrong is a sentence of its own."""
    return wrong(field) if isinstance(field, Exception) else _system(field)


def reason(error: OSError) -> str:
    """What the system says of an error."""
    return str(_system(error.strerror or error))


def _system(field: object) -> object:
    """A field of a sentence; as it is told here if the system has told it."""
    name = SYSTEM.get(str(field), "")
    return said(f"errno.{name}") if _words(places.language()).has(f"cmd.errno.{name}") else field


def mistaken(mistake: Mistake) -> str:
    """A mistake in a file, after where it is."""
    what = _what(mistake)
    if not mistake.line:
        return said("mistake.file", file=mistake.file.name, what=what)
    return said("mistake.line", file=mistake.file.name, n=mistake.line, what=what)


def _what(mistake: Mistake) -> str:
    """What was found, and what was expected."""
    facts = dict(mistake.facts)
    if warning := facts.pop("warning", None):
        words = _words(places.language())
        named = {name: words(key) for name, key in facts.items() if words.has(str(key))}
        return words(warning, **named)
    if kind := facts.get("kind"):
        facts["kind"] = said(f"kind.{kind.replace(' ', '_')}")
    if why := facts.get("why"):
        facts["reason"] = said(f"unreadable.{why}", **facts)
    elif found := facts.get("reason"):
        facts["reason"] = _told(found)
    what = said(f"mistake.{mistake.code}", **facts)
    if near := facts.get("near"):
        return said("mistake.near", what=what, near=near)
    if expected := facts.get("expected"):
        return said("mistake.expected", what=what, expected=_expected(expected))
    return what


def _expected(expected: str) -> str:
    """What would do: a key of the catalogue; a range, or values as TOML writes them, stay so."""
    key = f"cmd.expected.{expected}"
    return said(f"expected.{expected}") if _words(places.language()).has(key) else expected
