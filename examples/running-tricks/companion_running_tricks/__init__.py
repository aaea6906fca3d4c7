"""Running tricks: counts the tricks of each player in any trick-taking card game."""

from __future__ import annotations

from companion.core.game import Game, Option
from companion_running_tricks import rules

GAME: Game[rules.State] = Game(
    name="running-tricks",
    api=1,
    seats=range(2, 5),
    options=(Option("tricks", ("13", "10", "5")), Option("target", ("30", "50"))),
    setup=rules.setup,
    ask=rules.ask,
    on={"trick": rules.on_trick, "correct": rules.on_correct},
    view=rules.view,
    outcome=rules.outcome,
    anytime=rules.anytime,
    names=("Ann", "Bob", "Cy", "Di"),
)
