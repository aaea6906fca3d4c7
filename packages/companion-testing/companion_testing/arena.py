"""Games between programs, and each program's share of wins with its confidence interval.

Each game runs over the text protocol. A program receives the lines and questions of its player,
like a program in another process.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from math import sqrt
from random import Random
from typing import Any, Final, NamedTuple

from companion.core.chance import Chance
from companion.core.game import Edition, Game
from companion.core.prompts import INTERRUPT_FORM, Choose, is_legal_answer
from companion.door.lines import Message
from companion.door.stdio import StdioGame
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.simulate import random_result_favouring_wish
from companion.record.journal import Journal
from companion.say.words import Words
from companion.seat.seat_program import MAX_REFUSED, SeatProgram, can_seat_read_line

CONFIDENCE_DEVIATIONS: Final = 1.96
"""Number of standard deviations around the mean that contain 95 % of a normal distribution."""
MIN_SEEDS: Final = 10
"""Minimum number of seeds for an estimate of the influence of chance."""


class ArenaGameSettings(NamedTuple):
    """The settings for all games in an arena: game, options, edition and catalogue."""

    game: Game[Any]
    settings: Mapping[str, str]
    edition: Edition
    words: Words


class ArenaGameResult(NamedTuple):
    """The result of one game, with each program's share of the win, seconds and answer count.

    The winners of a game share the win equally.
    """

    shares: tuple[float, ...]
    seconds: tuple[float, ...]
    moves: tuple[int, ...]


class WinShare(NamedTuple):
    """A program's share of wins, 95 % confidence interval, and seconds for each answer."""

    share: float
    low: float
    high: float
    seconds_a_move: float


class _Table:
    """The two streams of a game's text protocol, with a program for each player."""

    def __init__(
        self,
        session: Session,
        seats: Mapping[str, SeatProgram],
        rng: Random,
        clock: Callable[[], float],
    ) -> None:
        self.session, self.seats, self.rng, self.clock = session, seats, rng, clock
        self.seconds, self.moves = dict.fromkeys(seats, 0.0), dict.fromkeys(seats, 0)
        self.winners: tuple[str, ...] = ()
        self.calls: Counter[str] = Counter()
        self._new: list[Message] = []
        self._asked: Message = {}
        self._answer: Message | None = None
        self._calling: deque[tuple[str, Message]] = deque()
        self._caller: str | None = None
        self._refused = self.faults = 0

    def write(self, line: str) -> None:
        """Receive a line from the game."""
        self._new.append(json.loads(line))

    def flush(self) -> None:
        """Do nothing, because lines are not buffered."""

    def readline(self, _limit: int) -> bytes:
        """Return the next line from a program: an out-of-turn line, or else an answer.

        Return b"" after the end of the game.
        """
        new, self._new = self._new, []
        for message in new:
            self._note(message)
            self._show(message)
        if self.winners:
            return b""
        return json.dumps(self._next_line()).encode() + b"\n"

    def _next_line(self) -> Message:
        if self._calling and self._refused <= MAX_REFUSED:
            self._caller, call = self._calling.popleft()
            self.calls[self._caller] += 1
            return call
        self._caller = None
        if self._answer is None or self._refused > MAX_REFUSED:
            value = self.rng.choice(self._asked["choices"])["value"]
            self._answer = {"answer": value, "id": self._asked["id"]}
        return self._come_to(self._answer)

    def _come_to(self, answer: Message) -> Message:
        """Return `answer`, or a random result of the move if `answer` announces a move.

        At a real table, the players see the result of an announced move on their board. The arena
        has no board.
        """
        prompt = self.session.standing.pending_question
        if (
            not isinstance(prompt, Choose)
            or prompt.name not in self.session.game_setup.game.questions_with_announced_choice
        ):
            return answer
        if not is_legal_answer(prompt, answer["answer"]):
            return answer
        return {
            **answer,
            "answer": random_result_favouring_wish(prompt, answer["answer"], self.rng),
        }

    def _note(self, message: Message) -> None:
        if message["type"] == "state":
            self._calling.clear()
            self._answer = None
        if message["type"] == "ask":
            self._asked, self._refused = message, 0
        if message["type"] == "over":
            self.winners = tuple(message["winners"])
        refused = message["type"] == "error"
        self._refused, self.faults = self._refused + refused, self.faults + refused

    def _show(self, message: Message) -> None:
        """Send a message to all programs that are allowed to read the message.

        Store the programs' answers. A refusal is sent only to the program whose line was refused.
        """
        speaker = self._caller or self._asked.get("who")
        for player, seat in self.seats.items():
            if message["type"] == "error" and player != speaker:
                continue
            if not can_seat_read_line(message, player):
                continue
            begun = self.clock()
            line = seat.process_and_answer_line(message)
            if line is not None:
                self.seconds[player] += self.clock() - begun
                self.moves[player] += 1
                self._keep(player, line)

    def _keep(self, player: str, line: Message) -> None:
        """Store a program's line: an answer, or an out-of-turn answer of the program's player.

        Ignore other out-of-turn lines, such as corrections of the score, because only people send
        these lines.
        """
        if "answer" in line:
            self._answer = line
        elif self._is_call(player, line):
            self._calling.append((player, line))

    def _is_call(self, player: str, line: Message) -> bool:
        call = line.get("interrupt")
        if not isinstance(call, dict) or call.get("who") != player:
            return False
        return INTERRUPT_FORM in [
            question.name for question in self.session.standing.out_of_turn_questions
        ]


def play_arena_game(
    pitch: ArenaGameSettings,
    seats: Mapping[str, SeatProgram],
    seed: str,
    clock: Callable[[], float],
) -> tuple[tuple[str, ...], _Table]:
    """Play one whole game. Return the winners, and the table with the measured times."""
    rng = Random(f"table {seed}")
    setup = GameSetup(
        pitch.game, tuple(seats), pitch.settings, pitch.edition, Chance(seed), mixing=False
    )
    with closing(Journal(None)) as journal:
        session = Session.begin(journal, setup, 0)
        table: Any = _Table(session, seats, rng, clock)
        StdioGame(session, pitch.words, source=table, sink=table, wall=lambda: 0, version="").run()
    return table.winners, table


def play_arena_games(
    pitch: ArenaGameSettings,
    names: Sequence[str],
    n: int,
    seed: str,
    make: Callable[[str, str, str], SeatProgram],
    clock: Callable[[], float],
) -> Iterator[ArenaGameResult]:
    """Yield the results of `n` games. For each seed, every program plays once from every seat.

    - `make(name, player, seed)`: function that returns a program for a seat.
    """
    players = pitch.game.names[: len(names)]
    for number in range(n):
        block, turn = divmod(number, len(names))
        chairs = [(seat + turn) % len(names) for seat in range(len(names))]
        seats = {
            player: make(names[chair], player, f"{seed}|{block}|{chair}")
            for player, chair in zip(players, chairs, strict=True)
        }
        winners, table = play_arena_game(pitch, seats, f"{seed}{block:08x}", clock)
        at = {chair: player for player, chair in zip(players, chairs, strict=True)}
        order = [at[chair] for chair in range(len(names))]
        yield ArenaGameResult(
            tuple((who in winners) / max(1, len(winners)) for who in order),
            tuple(table.seconds[who] for who in order),
            tuple(table.moves[who] for who in order),
        )


def win_shares(played: Sequence[ArenaGameResult]) -> tuple[WinShare, ...]:
    """Return each program's share of wins in the games `played`."""
    shares = []
    chairs = len(played[0].shares)
    for seat in range(chairs):
        each = [game.shares[seat] for game in played]
        share = sum(each) / len(each)
        low, high = wilson_interval(share, effective_game_count(each, chairs))
        moves = sum(game.moves[seat] for game in played)
        seconds = sum(game.seconds[seat] for game in played)
        shares.append(WinShare(share, low, high, seconds / max(1, moves)))
    return tuple(shares)


def effective_game_count(shares: Sequence[float], chairs: int) -> float:
    """Return how many independent games give as much information as the games in `shares`.

    - `shares`: one program's share of the win in each game. Every program plays each seed once from
      every seat.
    - `chairs`: the number of seats.

    The more chance decides, the less the averages of the seeds differ, and the more information
    each game gives. The formula adds one imaginary seed with the greatest difference, so that a few
    games with equal results prove nothing. If there are fewer than MIN_SEEDS seeds, return the
    number of games in `shares`.
    """
    n = len(shares)
    mean = sum(shares) / n
    blocks = [shares[i : i + chairs] for i in range(0, n - chairs + 1, chairs)]
    if len(blocks) < MIN_SEEDS:
        return n
    squares = sum((sum(block) / chairs - mean) ** 2 for block in blocks)
    variance = (squares + 0.25) / len(blocks) ** 2
    return max(n, mean * (1 - mean) / variance)


def wilson_interval(share: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval for a share of wins in `n` games."""
    z = CONFIDENCE_DEVIATIONS * CONFIDENCE_DEVIATIONS
    middle = (share + z / (2 * n)) / (1 + z / n)
    half = CONFIDENCE_DEVIATIONS * sqrt(share * (1 - share) / n + z / (4 * n * n)) / (1 + z / n)
    return max(0.0, middle - half), min(1.0, middle + half)
