"""Checks of a game of Barney Miller that is played on GPIO lines alone."""

from __future__ import annotations

import random
from typing import Final

from companion.games.barney_miller.shown.words import format_chips_as_squares
from companion.play.session import resume_recorded_game
from companion.play.simulate import random_answer
from companion.record.journal import Journal
from hardware.ports import BACK, DOWN, OK, UP
from tests.system.rig.bench import Bench, Check
from tests.system.rig.box import Both, text
from tests.system.rig.needs import begin, need_box, need_empty_box


def go_on(bench: Bench) -> Both:
    """Return a box on fake hardware in the real box's game, both at one question."""
    journal = bench.box.record(bench.new_folder())
    both = Both(bench.box, journal, alone=True)
    both.resume()
    both.alone = False
    both.settle()  # the real box closes its verdicts by itself
    return both


def play(both: Both, chance: random.Random, most: int) -> int:
    """Answer up to `most` questions; return the number of answers."""
    answered = 0
    while answered < most and (prompt := both.session.standing.pending_prompt) is not None:
        both.choose(random_answer(prompt, chance))
        both.settle()
        answered += 1
    return answered


def a_step_in_a_menu_moves_its_marker_and_nothing_else(bench: Bench) -> None:
    menus = Both(bench.box, Journal(None))
    menus.turn_to("settings")
    bench.row("bytes, a step that brings another explanation", f"{menus.pressed[-1].bytes}")
    menus.press(OK)
    menus.pressed.clear()

    menus.press(DOWN, UP, DOWN, UP)

    bench.most("bytes, a step in a menu, at most", max(t.bytes for t in menus.pressed), 32)
    menus.press(BACK)


def a_whole_game_is_played_on_the_pins_alone(bench: Bench) -> None:
    begin(bench)
    both = go_on(bench)

    play(both, random.Random(1), 1000)

    outcome = both.session.standing.snapshot.outcome
    assert outcome is not None
    bench.outcome = outcome
    bench.pressed = both.pressed


def played(bench: Bench) -> None:
    """Provide a finished game and its last screen."""
    need_box(bench)
    if bench.outcome is None:
        a_whole_game_is_played_on_the_pins_alone(bench)


def the_totals_on_the_display_are_those_of_the_record(bench: Bench) -> None:
    journal = bench.box.record(bench.new_folder())
    session, changed = resume_recorded_game(journal, journal.game_numbers()[0], 0)
    frame = bench.box.look()

    assert changed is None
    assert frame is not None
    assert session.standing.snapshot.outcome == bench.outcome is not None
    rows = {row.split()[0]: row for row in text(frame) if row}
    captured, reserve = (
        session.standing.snapshot.view["captured"],
        session.standing.snapshot.view["reserve"],
    )
    for name in session.standing.snapshot.players:
        assert rows[name].endswith(format_chips_as_squares(len(captured[name]), reserve[name])), (
            rows
        )


CHECKS: Final = (
    Check(a_step_in_a_menu_moves_its_marker_and_nothing_else, need_empty_box),
    Check(a_whole_game_is_played_on_the_pins_alone, need_box),
    Check(the_totals_on_the_display_are_those_of_the_record, played),
)
