"""Checks of games in which players make mistakes with their own cards and dice."""

from __future__ import annotations

from random import Random
from typing import Final

from companion.core.chance import Chance
from companion.core.prompts import is_answered_by_box, is_private_question
from companion_testing.answers import ANSWER_COUNT_AT_FIRST, check_game_ends, sample_answers
from companion_testing.playing import MAX_ANSWERS, Move, Playout, RandomPlayer, move_from_answer
from companion_testing.table import ExceptionCatcher, Faults, GameTable

WRONG_ANSWER_RATE: Final = 0.02
"""Probability that an answer is random, and can therefore contradict earlier answers."""
NOTICED_RATE: Final = 0.5
"""Probability that the players notice and undo a mistake."""
MAX_ANSWERS_BEFORE_UNDO: Final = 4
"""Maximum number of answers that are undone at once: the mistake and the answers after it."""


def check_games_end_despite_mistakes(playout: Playout) -> Faults:
    """Players who make mistakes with their own cards and dice can still finish the game."""
    yield from find_faults_after_mistakes(playout.table, playout.seed)


def find_faults_after_mistakes(table: GameTable, seed: int) -> Faults:
    """Yield the faults of a random game in which the players make mistakes."""
    played = play_random_game_with_mistakes(table, seed)
    if played.fault is not None:
        yield played.fault
    yield from check_game_ends(played)


def play_random_game_with_mistakes(
    table: GameTable, seed: int, wrong: float = WRONG_ANSWER_RATE
) -> Playout:
    """Return a random game in which the players make mistakes.

    The returned game omits the answers that the players undid. `wrong` is the probability of a
    mistake.
    """
    game, chance = table.game, Chance(f"clumsy {table.id} {seed}")
    rng = Random(chance.seed)
    player, moves, start = RandomPlayer(rng), list[Move](), None
    noticed = MAX_ANSWERS  # index in `moves` of a noticed mistake; MAX_ANSWERS means none
    with ExceptionCatcher() as net:
        start = state = table.first_state()
        for _ in range(MAX_ANSWERS):
            if (prompt := game.ask(state)) is None:
                break
            if len(moves) > noticed + rng.randrange(MAX_ANSWERS_BEFORE_UNDO):
                state, moves, noticed = moves[noticed].before, moves[:noticed], MAX_ANSWERS
                continue
            if is_answered_by_box(prompt):
                draws = sum(move.is_answered_by_box for move in moves)
                value = chance.drawn_answer_to_prompt(prompt, draws)  # type: ignore[arg-type] # a roll or a shuffle
            elif is_private_question(prompt) or rng.random() > wrong:
                value = player.choose_answer(prompt)
            else:
                value = rng.choice(sample_answers(prompt, ANSWER_COUNT_AT_FIRST))
                noticed = min(noticed, len(moves)) if rng.random() < NOTICED_RATE else noticed
            move = move_from_answer(game, state, prompt, value)
            if move.fault is not None:
                played = Playout(table, seed, chance, start, (*moves, move))
                return played._replace(
                    moves=tuple(moves),
                    fault=move.fault._replace(at=played.place_of_move(len(moves))),
                )
            moves.append(move)
            state = move.after
    return Playout(
        table, seed, chance, start, tuple(moves), (), next(net.caught_exception_as_fault(), None)
    )
