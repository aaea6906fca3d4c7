"""Probe (1964): players hide words under flaps, and ask for letters of other players' words."""

from __future__ import annotations

from companion.core.game import ComputerPlayer, Game, Option
from companion.games.probe.known import imagine, word_guesses
from companion.games.probe.rules import corrections, questions, rules, views
from companion.games.probe.rules.state import State

GAME: Game[State] = Game(
    name="probe",
    seats=range(2, 5),
    options=(
        Option("words", ("racks", "secret")),
        Option("deck", ("virtual", "own")),
        Option("remember", ("no", "yes")),
        Option("opens", ("owner", "cheapest", "chance")),
        Option("begins", ("1", "2", "3", "4"), by_seat=True),
    ),
    setup=rules.setup,
    ask=questions.ask,
    on={
        "word": rules.on_word,
        "length": rules.on_length,
        "shuffle": rules.on_shuffle,
        "card": rules.on_card,
        "other_card": rules.on_other_card,
        "card_points": rules.on_card_points,
        "ask_whom": rules.on_ask_whom,
        "ask_for": rules.on_ask_for,
        "answer": rules.on_answer,
        "uncover": rules.on_uncover,
        "places": rules.on_places,
        "interrupt": corrections.on_interrupt,
        "misspelled": corrections.on_misspelled,
        "correct": corrections.on_correct,
        "leaves": corrections.on_leaves,
        "stop": corrections.on_stop_game,
    },
    view=views.view,
    outcome=views.outcome,
    secrets=views.secrets,
    anytime=corrections.out_of_turn_questions,
    decks=lambda edition: {card["name"]: card["count"] for card in edition["card"]},
    covert=frozenset({"word", "guess"}),
    computer=ComputerPlayer(
        imagine=imagine.imagine,
        habit=imagine.quick_answer_in_simulation,
        instinct=imagine.obvious_answers,
        call=word_guesses.guess_whole_word,
        needs_hands={"words": ("racks",), "deck": ("own",)},
    ),
    names=("Ada", "Edgar", "Emily", "Jules"),
)
