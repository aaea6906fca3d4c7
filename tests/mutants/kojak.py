"""Kojak, told wrongly."""

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
        "not detectives_of_file(state, colour) or bool(hunters(state, colour))",
        "not detectives_of_file(state, colour)",
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
        'state.table.at_once and hunters(state, mine["colour"])',
        "state.table.at_once",
    ),
    Mutant(
        "KO-13",
        "a card for all moves nobody but the drawer's own criminal",
        'open_files(state) if trap["colour"] == ALL_CRIMINALS',
        '(mine["colour"],) if trap["colour"] == ALL_CRIMINALS',
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
        "sorted(hunters(state, colour)) if is_on_red",
        "sorted(detectives_of_file(state, colour)) if is_on_red",
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
        "arrest_counts(state), clockwise(state, last)",
        "arrest_counts(state), [*state.table.seats]",
    ),
    Mutant(
        "KO-20",
        "a trap card moves no criminal whom nobody is after",
        'closer_of(state, trap["colour"]) is not None',
        'trap["colour"] not in state.held',
    ),
)
