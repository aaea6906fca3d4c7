"""Baretta (1977): players move the figure Baretta over hidden cards to find the Arrest cards."""

from __future__ import annotations

from companion.core.game import ComputerPlayer, Game, Option
from companion.games.baretta.known import estimate, imagine, quick_answers
from companion.games.baretta.rules import (
    board,
    corners,
    corrections,
    opening,
    questions,
    rules,
    views,
)
from companion.games.baretta.rules.state import State

GAME: Game[State] = Game(
    name="baretta",
    seats=range(2, 5),
    options=(
        Option("deck", ("virtual", "own")),
        Option("dice", ("companion", "press", "real"), at_table="press"),
        Option("wounded", ("up", "down")),
        Option("criminals", ("seats", "choose")),
        Option("cutting", ("no", "yes")),
    ),
    setup=rules.setup,
    ask=questions.ask,
    on={
        "accused": opening.on_accused,
        "shuffle": opening.on_shuffle,
        "shuffle_pile": opening.on_shuffle_pile,
        "cut": opening.on_cut,
        "roll": rules.on_roll,
        "move_to": rules.on_move_to,
        "card": rules.on_card,
        "hunch": rules.on_hunch,
        "another": rules.on_another,
        "who_won": rules.on_who_won,
        "by_hand": rules.on_moved_by_hand,
        "corner_does": rules.enter_corner_effect,
        "take_back": corners.on_take_back,
        "unmark": corners.on_unmark,
        "look": corners.on_look,
        "draw": corners.on_draw,
        "swap": corners.on_swap,
        "swap_with": corners.on_swap_with,
        "correct": corrections.on_correct,
        "leaves": corrections.on_leaves,
    },
    view=views.view,
    outcome=views.outcome,
    secrets=views.secrets,
    anytime=corrections.out_of_turn_questions,
    decks=board.deck_card_counts,
    entered_board_values=lambda state: state.said,
    opening=opening.opening_facts,
    computer=ComputerPlayer(
        imagine=imagine.imagine,
        estimate=estimate.rough_win_chances,
        close_estimate=estimate.fitted_win_chances,
        habit=quick_answers.quick_answer_in_simulation,
        instinct=imagine.answers_worth_analysing,
        needs_hands={"deck": ("own",)},
        needs_eyes=frozenset({"corner_does", "by_hand", "who_won"}),
    ),
    names=("Billy", "Rooster", "Brubaker", "Fats"),
)
