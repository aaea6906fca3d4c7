"""The connections to the running box: their actions and their lines.

A visitor is one more face. Its answer is executed like a press, in the same thread. All subscribers
then receive the lines that their seats may see.
An answer at the door takes this path, which ends like that of a press (`companion.box.runner`):
RemoteClients.hear, Asking.answer, Runner.carry_out, Answers.give, Session.answer, Answers._take,
Screen.show, Session.commit, Voice.say, Audience.publish.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Refused, UnknownGame, log_error
from companion.core.game import Cue
from companion.door import messages
from companion.door.lines import Mistake, insist
from companion.door.peers import Came, Gone, PeerSaid
from companion.record.journal import JournalError
from companion.remote.asking import Asking
from companion.remote.audience import Audience, Visitor
from companion.remote.pairing import Pairing
from companion.remote.programs import Programs
from companion.remote.services import ServiceClients
from companion.remote.verbs import ASIDES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.box.runner import Runner
    from companion.box.services import Services
    from companion.door.lines import Message
    from companion.door.peers import Event
    from companion.menus.page import PhoneFacts, ServiceStatus
    from companion.remote.doorway import Doorway, Opener


class RemoteClients(Audience):
    """All connections to the running box."""

    def __init__(self, box: Services, runner: Runner, doorway: Doorway) -> None:
        super().__init__(box.basics, box.turn, box.screen, doorway)
        self._programs = programs = Programs(runner, self, box.advice)
        self._asking = asking = Asking(runner, self, programs, box.answers)
        self._pairing = pairing = Pairing(self, programs, box.home)
        self._services = ServiceClients(box.basics, box.turn, self.tell, self.door.attend)
        self._verbs: dict[str, Callable[[Visitor, Message], None]] = {
            "answer": asking.answer, "interrupt": asking.interrupt, "fill": asking.fill,
            "undo": asking.undo, "redo": asking.redo, "why": asking.why,
            "look": asking.look_at_own, "check": asking.check,
            "join": pairing.join, "leave": pairing.leave, "address": pairing.move,
            "hotspot": pairing.offer,
            "watch": self._watch, "state": self._state, "frame": self._picture,
            "stick": self._stick, "quit": self._quit, **dict.fromkeys(ASIDES, self._nothing),
            **self._services.requests(),
        }  # fmt: skip

    def close(self) -> None:
        """Close all connections and the door."""
        self.door.server.close()

    # --- events of the door ---

    def hear(self, event: Event) -> None:
        """Handle an event of the door: a connection, a line, or an end."""
        try:
            self._meet(event)
        finally:  # after any exception of a game, the next line must still be handled
            self.asker = None
            self.flush(done=not isinstance(event, Gone))

    def _meet(self, event: Event) -> None:
        number = event.peer.number
        match event:
            case Came(peer):
                self.here[number] = Visitor(peer)
                self.tell(number, self.hello())
            case Gone():
                self.here.pop(number, None)
                self._pairing.end_connection(number)
                self._services.forget_connection(number)
            case PeerSaid(_, message) if number in self.here:
                self.asker = number
                self._obey(self.here[number], message)

    def _obey(self, visitor: Visitor, message: Message | Mistake) -> None:
        """Execute a line. Raise only what a game raises after it has changed."""
        before = self.stands
        try:
            self._try(visitor, message)
        # a line can contain anything: an error in our handling must not end a game
        except Exception as error:
            if self.stands is not before:
                raise
            log_error("box", f"a line was left: {error!r}", error)
            self.refuse(visitor.peer.number, "failed")

    def _try(self, visitor: Visitor, message: Message | Mistake) -> None:
        """Execute a line, or send the reason why not."""
        words = self.words(visitor.reader)
        more: Mapping[str, Any] = {}
        try:
            if isinstance(message, Mistake):
                raise message
            verb = next(verb for verb in self._verbs if verb in message)
            if verb in ("undo", "redo", "why", "look", "watch", "state", "frame", "leave", "quit"):
                insist(message, verb)
            self._verbs[verb](visitor, message)
        except Mistake as error:
            code, text, more = error.code, words(f"stdio.{error.code}", **error.facts), error.more
        except Refused as refused:
            code, text = refused.code, words.text(messages.refusal(refused))
        except JournalError as error:
            self.turn.unwritten(error)
            code, text = error.code, words(f"box.record.{error.code}")
        except UnknownGame as error:
            code, cue = error.code, Cue(error.code, error.facts)
            self.turn.tell(cue)
            text = words.text(cue)
        else:
            return
        told = messages.error(text.replace("|", " "), code=code, **more)
        self.tell(visitor.peer.number, told)

    # --- messages to visitors ---

    def _watch(self, visitor: Visitor, message: Message) -> None:
        after, frames = message.get("after"), message.get("frames", False)
        if (after is not None and type(after) is not int) or type(frames) is not bool:
            raise Mistake("not_so", name="after" if type(frames) is bool else "frames")
        self.speak(visitor, message)
        self.watch(visitor.peer.number, after, frames=frames)

    def _state(self, visitor: Visitor, _: Message) -> None:
        self.tell(visitor.peer.number, self.report().state(visitor.reader))

    def _picture(self, visitor: Visitor, _: Message) -> None:
        picture = {"type": "frame", "png": self.door.picture(self._screen.public_frame())}
        self.tell(visitor.peer.number, picture)

    def _stick(self, visitor: Visitor, message: Message) -> None:
        """Announce that a backup on a USB stick has ended."""
        how = message["stick"]
        if not visitor.peer.owner or how not in ("kept", "failed"):
            raise Mistake("not_so", name="stick")
        self.turn.tell(Cue(f"stick_{how}"))

    def _nothing(self, _visitor: Visitor, _message: Message) -> None:
        """Refuse a request for the record if the door has no record to read."""
        raise Mistake("nothing_there")

    def _quit(self, visitor: Visitor, _: Message) -> None:
        self.drop(visitor.peer.number)

    # --- phones, and services ---

    @property
    def phone_facts(self) -> PhoneFacts:
        """Return what menus show of phones."""
        return self._pairing.phone_facts

    @property
    def services(self) -> Mapping[str, ServiceStatus]:
        """Return what menus show of services, by name."""
        return self._services.statuses

    @property
    def is_away(self) -> bool:
        """Return True if the process of the computer players counts as gone."""
        return self._programs.is_away

    @property
    def due(self) -> float | None:
        """Return the time (s) at which `settle` is due without an event; None: never."""
        times = (self._pairing.due, self._programs.due)
        return min((time for time in times if time is not None), default=None)

    def restart(self) -> None:
        """Restart the process of the computer players."""
        self._programs.restart()

    def admit(self, player: str) -> None:
        """Let the waiting phone in. Raise JournalError."""
        self._pairing.admit(player)

    def attend(self, service: str, wish: Mapping[str, Any]) -> None:
        """Send a request to the background program of a service."""
        self._services.client(service).wish(wish)

    def settle(self) -> None:
        """Handle the consequences of an event, or what is due."""
        self._pairing.settle()
        try:
            self._asking.settle()
            self._programs.settle()
        except JournalError as error:
            self.turn.unwritten(error)
        self._services.settle()
        self.flush()


def clients_opener(door: Opener) -> Callable[[Services, Runner], RemoteClients]:
    """Return the function that opens the door of a box and creates its clients.

    The function raises OSError.
    """
    return lambda box, runner: RemoteClients(box, runner, door(box.basics.inbox.put))
