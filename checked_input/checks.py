"""What a file must be: checks of its values, made of one another.

A check looks at a value and at where it stands, and tells everything that is wrong there:

    EDITION = table(card=entries(3, table(name=text(label(1, 10), distinct), count=number(1, 9))))
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from checked_input.mistakes import shown
from checked_input.nearest import nearest

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sized

    from checked_input.source import Place


MOST: Final = 100
"""Mistakes that are told of one file: a hint for each of thousands would take minutes."""


class Slip(NamedTuple):
    """Something wrong at a place: the code and the facts of a FileMistake."""

    place: Place
    code: str
    facts: Mapping[str, Any]


class Where(NamedTuple):
    """Where a value stands: its `place` in the `whole` file, yet unchecked.

    `seen` is what `distinct` has met in this check: keys and texts. In a `dotted` file, one of
    short tables, a mistake is told with the keys that lead to it: `display.chip = 5`.
    """

    whole: Mapping[str, Any]
    seen: set[tuple[str, str]]
    place: Place = ()
    dotted: bool = False

    @property
    def key(self) -> str:
        """The key that the value stands under, though it be in a list there."""
        return next((step for step in reversed(self.place) if isinstance(step, str)), "")

    @property
    def path(self) -> str:
        """The keys that lead to the value, with dots between them."""
        return ".".join(map(str, self.place))

    def at(self, *steps: str | int) -> Where:
        """Where something in the value stands."""
        return self._replace(place=(*self.place, *steps))

    def slip(self, code: str, **facts: object) -> Slip:
        """The value is wrong."""
        return Slip(self.place, code, facts)

    def bad(self, found: object, expected: str) -> Slip:
        """The value will not do; `expected` is a range, a key, or values as TOML writes them."""
        told = f"{self.path} = {shown(found)}" if self.dotted else shown(found)
        return self.slip("bad_value", found=told, expected=expected)

    def missing(self, key: str) -> Slip:
        """A table without a key, or a dotted file without a table."""
        within = self.at(key)
        told = within.path if self.place else f"[{key}]"
        return within.slip("missing", found=told if self.dotted else shown(key))

    def unknown(self, key: str, known: Iterable[str]) -> Slip:
        """A table with a key that it cannot have."""
        within, facts = self.at(key), no_such(key, known)
        if self.dotted and self.place:
            facts["found"] = within.path
        return within.slip("unknown_key", **facts)

    def miscounted(self, count: int, expected: str) -> Slip:
        """The value is a list too short or too long."""
        return self.slip("wrong_count", found=shown(self.key), count=count, expected=expected)


Check: TypeAlias = "Callable[[Any, Where], Iterable[Slip]]"
"""What is wrong with a value and all that is in it; nothing, if it is right."""


class May(NamedTuple):
    """The check of a key that may be left out."""

    check: Check


def slips(check: Check, data: Mapping[str, Any], *, dotted: bool = False) -> list[Slip]:
    """Everything that is wrong with a file's data, or the MOST that are found first."""
    return list(islice(check(data, Where(data, set(), dotted=dotted)), MOST))


def first_slip(check: Check, data: Any, name: str | None = None) -> Slip | None:
    """The first thing that is wrong with what a program wrote; None if nothing is.

    A value that has a `name` is told with it: `volume = 11`.
    """
    place = () if name is None else (name,)
    return next(iter(check(data, Where(data, set(), place, dotted=name is not None))), None)


# --- Kinds of values ------------------------------------------------------------------------------


def text(*checks: Check) -> Check:
    """A text; of the checks only the first that finds something wrong is told."""

    def judge(found: Any, where: Where) -> Iterable[Slip]:
        if not isinstance(found, str):
            return (_wrong_type(found, where, "text"),)
        return next(filter(None, (tuple(check(found, where)) for check in checks)), ())

    return judge


def whole(found: Any, where: Where) -> Iterator[Slip]:
    """Any whole number."""
    if type(found) is not int:
        yield _wrong_type(found, where, "whole_number")


def flag(found: Any, where: Where) -> Iterator[Slip]:
    """True or false."""
    if type(found) is not bool:
        yield _wrong_type(found, where, "boolean")


def number(lo: int, hi: int) -> Check:
    """A whole number from `lo` to `hi`."""

    def judge(found: Any, where: Where) -> Iterator[Slip]:
        yield from whole(found, where)
        if type(found) is int and not lo <= found <= hi:
            yield where.bad(found, f"{lo}-{hi}")

    return judge


def maybe(check: Check) -> Check:
    """Nothing (JSON's null), or what the check is of."""

    def judge(found: Any, where: Where) -> Iterable[Slip]:
        return () if found is None else check(found, where)

    return judge


def anything(_: object, __: Where) -> Iterable[Slip]:
    """Any value."""
    return ()


def both(one: Check, other: Check) -> Check:
    """What two checks find right; what the second has found is told where the first has nothing."""

    def judge(found: Any, where: Where) -> Iterable[Slip]:
        return tuple(one(found, where)) or other(found, where)

    return judge


def either(one: Check, other: Check) -> Check:
    """What one of two checks finds right; if neither, what the first has found is told."""

    def judge(found: Any, where: Where) -> Iterable[Slip]:
        wrong = tuple(one(found, where))
        return wrong if wrong and tuple(other(found, where)) else ()

    return judge


def that(holds: Callable[[Any], bool], expected: str) -> Check:
    """Whatever a condition holds for."""

    def judge(found: Any, where: Where) -> Iterator[Slip]:
        if not holds(found):
            yield where.bad(found, expected)

    return judge


def one_of(*values: str | int) -> Check:
    """Accept one of a few values, of the same type; a mistake lists all of them."""

    def is_listed(found: Any) -> bool:
        return any(type(found) is type(value) and found == value for value in values)

    return that(is_listed, ", ".join(map(shown, values)))


def listed(each: Check, *checks: Check) -> Check:
    """A list with a check of each entry; `checks` look at the whole list, right or wrong."""
    return _many(list, "list", enumerate, each, checks)


def named(each: Check, *checks: Check) -> Check:
    """A table of any keys, with a check of each value; `checks` look at all of it."""
    return _many(dict, "table", dict.items, each, checks)


def _many(
    kind: type,
    called: str,
    pairs: Callable[[Any], Iterable[tuple[int | str, Any]]],
    each: Check,
    checks: Iterable[Check],
) -> Check:
    def judge(found: Any, where: Where) -> Iterator[Slip]:
        if not isinstance(found, kind):
            yield _wrong_type(found, where, called)
            return
        for check in checks:
            yield from check(found, where)
        for step, value in pairs(found):
            yield from each(value, where.at(step))

    return judge


def pair(first: Check, second: Check) -> Check:
    """A list of two, with a check of each."""

    def judge(found: Any, where: Where) -> Iterator[Slip]:
        if not isinstance(found, list):
            yield _wrong_type(found, where, "list")
        elif len(found) != 2:  # noqa: PLR2004 - a pair
            yield where.miscounted(len(found), "2")
        else:
            yield from first(found[0], where.at(0))
            yield from second(found[1], where.at(1))

    return judge


def sized(fewest: int, most: int) -> Check:
    """Of a list or a table: as many entries."""

    def judge(found: Sized, where: Where) -> Iterator[Slip]:
        if not fewest <= len(found) <= most:
            yield where.miscounted(len(found), f"{fewest}-{most}")

    return judge


def entries(n: int, each: Check, *checks: Check) -> Check:
    """A list of exactly `n`."""

    def judge(found: list[Any], where: Where) -> Iterator[Slip]:
        if len(found) != n:
            first_too_many = where.at(n) if len(found) > n else where
            yield first_too_many.miscounted(len(found), str(n))

    return listed(each, *checks, judge)


def table(
    of: Mapping[str, Check | May] = {}, /, *, others: bool = False, **more: Check | May
) -> Check:
    """A table of exactly these keys, of which some may be left out.

    One that is misspelt is not missing too. One with `others` may have any other keys
    besides: a later version of the program may have written it.
    """
    keys = {**of, **more}
    checks = {key: of.check if isinstance(of, May) else of for key, of in keys.items()}

    def judge(found: Any, where: Where) -> Iterator[Slip]:
        if not isinstance(found, dict):
            yield _wrong_type(found, where, "table")
            return
        strange = () if others else islice((name for name in found if name not in keys), MOST)
        unknown = [where.unknown(name, keys) for name in strange]
        meant = {slip.facts["near"] for slip in unknown}
        for key, check in checks.items():
            if key in found:
                yield from check(found[key], where.at(key))
            elif not isinstance(keys[key], May) and shown(key) not in meant:
                yield where.missing(key)
        yield from unknown

    return judge


def _wrong_type(found: object, where: Where, expected: str) -> Slip:
    if where.dotted:
        return where.bad(found, expected)
    return where.slip("wrong_type", found=shown(found), expected=expected)


def no_such(found: str, known: Iterable[str]) -> dict[str, str]:
    """The facts about a word that is not one of those known."""
    words = list(dict.fromkeys(known))
    near = nearest(found, words)
    expected = ", ".join(map(shown, words))
    return {"found": shown(found), "near": near and shown(near), "expected": expected}


# --- Checks of a text -----------------------------------------------------------------------------


def word(kind: str, known: Iterable[str]) -> Check:
    """One of the words known, which are of a kind."""
    words = tuple(known)

    def judge(found: str, where: Where) -> Iterator[Slip]:
        if found not in words:
            yield where.slip("unknown_word", kind=kind, **no_such(found, words))

    return judge


def label(shortest: int, longest: int) -> Check:
    """A text that people see: on one line, of so many characters."""

    def judge(found: str, where: Where) -> Iterator[Slip]:
        if not shortest <= len(found) <= longest:
            facts = {"count": len(found), "expected": f"{shortest}-{longest}"}
            yield where.slip("wrong_length", found=shown(found), **facts)
        elif not found.isprintable() or found != found.strip():
            yield where.bad(found, "text_on_one_line")

    return judge


def pattern(expression: re.Pattern[str]) -> Check:
    """A text that an expression matches whole."""
    return that(lambda found: expression.fullmatch(found) is not None, expression.pattern)


def distinct(found: str, where: Where) -> Iterator[Slip]:
    """Not the text under the same key of another table, in capitals or not."""
    met = (where.key, found.casefold())
    if met in where.seen:
        yield where.slip("repeated", found=shown(found))
    where.seen.add(met)


def column(where: Where, table: str, key: str) -> list[str]:
    """The texts under a key of all the `[[table]]`s, whatever else is wrong with them.

    Empty if one has no such text: then nobody can say which words there are, and which are not.
    """
    rows = where.whole.get(table)
    tables = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    cells = [cell for row in tables if isinstance(cell := row.get(key), str)]
    return cells if len(cells) == len(tables) else []
