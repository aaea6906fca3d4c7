"""Checks that the game sends and shows secrets only to players who are allowed to know them."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

from companion.core.errors import Refused
from companion.core.fold import apply_answer_to_prompt, simultaneous_prompts
from companion.core.prompts import (
    Answer,
    Form,
    Question,
    Roll,
    Shuffle,
    first_prompt_of_form,
    is_answered_by_box,
    is_private_question,
)
from companion_testing.playing import Move, Playout
from companion_testing.table import Faults, GameFault
from companion_testing.twins import (
    check_twin_games_look_equal,
    find_answer_with_hidden_difference,
    is_answer_secret_after_undo,
)

MAX_TRIED_ANSWERS: Final = 6
"""Number of answers that are tried for one question."""


def check_secrets_stay_hidden(playout: Playout) -> Faults:
    """Public parts and other players' views do not depend on a player's secrets."""
    yield from _told_again(playout)
    yield from _check_private_answers(playout)
    yield from _covert(playout)
    yield from _check_looks(playout)
    yield from _at_once(playout)
    yield from check_twin_games_look_equal(playout)


def _told_again(playout: Playout) -> Faults:
    """Yield a fault if `Game.secrets` lacks a private event that the public view does not show."""
    game = playout.table.game
    for n, move in enumerate(playout.moves):
        private = [cue for cue in move.cues if cue.to is not None]
        secrets = [(cue.name, cue.facts, cue.to) for cue in game.secrets(move.after)]
        lost = [cue for cue in private if (cue.name, cue.facts, cue.to) not in secrets]
        public = json.dumps(game.view(move.after, None)) if lost else ""
        for cue in lost:
            if not all(str(fact) in public for fact in cue.facts.values()):
                fault_text = (
                    f"{cue.name} is sent to {cue.to}, but secrets(state) does not return it"
                )
                yield GameFault(fault_text, playout.place_of_move(n))


def _check_private_answers(playout: Playout) -> Faults:
    """Yield a fault if a secret answer is not declared secret.

    The record or an undo would reveal an undeclared secret. If no other player can see an answer,
    `Game.covert` must contain the name of the question. If only some players can see an answer, the
    question must be private. A private roll of the box needs no declaration.
    """
    game, rng, seen = playout.table.game, playout.new_random_generator, Counter[str]()
    for n, move in enumerate(playout.moves):
        prompt = move.prompt
        if isinstance(prompt, Shuffle) or (
            is_private_question(prompt) and is_answered_by_box(prompt)
        ):
            continue
        if (move.is_out_of_turn and isinstance(prompt, Form)) or prompt.name in game.covert:
            continue
        seen[prompt.name] += 1
        if (
            seen[prompt.name] > MAX_TRIED_ANSWERS
            or (value := find_answer_with_hidden_difference(move, rng)) == move.value
        ):
            continue
        try:
            after, cues = apply_answer_to_prompt(game, move.before, prompt, value)
        except Refused:
            continue
        if isinstance(prompt, Form) and _differing_parts(move.value, value) <= game.covert:
            continue
        public = tuple(cue for cue in cues if cue.to is None)
        if public != move.public_facts or game.view(after, None) != game.view(move.after, None):
            continue
        if is_private_question(prompt):
            fault_text = f"{prompt.name} is answered in secret, and is not in `covert`"
            yield GameFault(fault_text, playout.place_of_move(n))
            return
        if who := _told_alone(playout, move, after):
            yield GameFault(_in_the_open(prompt, who), playout.place_of_move(n))
            return


def _covert(playout: Playout) -> Faults:
    """Yield a fault if a public question asks for an answer that stays secret after an undo.

    The check skips out-of-turn answers.
    """
    game = playout.table.game
    for n, move in enumerate(playout.moves):
        prompt = move.prompt
        if (
            not move.is_out_of_turn
            and not is_private_question(prompt)
            and is_answer_secret_after_undo(game, prompt, move.value)
        ):
            fault_text = f"{prompt.name} is in `covert`, and is asked of all: it must be `private`"
            yield GameFault(fault_text, playout.place_of_move(n))


def _check_looks(playout: Playout) -> Faults:
    """Yield a fault for an invalid question with `look`, which lets the asked player see a secret.

    The question must not be private, and the asked player must have a secret.
    """
    game, reported = playout.table.game, set[str]()
    for n, move in enumerate(playout.moves):
        prompt = first_prompt_of_form(move.prompt)
        if (
            prompt is None
            or isinstance(prompt, Shuffle)
            or prompt.name in reported
            or not prompt.look
        ):
            continue
        if prompt.private:
            reported.add(prompt.name)
            yield GameFault(
                f"{prompt.name} has `look`, and is private: it is looked at",
                playout.place_of_move(n),
            )
        elif prompt.who not in {cue.to for cue in game.secrets(move.before)}:
            reported.add(prompt.name)
            fault_text = (
                f"{prompt.name} has `look`, and {prompt.who or 'the table'} has no secret then"
            )
            yield GameFault(fault_text, playout.place_of_move(n))


def _at_once(playout: Playout) -> Faults:
    """Yield a fault unless a question with `at_once` is private and asks a single player.

    While such a question is open, other players answer theirs at the same time. Also yield a fault
    if the answer of one player changes the question of another player.
    """
    game, rng, reported = playout.table.game, playout.new_random_generator, set[str]()
    for n, move in enumerate(playout.moves):
        prompt = move.prompt
        if not getattr(prompt, "at_once", False) or prompt.name in reported:
            continue
        asked = simultaneous_prompts(game, move.before).items()
        tried = (
            move.value,
            *(find_answer_with_hidden_difference(move, rng) for _ in range(MAX_TRIED_ANSWERS)),
        )
        left = [
            simultaneous_prompts(game, apply_answer_to_prompt(game, move.before, prompt, value)[0])
            for value in tried
        ]
        if not is_private_question(prompt) or prompt.who is None:
            reported.add(prompt.name)
            fault_text = f"{prompt.name} has `at_once`, and is not asked of one player in private"
            yield GameFault(fault_text, playout.place_of_move(n))
        elif any(
            then.get(who) != question
            for then in left
            for who, question in asked
            if who != prompt.who
        ):
            reported.add(prompt.name)
            fault_text = (
                f"{prompt.name} has `at_once`, and the next one is asked by what it is answered"
            )
            yield GameFault(fault_text, playout.place_of_move(n))


def _differing_parts(first: Answer, second: Answer) -> set[str]:
    return {name for name in first if first[name] != second.get(name)}


def _told_alone(playout: Playout, move: Move, after: Any) -> str:
    """Return the names of the players who see different views in two states, "" if none.

    The two states follow from two different answers: `move.after` and `after`.
    """
    view = playout.table.game.view
    players = playout.table.players
    return ", ".join(who for who in players if view(after, who) != view(move.after, who))


def _in_the_open(prompt: Question, who: str) -> str:
    marks = "`private`" if isinstance(prompt, Roll) else "`private`, and in `covert`"
    return f"{prompt.name} is asked of all, and {who} alone can see the answer: it must be {marks}"
