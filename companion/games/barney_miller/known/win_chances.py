"""Players' chances of being first with four chips (BM-12), computed from chips and track."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from companion.games.barney_miller.rules.board import (
    GANG,
    IDENTIFICATION,
    INSUFFICIENT_EVIDENCE,
    SUSPECTS_PER_POSTER,
    WARRANT,
    Seat,
    TableSetup,
    TrackSpace,
)
from companion.games.barney_miller.rules.state import State

VALUE_ITERATION_SWEEPS: Final = 8
"""Number of passes in the computation of the win chances.

The results differ by at most 0.003 from the results of 25 passes.
"""
CHANCE_STEPS: Final = 8
"""Number of steps between the chances 0 and 1.

Chances are rounded to these steps, so that game states with similar chances share a cached result.
"""
GAIN_CHANCE, LOSS_CHANCE = 0.6, 0.15
"""Assumed chances, used if the box does not know the track.

- GAIN_CHANCE: the chance that the winner of a round gains a chip.
- LOSS_CHANCE: the chance that the winner of a round loses a chip.
"""


class RoundWinnerChipChances(NamedTuple):
    """Chances that the winner of a round gains or loses a chip, in units of 1/CHANCE_STEPS.

    - `gains`: for each number of chips that the winner had before the round, the chance of a gain.
    - `loses`: the chance of a loss.
    """

    gains: tuple[int, ...]
    loses: int


def win_chances_between_rounds(state: State) -> tuple[float, ...]:
    """Return each seat's chance of winning the game, estimated between two rounds.

    The chance is 0 for a seat whose player has left.
    """
    chips = [len(ids) + n for ids, n in zip(state.captured, state.reserve, strict=True)]
    there = [seat for seat in range(len(chips)) if seat not in state.out]
    chances = tuple(_chances(state, seat) for seat in there)
    shares = win_chances_by_chip_counts(chances)[tuple(chips[seat] for seat in there)]
    by_seat = dict(zip(there, shares, strict=True))
    return tuple(by_seat.get(seat, 0.0) for seat in range(len(chips)))


@lru_cache(maxsize=256)
def win_chances_by_chip_counts(
    chances: tuple[RoundWinnerChipChances, ...],
) -> Mapping[tuple[int, ...], tuple[float, ...]]:
    """Return a table from the seats' numbers of chips to the seats' chances of winning the game.

    The estimate assumes that all seats win rounds equally often, and ignores rounds that change no
    chips. `chances`: for each seat, the chances that the seat gains or loses a chip when the seat
    wins a round.
    """
    n = len(chances)
    values = {}
    for chips in product(range(SUSPECTS_PER_POSTER + 1), repeat=n):
        done = chips.count(SUSPECTS_PER_POSTER)
        even = 1 / (done or n)
        values[chips] = tuple(
            even * (not done or chip_count == SUSPECTS_PER_POSTER) for chip_count in chips
        )
    open_ = [chips for chips in values if SUSPECTS_PER_POSTER not in chips][::-1]
    for _ in range(VALUE_ITERATION_SWEEPS):
        for chips in open_:
            values[chips] = _after_a_round(chips, chances, values)
    return values


def _after_a_round(
    chips: tuple[int, ...],
    chances: tuple[RoundWinnerChipChances, ...],
    values: Mapping[tuple[int, ...], tuple[float, ...]],
) -> tuple[float, ...]:
    """Return each seat's mean chance of winning the game after one round that changes the chips."""
    whole, sums = 0, [0.0] * len(chips)
    for seat, (gains, loses) in enumerate(chances):
        n = chips[seat]
        for change, weight in ((1, gains[n]), (-1, loses if n else 0)):
            if not weight:
                continue
            whole += weight
            after = values[(*chips[:seat], n + change, *chips[seat + 1 :])]
            sums = [total + weight * share for total, share in zip(sums, after, strict=True)]
    return tuple(total / whole for total in sums) if whole else values[chips]


def _chances(state: State, seat: Seat) -> RoundWinnerChipChances:
    """Return the chances that `seat` gains a chip, and loses a chip, when `seat` wins a round.

    The chances depend on the kinds of the track's spaces. The chance of a gain also depends on how
    many chips the seat has.
    """
    table = state.table
    if table.track is None:
        return RoundWinnerChipChances(
            (round(GAIN_CHANCE * CHANCE_STEPS),) * SUSPECTS_PER_POSTER,
            round(LOSS_CHANCE * CHANCE_STEPS),
        )
    caught = state.captured[seat]
    wanted = [suspect.gang for suspect in table.desks[seat].suspects if suspect.id not in caught]
    kinds = _kinds(table, frozenset(wanted))
    now = len(wanted)
    gains = []
    for chips in range(SUSPECTS_PER_POSTER):
        part = min(1.0, (SUSPECTS_PER_POSTER - chips) / max(1, now))
        gains.append(round(CHANCE_STEPS * (kinds["sure"] + part * kinds["gang"])))
    return RoundWinnerChipChances(
        tuple(max(1, n) for n in gains), round(CHANCE_STEPS * kinds["loses"])
    )


def _kinds(table: TableSetup, wanted: frozenset[str]) -> dict[str, float]:
    """Return the fractions of the track's spaces that belong to three kinds.

    - "sure": spaces where the winner of a round surely gains a chip.
    - "gang": spaces of a gang in `wanted`.
    - "loses": spaces where the winner of a round loses a chip.
    """
    track: tuple[TrackSpace, ...] = table.track or ()
    counts = {"sure": 0, "gang": 0, "loses": 0}
    for kind, gang in track:
        counts["sure"] += kind in (WARRANT, IDENTIFICATION)
        counts["gang"] += kind == GANG and gang in wanted
        counts["loses"] += kind == INSUFFICIENT_EVIDENCE
    return {name: n / len(track) for name, n in counts.items()}
