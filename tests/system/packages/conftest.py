"""Skip the slow tests of the built packages, unless `make package-test` runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

REQUEST_VARIABLE: Final = "COMPANION_PACKAGES"
SLOW: Final = ("test_wheel.py", "test_debian.py", "test_packages.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    skip = pytest.mark.skip(
        reason=f"{REQUEST_VARIABLE} is not set: make package-test builds the packages"
    )
    for item in items:
        is_slow = item.path.parent == Path(__file__).parent and item.path.name in SLOW
        if is_slow and REQUEST_VARIABLE not in os.environ:
            item.add_marker(skip)
