"""Whoever is connected to the running box: what they may do there, and what they are told.

A visitor is one more face. What it answers is carried out as a press is, in the one thread; what
happens is told to all who watch, each as much as that seat may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from companion.box.asking import Asking, allow
from companion.box.audience import Audience, Visitor
from companion.box.pairing import Pairing
from companion.box.verbs import ASIDES, lang_of, verb_of
from companion.core.errors import Refused, UnknownGame
from companion.core.game import Cue
from companion.core.prompts import Spell, accepts
from companion.door import messages, sentences
from companion.door.lines import Mistake, insist
from companion.door.peers import Came, Gone, Said
from companion.door.report import WORDED, Reader
from companion.door.stdio import single
from companion.play.session import AGREE
from companion.press.commands import Commit, Give, Look, Redo, Undo
from companion.record.journal import JournalError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.box.audience import Doorway
    from companion.box.evening import Club
    from companion.box.host import Host
    from companion.box.menus.evenings import Evening
    from companion.box.menus.page import Phones
    from companion.box.runner import Runner
    from companion.door.lines import Message
    from companion.door.peers import Event
    from companion.play.session import Session


class Visitors:
    """All of them, at the host's. `frame` gives what the display shows, no secret among it."""

    def __init__(
        self, host: Host, runner: Callable[[], Runner], doorway: Doorway, frame: Callable[[], bytes]
    ) -> None:
        self._host, self._runner, self._door = host, runner, doorway
        self._all = Audience(host, doorway, frame)
        self._asking = Asking(host, runner, self._all)
        self._pairing = Pairing(host, doorway.wake, doorway.told, self._seat, self._refuse)
        self._club: Club | None = None
        if host.settings["evening"]:  # one was going on
            self._meet_club()
        self._verbs: dict[str, Callable[[Visitor, Message], None]] = {
            "answer": self._answer, "interrupt": self._interrupt, "undo": self._undo,
            "redo": self._redo, "why": self._why, "look": self._look, "watch": self._watch,
            "state": self._state, "frame": self._picture, "check": self._check,
            "quit": self._quit, "join": self._join, "leave": self._leave, "address": self._address,
            "hotspot": self._hotspot, "stick": self._stick, "evening": self._evening,
            "wish": self._wish, "fill": self._fill, **dict.fromkeys(ASIDES, self._nothing),
        }  # fmt: skip

    def close(self) -> None:
        """Everybody has to go."""
        self._door.server.close()

    @property
    def phones(self) -> frozenset[str]:
        """The seats that are told their secrets."""
        return self._all.phones

    def look(self) -> None:
        """What phones are told is seen: to be written down with what has happened."""
        self._all.look()

    def publish(self) -> None:
        """Something has happened, or another game is on the table: tell it to whoever listens."""
        self._all.publish()

    def drawn(self) -> None:
        """Another frame is shown."""
        self._all.drawn()

    # --- what the box hears ---

    def hear(self, event: Event) -> None:
        """Somebody has come, has said something, or has gone."""
        try:
            self._meet(event)
        finally:  # whatever a game raises: the next line is waited for
            self._all.asker = None
            self._all.flush(done=not isinstance(event, Gone))

    def _meet(self, event: Event) -> None:
        number = event.peer.number
        match event:
            case Came(peer):
                self._all.here[number] = Visitor(peer)
                self._all.tell(number, self._all.hello())
            case Gone():
                self._all.here.pop(number, None)
                self._pairing.gone(number)
                if self._club is not None:
                    self._club.gone(number)
            case Said(_, message) if number in self._all.here:
                self._all.asker = number
                self._obey(self._all.here[number], message)

    def _obey(self, visitor: Visitor, message: Message | Mistake) -> None:
        """Do what somebody says; it raises only what a game raises that has moved by it."""
        before = self._all.stands
        try:
            self._try(visitor, message)
        except Exception as error:  # a line is anybody's: a slip of ours in one ends no evening
            if self._all.stands is not before:
                raise
            self._host.log("a line was left", error)
            self._refuse(visitor.peer.number, "failed")

    def _try(self, visitor: Visitor, message: Message | Mistake) -> None:
        """Do what somebody says, or say why not."""
        words = self._all.words(visitor.reader)
        more: Mapping[str, Any] = {}
        try:
            verb = verb_of(message, visitor.reader)
            message = cast("Message", message)
            if verb in ("undo", "redo", "why", "look", "watch", "state", "frame", "leave", "quit"):
                insist(message, verb)
            self._verbs[verb](visitor, message)
        except Mistake as error:
            code, text, more = error.code, words(f"stdio.{error.code}", **error.facts), error.more
        except Refused as refused:
            code, text = refused.code, words.text(messages.refusal(refused))
        except JournalError as error:
            self._host.unwritten(error)
            code, text = error.code, words(f"box.record.{error.code}")
        except UnknownGame as error:
            code, cue = error.code, Cue(error.code, error.facts)
            self._host.tell(cue)
            text = words.text(cue)
        else:
            return
        self._reply(visitor, messages.error(text.replace("|", " "), code=code, **more))

    def _reply(self, visitor: Visitor, message: Message) -> None:
        self._all.tell(visitor.peer.number, message)

    # --- what somebody does in the game ---

    def _playing(self, visitor: Visitor) -> Session:
        """The running game, for somebody who plays it. Raises Mistake."""
        session = self._host.running
        if session is None:
            raise Mistake("no_game")
        if visitor.seat is None and not visitor.peer.owner:
            raise Mistake("join_first")
        if visitor.seat is not None and visitor.seat not in session.setup.players:
            raise Mistake("not_yours")
        return session

    def _answer(self, visitor: Visitor, message: Message) -> None:
        session, own = self._playing(visitor), visitor.asked
        early = self._all.early_for(visitor.reader)
        stands = early.number if early else self._all.asked
        given = message.get("id", own.number if own else stands)
        if type(given) is not int:
            raise Mistake("other_id", id=self._all.asked)
        if own is not None and given == own.number:
            self._asking.go_on(visitor, own, message["answer"], lang_of(message))
            return
        if given != stands or (early is not None and early.answer):
            raise self._asking.late(visitor)
        allow(visitor, early.prompt if early else session.prompt)
        if visitor.reader.is_worded:
            self._asking.answer(visitor, message["answer"], lang_of(message))
        else:
            self._runner().carry_out(Give(message["answer"]))

    def _interrupt(self, visitor: Visitor, message: Message) -> None:
        value = message["interrupt"]
        session = self._playing(visitor)
        who = value.get("who") if isinstance(value, dict) else None
        if visitor.seat is not None and who not in (None, visitor.seat):
            raise Mistake("not_yours")
        self._runner().carry_out(Give(*single(session, value)))

    def _fill(self, visitor: Visitor, message: Message) -> None:
        """Something out of turn, step by step."""
        self._playing(visitor)
        self._asking.fill(visitor, message["fill"], message.get("given", {}))

    def _undo(self, visitor: Visitor, _: Message) -> None:
        if self._playing(visitor).prompt == AGREE:  # the table is being asked already
            self._reply(visitor, self._all.report().question(visitor.reader) or {})
        else:
            self._runner().carry_out(Undo())

    def _redo(self, visitor: Visitor, _: Message) -> None:
        self._playing(visitor)
        self._runner().carry_out(Redo())

    def _why(self, visitor: Visitor, _: Message) -> None:
        session = self._host.running
        if session is None:
            raise Mistake("no_game")
        words = self._all.words(visitor.reader)
        try:
            cue = session.why(words.argued if visitor.reader.is_worded else None)
        except Refused as refused:
            cue = messages.refusal(refused)
        why = sentences.why if visitor.reader.is_worded else messages.why
        self._reply(visitor, why(cue, words))

    def _look(self, visitor: Visitor, _: Message) -> None:
        """The own secrets; that they are seen is written down before."""
        session, seat = self._playing(visitor), visitor.seat
        if seat is None:
            raise Mistake("join_first")
        self._runner().carry_out(Look(seat), Commit())
        words = self._all.words(visitor.reader)
        told = [messages.told(cue, words) for cue in session.secrets if cue.to == seat]
        merged = {name: fact for message in told for name, fact in message.items()}
        text = " ".join(message["text"] for message in told)
        own = {"type": "secret", "who": seat, "event": "look", "text": text}
        self._reply(visitor, merged | own)

    def _check(self, visitor: Visitor, message: Message) -> None:
        """Whether a word would do, before it counts."""
        prompt, text = self._playing(visitor).prompt, message["check"]
        if early := self._all.early_for(visitor.reader):
            prompt = early.prompt
        allow(visitor, prompt)
        if not isinstance(prompt, Spell) or not isinstance(text, str):
            raise Mistake("no_word")
        words, flaw = self._all.words(visitor.reader), None
        if not accepts(prompt, text):
            code = (prompt.flaw(text) if 0 < len(text) <= prompt.longest else None) or "not_offered"
            flaw = words.text(Cue("refused", {"code": code})).replace("|", " ")
        language = self._host.settings["language"]
        if visitor.reader.is_worded:
            language = lang_of(message) or words.language
        known = self._door.known(text, language) if prompt.listed and flaw is None else None
        self._reply(visitor, {"type": "checked", "known": known, "flaw": flaw})

    # --- whose seat it is ---

    @property
    def known(self) -> Phones:
        """What the menus show of phones."""
        return self._pairing.shown

    @property
    def due(self) -> float | None:
        """When time alone does something."""
        return self._pairing.due

    def settle(self) -> None:
        """After whatever has happened, or when something is due."""
        self._pairing.settle()
        try:
            self._asking.settle()
        except JournalError as error:
            self._host.unwritten(error)
        self._look_after()
        self._all.flush()

    def admit(self, player: str) -> None:
        """The box lets a phone in. Raises JournalError."""
        self._pairing.admit(player)

    def forget(self, player: str) -> None:
        """A player's phone has no seat any more. Raises JournalError."""
        self._pairing.forget(player)
        self._remove(player)

    def _remove(self, player: str) -> None:
        """Whoever is here with a player's seat has none any more, and is told so."""
        for number, visitor in self._all.here.items():
            if visitor.seat == player:
                alone = visitor.reader._replace(seat=None)
                self._all.here[number] = Visitor(visitor.peer, alone)
                self._refuse(number, "removed")
                self._door.server.drop(number)

    def _join(self, visitor: Visitor, message: Message) -> None:
        name, number = message["join"], visitor.peer.number
        self._speak(visitor, message)
        message = {key: message[key] for key in message.keys() - {"lang", "protocol"}}
        match message:
            case {"token": str(token), **rest} if isinstance(name, str) and "code" not in rest:
                if not self._pairing.knows(name, token):
                    raise Mistake("wrong_token")
                self._seat(number, name, token)
            case {"code": str(code), **rest} if isinstance(name, str) and "token" not in rest:
                taken = any(other.seat == name for other in self._all.here.values())
                self._pairing.ask(number, name, code, taken=taken)
            case _:
                raise Mistake("not_so", name="join")

    def _leave(self, visitor: Visitor, _: Message) -> None:
        """The own seat is given back: no phone comes in with its token any more."""
        seat, number = visitor.seat, visitor.peer.number
        if seat is None:
            raise Mistake("join_first")
        self._pairing.forget(seat)
        self._all.here[number] = Visitor(visitor.peer, visitor.reader._replace(seat=None))
        self._reply(visitor, {"type": "left", "seat": seat})
        self._remove(seat)

    def _seat(self, number: int, name: str, token: str) -> None:
        visitor = self._all.here[number]
        seated = visitor.reader._replace(seat=name)
        self._all.here[number] = visitor = visitor._replace(reader=seated, asked=None)
        self._all.tell(number, {"type": "joined", "seat": name, "token": token})
        if visitor.watches:  # from now on it is told more
            self._all.watch(number, None, frames=visitor.frames)

    def _refuse(self, number: int, code: str = "refused") -> None:
        words = self._all.words(self._all.here[number].reader)
        text = words(f"stdio.{code}")
        self._all.tell(number, messages.error(text, code=code))

    def _address(self, visitor: Visitor, message: Message) -> None:
        if visitor.seat is not None:
            raise Mistake("not_yours")
        self._pairing.move(visitor.peer.number, message["address"])

    def _hotspot(self, visitor: Visitor, message: Message) -> None:
        """There is a network of the box's own, or there is none any more."""
        if not visitor.peer.owner:
            raise Mistake("not_yours")
        self._pairing.offer(message["hotspot"])

    def _stick(self, visitor: Visitor, message: Message) -> None:
        """A backup went onto a USB stick, or did not; it may be pulled out."""
        how = message["stick"]
        if not visitor.peer.owner or how not in ("kept", "failed"):
            raise Mistake("not_so", name="stick")
        self._host.tell(Cue(f"stick_{how}"))

    # --- a club's evening ---

    @property
    def evening(self) -> Evening | None:
        """What the menus show of a club's evening."""
        return None if self._club is None else self._club.shown

    def attend(self, wish: Mapping[str, Any]) -> None:
        """Have whoever looks after a club's evening do something."""
        self._meet_club().wish(wish)

    def _meet_club(self) -> Club:
        """Nothing of it is there before somebody asks for it."""
        if self._club is None:
            from companion.box.evening import Club  # noqa: PLC0415 - only where there is an evening

            self._club = Club(self._host, self._all.tell, self._door.attend)
        return self._club

    def _look_after(self) -> None:
        page = self._host.table.menus.page
        if page is not None and page.page.startswith("evening"):
            self._meet_club()
        if self._club is not None:
            self._club.settle()

    def _evening(self, visitor: Visitor, message: Message) -> None:
        """How a club's evening stands, from whoever looks after it; or what somebody has asked."""
        club, number = self._meet_club(), visitor.peer.number
        if visitor.seat is not None:
            raise Mistake("not_yours")
        if "to" not in message:
            if not visitor.peer.owner and not club.knows(message.get("key")):
                raise Mistake("not_yours")
            club.take(number, message["evening"])
        else:
            reply = club.reply(number, message["evening"], message["to"])
            self._all.tell(message["to"], reply)

    def _wish(self, visitor: Visitor, message: Message) -> None:
        self._meet_club().relay(visitor.peer.number, visitor.seat, message["wish"])

    # --- what somebody is told ---

    def _watch(self, visitor: Visitor, message: Message) -> None:
        after, frames = message.get("after"), message.get("frames", False)
        if (after is not None and type(after) is not int) or type(frames) is not bool:
            raise Mistake("not_so", name="after" if type(frames) is bool else "frames")
        self._speak(visitor, message)
        self._all.watch(visitor.peer.number, after, frames=frames)

    def _speak(self, visitor: Visitor, message: Message) -> None:
        """From now on in that language, and in version 3; if anything is said of it."""
        version, lang = message.get("protocol"), lang_of(message)
        if version not in (None, 2, 3) or type(version) is bool:
            raise Mistake("not_so", name="protocol")
        if not lang and version is None:
            return
        reader = visitor.reader
        worded = WORDED if lang or version == WORDED else 2
        reader = Reader(reader.seat, worded, (lang or reader.lang) if worded == WORDED else "")
        here = self._all.here
        here[visitor.peer.number] = visitor._replace(reader=reader, asked=None)

    def _state(self, visitor: Visitor, _: Message) -> None:
        self._reply(visitor, self._all.report().state(visitor.reader))

    def _picture(self, visitor: Visitor, _: Message) -> None:
        self._all.tell(
            visitor.peer.number,
            {"type": "frame", "png": self._door.picture(self._all.frame())},
        )

    def _nothing(self, _visitor: Visitor, _message: Message) -> None:
        """What the door answers by itself comes here only where it has no record to read."""
        raise Mistake("nothing_there")

    def _quit(self, visitor: Visitor, _: Message) -> None:
        self._all.flush()
        self._door.server.drop(visitor.peer.number)
