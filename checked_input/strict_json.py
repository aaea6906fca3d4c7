"""Parse JSON from other programs strictly, so that no value causes an error later.

Every value that this module returns can be compared, traversed, and written as UTF-8 and as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any, Final

MAX_NESTING: Final = 64
"""Maximum depth of nested lists and objects.

The deepest message of the protocol has depth seven.
"""


class InvalidJson(ValueError):
    """A text that is not valid JSON for this program. The message is in English.

    `reason` is "json" (not JSON, or a number with thousands of digits), "encoding" (not UTF-8, or
    half a surrogate pair), "number" (NaN or infinite), "twice" (an object has a name twice) or
    "deep" (nested too deeply). `found` is the wrong number or the name; "" for other reasons.
    """

    def __init__(self, reason: str, message: str, found: str = "") -> None:
        super().__init__(message)
        self.reason, self.found = reason, found


def parse_json(text: bytes) -> Any:
    """Return the value of a JSON text (RFC 8259) in UTF-8.

    Raise InvalidJson if the text is not valid. Limit the length of `text` before the call, because
    this function parses the whole text.
    """
    try:
        value = json.loads(
            text.decode("utf-8"),
            object_pairs_hook=_object, parse_float=_finite, parse_constant=_no_number,
        )  # fmt: skip
    except InvalidJson:
        raise
    except UnicodeDecodeError as error:
        raise InvalidJson("encoding", str(error)) from error
    except ValueError as error:
        raise InvalidJson("json", str(error)) from error
    except RecursionError as error:
        raise _too_deep() from error
    if b"\\u" in text or text.count(b"[") + text.count(b"{") > MAX_NESTING:
        _walk(value)  # all other texts have few nested lists, and no half of a surrogate pair
    return value


def _walk(value: Any) -> None:
    """Check all values inside `value`. Raise InvalidJson if a value is not valid."""
    layer, depth = [value], 0
    while layer:
        for text in layer:
            if isinstance(text, str) and not text.isascii():
                _whole(text)
        outer = [each for each in layer if isinstance(each, list | dict)]
        if outer and depth == MAX_NESTING:
            raise _too_deep()
        layer, depth = [inner for each in outer for inner in _inside(each)], depth + 1


def _inside(value: list[Any] | dict[str, Any]) -> Iterable[Any]:
    return value if isinstance(value, list) else (*value, *value.values())


def _whole(text: str) -> None:
    """Raise InvalidJson if `text` has half a surrogate pair, which UTF-8 cannot represent."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidJson("encoding", "half a letter stands alone") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) == len(pairs):
        return data
    names = [name for name, _ in pairs]
    twice = next(name for n, name in enumerate(names) if name in names[:n])
    raise InvalidJson(
        "twice", f"the key {json.dumps(twice)[:60]} stands twice in one object", twice
    )


def _finite(text: str) -> float:
    value = float(text)
    return value if isfinite(value) else _no_number(text)


def _no_number(text: str) -> Any:
    raise InvalidJson("number", f"{text[:60]} is no number", text)


def _too_deep() -> InvalidJson:
    return InvalidJson("deep", "nested too deeply")
