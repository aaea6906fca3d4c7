"""Tests of FrozenValue: its subclasses behave like frozen dataclasses."""

from __future__ import annotations

import pytest

from companion.core.frozen_value import FrozenValue


class Pair(FrozenValue):
    one: int
    two: str = "two"


class Other(FrozenValue):
    one: int
    two: str = "two"


class Nothing(FrozenValue):
    """No fields."""


def test_a_value_equals_those_of_its_class_with_the_same_fields() -> None:
    assert Pair(1) == Pair(1, "two") == Pair(two="two", one=1)
    assert Pair(1) != Pair(2)
    assert Pair(1) != Other(1)
    assert Nothing() == Nothing()
    assert len({Pair(1), Pair(1, "two"), Other(1)}) == 2
    assert repr(Pair(1)) == "Pair(one=1, two='two')"


def test_its_fields_can_be_matched_and_not_be_changed() -> None:
    match Pair(1, "b"):
        case Pair(one, two):
            assert (one, two) == (1, "b")
    with pytest.raises(AttributeError, match="one of a Pair cannot be set"):
        Pair(1).one = 2  # type: ignore[misc]


def test_fields_that_are_missing_or_unknown_are_refused() -> None:
    for given, named in (((), {}), ((1, "b", 3), {}), ((1,), {"three": 3})):
        with pytest.raises(TypeError, match="Pair has the fields"):
            Pair(*given, **named)  # type: ignore[arg-type]
