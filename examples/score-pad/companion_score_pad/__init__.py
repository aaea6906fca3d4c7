"""A score pad for any game: in each round every player gains or loses points."""

from __future__ import annotations

from companion.core.game import Game, Option
from companion_score_pad import rules

GAME: Game[rules.State] = Game(
    name="score-pad",
    api=1,
    seats=range(2, 9),
    options=(
        Option("wins", ("highest", "lowest")),
        Option("ends", ("open", "5", "10", "20", "to50", "to100", "to200", "to500", "to1000")),
        Option("size", ("tens", "ones", "hundreds")),
    ),
    setup=rules.setup,
    ask=rules.ask,
    on={"score": rules.on_score, "correct": rules.on_correct, "finish": rules.on_finish},
    view=rules.view,
    outcome=rules.outcome,
    anytime=rules.anytime,
    names=("Ann", "Bob", "Cy", "Di", "Eve", "Flo", "Gus", "Hal"),
)
