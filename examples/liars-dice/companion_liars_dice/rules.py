"""Liar's dice, clause by clause.

- LD-1: each has as many dice, under a cup. The box shakes them; each looks at the own ones alone.
- LD-2: the first seat begins. Then whoever has lost a die does, or the next one if it was the last.
- LD-3: a bid says how many dice of a face lie under all cups together. The next player bids more
  dice, of any face, or as many of a higher face. Ones are every face, and are not bid on.
- LD-4: instead of a bid the next player doubts. Then all cups are lifted, the bidder's last.
- LD-5: if there are as many as were bid, the doubter loses a die, and else the bidder.
- LD-6: whoever has no dice is out. The last player with dice wins.
- LD-7: palifico (an option): whoever comes down to one die begins a round, once, in which ones are
  only ones and may be bid on, and all bid on the face of the first bid. Not between two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.fold import replace
from companion.core.game import Cue, Cues, Outcome
from companion.core.prompts import (
    Answer,
    Choose,
    Form,
    Number,
    Prompt,
    Question,
    Roll,
    action_prompt,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.prompts import JsonValues

ONE, SIX = 1, 6


class Bid(NamedTuple):
    """So many `dice` of a face, and the seat that has said it."""

    dice: int
    face: int
    seat: int


@dataclass(frozen=True)
class State:
    """One moment: how many dice each has, and which lie under the cups, by seat.

    `cups` are empty until they are shaken; so many of them are `lifted`. `special`: this round is a
    palifico; `had` are the seats that have had theirs.
    """

    players: tuple[str, ...]
    dice: tuple[int, ...]
    cups: tuple[tuple[int, ...], ...]
    palifico: bool
    turn: int = 0
    bid: Bid | None = None
    doubted: bool = False
    lifted: int = 0
    special: bool = False
    had: tuple[int, ...] = ()
    round: int = 1

    @property
    def who(self) -> str:
        """The player whose turn it is."""
        return self.players[self.turn]

    @property
    def order(self) -> tuple[int, ...]:
        """The seats with dice, from the one whose turn it is."""
        seats = (*range(self.turn, len(self.dice)), *range(self.turn))
        return tuple(seat for seat in seats if self.dice[seat])

    @property
    def unshaken(self) -> int | None:
        """The first seat whose dice are still to be shaken; None if all lie."""
        seats = zip(self.dice, self.cups, strict=True)
        return next((seat for seat, (n, cup) in enumerate(seats) if n and not cup), None)

    @property
    def open(self) -> tuple[int, ...]:
        """The seats whose cups are lifted: the doubter's first, the bidder's last (LD-4)."""
        return self.order[: self.lifted]

    def found(self, seats: tuple[int, ...]) -> int:
        """How many dice of the bid's face lie under these cups (LD-3, LD-7)."""
        faces = {self.bid and self.bid.face} | ({ONE} if not self.special else set())
        return sum(die in faces for seat in seats for die in self.cups[seat])


def setup(players: tuple[str, ...], options: Mapping[str, str], _edition: Any) -> State:
    """LD-1: as many dice as the table likes, under each cup."""
    dice = (int(options["dice"]),) * len(players)
    return State(players, dice, ((),) * len(players), options["palifico"] == "yes")


def ask(state: State) -> Question | None:
    """What comes next: shake, bid or doubt, lift; nothing more when one alone has dice (LD-6)."""
    if sum(map(bool, state.dice)) == 1:
        return None
    if (seat := state.unshaken) is not None:
        return Roll("shake", state.players[seat], state.dice[seat], private=True)
    if state.doubted:
        whose = state.players[state.order[state.lifted]]
        return action_prompt("lift", facts={"whose": whose})
    if state.bid and not _counts(state):
        return action_prompt("doubt", state.who, look=True)
    return Form("turn", state.who, partial(_turn, state))


def _turn(state: State, given: Mapping[str, Answer]) -> Prompt | None:
    """LD-3, LD-4: doubt, or how many of which face? The next question of the form."""
    if state.bid and "call" not in given:
        return Choose("call", state.who, ("bid", "doubt"), look=True)
    if given.get("call") == "doubt":
        return None
    if "count" not in given:
        counts = _counts(state)
        return Number("count", state.who, counts[0], counts[-1], counts[0], look=True)
    if "face" not in given:
        faces, facts = _faces(state, given["count"]), {"count": given["count"]}
        return Choose("face", state.who, faces, facts=facts, look=True)
    return None


def _counts(state: State) -> range:
    """LD-3: how many dice can be bid; none if nothing is higher."""
    least = state.bid.dice if state.bid else 1
    return range(least if _faces(state, least) else least + 1, sum(state.dice) + 1)


def _faces(state: State, count: int) -> tuple[int, ...]:
    """LD-3: the faces that so many dice can be bid of; LD-7: in a palifico always the same."""
    every = range(ONE if state.special else ONE + 1, SIX + 1)
    if state.bid is None:
        return tuple(every)
    if state.special:
        return (state.bid.face,) if count > state.bid.dice else ()
    return tuple(face for face in every if count > state.bid.dice or face > state.bid.face)


def on_shake(state: State, dice: list[int]) -> tuple[State, Cues]:
    """LD-1: one more cup is shaken; its player alone knows what lies there."""
    seat = state.unshaken
    cups = tuple(tuple(sorted(dice)) if at == seat else cup for at, cup in enumerate(state.cups))
    state = replace(state, cups=cups)
    own = secrets(state)[-1:]
    if state.unshaken is not None:
        return state, own
    facts = {"who": state.who, "round": state.round, "dice": sum(state.dice)}
    fact, clause = ("palifico", "LD-7") if state.special else ("shaken", "LD-1")
    return state, (*own, Cue(fact, facts, clause))


def on_turn(state: State, given: JsonValues) -> tuple[State, Cues]:
    """LD-3: a higher bid, and the next player's turn; LD-4: or a doubt."""
    if given.get("call") == "doubt":
        return on_doubt(state, "doubt")
    bid = Bid(given["count"], given["face"], state.turn)
    facts = {"who": state.who, "count": bid.dice, "face": bid.face}
    state = replace(state, bid=bid, turn=state.order[1])
    return state, (Cue("bid", {**facts, "next": state.who}, "LD-3"),)


def on_doubt(state: State, _press: str) -> tuple[State, Cues]:
    """LD-4: the cups are to be lifted."""
    bid = _the_bid(state)
    facts = {"who": state.who, "of": state.players[bid.seat], "count": bid.dice, "face": bid.face}
    return replace(state, doubted=True), (Cue("doubted", facts, "LD-4"),)


def on_lift(state: State, _press: str) -> tuple[State, Cues]:
    """LD-4: one more cup is lifted, and what counts there added up; LD-5: the last one decides."""
    seat, state = state.order[state.lifted], replace(state, lifted=state.lifted + 1)
    bid = _the_bid(state)
    facts = {
        "who": state.players[seat], "dice": [*state.cups[seat]], "found": state.found(state.open),
        "count": bid.dice, "face": bid.face, "wild": not state.special,
    }  # fmt: skip
    lifted = Cue("lifted", facts, "LD-4", reveals=True)
    if state.lifted < len(state.order):
        return state, (lifted,)
    state, cues = _decide(state, bid)
    return state, (lifted, *cues)


def _decide(state: State, bid: Bid) -> tuple[State, Cues]:
    """LD-5: who loses a die; LD-6: who is out, and whether anybody else is left."""
    found = state.found(state.order)
    loser = state.turn if found >= bid.dice else bid.seat
    dice = tuple(n - (seat == loser) for seat, n in enumerate(state.dice))
    facts = {"who": state.players[loser], "found": found, "count": bid.dice, "face": bid.face}
    cues = [Cue("true" if found >= bid.dice else "false", {**facts, "left": dice[loser]}, "LD-5")]
    state = _next_round(replace(state, dice=dice, turn=loser))
    if not dice[loser]:
        cues.append(Cue("out", {"who": state.players[loser]}, "LD-6"))
    if (won := outcome(state)) is not None:
        cues.append(Cue("won", {"who": won.winners[0], "left": max(dice)}, "LD-6"))
    return state, tuple(cues)


def _next_round(state: State) -> State:
    """LD-2: who begins it; LD-7: whether it is a palifico."""
    turn, n = state.order[0], len(state.players)
    last_die = state.dice[turn] == 1 and turn == state.turn and turn not in state.had
    special = state.palifico and last_die and len(state.order) > 2  # noqa: PLR2004 - not between two
    return replace(
        state, cups=((),) * n, turn=turn, bid=None, doubted=False, lifted=0, special=special,
        had=(*state.had, turn) if special else state.had, round=state.round + 1,
    )  # fmt: skip


def _the_bid(state: State) -> Bid:
    assert state.bid is not None  # only a bid is doubted
    return state.bid


def secrets(state: State) -> Cues:
    """LD-1: the dice that each player alone knows, until that cup is lifted."""
    hidden = [seat for seat in state.order if state.cups[seat] and seat not in state.open]
    return tuple(
        Cue("own", {"who": who, "dice": [*state.cups[seat]]}, "LD-1", to=who)
        for seat, who in enumerate(state.players)
        if seat in hidden
    )


def view(state: State, player: str | None) -> dict[str, Any]:
    """What all may see: the bid, how many dice each has, the cups that are lifted; the own dice."""
    bid = state.bid
    seen: dict[str, Any] = {
        "round": state.round,
        "bidder": bid and state.players[bid.seat],
        "count": bid and bid.dice,
        "face": bid and bid.face,
        "dice": dict(zip(state.players, state.dice, strict=True)),
        "lifted": {state.players[seat]: [*state.cups[seat]] for seat in state.open},
        "palifico": state.special,
        "to_act": None if ask(state) is None else state.who,
    }
    if player is not None:
        seen["own"] = [*state.cups[state.players.index(player)]]
    return seen


def outcome(state: State) -> Outcome | None:
    """LD-6: the last one with dice has won; the score is how many are left."""
    if ask(state) is not None:
        return None
    return Outcome((state.who,), dict(zip(state.players, state.dice, strict=True)))
