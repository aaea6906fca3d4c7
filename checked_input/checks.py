"""Functions that check the values of a file or of a message; a check can contain other checks.

A check receives a value and the place of the value, and yields a ValueMistake for each mistake:

    CARD = table(name=text(line_of_text(1, 10), distinct), count=number(1, 9))
    EDITION = table(card=list_of(CARD))
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
"""Maximum number of mistakes that are reported for one file.

Each mistake causes a search for the most similar known word. For thousands of mistakes, the
searches would take minutes.
"""


class ValueMistake(NamedTuple):
    """A mistake in a value, with the `code` and `facts` of a `FileMistake`.

    `place`: the place of the value in the data.
    """

    place: Place
    code: str
    facts: Mapping[str, Any]


class ValuePlace(NamedTuple):
    """The place of a value in the data of a file or message.

    - `whole`: the unchecked data of the whole file.
    - `seen`: pairs of a key and a text that the check `distinct` has found so far.
    - `place`: the keys and list indices that lead to the value.
    - `dotted`: True if a mistake quotes all keys that lead to the value, as in `display.chip = 5`.
    """

    whole: Mapping[str, Any]
    seen: set[tuple[str, str]]
    place: Place = ()
    dotted: bool = False

    @property
    def key(self) -> str:
        """Return the key of the value.

        For an entry of a list, return the key of the list.
        """
        return next((step for step in reversed(self.place) if isinstance(step, str)), "")

    @property
    def path(self) -> str:
        """Return the keys and indices that lead to the value, joined with dots."""
        return ".".join(map(str, self.place))

    def at(self, *steps: str | int) -> ValuePlace:
        """Return the place of an inner value, at the keys or indices `steps` inside this value."""
        return self._replace(place=(*self.place, *steps))

    def mistake(self, code: str, **facts: object) -> ValueMistake:
        """Return a mistake in this value, with a code and facts of a `FileMistake`."""
        return ValueMistake(self.place, code, facts)

    def bad_value(self, value: object, expected: str) -> ValueMistake:
        """Return a mistake: the value is not valid.

        `expected` describes the valid values: a range, a list of values, or the key of a sentence.
        """
        value_text = f"{self.path} = {quote_value(value)}" if self.dotted else quote_value(value)
        return self.mistake("bad_value", found=value_text, expected=expected)

    def missing_key(self, key: str) -> ValueMistake:
        """Return a mistake: a key of this table is missing.

        If `dotted` is True, and the table is the whole file, report the key as a missing table.
        """
        within = self.at(key)
        key_text = within.path if self.place else f"[{key}]"
        return within.mistake("missing", found=key_text if self.dotted else quote_value(key))

    def unknown_key(self, key: str, known_keys: Iterable[str]) -> ValueMistake:
        """Return a mistake: this table has the unknown key `key`."""
        within, facts = self.at(key), unknown_word_facts(key, known_keys)
        if self.dotted and self.place:
            facts["found"] = within.path
        return within.mistake("unknown_key", **facts)

    def wrong_count(self, count: int, expected: str) -> ValueMistake:
        """Return a mistake: this list has `count` entries, which are too few or too many."""
        return self.mistake(
            "wrong_count", found=quote_value(self.key), count=count, expected=expected
        )


Check: TypeAlias = "Callable[[Any, ValuePlace], Iterable[ValueMistake]]"
"""Type of a function that yields a ValueMistake for each mistake in a value."""


class OptionalKey(NamedTuple):
    """The check of a key's value, for a key that a table may omit."""

    check: Check


def find_mistakes(
    check: Check, data: Mapping[str, Any], *, dotted: bool = False
) -> list[ValueMistake]:
    """Return at most MAX_MISTAKES mistakes in the data of a file."""
    return list(islice(check(data, ValuePlace(data, set(), dotted=dotted)), MAX_MISTAKES))


def first_mistake(check: Check, data: Any, name: str | None = None) -> ValueMistake | None:
    """Return the first mistake in a message or in a value, or None if there is no mistake.

    If the value has a `name`, the mistake quotes the name with the value: `volume = 11`.
    """
    place = () if name is None else (name,)
    return next(iter(check(data, ValuePlace(data, set(), place, dotted=name is not None))), None)


# --- Kinds of values ------------------------------------------------------------------------------


def text(*checks: Check) -> Check:
    """Return a check that a value is a text that passes all `checks`.

    If several of `checks` fail, only the first failed check reports its mistakes.
    """

    def judge(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
        if not isinstance(value, str):
            return (_wrong_type(value, where, "text"),)
        return next(filter(None, (tuple(check(value, where)) for check in checks)), ())

    return judge


def whole_number(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
    """Yield a mistake if the value is not a whole number."""
    if type(value) is not int:
        yield _wrong_type(value, where, "whole_number")


def boolean(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
    """Yield a mistake if the value is neither true nor false."""
    if type(value) is not bool:
        yield _wrong_type(value, where, "boolean")


def number(lo: int, hi: int) -> Check:
    """Return a check that a value is a whole number from `lo` to `hi`."""

    def judge(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
        yield from whole_number(value, where)
        if type(value) is int and not lo <= value <= hi:
            yield where.bad_value(value, f"{lo}-{hi}")

    return judge


def nullable(check: Check) -> Check:
    """Return a check that accepts null, and every value that `check` accepts."""

    def judge(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
        return () if value is None else check(value, where)

    return judge


def anything(_: object, __: ValuePlace) -> Iterable[ValueMistake]:
    """Yield no mistake, because every value is valid."""
    return ()


def both(first: Check, second: Check) -> Check:
    """Return a check that a value passes both `first` and `second`.

    If `first` yields mistakes, `second` is not called.
    """

    def judge(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
        return tuple(first(value, where)) or second(value, where)

    return judge


def either(first: Check, second: Check) -> Check:
    """Return a check that accepts the values that `first` or `second` accepts.

    If both checks refuse the value, the returned check reports the mistakes of `first`.
    """

    def judge(value: Any, where: ValuePlace) -> Iterable[ValueMistake]:
        wrong = tuple(first(value, where))
        return wrong if wrong and tuple(second(value, where)) else ()

    return judge


def condition(holds: Callable[[Any], bool], expected: str) -> Check:
    """Return a check that `holds(value)` is True.

    If `holds(value)` is False, the mistake quotes `expected`, which describes the valid values.
    """

    def judge(value: Any, where: ValuePlace) -> Iterator[ValueMistake]:
        if not holds(value):
            yield where.bad_value(value, expected)

    return judge


def one_of(*values: str | int) -> Check:
    """Return a check that a value has the type and the value of an item of `values`.

    A mistake lists all items of `values`.
    """

    def is_listed(data: Any) -> bool:
        return any(type(data) is type(value) and data == value for value in values)

    return condition(is_listed, ", ".join(map(quote_value, values)))


def list_of(each: Check, *checks: Check) -> Check:
    """Return a check that a value is a list whose entries `each` accepts.

    Each of `checks` receives the whole list.
    """
    return _many(list, "list", enumerate, each, checks)


def mapping_of(each: Check, *checks: Check) -> Check:
    """Return a check that a value is a table with any keys, whose values `each` accepts.

    Each of `checks` receives the whole table.
    """
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
    """Return a check of a list of two entries: `first` checks entry 0, `second` checks entry 1."""

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
    """Return a check that a list or table has `fewest` to `most` entries."""

    def judge(entries: Sized, where: ValuePlace) -> Iterator[ValueMistake]:
        if not fewest <= len(entries) <= most:
            yield where.wrong_count(len(entries), f"{fewest}-{most}")

    return judge


def exact_list(n: int, each: Check, *checks: Check) -> Check:
    """Return a check that a value is a list of exactly `n` entries that `each` accepts."""

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
    """Return a check that a value is a table that has the given keys and no other keys.

    The returned check also checks the value of each key. A key whose check is an `OptionalKey` may
    be missing. If the table has a misspelt key, the correct key is not reported as missing. If
    `others` is True, the table may have unknown keys, because a later version of the program may
    have written these keys.
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
    """Return the facts of a mistake: `word` is not one of `known_words`."""
    words = list(dict.fromkeys(known_words))
    near = nearest_word(word, words)
    expected = ", ".join(map(quote_value, words))
    return {"found": quote_value(word), "near": near and quote_value(near), "expected": expected}


# --- Checks of a text -----------------------------------------------------------------------------


def known_word(kind: str, known_words: Iterable[str]) -> Check:
    """Return a check that a text is one of `known_words`; `kind` names the kind of these words."""
    words = tuple(known_words)

    def judge(word: str, where: ValuePlace) -> Iterator[ValueMistake]:
        if word not in words:
            yield where.mistake("unknown_word", kind=kind, **unknown_word_facts(word, words))

    return judge


def line_of_text(shortest: int, longest: int) -> Check:
    """Return a check that a text is one printable line of `shortest` to `longest` characters."""

    def judge(value: str, where: ValuePlace) -> Iterator[ValueMistake]:
        if not shortest <= len(value) <= longest:
            facts = {"count": len(value), "expected": f"{shortest}-{longest}"}
            yield where.mistake("wrong_length", found=quote_value(value), **facts)
        elif not value.isprintable() or value != value.strip():
            yield where.bad_value(value, "text_on_one_line")

    return judge


def pattern(expression: re.Pattern[str]) -> Check:
    """Return a check that the whole text matches the regular expression `expression`."""
    return condition(lambda value: expression.fullmatch(value) is not None, expression.pattern)


def distinct(value: str, where: ValuePlace) -> Iterator[ValueMistake]:
    """Yield a mistake if another table of the file has an equal text under the same key.

    The comparison ignores the difference between capitals and small letters.
    """
    met = (where.key, value.casefold())
    if met in where.seen:
        yield where.mistake("repeated", found=quote_value(value))
    where.seen.add(met)


def column_values(where: ValuePlace, table: str, key: str) -> list[str]:
    """Return the texts that the tables called `table` have under `key`.

    Return an empty list if one of these tables has no text under `key`, because an incomplete list
    would cause reports that correct words are unknown.
    """
    rows = where.whole.get(table)
    tables = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    cells = [cell for row in tables if isinstance(cell := row.get(key), str)]
    return cells if len(cells) == len(tables) else []
