"""Random games, which all checks use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from companion.core.chance import Chance
from companion.core.errors import Refused
from companion.core.fold import apply_answer, apply_answer_to_prompt
from companion.core.game import Cues, Game
from companion.core.prompts import (
    LEAVING_PLAYER_QUESTION,
    Answer,
    Choose,
    Form,
    Question,
    Roll,
    Shuffle,
    Spell,
    is_answered_by_box,
    is_legal_answer,
)
from companion.play.simulate import random_answer
from companion.press.wheel import NAME_LETTERS
from companion_testing.table import (
    ExceptionCatcher,
    GameFault,
    GamePlace,
    GameTable,
    MissingAnswerHandlerError,
)

MAX_ANSWERS: Final = 20_000
"""Number of answers after which a game is reported as endless."""
UNIFORM_CHOICE_RATE: Final = 0.1
"""Probability that a random player ignores which of the offered answers are likely.

In this case, the player chooses each offered answer with the same probability. Otherwise, the
player chooses likely answers more often.
"""
OUT_OF_TURN_RATE: Final = 0.03
"""Probability that a random player gives an out-of-turn answer."""
FOLLOWED_ENDING_RATE: Final = 0.1
"""Probability that a random game continues after a rare out-of-turn answer.

A rare answer ends the game or lets a player leave.
"""
TYPED_WORD_GUESS_RATE: Final = 0.5
"""Probability that a random player guesses a word that was typed before."""


class Move(NamedTuple):
    """One answer in a game: state before, question, value, state after, and events (`cues`).

    - `is_out_of_turn`: if True, the answer was out of turn.
    - `followed`: if True, the game continued from the state after the answer; if False, the answer
      was only tried.
    - `fault`: the fault that reports the game's exception, or None.
    """

    before: Any
    prompt: Question
    value: Answer
    after: Any
    cues: Cues
    is_out_of_turn: bool = False
    followed: bool = True
    fault: GameFault | None = None

    @property
    def public_facts(self) -> Cues:
        """Return the public events (facts) of this move, which all players see."""
        return tuple(cue for cue in self.cues if cue.to is None)

    @property
    def is_answered_by_box(self) -> bool:
        """Return True if the box gave the answer."""
        return not isinstance(self.prompt, Form) and is_answered_by_box(self.prompt)

    @property
    def is_answer_of_asked_person(self) -> bool:
        """Return True if the player who was asked gave this answer.

        Return False for answers of the box and for out-of-turn answers.
        """
        return not (self.is_answered_by_box or self.is_out_of_turn)


class Playout(NamedTuple):
    """One random game with its moves in order.

    - `tried`: out-of-turn answers after which the game was not continued.
    - `chance`: the source of the box's rolls and shuffles.
    - `fault`: the fault that reports the exception that ended the game, or None.
    - `thorough`: if True, checks compare everything instead of a sample.
    """

    table: GameTable
    seed: int
    chance: Chance
    start: Any
    moves: tuple[Move, ...]
    tried: tuple[Move, ...] = ()
    fault: GameFault | None = None
    thorough: bool = False

    @property
    def last_state(self) -> Any:
        """Return the last state of the random game."""
        return self.moves[-1].after if self.moves else self.start

    @property
    def new_random_generator(self) -> Random:
        """Return a new random generator, seeded with the table and the number of this game."""
        return Random(f"{self.table.id} {self.seed}")

    def place_of_move(self, n: int, question: Question | None = None) -> GamePlace:
        """Return the place of move number `n`, counted from 0.

        After the last move, return the place of the pending question. If `question` is given,
        return the place of this question.
        """
        move = self.moves[n] if n < len(self.moves) else None
        if question is None and move is not None:
            return _at(self.table, self.seed, n, move.prompt, move.value)
        return _at(self.table, self.seed, n, question or self.table.game.ask(self.last_state))


def _at(
    table: GameTable, seed: int, n: int, question: Question | None, *answer: Answer
) -> GamePlace:
    name, who = (question.name, question.who) if question else ("the end", None)
    seat = table.players.index(who) + 1 if who in table.players else None
    return GamePlace(table.id, seed, n + 1, name, who, seat, *answer, *(True for _ in answer))


class RandomPlayer:
    """A player that answers every question at random."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.typed: list[str] = []

    def choose_answer(self, prompt: Question) -> Answer:
        """Return a random legal answer.

        Likely answers are returned more often than other answers.
        """
        match prompt:
            case Form():
                given: dict[str, Answer] = {}
                while (part := prompt.ask(given)) is not None:
                    given[part.name] = self.choose_answer(part)
                return given
            case Spell():
                return self._word(prompt)
            case Choose() if self.rng.random() < UNIFORM_CHOICE_RATE:
                weights = prompt.weights or (1,) * len(prompt.options)
                pairs = zip(prompt.options, weights, strict=True)
                return self.rng.choice([option for option, weight in pairs if weight])
            case _:
                return random_answer(prompt, self.rng)

    def _word(self, prompt: Spell) -> str:
        """Return a word that was typed before, random letters that are legal, or a sample word."""
        typed_words = (
            [] if prompt.private else [w for w in self.typed if is_legal_answer(prompt, w)]
        )
        if typed_words and self.rng.random() < TYPED_WORD_GUESS_RATE:
            return self.rng.choice(typed_words)
        letters = prompt.letters or NAME_LETTERS
        for _ in range(5):
            n = self.rng.randint(1, prompt.longest)
            word = "".join(self.rng.choices(letters, k=n))
            if is_legal_answer(prompt, word):
                self.typed += [word] * prompt.private
                return word
        return self.rng.choice(prompt.samples)


def play_random_game(table: GameTable, seed: int) -> Playout:
    """Return a random game, played to its end, to an exception, or to MAX_ANSWERS answers."""
    game, chance = table.game, Chance(f"{table.id} {seed}")
    made: list[Move] = []
    tried: list[Move] = []
    start: Any = None
    fault: GameFault | None = None
    with ExceptionCatcher() as net:
        start = table.first_state()
        for move in random_moves(game, start, chance, seed):
            if move.fault is not None:
                at = _at(table, seed, len(made), move.prompt, move.value)
                fault = move.fault._replace(at=at)
                break
            (made if move.followed else tried).append(move)
            if len(made) >= MAX_ANSWERS:
                break
    fault = fault or next(net.caught_exception_as_fault(), None)
    return Playout(table, seed, chance, start, tuple(made), tuple(tried), fault)


def random_moves(game: Game[Any], state: Any, chance: Chance, seed: int) -> Iterator[Move]:
    """Yield random moves from a state until the game ends.

    The caller must stop at a move whose `fault` is not None.
    """
    rng = Random(f"{chance.seed} {seed}")
    player, draws = RandomPlayer(rng), Counter[str]()
    while (prompt := game.ask(state)) is not None:
        if isinstance(prompt, (Roll, Shuffle)) and is_answered_by_box(prompt):
            name = chance.name_of_draw(prompt.name, prompt.who)
            value = chance.drawn_answer_to_prompt(prompt, draws[name])
            draws[name] += 1
        else:
            if (move := _out_of_turn_move(game, state, player)) is not None:
                yield move
                state = move.after if move.followed else state
                continue
            value = player.choose_answer(prompt)
        move = move_from_answer(game, state, prompt, value)
        yield move
        state = move.after


def move_from_answer(game: Game[Any], state: Any, prompt: Question, value: Answer) -> Move:
    """Return the move that answers `prompt` with `value`, with the game's exception if any."""
    after: Any = state
    cues: Cues = ()
    with ExceptionCatcher() as net:
        if prompt.name not in game.on:
            raise MissingAnswerHandlerError(prompt.name)
        after, cues = apply_answer_to_prompt(game, state, prompt, value)
    return Move(
        state, prompt, value, after, cues, fault=next(net.caught_exception_as_fault(), None)
    )


def _out_of_turn_move(game: Game[Any], state: Any, player: RandomPlayer) -> Move | None:
    if player.rng.random() > OUT_OF_TURN_RATE or not (questions := game.anytime(state)):
        return None
    prompt = player.rng.choice(questions)
    value = player.choose_answer(prompt)
    if prompt.name not in game.on:
        raise MissingAnswerHandlerError(prompt.name)
    try:
        after, cues = apply_answer(game, state, value, prompt.name)
    except Refused:
        return None
    rare = prompt.name == LEAVING_PLAYER_QUESTION or game.outcome(after) is not None
    on = not rare or player.rng.random() < FOLLOWED_ENDING_RATE
    return Move(state, prompt, value, after, cues, is_out_of_turn=True, followed=on)
