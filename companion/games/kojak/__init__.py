"""Kojak (1975): detectives take case files, chase criminals round circles, and arrest criminals."""

from __future__ import annotations

from companion.core.game import ComputerPlayer, Game, Option
from companion.games.kojak.known import imagine
from companion.games.kojak.rules import board, corrections, opening, questions, rules, traps, views
from companion.games.kojak.rules.state import State

GAME: Game[State] = Game(
    name="kojak",
    seats=range(2, 5),
    options=(
        Option("deck", ("virtual", "own")),
        Option("die", ("companion", "press", "none", "real"), at_table="press"),
        Option("short", ("no", "yes")),
        Option("beside", ("fetched", "at_once")),
        Option("cars", ("seats", "choose")),
    ),
    setup=opening.setup,
    ask=questions.ask,
    on={
        "car": opening.on_car,
        "shuffle_missions": opening.on_shuffle_missions,
        "shuffle_traps": opening.on_shuffle_traps,
        "first": opening.on_first,
        "roll": rules.on_roll,
        "happened": rules.on_happened,
        "card": rules.on_card,
        "criminal": traps.on_criminal,
        "order": traps.on_order,
        "field": traps.on_field,
        "parked_first": rules.on_parked_first,
        "correct": corrections.on_correct,
        "leaves": corrections.on_leaves,
    },
    view=views.view,
    outcome=views.outcome,
    anytime=corrections.out_of_turn_questions,
    decks=lambda edition: dict(
        (*board.mission_card_counts(edition), *board.trap_card_counts(edition))
    ),
    entered_board_values=lambda state: state.said,
    opening=opening.opening_facts,
    computer=ComputerPlayer(
        imagine=imagine.imagine,
        estimate=imagine.estimate,
        habit=imagine.quick_answer_in_simulation,
        instinct=imagine.answers_worth_analysing,
        needs_hands={"deck": ("own",)},
        needs_eyes=frozenset({"happened", "field", "parked_first", "first", "car"}),
        ahead=12,
        wishes=frozenset({"happened"}),
    ),
    names=("Crocker", "Rizzo", "Saperstein", "Stavros"),
)
