"""Tests of counting presses and bounces in the raw edges of a button."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.pins.bounce_counter import PressAndBounceCount, presses_and_bounces_by_button
from hardware.ports import BACK, DOWN, OK, UP, Edge


def edges(button: str, *times: float) -> list[Edge]:
    """Return alternating edges that begin with a press."""
    return [Edge(button, n % 2 == 0, time) for n, time in enumerate(times)]


def test_clean_presses_have_no_bounces() -> None:
    assert presses_and_bounces_by_button(edges(OK, 0, 0.08, 1, 1.08)) == {
        OK: PressAndBounceCount(2, 0)
    }


def test_a_bouncing_press_is_one_press_and_its_other_edges_are_bounces() -> None:
    press = edges(UP, 0, 0.001, 0.002, 0.003, 0.004)
    release = [Edge(UP, n % 2 == 1, 0.1 + n / 1000) for n in range(3)]
    assert presses_and_bounces_by_button(press + release) == {UP: PressAndBounceCount(1, 6)}


def test_noise_that_ends_where_it_began_is_no_press() -> None:
    assert presses_and_bounces_by_button(edges(BACK, 0, 0.001, 0.002, 0.003)) == {
        BACK: PressAndBounceCount(0, 4)
    }


def test_a_button_that_was_down_at_the_start_was_not_pressed() -> None:
    held = [Edge(OK, True, 0.0, retained=True), Edge(OK, False, 1.0), *edges(OK, 2, 2.1)]
    assert presses_and_bounces_by_button(held) == {OK: PressAndBounceCount(1, 0)}


def test_buttons_are_counted_apart() -> None:
    mixed = sorted(edges(UP, 0, 0.1) + edges(DOWN, 0.05, 0.15), key=lambda edge: edge.time)
    assert presses_and_bounces_by_button(mixed) == {
        UP: PressAndBounceCount(1, 0),
        DOWN: PressAndBounceCount(1, 0),
    }


@given(st.lists(st.floats(0.001, 0.5), max_size=40))
def test_every_edge_is_part_of_a_press_a_release_or_a_bounce(gaps: list[float]) -> None:
    times = [sum(gaps[: n + 1]) for n in range(len(gaps))]
    given_edges = edges(OK, *times)
    found = presses_and_bounces_by_button(given_edges).get(OK, PressAndBounceCount())
    assert found.presses <= (len(gaps) + 1) // 2
    assert 0 <= len(gaps) - found.bounces - found.presses <= found.presses
