"""A real Mosquitto for each test that asks for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.evening.mosquitto import Mosquitto

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    found = Mosquitto(tmp_path / "broker")
    found.start()
    yield found
    found.stop()
