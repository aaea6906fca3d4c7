"""The connected clients (phones and programs), and the protocol lines that each client receives.

All clients with the same seat, language and value of `confirm` receive the same numbered lines. A
client that reconnects receives the lines that it missed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from companion.box.screen import Screen
from companion.box.state import Basics
from companion.box.turn import Turn
from companion.core.game import Cues
from companion.door import messages
from companion.door.line_history import LineHistory, add_line_number
from companion.door.lines import InvalidProtocolLineError, Message, message_as_protocol_line
from companion.door.peers import PeerConnection
from companion.door.report import ChangeReport, LineRecipient
from companion.play.conversation import Conversation
from companion.play.session import Session
from companion.play.standing import UNDO_AGREEMENT
from companion.record.journal import JournalError
from companion.remote.doorway import DoorServerAndCallbacks
from companion.remote.simultaneous_answers import SimultaneousAnswers
from companion.remote.verbs import requested_language
from companion.say.words import LANGUAGES, Words

LINE_NUMBERS_PER_SECOND: Final = 1000
"""The first protocol line's number is the box's start time (s since 1970) times this factor."""
LANGUAGE_NUMBER_DISTANCE: Final = 10**14
"""The distance between the number ranges of a seat's protocol lines.

A seat has one number range for each language and each value of the field `confirm`. Owners without
a seat have number ranges of their own.
"""
FIRST_OWN_QUESTION_NUMBER: Final = 4 * 10**15
"""All questions that the box asks only one connection have an `id` above this number."""


class ConnectionQuestion(NamedTuple):
    """A question that the box asks only one connection.

    - `number`: the `id` of the question in the text protocol.
    - `talk`: the conversation that asks the question.
    - `while_asked`: the `id` of the question that was pending when the box asked this question.
    """

    number: int
    talk: Conversation
    while_asked: int


class ConnectedClient(NamedTuple):
    """A connected client (phone or program).

    - `peer`: the client's connection to the box's socket.
    - `reader`: the seat, the language and the field `confirm` of the client.
    - `watches`: whether the client subscribed to new lines.
    - `frames`: whether the client also subscribed to new display frames.
    - `asked`: the question that the box asks only this client; None if there is no such question.
    """

    peer: PeerConnection
    reader: LineRecipient = LineRecipient()
    watches: bool = False
    frames: bool = False
    asked: ConnectionQuestion | None = None

    @property
    def joined_seat(self) -> str | None:
        """Return the player whose seat the client has joined; None if the client has no seat."""
        return self.reader.seat


class Audience:
    """All clients, stored in `here` by the number of their connection.

    - `asked`: the `id` of the pending question.
    - `asker`: the number of the connection whose line the box is executing.
    - `computer_player_tokens`: the hashes of the tokens with which the computer players' process
      joins its seats, by player.
    """

    def __init__(
        self, basics: Basics, turn: Turn, screen: Screen, doorway: DoorServerAndCallbacks
    ) -> None:
        self.here: dict[int, ConnectedClient] = {}
        self.asker: int | None = None
        self.computer_player_tokens: Mapping[str, str] = {}
        self._basics, self._turn = basics, turn
        self._screen, self._door = screen, doorway
        self._first = basics.machine.wall() * LINE_NUMBERS_PER_SECOND
        self.asked = self._first
        self._own = FIRST_OWN_QUESTION_NUMBER + self._first
        self.early = SimultaneousAnswers(basics.stands, lambda: self.asked)
        self._streams: dict[LineRecipient, LineHistory] = {}
        self._session: Session | None = basics.stands.running_session
        self._out: list[tuple[int, bytes]] = []
        self._shown = b""

    def subscribe_connection(self, number: int, after: int | None, *, frames: bool) -> None:
        """Send a connection the present state or the missed lines, and then every new line.

        after: the number of the last line that the client has received; None if the client has
        received no line.

        frames: whether the client also subscribes to display frames.

        Raise JournalError if the record cannot save that the seat has seen its secrets. The
        connection is then not subscribed.
        """
        before = self.here[number]._replace(watches=False, frames=False)
        self.here[number] = visitor = before._replace(watches=True)
        reader, session = visitor.reader, self._basics.stands.running_session
        try:
            self._save_seen_secrets(frozenset({reader.seat}))
        except JournalError:
            self.here[number] = before
            raise
        stream = self._stream(reader)
        missed = None if after is None else stream.lines_after_number(after)
        if missed is None:
            secrets = () if session is None else session.standing.private_facts_of_all_players
            missed = stream.numbered_state_lines(
                self.make_change_report(secrets, begun=True).lines_for_recipient(reader)
            )
        self._out.append((number, missed))
        if frames:  # send the frame only after the lines of the state
            self.here[number] = visitor = visitor._replace(frames=True)
            self._send_frame((visitor,), self._screen.public_frame())

    def _stream(self, reader: LineRecipient) -> LineHistory:
        """Return the numbered lines of a recipient; make an empty history for a new recipient.

        A subscriber becomes another recipient when it changes its language or its seat.
        """
        return self._streams.setdefault(reader, LineHistory(self._first + _apart(reader)))

    @property
    def seats_receiving_secrets_remotely(self) -> frozenset[str]:
        """Return the seats whose secrets are sent to clients (phones and programs)."""
        return frozenset([v.joined_seat for v in self._listening() if v.joined_seat is not None])

    @property
    def seats_allowed_to_answer_early(self) -> frozenset[str | None]:
        """Return the seats that may answer before their turn: the seats with a subscribed client.

        The set contains None if a client without a seat is subscribed.
        """
        return frozenset(v.joined_seat for v in self.here.values() if v.watches)

    def resend_answered_question(self, seat: str) -> None:
        """Send the clients of a seat the seat's question again, marked as answered."""
        streams = {reader: lines for reader, lines in self._streams.items() if reader.seat == seat}
        listening = [v for v in self._listening() if v.joined_seat == seat]
        self._queue_report(self.make_change_report(only_ask=True), streams, listening)

    def _queue_report(
        self,
        report: ChangeReport,
        streams: Mapping[LineRecipient, LineHistory],
        listening: Sequence[ConnectedClient],
        *,
        with_secrets: bool = True,
    ) -> None:
        """Add a report's lines to `streams`, and queue these lines for the clients `listening`.

        Also add the lines to the streams of all subscribers among these clients.

        If `with_secrets` is False, each client receives only the lines of a client without a seat.
        """
        heard = {visitor.reader for visitor in listening if visitor.watches}
        streams = {**streams, **{reader: self._stream(reader) for reader in heard}}
        lines = {
            reader: tuple(
                report.lines_for_recipient(reader if with_secrets else reader._replace(seat=None))
            )
            for reader in {*streams, *[visitor.reader for visitor in listening]}
        }
        numbered = {
            reader: stream.number_and_add_lines(lines[reader], heard=reader in heard)
            for reader, stream in streams.items()
        }
        for visitor in listening:
            data = (
                numbered[visitor.reader]
                if visitor.watches
                else b"".join([line.text.encode() for line in lines[visitor.reader]])
            )
            self._out.append((visitor.peer.number, data))

    def _listening(self) -> list[ConnectedClient]:
        return [v for v in self.here.values() if v.watches or v.peer.number == self.asker]

    def mark_remote_secrets_seen(self) -> None:
        """Mark the secrets of `seats_receiving_secrets_remotely` as seen.

        The next commit saves these marks in the record.
        """
        for seat in self._unseen(self.seats_receiving_secrets_remotely):
            self._basics.stands.session.mark_secrets_seen(seat, self._basics.machine.wall())

    def _unseen(self, seats: frozenset[str | None]) -> tuple[str, ...]:
        """Return the people's seats among `seats` with secrets that are not marked as seen."""
        session = self._basics.stands.running_session
        if session is None:
            return ()
        line = session.standing.history
        people = [seat for seat in session.game_setup.players if seat not in line.programs]
        return tuple([seat for seat in people if seat in seats and line.has_unseen_secret(seat)])

    def _save_seen_secrets(self, seats: frozenset[str | None]) -> None:
        """Save in the record that `seats`, which now receive lines, have seen their secrets.

        Raise JournalError if the record cannot be saved.
        """
        if self._unseen(seats):
            with self._turn.change():  # before the commit, the change marks the secrets as seen
                self._turn.request_commit(seen_first=False)

    def publish_game_state(self) -> None:
        """Send the latest events, the state and the question of the game to clients.

        The recipients are all subscribers, and the client whose line the box is executing.
        """
        session, before = self._basics.stands.running_session, self._session
        self._session = session
        self.asked += 1
        listening = self._listening()
        if not listening and not self._streams:
            return
        begun, is_saved = session is not before, True
        try:
            self._save_seen_secrets(self.seats_receiving_secrets_remotely)
        except JournalError as error:
            # send no secrets, because the record could not save that players have seen them
            self._turn.announce_failed_commit(error)
            is_saved = False
        cues = () if session is None else session.standing.snapshot.cues
        asks = session is not None and session.standing.pending_prompt == UNDO_AGREEMENT
        report = self.make_change_report(cues, begun=begun, only_ask=asks and not begun)
        self._queue_report(report, self._streams, listening, with_secrets=is_saved)
        self.send_queued_messages()

    def send_display_frames(self) -> None:
        """If the display's frame has changed, send the frame to the clients that subscribed."""
        watching = tuple([visitor for visitor in self.here.values() if visitor.frames])
        if watching and (frame := self._screen.public_frame()) != self._shown:
            self._send_frame(watching, frame)
            self.send_queued_messages()

    def _send_frame(self, watching: tuple[ConnectedClient, ...], frame: bytes) -> None:
        self._shown = frame
        text = message_as_protocol_line(messages.frame_message(self._door.picture(frame)))
        for visitor in watching:
            line = add_line_number(text, self._stream(visitor.reader).last)
            self._out.append((visitor.peer.number, line))

    # --- who has which seat, and reads in which language ---

    def give_seat(self, number: int, name: str, token: str) -> None:
        """Give a connection the seat of player `name`, and send the client the seat's token.

        With the token, the phone can reconnect to its seat. A subscribed client then receives the
        lines of its seat.

        Raise JournalError if the record cannot save that the seat has seen its secrets. The client
        then has the seat, but is not subscribed.
        """
        visitor = self.here[number]
        seated = visitor.reader._replace(seat=name, is_owner=False)
        self.here[number] = visitor._replace(reader=seated, asked=None)
        self.queue_message(number, messages.joined_message(name, token))
        if visitor.watches:
            self.subscribe_connection(number, None, frames=visitor.frames)

    def take_seat_away(self, number: int) -> None:
        """Take the seat from a client, and end the client's subscription to lines and frames."""
        visitor = self.here[number]
        reader = visitor.reader._replace(seat=None, is_owner=visitor.peer.is_owner)
        self.here[number] = ConnectedClient(visitor.peer, reader)

    def apply_language_and_confirmation(self, visitor: ConnectedClient, message: Message) -> None:
        """Store the language and the `confirm` field of a client's message for later messages.

        Raise InvalidProtocolLineError if the language or the field is not valid.
        """
        lang, reader = requested_language(message), visitor.reader
        confirm = message.get("confirm", reader.confirm)
        if type(confirm) is not bool:
            raise InvalidProtocolLineError("not_so", name="confirm")
        spoken = reader._replace(lang=lang or reader.lang, confirm=confirm)
        if spoken != reader:
            self.here[visitor.peer.number] = visitor._replace(reader=spoken, asked=None)

    def queue_error(self, number: int, code: str = "refused") -> None:
        """Queue an error message for a connection.

        The catalogue key of the error's sentence is `stdio.<code>`.
        """
        text = self.words_for_recipient(self.here[number].reader)(f"stdio.{code}")
        self.queue_message(number, messages.error_message(text, code=code))

    def close_connection(self, number: int) -> None:
        """Send a connection its queued messages, then close the connection."""
        self.send_queued_messages()
        self._door.server.close_connection(number)

    # --- writing ---

    def words_for_recipient(self, reader: LineRecipient) -> Words:
        """Return the sentences in the language that the recipient requested.

        If the recipient requested no language, use the language of the recipient's seat.
        """
        wording = self._basics.wording
        return (
            wording.words_in_language(reader.lang)
            if reader.lang
            else wording.game_words(reader.seat)
        )

    def next_connection_question_number(self) -> int:
        """Return the `id` for a new question that the box asks only one connection."""
        self._own += 1
        return self._own

    def make_change_report(
        self, cues: Cues = (), *, begun: bool = False, only_ask: bool = False
    ) -> ChangeReport:
        """Return a report of the events `cues`, the present state and the pending question.

        - `begun`: whether the running game has changed since the previous report.
        - `only_ask`: whether the report contains the question, but no events and no state.
        """
        return ChangeReport(
            self._basics.stands.running_session, self.asked, self.words_for_recipient,
            self._door.version, cues=cues, begun=begun, only_ask=only_ask,
            early=self.early.questions_by_seat,
        )  # fmt: skip

    def greeting_message(self) -> Message:
        """Return the greeting that a new connection receives."""
        session = self._basics.stands.running_session
        setup = None if session is None else session.game_setup
        return messages.greeting_message(
            setup, self._door.version, self.words_for_recipient(LineRecipient())
        )

    def queue_message(self, number: int, message: Message) -> None:
        """Queue a message that `send_queued_messages` will send to the connection `number`."""
        self._out.append((number, message_as_protocol_line(message).encode()))

    def send_queued_messages(self, *, done: bool = False) -> None:
        """Pass the queued lines to the socket's server, which sends the lines to the clients.

        done: whether the box has handled its latest event, so that the server may pass the next
        line.
        """
        batch, self._out = self._out, []
        self._door.server.send(batch, done=done)


def _apart(reader: LineRecipient) -> int:
    """Return the distance of this recipient's line numbers from the box's first line number.

    The distance depends on the recipient's language, and on the fields `confirm` and `is_owner`.
    """
    languages = ("", *LANGUAGES)
    ranges = 4 * languages.index(reader.lang) + 2 * reader.is_owner + reader.confirm
    return LANGUAGE_NUMBER_DISTANCE * ranges
