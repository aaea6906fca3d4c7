"""Syntax trees of source files for tests; each file is parsed once per process."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def parse_file(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


@cache
def syntax_nodes(file: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file, the module first."""
    return tuple(ast.walk(parse_file(file)))
