"""The connected visitors (phones and programs), and the lines that each of them receives.

All visitors of one seat receive equal, numbered lines, so that a visitor who was offline can
receive the missed ones. The record stores that a seat's secrets were seen before they are sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from companion.box.screen import Screen
from companion.box.state import Basics
from companion.box.turn import Turn
from companion.core.game import Cues
from companion.core.snapshot import Snapshot
from companion.door import messages
from companion.door.lines import LineMistake, Message, format_line
from companion.door.peers import Peer
from companion.door.report import ChangeReport, Recipient
from companion.door.stream import LineHistory, number_line
from companion.play.conversation import Conversation
from companion.play.session import Session
from companion.play.standing import UNDO_AGREEMENT
from companion.record.journal import JournalError
from companion.remote.doorway import Doorway
from companion.remote.early import EarlyAnswers
from companion.remote.verbs import language_of
from companion.say.words import LANGUAGES, Words

NUMBERS_PER_SECOND: Final = 1000
"""The distance between the first line numbers of two boxes started one second apart."""
LANGUAGE_NUMBER_DISTANCE: Final = 10**14
"""The distance between the line numbers of a seat in two languages."""
FIRST_OWN_QUESTION_NUMBER: Final = 4 * 10**15
"""The first number of questions that are asked of one connection only."""


class OwnQuestion(NamedTuple):
    """A question asked of one connection: its number, and the pending question's at that time."""

    number: int
    talk: Conversation
    while_asked: int


class Visitor(NamedTuple):
    """A connection: its seat, its subscription, and the question that only it was asked."""

    peer: Peer
    reader: Recipient = Recipient()
    watches: bool = False
    frames: bool = False
    asked: OwnQuestion | None = None

    @property
    def seat(self) -> str | None:
        """Return the player whose seat it has joined."""
        return self.reader.seat


class Audience:
    """All visitors, in `here` by the number of their connection.

    - `asked`: the number of the pending question.
    - `asker`: the visitor whose line is being executed.
    """

    def __init__(self, basics: Basics, turn: Turn, screen: Screen, doorway: Doorway) -> None:
        self.here: dict[int, Visitor] = {}
        self.asker: int | None = None
        self.basics, self.turn, self.door = basics, turn, doorway
        self._screen = screen
        self._first = basics.machine.wall() * NUMBERS_PER_SECOND
        self.asked = self._first
        self._own = FIRST_OWN_QUESTION_NUMBER + self._first
        self.early = EarlyAnswers(basics.stands, lambda: self.asked)
        self._streams: dict[Recipient, LineHistory] = {}
        self._session: Session | None = basics.stands.running_session
        self._out: list[tuple[int, bytes]] = []
        self._shown = b""

    def subscribe(self, number: int, after: int | None, *, frames: bool) -> None:
        """Send a connection the state, and all lines from now on. Raise JournalError."""
        self.here[number] = visitor = self.here[number]._replace(watches=True, frames=False)
        reader, session = visitor.reader, self.basics.stands.running_session
        self._see(frozenset({reader.seat}))
        stream = self._streams.setdefault(reader, LineHistory(self._first + _apart(reader)))
        missed = None if after is None else stream.lines_after(after)
        if missed is None:
            secrets = () if session is None else session.standing.secrets
            missed = stream.number_state(self.report(secrets, begun=True).lines(reader))
        self._out.append((number, missed))
        if frames:  # the frame follows the lines of the state
            self.here[number] = visitor = visitor._replace(frames=True)
            self._send_frame((visitor,), self._screen.public_frame())

    @property
    def snapshot(self) -> Snapshot | None:
        """Return the snapshot of the running game."""
        session = self.basics.stands.running_session
        return None if session is None else session.standing.snapshot

    @property
    def phones(self) -> frozenset[str]:
        """Return the seats whose secrets are sent to a visitor."""
        return frozenset(v.seat for v in self._listening() if v.seat is not None)

    @property
    def early_seats(self) -> frozenset[str | None]:
        """Return the seats that may answer before their turn."""
        return frozenset(v.seat for v in self.here.values() if v.watches)

    def ask_again(self, seat: str) -> None:
        """Send a seat its question again, marked as already answered."""
        report = self.report(only_ask=True)
        listening = [v for v in self._listening() if v.seat == seat]
        heard = {visitor.reader for visitor in listening if visitor.watches}
        new = {
            reader: stream.add(report.lines(reader), heard=reader in heard)
            for reader, stream in self._streams.items()
            if reader.seat == seat
        }
        for visitor in listening:
            state_lines = b"".join(line.text.encode() for line in report.lines(visitor.reader))
            lines = new[visitor.reader] if visitor.watches else state_lines
            self._out.append((visitor.peer.number, lines))

    def _listening(self) -> Iterator[Visitor]:
        """Yield the visitors that receive lines now: subscribers, and the visitor being served."""
        return (v for v in self.here.values() if v.watches or v.peer.number == self.asker)

    def record_seen_secrets(self) -> None:
        """Note that seats with phones have seen their secrets. The next commit saves it."""
        for seat in self._unseen(self.phones):
            self.basics.stands.session.mark_secrets_seen(seat, self.basics.machine.wall())

    def _unseen(self, seats: frozenset[str | None]) -> tuple[str, ...]:
        """Return the seats whose secrets have changed since they were last seen."""
        session = self.basics.stands.running_session
        if session is None:
            return ()
        line = session.standing.line
        people = [seat for seat in session.setup.players if seat not in line.programs]
        return tuple([seat for seat in people if seat in seats and line.has_unseen_secret(seat)])

    def _see(self, seats: frozenset[str | None]) -> None:
        """Save that these seats have seen their secrets. Raise JournalError."""
        if unseen := self._unseen(seats):
            with self.turn.change():
                for seat in unseen:
                    self.basics.stands.session.mark_secrets_seen(seat, self.basics.machine.wall())
                self.turn.request_commit(seen_first=False)

    def publish(self) -> None:
        """Send all subscribers the latest events, or which game is running."""
        session, before, self._session = (
            self.basics.stands.running_session,
            self._session,
            self.basics.stands.running_session,
        )
        self.asked += 1
        listening = [*self._listening()]
        if not listening and not self._streams:
            return
        begun = session is not before
        try:
            self._see(self.phones)
            blind = False
        except JournalError as error:  # facts that are not saved are not sent
            self.turn.announce_failed_commit(error)
            blind = True
        cues = () if session is None else session.standing.snapshot.cues
        asks = session is not None and session.standing.prompt == UNDO_AGREEMENT
        report = self.report(cues, begun=begun, only_ask=asks and not begun)
        heard = {visitor.reader for visitor in listening if visitor.watches}
        new = {
            reader: stream.add(
                report.lines(_unsaved_recipient(reader, blind=blind)), heard=reader in heard
            )
            for reader, stream in self._streams.items()
        }
        for visitor in listening:
            if visitor.watches:
                lines = new[visitor.reader]
            else:
                state_lines = report.lines(_unsaved_recipient(visitor.reader, blind=blind))
                lines = b"".join(line.text.encode() for line in state_lines)
            self._out.append((visitor.peer.number, lines))
        self.send_queued()

    def send_frames(self) -> None:
        """Send the new frame to the connections that asked for frames."""
        watching = tuple([visitor for visitor in self.here.values() if visitor.frames])
        if watching and (frame := self._screen.public_frame()) != self._shown:
            self._send_frame(watching, frame)
            self.send_queued()

    def _send_frame(self, watching: tuple[Visitor, ...], frame: bytes) -> None:
        self._shown = frame
        text = format_line({"type": "frame", "png": self.door.picture(frame)})
        for visitor in watching:
            line = number_line(text, self._streams[visitor.reader].last)
            self._out.append((visitor.peer.number, line))

    # --- who has which seat, and reads in which language ---

    def give_seat(self, number: int, name: str, token: str) -> None:
        """Give a connection a seat, and send the token with which it can reconnect."""
        visitor = self.here[number]
        seated = visitor.reader._replace(seat=name)
        self.here[number] = visitor = visitor._replace(reader=seated, asked=None)
        self.queue_message(number, {"type": "joined", "seat": name, "token": token})
        if visitor.watches:  # from now on it receives the seat's secrets
            self.subscribe(number, None, frames=visitor.frames)

    def take_seat_away(self, number: int) -> None:
        """Take the seat from a connection and end its subscription."""
        visitor = self.here[number]
        self.here[number] = Visitor(visitor.peer, visitor.reader._replace(seat=None))

    def apply_reader_options(self, visitor: Visitor, message: Message) -> None:
        """Apply the language and the wish for confirmations that a message contains."""
        lang, reader = language_of(message), visitor.reader
        confirm = message.get("confirm", reader.confirm)
        if type(confirm) is not bool:
            raise LineMistake("not_so", name="confirm")
        spoken = Recipient(reader.seat, lang or reader.lang, confirm)
        if spoken != reader:
            self.here[visitor.peer.number] = visitor._replace(reader=spoken, asked=None)

    def queue_error(self, number: int, code: str = "refused") -> None:
        """Send a connection the error about its line."""
        text = self.words(self.here[number].reader)(f"stdio.{code}")
        self.queue_message(number, messages.error(text, code=code))

    def close_connection(self, number: int) -> None:
        """Close a connection after its waiting lines were sent."""
        self.send_queued()
        self.door.server.close_connection(number)

    # --- writing ---

    def words(self, reader: Recipient) -> Words:
        """Return the game's words in the language that a visitor requested, or its seat's."""
        wording = self.basics.wording
        return wording.words_in(reader.lang) if reader.lang else wording.game_words(reader.seat)

    def next_own_number(self) -> int:
        """Return the next number of a question for one connection."""
        self._own += 1
        return self._own

    def report(
        self, cues: Cues = (), *, begun: bool = False, only_ask: bool = False
    ) -> ChangeReport:
        """Return the report of the present state and of new facts.

        begun: a different game is running now.
        """
        return ChangeReport(
            self.basics.stands.running_session, self.asked, self.words, self.door.version,
            cues=cues, begun=begun, only_ask=only_ask, early=self.early.questions_by_seat,
        )  # fmt: skip

    def hello(self) -> Message:
        """Return the greeting for a new connection."""
        session = self.basics.stands.running_session
        setup = None if session is None else session.setup
        return messages.hello(setup, self.door.version, self.words(Recipient()))

    def queue_message(self, number: int, message: Message) -> None:
        """Queue a message for one connection, until `send_queued`."""
        self._out.append((number, format_line(message).encode()))

    def send_queued(self, *, done: bool = False) -> None:
        """Send the queued messages.

        done: the number of the connection whose event is handled.
        """
        batch, self._out = self._out, []
        self.door.server.send(batch, done=done)


def _apart(reader: Recipient) -> int:
    """Return the first line number for recipients of this language and mode.

    Different languages and modes have numbers that never overlap.
    """
    languages = ("", *LANGUAGES)
    return LANGUAGE_NUMBER_DISTANCE * (2 * languages.index(reader.lang) + reader.confirm)


def _unsaved_recipient(reader: Recipient, *, blind: bool) -> Recipient:
    """Return the recipient of facts that are not saved: the public, if `blind`."""
    return reader._replace(seat=None) if blind else reader
