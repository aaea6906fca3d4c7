"""The API reference of the book: the public names of a module, and a table of the fonts."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, ForwardRef, NamedTuple, ParamSpec, TypeVar

from companion.draw.canvas import load_font
from hardware.ports import DISPLAY_WIDTH

FONT_NAMES: Final = ("small", "medium", "double", "large")
LAST_CODE_POINT: Final = 0x2FFFF
"""Highest Unicode code point that is looked up in a font."""
TABLE_ROW: Final = "| {} |"
MAX_FIELDS_ON_ONE_LINE: Final = 3
"""Maximum number of fields of a class that are written on one line."""
MAX_VALUE_LETTERS: Final = 80
"""Maximum length of a constant's value in the reference (letters); longer values are omitted."""
UNSTABLE_VALUE_PATTERN: Final = re.compile(r"<(?:function|class|object)? ?[^>]*>")
"""Pattern of the `repr` of a function or an object, which the reference omits."""


class ModuleConstant(NamedTuple):
    """A public constant of a module: its name, value and docstring. An omitted value is ""."""

    name: str
    value: str
    docstring: str


# --- modules --------------------------------------------------------------------------------------


def public_names_of_module(name: str) -> tuple[str, ...]:
    """Return the public names that a module defines, and the names in its `__all__`."""
    its = import_module(name)
    defined_names = (_name(node) for node in _lines(its))
    names = dict.fromkeys((*defined_names, *vars(its).get("__all__", ())))
    return tuple(each for each in names if each and each[0] != "_" and each in vars(its))


def format_module_reference(name: str, *names: str) -> str:
    """Return the documentation of a module as Markdown: all public names, or only `names`.

    Raise AttributeError if the module lacks a name.
    """
    its, constants = import_module(name), _find_constants(name)
    shown = names or tuple(
        each for each in public_names_of_module(name) if not is_type_variable(getattr(its, each))
    )
    texts = [
        _code(value) if callable(value := getattr(its, each)) and each not in constants
        else _constant(constants.get(each) or ModuleConstant(each, _value(value), ""))
        for each in sorted(shown, key=lambda each: each in constants)
    ]  # fmt: skip
    return "\n\n".join(texts if names else (inspect.getdoc(its) or "", *texts))


def is_type_variable(value: Any) -> bool:
    """Return True if `value` is a type variable, which the reference omits."""
    return isinstance(value, TypeVar | ParamSpec)


def _lines(its: ModuleType) -> list[ast.stmt]:
    return ast.parse(Path(str(its.__file__)).read_text("utf-8")).body


def _name(node: ast.stmt) -> str:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case _:
            return ""


def _find_constants(name: str) -> dict[str, ModuleConstant]:
    its, constants, last = import_module(name), {}, ""
    for node in _lines(its):
        if isinstance(node, ast.AnnAssign | ast.Assign) and (last := _name(node)):
            constants[last] = ModuleConstant(last, _type_alias(node) or _value(vars(its)[last]), "")
        elif (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and last in constants
        ):
            constants[last] = constants[last]._replace(
                docstring=" ".join(str(node.value.value).split())
            )
    return constants


def _type_alias(node: ast.AnnAssign | ast.Assign) -> str:
    named = isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.unparse(node.annotation)
    return ast.unparse(node.value).strip("'") if named and node.value else ""


def _code(value: Any) -> str:
    return _class(value) if inspect.isclass(value) else _function(value)


def _class(kind: type) -> str:
    plain_error = issubclass(kind, Exception) and "__init__" not in vars(kind)
    made = kind.__name__ if plain_error else _signature(kind.__name__, _maker(kind))
    parts = (f"### `{kind.__name__}`", f"```text\n{made}\n```", inspect.getdoc(kind) or "")
    return "\n\n".join(filter(None, (*parts, *_methods(kind))))


def _methods(kind: type) -> Iterator[str]:
    for name, value in vars(kind).items():
        if inspect.isfunction(value) and value.__doc__ and (name[0] != "_" or name == "__call__"):
            yield _format_definition(_signature(name, value), inspect.getdoc(value))
        elif isinstance(value, property):
            yield _format_definition(name, inspect.getdoc(value))


def _maker(kind: type) -> Callable[..., Any]:
    """Return the callable whose signature the reference shows; for a dataclass, its `__init__`."""
    return kind.__init__ if is_dataclass(kind) else kind


def _function(function: Callable[..., Any]) -> str:
    return _format_definition(_signature(function.__name__, function), inspect.getdoc(function))


def _constant(its: ModuleConstant) -> str:
    return _format_definition(f"{its.name} = {its.value}" if its.value else its.name, its.docstring)


def _format_definition(code: str, description: str | None) -> str:
    return f"`{code}`\n: {' '.join((description or '').split())}"


def _value(value: Any) -> str:
    match value:
        case re.Pattern():
            return str(value.pattern)
        case frozenset():
            value = sorted(value)
        case str() | int() | float() | tuple() | dict() | list() | Enum():
            pass
        case _:
            return ""
    shown = repr(value)
    return (
        shown if len(shown) < MAX_VALUE_LETTERS and not UNSTABLE_VALUE_PATTERN.search(shown) else ""
    )


def _signature(name: str, value: Any) -> str:
    signature = inspect.signature(value)
    inside = [each for its in signature.parameters.values() if (each := _parameter(its))]
    if star := [its for its in signature.parameters.values() if its.kind is its.KEYWORD_ONLY]:
        inside.insert(inside.index(_parameter(star[0])), "*")
    gives = _type(signature.return_annotation)
    is_class = inspect.isclass(value) or value.__name__ == "__init__"
    after = f" -> {gives}" if gives and not is_class else ""
    if is_class and len(inside) > MAX_FIELDS_ON_ONE_LINE:
        return f"{name}(\n    " + ",\n    ".join(inside) + ",\n)"
    return f"{name}({', '.join(inside)}){after}"


def _parameter(its: inspect.Parameter) -> str:
    if its.name == "self" or its.name[0] == "_":
        return ""
    stars = "*" * (its.kind is its.VAR_POSITIONAL) or "**" * (its.kind is its.VAR_KEYWORD)
    typed = f": {kind}" if (kind := _type(its.annotation)) else ""
    given = f" = {_default(its.default)}" if its.default is not its.empty else ""
    return f"{stars}{its.name}{typed}{given}"


def _type(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    return annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else str(annotation)


def _default(default: Any) -> str:
    return (
        "..."
        if UNSTABLE_VALUE_PATTERN.search(shown := repr(default)) or len(shown) > MAX_VALUE_LETTERS
        else shown
    )


# --- fonts ----------------------------------------------------------------------------------------


def format_font_table(language: str) -> str:
    """Return a table of the display's fonts: size, letters per row, and available letters."""
    heads = {
        "en": ("font", "size", "in a row", "letters"),
        "fr": ("police", "taille", "par ligne", "lettres"),
    }
    rows = [heads[language], ("---",) * 4]
    for name in FONT_NAMES:
        its = load_font(name)
        there = "".join(
            filter(str.strip, (chr(n) for n in range(LAST_CODE_POINT) if chr(n) in its))
        )
        size = f"{its.width}x{8 * its.pages}"
        rows.append((f"`{name}`", size, str(DISPLAY_WIDTH // its.width), _signs(there)))
    return "\n".join(TABLE_ROW.format(" | ".join(row)) for row in rows)


def _signs(text: str) -> str:
    """Return text as code between double backticks, because a text may contain one backtick."""
    return f"`` {text} ``".replace("|", "\\|")
