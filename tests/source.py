"""Syntax trees of source files for tests; each file is parsed once per process."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path


@cache
def parse_file(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


@cache
def syntax_nodes(file: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file, the module first."""
    return tuple(ast.walk(parse_file(file)))


def methods_by_class(
    files: Iterable[Path], *, inherited: bool = True
) -> Mapping[tuple[Path, str], frozenset[str]]:
    """Return the methods and properties of each class, by file and name of the class.

    The result contains asynchronous methods. If `inherited` is True, the result also contains the
    methods that a class inherits from classes in `files`.
    """
    classes = {
        (file, node.name): node
        for file in files
        for node in syntax_nodes(file)
        if isinstance(node, ast.ClassDef)
    }

    def all_methods(file: Path, name: str) -> frozenset[str]:
        node = classes[file, name]
        own = [
            child.name
            for child in node.body
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        if not inherited:
            return frozenset(own)
        bases = [key for base in node.bases for key in _named_classes(file, base) if key in classes]
        return frozenset(own).union(*[all_methods(*base) for base in bases if base != (file, name)])

    return {key: all_methods(*key) for key in classes}


def _named_classes(file: Path, base: ast.expr) -> Iterator[tuple[Path, str]]:
    """Yield the file and the name of each class that the expression `base` may name."""
    name = base.value if isinstance(base, ast.Subscript) else base
    if isinstance(name, ast.Name):
        yield file, name.id
        for node in syntax_nodes(file):
            if isinstance(node, ast.ImportFrom) and name.id in [one.name for one in node.names]:
                module = Path(*str(node.module).split(".")).with_suffix(".py")
                yield from ((folder / module, name.id) for folder in file.parents)
