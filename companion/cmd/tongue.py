"""What the commands say: in the language of this machine, from a catalogue of their own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from companion.cmd import places
from companion.say.words import Words
from handwritten.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from handwritten.mistakes import Mistake


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


def mistaken(mistake: Mistake) -> str:
    """A mistake in a file, after where it is."""
    what = _what(mistake)
    if not mistake.line:
        return said("mistake.file", file=mistake.file.name, what=what)
    return said("mistake.line", file=mistake.file.name, n=mistake.line, what=what)


def _what(mistake: Mistake) -> str:
    """What was found, and what was expected."""
    facts = dict(mistake.facts)
    if warning := facts.get("warning"):
        colour = said(f"beware.colour.{facts['colour']}")
        return said(f"beware.{warning}", colour=colour)
    if kind := facts.get("kind"):
        facts["kind"] = said(f"kind.{kind.replace(' ', '_')}")
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
