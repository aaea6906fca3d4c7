"""All connected clients of the running box, with the handlers of their requests.

A client's answer passes through these methods: RemoteClients.handle_connection_event,
ClientRequestHandlers.answer_question, Runner.execute_commands, Answers.give_answer, Session.answer,
Answers._take, Screen.show_frame, Session.commit, Voice.announce_facts, Audience.publish_game_state.
A button press takes the same path from `Runner.execute_commands` on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from companion.box.runner import Runner
from companion.box.services import Services
from companion.core.errors import Refused, UnknownGame, log_error
from companion.core.game import Cue
from companion.core.snapshot import Snapshot
from companion.door import messages
from companion.door.lines import InvalidProtocolLineError, Message, ProtocolRequest
from companion.door.peers import Event, PeerConnected, PeerDisconnected, PeerLineReceived
from companion.door.report import LineRecipient
from companion.menus.page import PhoneFacts
from companion.record.journal import JournalError
from companion.remote.asking import ClientRequestHandlers, WordLookups
from companion.remote.audience import Audience, ConnectedClient
from companion.remote.doorway import DoorServerAndCallbacks
from companion.remote.pairing import PhonePairing
from companion.remote.programs import ComputerPlayerCallbacks, ComputerPlayers
from companion.remote.services import ServiceClients
from companion.remote.verbs import RECORD_REQUESTS

if TYPE_CHECKING:
    from companion.menus.page import ServiceStatus
    from companion.remote.doorway import Opener


class RemoteClients:
    """The request handlers of all clients (phones and programs), and the box's access to clients.

    `RemoteClients` implements `companion.box.connections.Connections`.
    """

    def __init__(self, box: Services, runner: Runner, doorway: DoorServerAndCallbacks) -> None:
        basics, turn = box.basics, box.turn
        self._stands, self._turn = basics.stands, turn
        self._screen, self._door = box.screen, doorway
        self._audience = audience = Audience(basics, turn, box.screen, doorway)
        callbacks = ComputerPlayerCallbacks(
            doorway.start_computer_players,
            runner.execute_commands,
            box.advice.announce_computer_choice,
        )
        self._programs = programs = ComputerPlayers(basics, turn, audience, callbacks)
        look_ups = WordLookups(doorway.look_up, box.answers.word_lists_without_word)
        self._asking = asking = ClientRequestHandlers(
            basics.stands, runner, audience, programs, look_ups
        )
        self._pairing = pairing = PhonePairing(basics, turn, audience, doorway, box.home.menu_facts)
        self._services = ServiceClients(basics, turn, audience.queue_message, doorway.start_service)
        self._verbs: dict[str, Callable[[ConnectedClient, Message], None]] = {
            "answer": asking.answer_question, "interrupt": asking.answer_out_of_turn,
            "fill": asking.ask_or_execute_form, "undo": asking.undo_answer,
            "redo": asking.redo_answer, "why": asking.send_latest_ruling,
            "look": asking.send_own_secrets, "check": asking.check_word,
            "join": pairing.join_seat, "leave": pairing.leave_seat,
            "address": pairing.set_page_address, "hotspot": pairing.store_phone_wifi_network,
            "watch": self._watch, "state": self._state, "frame": self._picture,
            "stick": self._stick, "quit": self._quit,
            **dict.fromkeys(RECORD_REQUESTS, self._nothing),
            **self._services.request_handlers(),
        }  # fmt: skip

    def close(self) -> None:
        """Close all connections and the box's socket."""
        self._door.server.close()

    # --- events of the door ---

    def handle_connection_event(self, event: Event) -> None:
        """Handle an event of the socket: a new connection, a line, or the end of a connection."""
        audience, number = self._audience, event.peer.number
        try:
            match event:
                case PeerConnected(peer):
                    reader = LineRecipient(is_owner=peer.is_owner)
                    audience.here[number] = ConnectedClient(peer, reader)
                    audience.queue_message(number, audience.greeting_message())
                case PeerDisconnected():
                    audience.here.pop(number, None)
                    self._pairing.forget_connection(number)
                    self._services.report_ended_connection(number)
                case PeerLineReceived(_, request) if number in audience.here:
                    audience.asker = number
                    self._obey(audience.here[number], request)
        finally:  # report the event as handled, even if a game raised an exception
            audience.asker = None
            audience.send_queued_messages(done=not isinstance(event, PeerDisconnected))

    def _obey(
        self, visitor: ConnectedClient, request: ProtocolRequest | InvalidProtocolLineError
    ) -> None:
        """Execute a client's line.

        If an exception occurs after the line has changed the game, raise the exception. If an
        exception occurs earlier, only log the exception and send the client an error.
        """
        before = self._game_snapshot
        try:
            self._try(visitor, request)
        # log the error, so that an error in a client's line does not end the game
        except Exception as error:
            if self._game_snapshot is not before:
                raise
            log_error("box", f"a line was left: {error!r}", error)
            self._audience.queue_error(visitor.peer.number, "failed")

    def _try(
        self, visitor: ConnectedClient, request: ProtocolRequest | InvalidProtocolLineError
    ) -> None:
        try:
            if isinstance(request, InvalidProtocolLineError):
                raise request
            self._verbs[request.verb](visitor, request.message)
        except (InvalidProtocolLineError, Refused, JournalError, UnknownGame) as error:
            if isinstance(error, JournalError):
                self._turn.announce_failed_commit(error)
            if isinstance(error, UnknownGame):
                self._turn.announce_facts(messages.unknown_game_fact(error))
            words = self._audience.words_for_recipient(visitor.reader)
            self._audience.queue_message(
                visitor.peer.number, messages.exception_message(error, words)
            )

    @property
    def _game_snapshot(self) -> Snapshot | None:
        session = self._stands.running_session
        return None if session is None else session.standing.snapshot

    # --- messages to clients ---

    def _watch(self, visitor: ConnectedClient, message: Message) -> None:
        after, frames = message.get("after"), message.get("frames", False)
        if (after is not None and type(after) is not int) or type(frames) is not bool:
            raise InvalidProtocolLineError(
                "not_so", name="after" if type(frames) is bool else "frames"
            )
        self._audience.apply_language_and_confirmation(visitor, message)
        self._audience.subscribe_connection(visitor.peer.number, after, frames=frames)

    def _state(self, visitor: ConnectedClient, _: Message) -> None:
        self._audience.queue_message(
            visitor.peer.number,
            self._audience.make_change_report().state_for_recipient(visitor.reader),
        )

    def _picture(self, visitor: ConnectedClient, _: Message) -> None:
        picture = self._door.picture(self._screen.public_frame())
        self._audience.queue_message(visitor.peer.number, messages.frame_message(picture))

    def _stick(self, visitor: ConnectedClient, message: Message) -> None:
        how = message["stick"]
        if not visitor.peer.is_owner or how not in ("kept", "failed"):
            raise InvalidProtocolLineError("not_so", name="stick")
        self._turn.announce_facts(Cue(f"stick_{how}"))

    def _nothing(self, _visitor: ConnectedClient, _message: Message) -> None:
        """Refuse a request about recorded games.

        The box receives these requests only if no record exists.
        """
        raise InvalidProtocolLineError("nothing_there")

    def _quit(self, visitor: ConnectedClient, _: Message) -> None:
        self._audience.close_connection(visitor.peer.number)

    # --- subscribed clients ---

    @property
    def seats_receiving_secrets_remotely(self) -> frozenset[str]:
        """Return the seats whose secrets are sent to clients (phones and programs)."""
        return self._audience.seats_receiving_secrets_remotely

    def mark_remote_secrets_seen(self) -> None:
        """Mark the secrets of `seats_receiving_secrets_remotely` as seen.

        The next commit saves these marks in the record.
        """
        self._audience.mark_remote_secrets_seen()

    def publish_game_state(self) -> None:
        """Send the latest events, the state and the question of the game to clients."""
        self._audience.publish_game_state()

    def send_display_frames(self) -> None:
        """If the display's frame has changed, send the frame to the clients that subscribed."""
        self._audience.send_display_frames()

    # --- phones, and services ---

    can_seat_computer_players: Final = True

    @property
    def phone_data_for_menus(self) -> PhoneFacts | None:
        """Return the data about phones that menus show; None if phones cannot connect."""
        return self._pairing.phone_data_for_menus if self._door.admits_phones else None

    @property
    def service_statuses(self) -> Mapping[str, ServiceStatus]:
        """Return the data for the menu pages of added services, by service name."""
        return self._services.service_statuses

    @property
    def has_unresponsive_computer_players(self) -> bool:
        """Return True if the computer players' process has failed repeatedly or does not answer."""
        return self._programs.is_unresponsive

    @property
    def due_at(self) -> float | None:
        """Return the time (s) of the next work for phones or computer players.

        Return None if there is no work.
        """
        times = (self._pairing.due_at, self._programs.due_at)
        return min((time for time in times if time is not None), default=None)

    def restart_computer_players(self) -> None:
        """Disconnect the computer players' process, so that the box starts a new process."""
        self._programs.restart_process()

    def admit_phone(self, player: str) -> None:
        """Give the seat of `player` to the phone that waits for this seat.

        Raise JournalError if the token cannot be saved.
        """
        self._pairing.admit_phone(player)

    def send_service_request(self, service: str, wish: Mapping[str, Any]) -> None:
        """Send the request `wish` to the background program of the service `service`."""
        self._services.client_of_service(service).send_request(wish)

    def do_due_work(self) -> None:
        """Do the due work for phones, computer players and services, then send queued messages."""
        self._pairing.do_due_work()
        try:
            self._asking.execute_stored_answers()
            self._programs.do_due_work()
        except JournalError as error:
            self._turn.announce_failed_commit(error)
        self._services.do_due_work()
        self._audience.send_queued_messages()


def make_clients_opener(door: Opener) -> Callable[[Services, Runner], RemoteClients]:
    """Return a function that opens a box's socket and creates its `RemoteClients`.

    The returned function raises OSError if the socket cannot be opened.
    """
    return lambda box, runner: RemoteClients(box, runner, door(box.basics.inbox.put))
