"""Liar's dice for two to six players: dice hidden under cups, bids, and doubts."""

from __future__ import annotations

from companion.core.game import Game, Option
from companion_liars_dice import rules

GAME: Game[rules.State] = Game(
    name="liars-dice",
    api=1,
    seats=range(2, 7),
    options=(Option("dice", ("5", "3")), Option("palifico", ("no", "yes"))),
    setup=rules.setup,
    ask=rules.ask,
    on={
        "shake": rules.on_shake,
        "turn": rules.on_turn,
        "doubt": rules.on_doubt,
        "lift": rules.on_lift,
    },
    view=rules.view,
    outcome=rules.outcome,
    secrets=rules.secrets,
    names=("Ann", "Bob", "Cy", "Di", "Eve", "Flo"),
)
