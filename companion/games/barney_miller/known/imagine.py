"""Barney Miller for the computer player: simulated hands, and estimates.

No function of this module receives the real state. The function `imagine` deals the hidden cards at
random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace as changed
from random import Random
from typing import Final

from companion.core.game import Cue, SeatMemory
from companion.core.prompts import Answer, Question
from companion.core.snapshot import View
from companion.games.barney_miller.known.win_chances import win_chances_between_rounds
from companion.games.barney_miller.rules.board import (
    CARD_COUNTS,
    DECK,
    GANG,
    IDENTIFICATION,
    TARGET_TOTAL,
    WARRANT,
    Hand,
    Seat,
    Suspect,
    TableSetup,
    TrackSpace,
    WantedPoster,
    make_table_setup,
)
from companion.games.barney_miller.rules.state import State, Step, uncaptured_suspects

STEP_OF_QUESTION: Final[Mapping[str | None, Step]] = {
    "play_card": "play_card", "zero": "zero", "space": "space", "detective": "detective",
    "suspect_gang": "suspect", "commit_suspect": "commit_suspect", "free_suspect": "free_suspect",
}  # fmt: skip
"""Table from the name of a pending question to the step of the simulated game.

If the pending question is not in the table, the simulated game starts with a roll.
"""
PLAYED_CARD_FACTS: Final = ("card_played", "zero_played")
FULL_SHUFFLE_DEAL_KINDS: Final = ("first", "again")
"""Kinds of deals before which all 56 cards are shuffled."""


def imagine(view: View, memory: SeatMemory, player: str, rng: Random) -> State:
    """Return a complete game state that agrees with the player's view and memory."""
    table = _table(view, memory)
    me, names = memory.players.index(player), memory.players
    hand, seen = _own(memory.facts, player), _seen(view, memory)
    sizes = [view["hand"][who] for who in names]
    hand = (hand + [0] * sizes[me])[: sizes[me]]
    rest = list((Counter(DECK) - seen - Counter(hand)).elements())
    rng.shuffle(rest)
    hands: list[Hand] = [tuple(hand)] * len(names)
    seconds: list[Hand] = [()] * len(names)
    for seat, who in enumerate(names):
        if seat != me:
            hands[seat] = _taken(rest, sizes[seat])
        seconds[seat] = _taken(rest, view["second"][who])
    aside = _taken(rest, view["deck_aside"])
    left = Counter(card for cards in (*hands, *seconds, aside) for card in cards)
    step = STEP_OF_QUESTION.get(memory.question, "roll" if view["roller"] else "high_roll")
    acts = names.index(view["to_act"]) if view["to_act"] else 0
    return State(
        table=table,
        step=step,
        hands=tuple(hands),
        seconds=tuple(seconds),
        aside=aside,
        unseen=tuple(left[value] for value in range(len(CARD_COUNTS))),
        deals=_deals(memory.facts, view),
        rollers=(acts,),
        roller=names.index(view["roller"]) if view["roller"] else None,
        round=view["round"],
        pawn=view["pawn"],
        space=view["space"] and TrackSpace(**view["space"]),
        turn=acts,
        total=view["total"],
        played=tuple((names.index(who), value) for who, value in view["played"]),
        captured=tuple(tuple(view["captured"][who]) for who in names),
        reserve=tuple(view["reserve"][who] for who in names),
        stopped=("play_card",) if step == "space" and view["played"] else (),
        out=tuple(names.index(who) for who in view["out"]),
    )


def _taken(cards: list[int], n: int) -> tuple[int, ...]:
    """Remove and return the last `n` of `cards`.

    If there are fewer than `n` cards, add cards of the value 1 to the result.
    """
    taken = tuple(cards[len(cards) - n :]) if n else ()
    del cards[len(cards) - len(taken) :]
    return taken + (1,) * (n - len(taken))


def _table(view: View, memory: SeatMemory) -> TableSetup:
    """Return the setup with the players' posters (BM-1) and the entered board parts (BM-14)."""
    table = make_table_setup(memory.players, memory.settings, memory.edition)
    desks = {
        who: WantedPoster(detective, tuple(Suspect(**suspect) for suspect in view["posters"][who]))
        for who, detective in view["detectives"].items()
    }
    hung = {poster.detective: poster for poster in desks.values()}
    return changed(
        table,
        desks=tuple(desks[who] for who in memory.players),
        printed=tuple(hung.get(poster.detective, poster) for poster in table.printed),
        track=view["track"] and tuple(TrackSpace(**space) for space in view["track"]),
    )


def _own(facts: Sequence[Cue], player: str) -> list[int]:
    played: list[int] = []
    for cue in reversed(facts):
        if cue.name == "hand" and cue.to == player:
            hand = Counter(cue.facts["cards"]) - Counter(played)
            return sorted(hand.elements())
        if cue.name in PLAYED_CARD_FACTS and cue.facts["who"] == player:
            played.append(cue.facts.get("value", 0))
    return []


def _seen(view: View, memory: SeatMemory) -> Counter[int]:
    """Return the played cards that the player remembers since all 56 cards were shuffled (BM-11).

    Every player knows the cards of the current round, because these cards are still on the table.
    """
    seen: Counter[int] = Counter(value for _, value in view["played"])
    lying = sum(seen.values())
    for cue in reversed(memory.recent_facts_with_names("dealt", *PLAYED_CARD_FACTS)):
        if cue.name == "dealt" and cue.facts["how"] in FULL_SHUFFLE_DEAL_KINDS:
            break
        if cue.name in PLAYED_CARD_FACTS:
            lying -= 1
            seen[cue.facts.get("value", 0)] += lying < 0
    return seen


def _deals(facts: Sequence[Cue], view: View) -> int:
    """Return the number of deals so far (BM-11).

    If the player does not remember the latest deal, infer the number from the view: 0 before the
    first round, 1 while cards are set aside, else 2.
    """
    for cue in reversed(facts):
        if cue.name == "dealt":
            return int(cue.facts["deal"])
    return 1 if view["deck_aside"] and view["roller"] else 2 * bool(view["roller"])


# --- estimates ------------------------------------------------------------------------------------


def estimate(state: State) -> tuple[float, ...] | None:
    """Return each seat's chance of winning the game, or None during a round."""
    return (
        win_chances_between_rounds(state) if state.step in ("roll", "high_roll", "space") else None
    )


def quick_answer_in_simulation(state: State, _question: Question, rng: Random) -> Answer | None:
    """Return a quick answer of the active player in a simulated game, or None for other questions.

    If winning the round brings a chip, play a card that makes the total ten, or a 0 at a total of
    ten. Otherwise, play a card after which the next player is unlikely to make the total ten. If
    all cards make a total of ten or more, play the highest card. At a total of ten, pass.
    """
    if state.step == "zero":
        return "play" if 0 in state.hands[state.turn] and _gains(state, state.turn) else "pass"
    if state.step != "play_card":
        return None
    hand, total = {card for card in state.hands[state.turn] if card is not None}, state.total
    if TARGET_TOTAL - total in hand and _gains(state, state.turn):
        return TARGET_TOTAL - total
    below = [value for value in sorted(hand) if total + value < TARGET_TOTAL]
    if not below:
        return max(hand)
    weights = [1 / (1 + state.unseen[TARGET_TOTAL - total - value]) for value in below]
    return rng.choices(below, weights)[0]


def _gains(state: State, seat: Seat) -> bool:
    """Return True if winning the round gives `seat` a chip (BM-9).

    On Start and on Insufficient Evidence, return True if `seat` has captured no suspect.
    """
    kind, gang = state.space or TrackSpace("")
    if kind in (GANG, WARRANT):
        return bool(uncaptured_suspects(state, seat, gang))
    return kind == IDENTIFICATION or not state.captured[seat]
