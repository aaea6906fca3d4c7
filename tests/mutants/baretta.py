"""Wrong rules of Baretta."""

from __future__ import annotations

from typing import Final

from tests.mutants import Mutant

MUTANTS: Final = (
    Mutant(
        "BA-6",
        "a walk may turn back onto the space just left",
        "for to in links[here] if to != back",
        "for to in links[here]",
    ),
    Mutant(
        "BA-8",
        "a seventh card gets a marker too",
        "state.shown[seat], len(marked_spaces(state, seat)) < MARKERS_PER_PLAYER",
        "state.shown[seat], len(marked_spaces(state, seat)) <= MARKERS_PER_PLAYER",
    ),
    Mutant(
        "BA-10",
        "the Apartment does nothing unless the player's own cards are marked",
        'None if marked_spaces(state) else "no_marked"',
        'None if marked_spaces(state, state.turn) else "no_marked"',
    ),
    Mutant(
        "BA-12",
        "once a card that Wounded turned up is placed, the next one lies open",
        "shown=replace_tuple_item(state.shown, seat, False)",
        "shown=state.shown",
    ),
    Mutant(
        "BA-13",
        "a Hunch that is kept stays face up",
        "_replace(up=False)",
        "_replace(up=True)",
    ),
    Mutant(
        "BA-14",
        "a card at the end of Move N is turned over and obeyed",
        'case "second":\n            return _checked(',
        'case "second":\n            return _turned(',
    ),
    Mutant(
        "BA-14",
        "a look that found no Arrest card can be taken back without the table",
        '"BA-14", reveals=not state.table.own',
        '"BA-14"',
    ),
    Mutant(
        "BA-15",
        "a marker goes back to whoever turned the card over",
        '{"who": player_name(state, spot.by), "space": id_of_space(state)}',
        '{"who": player_name(state), "space": id_of_space(state)}',
    ),
    Mutant(
        "BA-16",
        "only one player who is out is passed over",
        "while turn in state.out",
        "if turn in state.out",
    ),
    Mutant(
        "BA-17",
        "a shuffle puts another card on top of a pile, where it lies face up",
        "(*top, *(cards[i] for i in order))",
        "(*(cards[i] for i in order), *top)",
    ),
)
