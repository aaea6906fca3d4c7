"""Composable checks of the values of a file or message.

A check receives a value and its place and yields everything that is wrong there:

    EDITION = table(card=entries(3, table(name=text(label(1, 10), distinct), count=number(1, 9))))
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from checked_input.mistakes import quote_value
from checked_input.nearest import nearest_word

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sized

    from checked_input.source import Place


MAX_MISTAKES: Final = 100
"""The maximum number of mistakes reported for one file: hints for thousands would take minutes."""


class ValueMistake(NamedTuple):
    """A mistake at a place: the code and facts of a FileMistake."""

    place: Place
    code: str
    facts: Mapping[str, Any]


class ValuePlace(NamedTuple):
    """The place of a value in the unchecked `whole_number` file.

    - `seen`: the keys and texts that `distinct` has found so far.
    - `dotted`: mistakes name the keys that lead to the value, `display.chip = 5`, as suits a file
      of short tables.
    """

    whole: Mapping[str, Any]
    seen: set[tuple[str, str]]
    place: Place = ()
    dotted: bool = False

    @property
    def key(self) -> str:
        """Return the key of the value, or of the list that contains it."""
        return next((step for step in reversed(self.place) if isinstance(step, str)), "")

    @property
    def path(self) -> str:
        """Return the keys that lead to the value, joined with dots."""
        return ".".join(map(str, self.place))

    def at(self, *steps: str | int) -> ValuePlace:
        """Return the place of something inside the value."""
        return self._replace(place=(*self.place, *steps))

    def mistake(self, code: str, **facts: object) -> ValueMistake:
        """Return a mistake about the value."""
        return ValueMistake(self.place, code, facts)

    def bad_value(self, value: object, expected: str) -> ValueMistake:
        """Return the mistake that a value is not valid; `expected` is a range, a key or values."""
        value_text = f"{self.path} = {quote_value(value)}" if self.dotted else quote_value(value)
        return self.mistake("bad_value", found=value_text, expected=expected)

    def missing_key(self, key: str) -> ValueMistake:
        """Return the mistake that a key, or (in a dotted file) a whole table, is missing."""
        within = self.at(key)
        key_text = within.path if self.place else f"[{key}]"
        return within.mistake("missing", found=key_text if self.dotted else quote_value(key))

    def unknown_key(self, key: str, known_keys: Iterable[str]) -> ValueMistake:
        """Return the mistake that a table has an unknown key."""
        within, facts = self.at(key), unknown_word_facts(key, known_keys)
        if self.dotted and self.place:
            facts["found"] = within.path
        return within.mistake("unknown_key", **facts)

    def wrong_count(self, count: int, expected: str) -> ValueMistake:
        """Return the mistake that a list is too short or too long."""
        return self.mistake(
            "wrong_count", found=quote_value(self.key), count=count, expected=expected
        )


Check: TypeAlias = "Callable[[Any, ValuePlace], Iterable[ValueMistake]]"
"""A function that yields everything that is wrong with a value; nothing if it is valid."""


class OptionalKey(NamedTuple):
    """The check of an optional key."""

    check: Check


def find_mistakes(
    check: Check, data: Mapping[str, Any], *, dotted: bool = False
) -> list[ValueMistake]:
    """Return everything that is wrong with a file's data, at most MAX_MISTAKES."""
    return list(islice(check(data, ValuePlace(data, set(), dotted=dotted)), MAX_MISTAKES))


def first_mistake(check: Check, data: Any, name: str | None = None) -> ValueMistake | None:
    """Return the first mistake in a program's message; None if there is none.

    A value with a `name` is quoted with it: `volume = 11`.
    """
    place = () if name is None else (name,)
    return next(iter(check(data, ValuePlace(data, set(), place, dotted=name is not None))), None)


# --- Kinds of values ------------------------------------------------------------------------------


def text(*checks: Check) -> Check:
    """Return a check for a text; the first failing one of `checks` is reported."""

    def judge(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
        if not isinstance(value, str):
            return (_wrong_type(value, where, "text"),)
        return next(filter(None, (tuple(check(value, where)) for check in checks)), ())

    return judge


def whole_number(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
    """Check for any whole number."""
    if type(value) is not int:
        yield _wrong_type(value, where, "whole_number")


def boolean(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
    """Check for true or false."""
    if type(value) is not bool:
        yield _wrong_type(value, where, "boolean")


def number(lo: int, hi: int) -> Check:
    """Return a check for a whole number from `lo` to `hi`."""

    def judge(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
        yield from whole_number(value, where)
        if type(value) is int and not lo <= value <= hi:
            yield where.bad_value(value, f"{lo}-{hi}")

    return judge


def nullable(check: Check) -> Check:
    """Return a check for null, or for a value that `check` accepts."""

    def judge(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
        return () if value is None else check(value, where)

    return judge


def anything(_: object, __: ValuePlace) -> Iterable[ValueMistake]:
    """Accept any value."""
    return ()


def both(first: Check, second: Check) -> Check:
    """Return a check that both checks accept; `second` is used if the first finds nothing."""

    def judge(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
        return tuple(first(value, where)) or second(value, where)

    return judge


def either(first: Check, second: Check) -> Check:
    """Return a check that one of two checks accepts; otherwise the first one's mistakes count."""

    def judge(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
        wrong = tuple(first(value, where))
        return wrong if wrong and tuple(second(value, where)) else ()

    return judge


def condition(holds: Callable[[Any], bool], expected: str) -> Check:
    """Return a check for values for which a condition holds."""

    def judge(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
        if not holds(value):
            yield where.bad_value(value, expected)

    return judge


def one_of(*values: str | int) -> Check:
    """Accept one of a few values, of the same type; a mistake lists all of them."""

    def is_listed(data: Any) -> bool:
        return any(type(data) is type(value) and data == value for value in values)

    return condition(is_listed, ", ".join(map(quote_value, values)))


def list_of(each: Check, *checks: Check) -> Check:
    """Return a check for a list and each entry; `checks` examine the whole list."""
    return _many(list, "list", enumerate, each, checks)


def mapping_of(each: Check, *checks: Check) -> Check:
    """Return a check for a table with any keys and each value; `checks` examine the whole table."""
    return _many(dict, "table", dict.items, each, checks)


def _many(
    kind: type,
    called: str,
    pairs: Callable[[Any], Iterable[tuple[int | str, Any]]],
    each: Check,
    checks: Iterable[Check],
) -> Check:
    def judge(data: Any, where: ValuePlace) -> Iterator[ValueMistake]:
        if not isinstance(data, kind):
            yield _wrong_type(data, where, called)
            return
        for check in checks:
            yield from check(data, where)
        for step, value in pairs(data):
            yield from each(value, where.at(step))

    return judge


def pair_of(first: Check, second: Check) -> Check:
    """Return a check for a list of two."""

    def judge(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
        if not isinstance(value, list):
            yield _wrong_type(value, where, "list")
        elif len(value) != 2:  # noqa: PLR2004 - a pair
            yield where.wrong_count(len(value), "2")
        else:
            yield from first(value[0], where.at(0))
            yield from second(value[1], where.at(1))

    return judge


def size_between(fewest: int, most: int) -> Check:
    """Return a check for the number of entries of a list or table."""

    def judge(entries: Sized, where: ValuePlace) -> Iterator[ValueMistake]:
        if not fewest <= len(entries) <= most:
            yield where.wrong_count(len(entries), f"{fewest}-{most}")

    return judge


def exact_list(n: int, each: Check, *checks: Check) -> Check:
    """Return a check for a list of exactly `n` entries."""

    def judge(entries: list[Any], where: ValuePlace) -> Iterator[ValueMistake]:
        if len(entries) != n:
            first_too_many = where.at(n) if len(entries) > n else where
            yield first_too_many.wrong_count(len(entries), str(n))

    return list_of(each, *checks, judge)


def table(
    of: Mapping[str, Check | OptionalKey] = {},
    /,
    *,
    others: bool = False,
    **more: Check | OptionalKey,
) -> Check:
    """Return a check for a table of exactly these keys, some of them optional.

    A misspelt key is not also reported as missing. With `others`, unknown keys are allowed: a later
    version of the program may have written them.
    """
    keys = {**of, **more}
    checks = {key: of.check if isinstance(of, OptionalKey) else of for key, of in keys.items()}

    def judge(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
        if not isinstance(value, dict):
            yield _wrong_type(value, where, "table")
            return
        strange = (
            () if others else islice((name for name in value if name not in keys), MAX_MISTAKES)
        )
        unknown = [where.unknown_key(name, keys) for name in strange]
        meant = {slip.facts["near"] for slip in unknown}
        for key, check in checks.items():
            if key in value:
                yield from check(value[key], where.at(key))
            elif not isinstance(keys[key], OptionalKey) and quote_value(key) not in meant:
                yield where.missing_key(key)
        yield from unknown

    return judge


def _wrong_type(value: object, where: ValuePlace, expected: str) -> ValueMistake:
    if where.dotted:
        return where.bad_value(value, expected)
    return where.mistake("wrong_type", found=quote_value(value), expected=expected)


def unknown_word_facts(word: str, known_words: Iterable[str]) -> dict[str, str]:
    """Return the facts about a word that is not in `known_words`."""
    words = list(dict.fromkeys(known_words))
    near = nearest_word(word, words)
    expected = ", ".join(map(quote_value, words))
    return {"found": quote_value(word), "near": near and quote_value(near), "expected": expected}


# --- Checks of a text -----------------------------------------------------------------------------


def known_word(kind: str, known_words: Iterable[str]) -> Check:
    """Return a check for one of the known words; `kind` names what they are."""
    words = tuple(known_words)

    def judge(word: str, where: ValuePlace) -> Iterator[ValueMistake]:
        if word not in words:
            yield where.mistake("unknown_word", kind=kind, **unknown_word_facts(word, words))

    return judge


def line_of_text(shortest: int, longest: int) -> Check:
    """Return a check for a text that people see: one line of `shortest` to `longest` characters."""

    def judge(value: str, where: ValuePlace) -> Iterator[ValueMistake]:
        if not shortest <= len(value) <= longest:
            facts = {"count": len(value), "expected": f"{shortest}-{longest}"}
            yield where.mistake("wrong_length", found=quote_value(value), **facts)
        elif not value.isprintable() or value != value.strip():
            yield where.bad_value(value, "text_on_one_line")

    return judge


def pattern(expression: re.Pattern[str]) -> Check:
    """Return a check for a text that matches an expression completely."""
    return condition(lambda value: expression.fullmatch(value) is not None, expression.pattern)


def distinct(value: str, where: ValuePlace) -> Iterator[ValueMistake]:
    """Check that a text differs, ignoring case, from those under the same key of other tables."""
    met = (where.key, value.casefold())
    if met in where.seen:
        yield where.mistake("repeated", found=quote_value(value))
    where.seen.add(met)


def column_values(where: ValuePlace, table: str, key: str) -> list[str]:
    """Return the texts under a key of all `[[table]]`s, even if other values are wrong.

    Empty if a table lacks the text, because the known words are incomplete then.
    """
    rows = where.whole.get(table)
    tables = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    cells = [cell for row in tables if isinstance(cell := row.get(key), str)]
    return cells if len(cells) == len(tables) else []
