"""Tests of actions, requests, commands and events: a closed set of distinct, frozen values."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final, get_args

import pytest

from companion.door.peers import Event
from companion.menus.commands import Command, MenuRequest
from companion.press.actions import Action
from tests.structure import files_per_command

MOST_FILES: Final = 6
"""Maximum number of files that name a command: definition, `run_command`, and where it is made."""


@pytest.mark.parametrize("closed", [Action, MenuRequest, Command, Event])
def test_two_commands_are_never_equal_and_never_change(closed: Any) -> None:
    made: list[Any] = [kind(*(None for _ in kind.__match_args__)) for kind in get_args(closed)]
    assert not [(one, other) for one, other in combinations(made, 2) if one == other]
    for one in made:
        with pytest.raises((AttributeError, TypeError)):
            one.code = one


def test_few_files_name_a_command() -> None:
    """A service receives the fields of a command, not the command."""
    assert not {name: n for name, n in files_per_command().items() if n > MOST_FILES}
