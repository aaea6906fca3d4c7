"""The rules of liar's dice, clause by clause.

- LD-1: all players have equally many dice, each player's dice under a cup. The box shakes the dice.
  Only the player looks under the cup.
- LD-2: the first seat begins the game. Later the player who lost a die begins the round; if this
  player has no dice, the next player begins.
- LD-3: a bid is a number of dice of one face under all cups together. The next player bids more
  dice of any face, or equally many dice of a higher face. Ones count as every face; no bid names
  ones.
- LD-4: the next player may doubt the bid instead. Then all cups are lifted, the bidder's cup last.
- LD-5: if there are at least as many dice as the bid says, the doubter loses a die; otherwise the
  bidder loses a die.
- LD-6: a player without dice is out. The last player with dice wins.
- LD-7: palifico (an option): a player who has one die left for the first time begins a special
  round. In this round ones count only as ones, bids may name ones, and all bids name the face of
  the first bid. There is no palifico between two players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from companion.core.fold import replace
from companion.core.game import Cue, Cues, Outcome
from companion.core.prompts import (
    Answer,
    Choose,
    Form,
    JsonValues,
    Number,
    Prompt,
    Question,
    Roll,
    action_prompt,
)

ONE, SIX = 1, 6


class Bid(NamedTuple):
    """A bid: a number of `dice` with a `face`, and the seat of the bidder."""

    dice: int
    face: int
    seat: int


@dataclass(frozen=True)
class State:
    """One moment of the game.

    - `dice`: the number of dice of each seat.
    - `cups`: the dice under the cup of each seat; empty until the cup is shaken.
    - `palifico`: True if the players chose the option of this name.
    - `lifted`: the number of lifted cups.
    - `special`: True if this round is a palifico.
    - `had`: the seats that have begun a palifico.
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
        """Return the active player."""
        return self.players[self.turn]

    @property
    def order(self) -> tuple[int, ...]:
        """Return the seats that have dice, beginning with the active player's seat."""
        seats = (*range(self.turn, len(self.dice)), *range(self.turn))
        return tuple(seat for seat in seats if self.dice[seat])

    @property
    def unshaken(self) -> int | None:
        """Return the first seat whose dice are not shaken yet; None if all dice are shaken."""
        seats = zip(self.dice, self.cups, strict=True)
        return next((seat for seat, (n, cup) in enumerate(seats) if n and not cup), None)

    @property
    def open(self) -> tuple[int, ...]:
        """Return the seats whose cups are lifted: the doubter's first, the bidder's last (LD-4)."""
        return self.order[: self.lifted]

    def found(self, seats: tuple[int, ...]) -> int:
        """Return how many dice under the cups of `seats` count for the bid (LD-3, LD-7)."""
        faces = {self.bid and self.bid.face} | ({ONE} if not self.special else set())
        return sum(die in faces for seat in seats for die in self.cups[seat])


def setup(players: tuple[str, ...], options: Mapping[str, str], _edition: Any) -> State:
    """Return the first state, in which each player has the chosen number of dice (LD-1)."""
    dice = (int(options["dice"]),) * len(players)
    return State(players, dice, ((),) * len(players), options["palifico"] == "yes")


def ask(state: State) -> Question | None:
    """Return the next question: shake, bid or doubt, or lift; None after the end (LD-6)."""
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
    """Return the next question of a turn: bid or doubt, how many dice, which face (LD-3, LD-4)."""
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
    """Return the numbers of dice that the player can bid; empty if no bid is higher (LD-3)."""
    least = state.bid.dice if state.bid else 1
    return range(least if _faces(state, least) else least + 1, sum(state.dice) + 1)


def _faces(state: State, count: int) -> tuple[int, ...]:
    """Return the faces that the player can bid with `count` dice (LD-3, LD-7)."""
    every = range(ONE if state.special else ONE + 1, SIX + 1)
    if state.bid is None:
        return tuple(every)
    if state.special:
        return (state.bid.face,) if count > state.bid.dice else ()
    return tuple(face for face in every if count > state.bid.dice or face > state.bid.face)


def on_shake(state: State, dice: list[int]) -> tuple[State, Cues]:
    """Put the shaken dice under a cup; only the player of the cup sees these dice (LD-1)."""
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
    """Accept a higher bid and make the next player active (LD-3), or accept a doubt (LD-4)."""
    if given.get("call") == "doubt":
        return on_doubt(state, "doubt")
    bid = Bid(given["count"], given["face"], state.turn)
    facts = {"who": state.who, "count": bid.dice, "face": bid.face}
    state = replace(state, bid=bid, turn=state.order[1])
    return state, (Cue("bid", {**facts, "next": state.who}, "LD-3"),)


def on_doubt(state: State, _press: str) -> tuple[State, Cues]:
    """Accept a doubt, so that the players lift the cups (LD-4)."""
    bid = _the_bid(state)
    facts = {"who": state.who, "of": state.players[bid.seat], "count": bid.dice, "face": bid.face}
    return replace(state, doubted=True), (Cue("doubted", facts, "LD-4"),)


def on_lift(state: State, _press: str) -> tuple[State, Cues]:
    """Lift one more cup and count its dice (LD-4); after the last cup decide the round (LD-5)."""
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
    """Take a die from the loser of the round (LD-5), and report a winner (LD-6)."""
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
    """Return the state at the beginning of the next round (LD-2, LD-7)."""
    turn, n = state.order[0], len(state.players)
    last_die = state.dice[turn] == 1 and turn == state.turn and turn not in state.had
    special = state.palifico and last_die and len(state.order) > 2  # noqa: PLR2004 - not between two
    return replace(
        state, cups=((),) * n, turn=turn, bid=None, doubted=False, lifted=0, special=special,
        had=(*state.had, turn) if special else state.had, round=state.round + 1,
    )  # fmt: skip


def _the_bid(state: State) -> Bid:
    assert state.bid is not None  # players can doubt only after a bid
    return state.bid


def secrets(state: State) -> Cues:
    """Return a fact for each player with hidden dice, which only this player learns (LD-1)."""
    hidden = [seat for seat in state.order if state.cups[seat] and seat not in state.open]
    return tuple(
        Cue("own", {"who": who, "dice": [*state.cups[seat]]}, "LD-1", to=who)
        for seat, who in enumerate(state.players)
        if seat in hidden
    )


def view(state: State, player: str | None) -> dict[str, Any]:
    """Return the public view of the state; for a player also the player's hidden dice."""
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
    """Return the winner, who is the last player with dice (LD-6); None before the end.

    The score of a player is the number of dice that the player has left.
    """
    if ask(state) is not None:
        return None
    return Outcome((state.who,), dict(zip(state.players, state.dice, strict=True)))
