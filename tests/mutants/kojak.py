"""Wrong rules of Kojak."""

from __future__ import annotations

from typing import Final

from tests.mutants import Mutant

MUTANTS: Final = (
    Mutant(
        "KO-3",
        "the turn goes anticlockwise",
        "turn = (state.turn + 1) % len(state.held)",
        "turn = (state.turn - 1) % len(state.held)",
    ),
    Mutant(
        "KO-8",
        "nobody can join a chase whose warrant is posted",
        "not seats_holding_mission_card(state, colour) or bool(\n"
        "        seats_with_posted_warrant(state, colour)\n    )",
        "not seats_holding_mission_card(state, colour)",
    ),
    Mutant(
        "KO-8",
        "own cards: after a card that nobody expected the old order is still believed",
        "(card, *pile[1:]) if expected else (card, *(None,) * (len(pile) - 1))",
        "(card, *pile[1:])",
    ),
    Mutant(
        "KO-12",
        "at once: a warrant goes up where none is posted yet",
        'state.table.at_once and seats_with_posted_warrant(state, mine["colour"])',
        "state.table.at_once",
    ),
    Mutant(
        "KO-13",
        "a card for all moves nobody but the drawer's own criminal",
        'unclosed_case_file_colours(state) if trap["colour"] == ALL_COLOURS',
        '(mine["colour"],) if trap["colour"] == ALL_COLOURS',
    ),
    Mutant(
        "KO-13",
        "a criminal who is sent back goes on",
        'return -steps if trap["kind"] == BACK else steps',
        "return steps",
    ),
    Mutant(
        "KO-13",
        "who loses a turn loses every turn from then on",
        "missing=tuple(seat for seat in state.missing if seat != turn)",
        "missing=state.missing",
    ),
    Mutant(
        "KO-13",
        "a card that the box drew can be taken back without the table",
        "clause, reveals=True)",
        "clause)",
    ),
    Mutant(
        "KO-14",
        "of several red fields a Kojak card goes to the farthest",
        "min((red - field) % size",
        "max((red - field) % size",
    ),
    Mutant(
        "KO-15",
        "who has posted no warrant is told to be able to arrest",
        "sorted(seats_with_posted_warrant(state, colour))\n        if is_criminal_on_red",
        "sorted(seats_holding_mission_card(state, colour))\n        if is_criminal_on_red",
    ),
    Mutant(
        "KO-17",
        "of a file that is closed only one card goes under the pile",
        "(colour,) * len(team)",
        "(colour,)",
    ),
    Mutant(
        "KO-18",
        "of those who tie for the most arrests the first wins, without a race",
        "if len(tied) == 1:",
        "if tied:",
    ),
    Mutant(
        "KO-20",
        "the race goes from seat 1, not from the left of the last arrester",
        "count_arrests_by_seat(state), seats_clockwise_after_seat(state, last)",
        "count_arrests_by_seat(state), [*state.table.all_seats]",
    ),
    Mutant(
        "KO-20",
        "a trap card moves no criminal whom nobody is after",
        'seat_that_closed_case_file(state, trap["colour"]) is not None',
        'trap["colour"] not in state.held',
    ),
)
