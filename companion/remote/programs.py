"""The computer players at the table, whose process is connected to the box's socket.

The box delays a computer player's answer until people have seen the question. If a computer player
does not answer, people choose whether to restart its process or to give its seat to a person.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from companion.box.state import Basics
from companion.box.turn import Turn
from companion.core.errors import Refused
from companion.core.fold import refusal_code
from companion.core.game import Cue
from companion.core.prompts import Answer, is_legal_answer
from companion.door import messages
from companion.menus.commands import Command, GiveAnswer, OpenMenu
from companion.play.adapting import ADAPTIVE_LEVEL
from companion.play.answer_history import ComputerPlayerProgram
from companion.play.session import Session
from companion.record.journal import JournalError
from companion.remote.audience import Audience, ConnectedClient
from companion.remote.join_codes import hash_token, make_phone_token

MIN_QUESTION_SECONDS: Final = 1.2
"""Seconds that a question stays visible before the box executes a computer player's answer."""
FIRST_RESTART_SECONDS: Final = 10.0
"""Seconds between the first two starts of the computer players' process.

Each later delay is twice as long as the previous delay, up to `MAX_RESTART_SECONDS`.
"""
MAX_RESTART_SECONDS: Final = 60.0
"""The maximum delay in seconds between two starts of the computer players' process."""
STARTS_BEFORE_NOTICE: Final = 3
"""The number of starts without an answer after which the box announces that the process fails."""
SILENCE_TIMEOUT_SECONDS: Final = 35.0
"""Seconds without an answer after which the box announces that a computer player is silent."""


class _Waiting(NamedTuple):
    """A question that the box asks a computer player.

    - `position`: the number of the state in which the question is pending.
    - `since`: the time (s) at which the box asked the question.
    - `answered`: whether an answer has arrived.
    - `told`: whether the box has announced that the computer player is silent.
    - `offered`: whether the box has asked people to choose who takes over the seat.
    """

    who: str
    position: int
    since: float
    answered: bool = False
    told: bool = False
    offered: bool = False


class ComputerPlayerCallbacks(NamedTuple):
    """The functions of the box that `ComputerPlayers` calls.

    - `start_process(line)`: starts the process of the computer players. The JSON text `line` lists
      the seats, the tokens and the levels of the computer players.
    - `execute_commands(*commands)`: executes commands as one change (`Runner.execute_commands`).
    - `announce_choice(answer)`: announces an answer that people must confirm.
    """

    start_process: Callable[[str], None]
    execute_commands: Callable[[*tuple[Command, ...]], None]
    announce_choice: Callable[[Answer], None]


class ComputerPlayers:
    """The computer players at the table, and the one process that chooses their answers."""

    def __init__(
        self, basics: Basics, turn: Turn, audience: Audience, callbacks: ComputerPlayerCallbacks
    ) -> None:
        self._basics, self._turn, self._all, self._callbacks = basics, turn, audience, callbacks
        self._session: Session | None = None
        self._seats: Mapping[str, ComputerPlayerProgram] = {}
        self._again, self._pause, self._tries = 0.0, FIRST_RESTART_SECONDS, 0
        self._given: tuple[int, ConnectedClient, Answer] | None = None
        self._stands: tuple[int, float] | None = None
        self._waiting: _Waiting | None = None

    def store_answer(self, visitor: ConnectedClient, value: Answer) -> None:
        """Store a computer player's answer until people have had time to read the question.

        Ignore the answer if the box asks no computer player. Raise Refused if the game is over or
        the rules do not allow the answer.
        """
        standing = self._basics.stands.session.standing
        question = standing.pending_question
        if question is None:
            raise Refused("over")
        if (
            standing.computer_player_to_answer is None
            and standing.computer_player_announcing_choice is None
        ):
            return
        if not is_legal_answer(question, value):
            raise Refused(refusal_code(question, value), question=question.name)
        was_away, self._pause, self._tries = self.is_unresponsive, FIRST_RESTART_SECONDS, 0
        self._note_answered()
        # an answer proves that the process works; a connection does not
        if was_away:
            self._turn.update_computer_player_status()
        self._given = self._all.asked, visitor, value

    @property
    def is_unresponsive(self) -> bool:
        """Return True if the process has failed repeatedly or a computer player does not answer."""
        is_silent = self._waiting is not None and self._waiting.told
        return is_silent or self._tries >= STARTS_BEFORE_NOTICE

    @property
    def due_at(self) -> float | None:
        """Return the time (s) of the next start, announcement or answer.

        Return None if nothing is planned.
        """
        if self._session is None or not self._session.standing.present_computer_players:
            return None
        times = [self._again] if self._missing else []
        waiting = self._waiting
        if waiting is not None and not (waiting.answered or waiting.told):
            times.append(waiting.since + SILENCE_TIMEOUT_SECONDS)
        if self._given is not None and self._stands is not None:
            times.append(self._stands[1] + MIN_QUESTION_SECONDS)
        return min(times, default=None)

    def do_due_work(self) -> None:
        """Do the work that is due for computer players.

        Start a missing process, announce silent computer players, and execute due answers. Raise
        JournalError if an answer cannot be saved.
        """
        session, now = self._basics.stands.running_session, self._basics.machine.clock()
        seats = {} if session is None else session.standing.present_computer_players
        if session is not self._session or seats != self._seats:
            self._meet(session)
            self._seats = seats
        if session is None or not session.standing.present_computer_players:
            return
        self._wait(session, now)
        self._call(session, now)
        self._report(now)
        self._stand(now)
        if (
            self._given is None
            or self._stands is None
            or now < self._stands[1] + MIN_QUESTION_SECONDS
        ):
            return
        (number, visitor, value), self._given = self._given, None
        if number == self._all.asked:
            self._carry_out(visitor, value)

    def _meet(self, session: Session | None) -> None:
        """Disconnect the previous computer players, and reset all data about the process.

        If a computer player replaces a person, the person's phone loses the seat but stays
        connected.
        """
        tokens = self._all.computer_player_tokens
        left = (
            set()
            if session is None
            else session.standing.present_computer_players.keys() - tokens.keys()
        )
        for number, visitor in [*self._all.here.items()]:
            if visitor.joined_seat in tokens:
                self._all.close_connection(number)
            elif visitor.joined_seat in left:
                self._all.take_seat_away(number)
                self._all.queue_message(number, messages.left_message(visitor.joined_seat))
        self._all.computer_player_tokens = {}
        self._session, self._waiting = session, None
        self._again, self._pause, self._tries, self._given = 0.0, FIRST_RESTART_SECONDS, 0, None

    @property
    def _missing(self) -> bool:
        if self._session is None:
            return False
        joined = {visitor.joined_seat for visitor in self._all.here.values()}
        here = self._all.computer_player_tokens.keys() & joined
        return not here >= self._session.standing.present_computer_players.keys()

    def _call(self, session: Session, now: float) -> None:
        if not self._missing:
            return
        if now < self._again:
            return
        tokens = {who: make_phone_token() for who in session.standing.present_computer_players}
        self._all.computer_player_tokens = {who: hash_token(token) for who, token in tokens.items()}
        seats = [
            {"seat": who, "token": tokens[who], "level": _level(session, program)}
            for who, program in session.standing.present_computer_players.items()
        ]
        self._callbacks.start_process(json.dumps({"seats": seats}))
        self._again, self._pause = now + self._pause, min(2 * self._pause, MAX_RESTART_SECONDS)
        self._tries += 1
        if self._tries == STARTS_BEFORE_NOTICE:
            who = next(iter(session.standing.present_computer_players))
            if self._waiting is not None:
                who, self._waiting = self._waiting.who, self._waiting._replace(told=True)
            self._turn.update_computer_player_status()
            self._turn.announce_facts(Cue("program_away", {"who": who}))

    def restart_process(self) -> None:
        """Disconnect the computer players' process. `do_due_work` starts a new process."""
        self._meet(self._session)

    def _wait(self, session: Session, now: float) -> None:
        standing, before = session.standing, self._waiting
        who, position = (
            standing.computer_player_to_answer or standing.computer_player_announcing_choice,
            standing.snapshot.position,
        )
        if before is None or before[:2] != (who, position):
            self._close_offer()
            self._waiting = None if who is None else _Waiting(who, position, now)

    def _note_answered(self) -> None:
        self._close_offer()
        if self._waiting is not None:
            self._waiting = self._waiting._replace(answered=True, told=False, offered=False)

    def _close_offer(self) -> None:
        if self._waiting is not None and self._waiting.offered:
            self._turn.replace_menus(self._basics.stands.table.menus.without_page("stand_in"))

    def _report(self, now: float) -> None:
        """Announce a silent computer player. Ask people to choose who takes over the seat."""
        waiting, table = self._waiting, self._basics.stands.table
        if waiting is None or waiting.answered or now < waiting.since + SILENCE_TIMEOUT_SECONDS:
            return
        if not waiting.offered and not (table.menus.current_page or table.talk or table.curtain):
            self._waiting = waiting = waiting._replace(offered=True)
            self._callbacks.execute_commands(OpenMenu("stand_in", waiting.who))
        if not waiting.told:
            self._waiting = waiting._replace(told=True)
            self._turn.update_computer_player_status()
            self._turn.announce_facts(Cue("program_silent", {"who": waiting.who}))

    def _stand(self, now: float) -> None:
        """Store the time (s) since which nothing has covered the question on the display."""
        table = self._basics.stands.table
        in_front = (
            table.overlays.front_overlay or table.menus.current_page or table.talk or table.curtain
        )
        if in_front or table.cursor.looking is not None:
            self._stands = None
        elif self._stands is None or self._stands[0] != self._all.asked:
            self._stands = self._all.asked, now

    def _carry_out(self, visitor: ConnectedClient, value: Answer) -> None:
        """Execute or announce a computer player's answer.

        If the rules refuse the answer, ask the computer player again. If the answer cannot be
        saved, raise JournalError and store the answer for another try.
        """
        if self._basics.stands.session.standing.computer_player_announcing_choice is not None:
            self._callbacks.announce_choice(value)
            return
        try:
            self._callbacks.execute_commands(GiveAnswer(value))
        except JournalError:
            self._given, self._stands = (self._all.asked, visitor, value), None
            raise
        except Refused as refused:
            words = self._all.words_for_recipient(visitor.reader)
            self._all.queue_message(visitor.peer.number, messages.exception_message(refused, words))
            if self._waiting is not None:
                self._waiting = self._waiting._replace(
                    answered=False, since=self._basics.machine.clock()
                )


def _level(session: Session, program: ComputerPlayerProgram) -> str:
    is_adaptive = program.level == ADAPTIVE_LEVEL
    return f"{ADAPTIVE_LEVEL}{session.adaptive_step}" if is_adaptive else program.level
