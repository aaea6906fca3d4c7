"""A computer player for one seat: it reads protocol lines and returns answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, NamedTuple

from companion.core.fold import apply_answer_to_prompt
from companion.core.game import Cues, Edition, Game, SeatMemory
from companion.core.prompts import Answer, Form, Question, is_answered_by_box, is_legal_answer
from companion.core.snapshot import View
from companion.door.lines import Message
from companion.play.adapting import ADAPTIVE_LEVEL, HIGHEST_ADAPTIVE_STEP
from companion.play.simulate import random_answer
from companion.seat.knowledge import SeatKnowledge
from companion.seat.search import AnswerSearch, SearchEffort


class ComputerPlayerStrength(NamedTuple):
    """The strength of a computer player.

    - `span`: the number of recent events that the computer player remembers; None for all events.
    - `effort`: the effort of its search; None for the game's quick answers without a search.
    - `random` is True if the computer player chooses its answers at random.
    """

    span: int | None
    effort: SearchEffort | None
    random: bool = False


def _level_of_step(step: int) -> ComputerPlayerStrength:
    """Return the strength of the adaptive computer player at a step (0 to HIGHEST_ADAPTIVE_STEP).

    On a lower step, the computer player searches less and remembers less. No step makes the
    computer player choose a bad answer on purpose.
    """
    share = step / HIGHEST_ADAPTIVE_STEP
    effort = SearchEffort(
        round(2 * 48**share), 0.1 * 15**share, 12 if step > HIGHEST_ADAPTIVE_STEP // 2 else 0,
        sensible=step > 0, exact=step > HIGHEST_ADAPTIVE_STEP - 3,
    )  # fmt: skip
    return ComputerPlayerStrength(step if step < HIGHEST_ADAPTIVE_STEP else None, effort)


LEVELS: Final[Mapping[str, ComputerPlayerStrength]] = {
    "random": ComputerPlayerStrength(0, None, random=True),
    "greedy": ComputerPlayerStrength(None, None),
    "learner": ComputerPlayerStrength(0, SearchEffort(2, 0.1, 0, sensible=False)),
    "friend": ComputerPlayerStrength(3, SearchEffort(12, 0.3, 0, sensible=True)),
    "strong": ComputerPlayerStrength(None, SearchEffort(96, 1.5, 12, sensible=True, exact=True)),
    **{
        f"{ADAPTIVE_LEVEL}{step}": _level_of_step(step) for step in range(HIGHEST_ADAPTIVE_STEP + 1)
    },
}
"""Table from the name of a level to the strength of the computer player.

Only the command `companion arena`, which compares computer players, uses the levels `random` and
`greedy`. Levels with a number are the steps of the adaptive computer player.
"""
OFFERED_LEVELS: Final = ("learner", "friend", "strong")
"""Names of the levels that people can choose, from the weakest to the strongest."""
MAX_ANSWER_SECONDS: Final = 3.0
"""Maximum seconds in which a computer player answers a question."""


def level_strength(name: str) -> ComputerPlayerStrength:
    """Return the strength of the level `name`.

    If the name is unknown, return the strength of the strongest offered level.
    """
    return LEVELS.get(name, LEVELS[OFFERED_LEVELS[-1]])


class ComputerSeat:
    """A computer player in the seat of `player`.

    Without a `clock`, the same protocol lines and the same `seed` produce the same answers.
    """

    def __init__(
        self,
        game: Game[Any],
        player: str,
        level: ComputerPlayerStrength,
        *,
        edition: Edition,
        seed: str = "",
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.game, self.player, self.level = game, player, level
        self.listening = SeatKnowledge(player, edition, level.span)
        self.seed, self.clock = seed, clock
        self._answers, self._refused = 0, list[Any]()
        self._last: Answer = None
        self._own: Cues = ()
        self._calls = False

    def process_and_answer_line(self, message: Message) -> Message | None:
        """Read one line of the text protocol; return an answer (to a question or out of turn).

        Return None if the seat gives no answer now.
        """
        asked, kind = self.listening.asked, message.get("type")
        if kind != "error":
            self.listening.add_own_secrets(self._own)
            self._own = ()
        self.listening.add_protocol_line(message)
        if kind == "state":
            return self._call()
        if kind == "error" and self._calls:  # the box refused the out-of-turn answer
            self._calls = False
            return None
        if kind == "error" and asked is not None:
            self._own = ()
            self._refused.append(self._last)
        elif kind == "ask" and message["who"] == self.player:
            self._answers, self._refused = self._answers + 1, []
        else:
            return None
        self._last = self._answer()
        self._own = self._secrets(self._last)
        return {"answer": self._last, "id": message.get("id", asked and asked.get("id"))}

    def close(self) -> None:
        """Do nothing, because this computer player has no process to stop."""

    def choose_answer(self, view: View, memory: SeatMemory) -> Answer:
        """Return the answer that the computer player would give to the pending question."""
        memory = memory._replace(span=self.level.span)
        self.listening.view, self.listening.memory = dict(view), memory
        return self._answer()

    def win_shares_by_answer(
        self, view: View, memory: SeatMemory, given: Answer, fewest: int
    ) -> dict[Answer, float]:
        """Return a table from each answer to the share of simulated games that the player wins.

        The answer `given` is the first key of the table. The simulated games fit the player's
        knowledge. The table is empty if the box cannot simulate the game, or if there is no time
        for at least `fewest` games.
        """
        self.listening.view, self.listening.memory = dict(view), memory
        rng = Random(self._seed())  # noqa: S311 - not for cryptography
        question = self.game.ask(self._imagined(rng)) if self._knows(memory.question) else None
        if question is None or self.level.effort is None:
            return {}
        others = self._thought(question, rng) or memory.choices
        options = (given, *(answer for answer in others if answer != given))
        return self._search(self.level.effort).win_shares_by_answer(options, fewest)

    def _call(self) -> Message | None:
        self._calls = False
        computer = self.game.computer
        if computer is None or computer.call is None or self.level.effort is None:
            return None
        memory = self.listening.memory
        if not self.game.can_box_play_seat(memory.settings):
            return None
        rng = Random(f"{self._seed()}|call")  # noqa: S311 - not for cryptography
        call = computer.call(self.listening.view, memory, self.player, rng)
        if call is None:
            return None
        self._calls = True
        self.listening.add_out_of_turn_answer(call)
        return {"interrupt": call}

    def _answer(self) -> Answer:
        memory = self.listening.memory
        options = (
            tuple(answer for answer in memory.choices if answer not in self._refused)
            or memory.choices
        )
        rng = Random(self._seed())  # noqa: S311 - not for cryptography
        if self.level.random or len(options) == 1 or not self._knows(memory.question):
            return rng.choice(options)
        state = self._imagined(rng)
        question = self.game.ask(state)
        if question is None or (not isinstance(question, Form) and is_answered_by_box(question)):
            return rng.choice(options)
        options = self._thought(question, rng) or options
        if len(options) == 1:
            return options[0]
        if self.level.effort is None:
            return self._offhand(state, options, rng)
        return self._search(self.level.effort).find_best_answer(options)

    def _thought(self, question: Question, rng: Random) -> tuple[Answer, ...]:
        computer = self.game.computer
        if computer is None or computer.instinct is None:
            return ()
        memory = self.listening.memory
        thought = computer.instinct(self.listening.view, memory, self.player, rng)
        answers = (answer for answer in thought if answer not in self._refused)
        return tuple(answer for answer in answers if is_legal_answer(question, answer))

    def _search(self, effort: SearchEffort) -> AnswerSearch:
        if effort.ahead and self.game.computer is not None:
            effort = effort._replace(ahead=self.game.computer.ahead)
        players = self.listening.memory.players
        return AnswerSearch(
            self.game, self._imagined, players.index(self.player), players, effort,
            seed=self._seed(), clock=self.clock,
        )  # fmt: skip

    def _secrets(self, answer: Answer) -> Cues:
        """Return the secrets that follow from the seat's own secret answer.

        The box does not send these secrets to the seat.
        """
        if self.listening.memory.question not in self.game.covert:
            return ()
        state = self._imagined(Random(self._seed()))  # noqa: S311 - not for cryptography
        question = self.game.ask(state)
        if question is None or not is_legal_answer(question, answer):
            return ()
        after, _ = apply_answer_to_prompt(self.game, state, question, answer)
        return tuple(cue for cue in self.game.secrets(after) if cue.to == self.player)

    def _knows(self, question: str | None) -> bool:
        return question in self.game.on and self.game.can_box_play_seat(
            self.listening.memory.settings
        )

    def _imagined(self, rng: Random) -> Any:
        assert self.game.computer is not None
        knowledge = self.listening
        return self.game.computer.imagine(knowledge.view, knowledge.memory, self.player, rng)

    def _offhand(self, state: Any, options: tuple[Answer, ...], rng: Random) -> Answer:
        question = self.game.ask(state)
        assert question is not None
        computer = self.game.computer
        habit = computer and computer.habit and computer.habit(state, question, rng)
        if habit in options:
            return habit
        return random_answer(question, rng)

    def _seed(self) -> str:
        return f"{self.seed}|{self._answers}|{len(self._refused)}"
