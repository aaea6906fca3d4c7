"""Tests of actions, requests, commands and events: a closed set of distinct, frozen values."""

from __future__ import annotations

from itertools import combinations
from typing import Any, get_args

import pytest

from companion.door.peers import Event
from companion.menus.commands import Command, MenuRequest
from companion.press.actions import Action


@pytest.mark.parametrize("closed", [Action, MenuRequest, Command, Event])
def test_two_commands_are_never_equal_and_never_change(closed: Any) -> None:
    made: list[Any] = [kind(*(None for _ in kind.__match_args__)) for kind in get_args(closed)]
    assert not [(one, other) for one, other in combinations(made, 2) if one == other]
    for one in made:
        with pytest.raises((AttributeError, TypeError)):
            one.code = one
