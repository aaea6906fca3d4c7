"""Wrong rules of Barney Miller."""

from __future__ import annotations

from typing import Final

from tests.mutants import Mutant

MUTANTS: Final = (
    Mutant(
        "BM-1",
        "a free poster may be one that a later player's name claims",
        "if name not in wanted",
        "if name not in wanted[:1]",
    ),
    Mutant(
        "BM-2",
        "there are six 3s and eight 4s",
        "(4, 10, 10, 8, 6, 4, 4, 4, 2, 2, 2)",
        "(4, 10, 10, 6, 8, 4, 4, 4, 2, 2, 2)",
    ),
    Mutant(
        "BM-3",
        "a hand that was dealt is told to all",
        '"BM-3", to=who)',
        '"BM-3")',
    ),
    Mutant(
        "BM-5",
        "the winner of a round rolls next",
        "next_remaining_seat(state, last) if last in state.out else last",
        "state.turn",
    ),
    Mutant(
        "BM-7",
        "several cards of one value are played without asking, which tells them",
        "hand[0] if len(hand) == 1",
        "hand[0] if len(set(hand)) == 1",
    ),
    Mutant(
        "BM-8",
        "a ten that one 0 has kept is told as made, not kept",
        "in state.played[:-1])",
        "in state.played[:-2])",
    ),
    Mutant(
        "BM-8",
        "with virtual cards only a holder of a 0 is asked",
        "state.table.own or state.unseen[0]",
        "state.table.own or 0 in state.hands[state.turn]",
    ),
    Mutant(
        "BM-9",
        "of two captured suspects the first is set free without asking",
        "if len(state.captured[winner]) > 1",
        "if len(state.captured[winner]) > 2",
    ),
    Mutant(
        "BM-10",
        "a gang is passed as soon as the roller has no free suspect of it",
        "not any(\n"
        "        uncaptured_suspects(state, seat, space.gang)"
        " for seat in seats_of_remaining_players(state)\n    )",
        "not uncaptured_suspects(state, roller, space.gang)",
    ),
    Mutant(
        "BM-11",
        "own cards: after the fourth 0 nobody is asked for one",
        "state.table.own or state.unseen[0]",
        "state.unseen[0]",
    ),
    Mutant(
        "BM-11",
        "own cards: a card that cannot be is refused",
        "gone = [value for value, count in enumerate(unseen) if count <= 0]",
        "gone: list[int] = []",
    ),
    Mutant(
        "BM-11",
        "a table that deals on does so with too few cards for all",
        "len(state.aside) >= n * HAND_SIZE_BY_PLAYER_COUNT[n]",
        "state.aside",
    ),
    Mutant(
        "BM-11",
        "the sixth card of four is told to be one too many, too",
        "(cue,) if unseen[value] else",
        "(cue,) if unseen[value] > 0 else",
    ),
    Mutant(
        "BM-12",
        "reserve chips do not count towards the four",
        "len(state.captured[seat]) + state.reserve[seat] < SUSPECTS_PER_POSTER",
        "len(state.captured[seat]) < SUSPECTS_PER_POSTER",
    ),
)
