"""Baretta's statistics: the players' scores, and amounts that are added up over all games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.core.game import Cue, Cues
from companion.games.baretta.rules.state import State, arrest_card_of_player


def scores(state: State) -> tuple[int, ...]:
    """Return 1 for the seat of the winner (BA-14), and 0 for all other seats."""
    return tuple(int(seat == state.winner) for seat in range(len(state.table.players)))


def count(cue: Cue) -> Iterator[tuple[str, str, int]]:
    """Yield (player, statistic, amount) for each statistic that the event `cue` increases.

    If the amount belongs to no single player, the player is "".
    """
    facts = cue.facts
    match cue.name:
        case "placed" if cue.to is None:
            yield facts["who"], "placed", 1
        case "guessed":
            yield facts["who"], "hunch", 1
            if facts["card"].startswith("arrest"):
                yield facts["who"], "hunch_right", 1
        case "not_arrest":
            yield facts["who"], "accused_wrongly", 1
        case "swapped" | "looked" if cue.to is None:
            yield facts["who"], "corner", 1
        case "lose_turn" | "roll_again":
            yield facts["who"], "corner", 1


def count_secrets(moments: Iterable[tuple[State, Cues]]) -> Iterator[tuple[str, str, int]]:
    """Yield (player, statistic, amount) for statistics about the secret cards of a finished game.

    The statistic `own_arrest` counts the rolls that happen while the player's Arrest card is on the
    board.
    """
    for state, cues in moments:
        if any(cue.name == "rolled" for cue in cues):
            lying = {spot.card for spot in state.spots if spot is not None}
            for seat, who in enumerate(state.table.players):
                if state.accused and arrest_card_of_player(state, seat) in lying:
                    yield who, "own_arrest", 1
