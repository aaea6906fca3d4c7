"""The kit finds each way in which a game can tell what it hides, whatever it hides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion import testing
from companion.catalog import registry
from companion.testing.table import shown
from tests.testing import hiding
from tests.testing.hiding import KINDS, LEAKS, State, honest

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.game import Game
    from companion.testing import Finding


def found(game: Game[Any], monkeypatch: pytest.MonkeyPatch, *tried: str) -> list[Finding]:
    """What is found at the tables of a game that has no words; of what is tried closely, some."""
    close = {name: testing.CLOSE[name] for name in tried or testing.CLOSE}
    close.pop("text protocol", None)
    monkeypatch.setattr(testing, "CLOSE", close)
    monkeypatch.setattr(registry, "recorded", lambda *_: game)
    monkeypatch.setattr(registry, "module", lambda _: hiding.__name__)
    *tables, _, _ = testing.checks(game, games=1, edition={})
    return [finding for table in tables for finding in table.run()]


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_keeps_what_it_hides_has_no_finding(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not [*map(str, found(honest(kind), monkeypatch))]


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_each_leak_of_each_kind_of_secret_is_found(
    kind: str, leak: Callable[[Game[State]], Game[State]], monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = found(leak(honest(kind)), monkeypatch, "secrecy")
    assert {finding.property for finding in findings} == {"secrecy"}
    for finding in findings:
        assert finding.at is not None
        seat = f", seat {finding.at.seat}" if finding.at.seat else "of the table"
        assert f"move {finding.at.move} ({finding.at.question}, asked of" in str(finding)
        assert seat in str(finding)
        assert f"answered {shown(finding.at.answer)}" in str(finding)
