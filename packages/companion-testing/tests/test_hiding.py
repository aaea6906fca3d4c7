"""Tests of the kit's secrecy checks: they find each leak of each kind of secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import companion_testing as testing
from companion.catalog import registry
from companion.core.game import Game
from companion.core.prompts import Number, Question
from companion_testing import CheckFinding
from companion_testing.table import format_answer_for_finding
from tests import hiding
from tests.hiding import BITS, LEAKS, SECRET_KINDS, State, honest, more_than_disclosed


def found(game: Game[Any], monkeypatch: pytest.MonkeyPatch, *tried: str) -> list[CheckFinding]:
    """Return the findings of the first table that has findings.

    tried: the close checks to run; without names, all close checks run.
    """
    close = {
        name: testing.SAMPLED_GAME_CHECKS[name] for name in tried or testing.SAMPLED_GAME_CHECKS
    }
    close.pop("text protocol", None)
    monkeypatch.setattr(testing, "SAMPLED_GAME_CHECKS", close)
    monkeypatch.setattr(registry, "find_game_of_record", lambda *_: game)
    monkeypatch.setattr(registry, "game_module_name", lambda _: hiding.__name__)
    monkeypatch.setattr(registry, "import_game_submodule", lambda *_: None)
    *tables, _, _ = testing.list_checks(game, games=1, edition={})
    return next(([*findings] for table in tables if (findings := table.run())), [])


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kind", SECRET_KINDS)
def test_a_game_that_keeps_what_it_hides_has_no_finding(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not [*map(str, found(honest(kind), monkeypatch))]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("kind", "leak"),
    [
        pytest.param(
            kind, leak,
            id=f"{kind}-{leak.__name__}",
            marks=() if (n + at) % len(SECRET_KINDS) == 0 else pytest.mark.long,
        )
        for at, kind in enumerate(SECRET_KINDS)
        for n, leak in enumerate((*LEAKS, *BITS))
    ],
)  # fmt: skip
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
        assert f"answered {format_answer_for_finding(finding.at.answer)}" in str(finding)


def test_a_fact_that_tells_more_than_it_may_disclose_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    findings = found(more_than_disclosed(honest("codes")), monkeypatch, "secrecy")
    assert any("tried tells more" in finding.what for finding in findings)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("changed", "what"),
    [({"who": None}, "the table has no secret"), ({"private": True}, "is private")],
)
def test_a_look_behind_a_question_leads_to_a_secret_of_who_is_asked(
    changed: dict[str, Any], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(state: State) -> Question | None:
        prompt = hiding.ask(state)
        return prompt._replace(**changed) if prompt and prompt.name == "doubt" else prompt

    findings = found(honest("dice")._replace(ask=asked), monkeypatch, "secrecy")
    assert any("has `look`" in finding.what and what in finding.what for finding in findings)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kind", [kind for kind in SECRET_KINDS if kind not in ("dice", "codes")])
def test_who_is_asked_at_the_same_time_is_asked_the_same_whatever_others_answer(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = found(hiding.in_a_question_at_once(honest(kind)), monkeypatch, "secrecy")
    assert any("hide has `at_once`" in finding.what for finding in findings)


def test_what_is_asked_at_the_same_time_is_asked_in_private(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(state: State) -> Question | None:
        prompt = hiding.ask(state)
        return prompt._replace(private=False) if isinstance(prompt, Number) else prompt

    findings = found(honest("numbers")._replace(ask=asked), monkeypatch, "secrecy")
    assert any("is not asked of one player in private" in finding.what for finding in findings)
