"""What several test files share: the printed edition, as the box loads it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import companion.games


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--draw-goldens",
        action="store_true",
        help="Draw the frames of tests/goldens anew instead of comparing; the run fails then.",
    )


@pytest.fixture(scope="session")
def edition() -> dict[str, Any]:
    """Barney Miller as it is printed, from edition.toml."""
    folder = Path(companion.games.__file__).parent / "barney_miller"
    return tomllib.loads((folder / "edition.toml").read_text("utf-8"))
