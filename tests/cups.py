"""A small game with every kind of question: dice with ten sides, bids, doubt and cups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.core.game import Cue, Cues, Game, Outcome
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
from tests.installed import PackageShop

DICE_PER_CUP, DIE_SIDES = 2, 10
SENTENCES: Final = {
    "name": "Cups",
    "curtain.peep": "Under your cup",
    "cue.begun.title": "CUPS",
    "cue.begun.text": "{n} dice each.",
    "ask.shake": "{who} shakes",
    "ask.bid": "{who}: bid",
    "ask.count": "{who}",
    "ask.face": "{who}: dice",
    "option.bid": "{count} times {face}",
    "cue.bid.text": "{who} says {count} times {face}.",
    "ask.doubt": "{who}: so?",
    "ask.lift": "Lift {whose}",
    "option.lift.lift": "lift it",
    "option.doubt.yes": "I doubt it",
    "option.doubt.no": "I believe it",
    "cue.shaken.title": "SHAKEN",
    "cue.bid.title": "A BID",
    "cue.doubted.title": "WELL",
    "cue.shaken.text": "{who} has shaken.",
    "cue.own.text": "You have {dice}.",
    "cue.doubted.text": "{who} has spoken.",
    "cue.lifted.title": "A CUP",
    "cue.lifted.text": "{who} had {dice}.",
    "view.bids": "Bids",
    "view.spoken": "Spoken",
    "view.cups": "Cups",
    "view.lifted": "Lifted",
    "view.own": "Yours",
    "rule.CU-1": "Dice lie under cups.",
}


@dataclass(frozen=True)
class State:
    """A state: the dice under the cups, the players who have spoken, and the lifted cups."""

    players: tuple[str, ...]
    cups: tuple[tuple[int, ...], ...] = ()
    bids: tuple[tuple[int, int], ...] = ()
    spoken: tuple[str, ...] = ()
    lifted: int = 0


def ask(state: State) -> Question | None:
    """Return the pending question: all shake, then bid, then speak, then lift the cups."""
    everybody = len(state.players)
    if len(state.cups) < everybody:
        who = state.players[len(state.cups)]
        return Roll("shake", who, DICE_PER_CUP, sides=DIE_SIDES, private=True, pressed=True)
    if len(state.bids) < everybody:
        return _bid(state, state.players[len(state.bids)])
    if len(state.spoken) < everybody:
        who = state.players[len(state.spoken)]
        return Choose("doubt", who, ("no", "yes"), look=True)
    if state.lifted < everybody:
        return action_prompt("lift", facts={"whose": state.players[state.lifted]})
    return None


def _bid(state: State, who: str) -> Form:
    """Return the question for a bid: more dice than the last bid, or a higher face."""
    most = DICE_PER_CUP * len(state.players)
    count, face = state.bids[-1] if state.bids else (1, 0)

    def part(given: Mapping[str, Answer]) -> Prompt | None:
        if "count" not in given:
            return Number("count", who, min(count, most), most, count, look=True)
        lowest = 1 if given["count"] > count else face + 1
        faces = tuple(range(min(lowest, DIE_SIDES), DIE_SIDES + 1))
        return None if "face" in given else Choose("face", who, faces, look=True)

    return Form("bid", who, part, facts={"before": [*state.bids[-1:]]})


def on_bid(state: State, value: Mapping[str, int]) -> tuple[State, Cues]:
    """Store a player's bid: the number of dice that show a face."""
    who = state.players[len(state.bids)]
    state = replace(state, bids=(*state.bids, (value["count"], value["face"])))
    return state, (Cue("bid", {"who": who, **value}, "CU-1"),)


def on_shake(state: State, dice: list[int]) -> tuple[State, Cues]:
    """Store the dice under a player's cup."""
    who = state.players[len(state.cups)]
    state = replace(state, cups=(*state.cups, tuple(dice)))
    return state, (Cue("shaken", {"who": who}, "CU-1"), _own(state)[-1])


def on_doubt(state: State, value: str) -> tuple[State, Cues]:
    """Store whether a player doubts."""
    who = state.players[len(state.spoken)]
    state = replace(state, spoken=(*state.spoken, value))
    return state, (Cue("doubted", {"who": who, "doubts": value}, "CU-1"),)


def on_lift(state: State, _value: str) -> tuple[State, Cues]:
    facts = {"who": state.players[state.lifted], "dice": [*state.cups[state.lifted]]}
    state = replace(state, lifted=state.lifted + 1)
    return state, (Cue("lifted", facts, "CU-1", reveals=True),)


def _own(state: State) -> Cues:
    cups = zip(state.players, state.cups, strict=False)
    return tuple(Cue("own", {"who": who, "dice": [*dice]}, "CU-1", to=who) for who, dice in cups)


def view(state: State, player: str | None) -> dict[str, Any]:
    """Return the players who have spoken, and for a player the dice under the player's cup."""
    seen: dict[str, Any] = {
        "bids": [[*bid] for bid in state.bids],
        "spoken": [*state.spoken],
        "cups": len(state.cups),
    }
    seen["lifted"] = [[*dice] for dice in state.cups[: state.lifted]]
    if player is None:
        return seen
    seat = state.players.index(player)
    return {**seen, "own": [*state.cups[seat]] if seat < len(state.cups) else []}


def outcome(state: State) -> Outcome | None:
    """Return all players as winners."""
    return Outcome(state.players, dict.fromkeys(state.players, 0)) if ask(state) is None else None


def opening(state: State) -> Cues:
    """Return the fact that states the number of dice."""
    return (Cue("begun", {"n": DICE_PER_CUP, "of": len(state.players)}, "CU-1"),)


GAME: Game[State] = Game(
    name="cups",
    seats=range(2, 4),
    options=(),
    setup=lambda players, _options, _edition: State(players),
    ask=ask,
    on={"shake": on_shake, "bid": on_bid, "doubt": on_doubt, "lift": on_lift},
    view=view,
    outcome=outcome,
    secrets=_own,
    opening=opening,
    names=("Ann", "Bob", "Cy"),
)


def install(shop: PackageShop) -> Path:
    """Install the game as a package with sentences that are equal in both languages."""
    source = Path(__file__).read_text("utf-8")
    folder = shop.install("cups", package="companion-cups", source=source)
    text = "".join(f'msgid "cups.{key}"\nmsgstr "{said}"\n\n' for key, said in SENTENCES.items())
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    for language in ("en", "fr"):
        file = folder / "locale" / language / "LC_MESSAGES" / "cups.po"
        file.parent.mkdir(parents=True)
        file.write_text(head + text, "utf-8")
    return folder
