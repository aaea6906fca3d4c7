"""Barney Miller (1977): players add cards up to a total of ten, and capture four suspects."""

from __future__ import annotations

from companion.core.game import ComputerPlayer, Game, Option, disclose_all_fields
from companion.games.barney_miller.known import imagine, round_solver
from companion.games.barney_miller.rules import board, corrections, opening, questions, rules, views
from companion.games.barney_miller.rules.state import State

GAME: Game[State] = Game(
    name="barney-miller",
    seats=range(2, 5),
    options=(
        Option("deck", ("own", "virtual")),
        Option("die", ("companion", "press", "real"), at_table="press"),
        Option("track", ("edition", "ask")),
        Option("posters", ("seats", "choose")),
        Option("redeal", ("all", "aside")),
    ),
    setup=opening.setup,
    ask=questions.ask,
    on={
        "detective": opening.on_detective,
        "suspect_gang": rules.on_suspect,
        "shuffle": rules.on_shuffle,
        "roll": rules.on_roll,
        "space": rules.on_space,
        "play_card": rules.on_play_card,
        "zero": rules.on_zero,
        "commit_suspect": rules.on_commit_suspect,
        "free_suspect": rules.on_free_suspect,
        "correct": corrections.on_correct,
        "leaves": corrections.on_leaves,
    },
    view=views.view,
    outcome=views.outcome,
    secrets=views.secrets,
    anytime=corrections.out_of_turn_questions,
    decks=lambda _: {str(value): count for value, count in enumerate(board.CARD_COUNTS)},
    # the test kit accepts that this event discloses a hidden card
    discloses={"card_played": disclose_all_fields},
    entered_board_values=lambda state: state.said,
    opening=opening.opening_facts,
    computer=ComputerPlayer(
        imagine=imagine.imagine,
        estimate=imagine.estimate,
        solve=round_solver.rate_round_answers,
        habit=imagine.quick_answer_in_simulation,
        needs_hands={"deck": ("own",)},
        needs_eyes=frozenset({"detective", "suspect_gang", "space"}),
        ahead=12,
    ),
    names=("Fish", "Harris", "Wojehowicz", "Yemana"),
)
