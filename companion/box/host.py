"""What the box is around the table: settings, faces, words, and the game that is running."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.box import checkup, first_screen, past
from companion.box.callers import Nobody
from companion.box.events import Advised, Examined, Figured, Weighed
from companion.box.face_errors import safe
from companion.box.faces import Faces
from companion.box.guard import Guard
from companion.box.heard import Heard
from companion.box.recorded_games import RecordedGames
from companion.box.screen import Screen
from companion.box.state import Basics, Settings, Sitting, Stands, Wording
from companion.box.turn import Turn
from companion.catalog import editions, taught
from companion.core.errors import Refused, log
from companion.core.game import Cue
from companion.figures.lookup import Remark
from companion.figures.telling import remark
from companion.hear.policy import NOTHING
from companion.menus import pages
from companion.menus.facts import left_out, opened
from companion.menus.settings import illegal
from companion.play import outlook
from companion.record.journal import JournalError
from companion.table import hints, people
from companion.table.aloud import survey
from companion.table.overlays import moment, whys_of
from companion.table.table import Playing, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.box.callers import Callers
    from companion.box.events import Finding, Inbox
    from companion.box.system import Machine
    from companion.core.game import Cues
    from companion.core.prompts import Answer, Prompt
    from companion.draw.face import Face
    from companion.figures.lookup import Everybody
    from companion.figures.rare import RareFact
    from companion.hear.policy import Rules
    from companion.hear.voice import Voice
    from companion.menus.page import MenuFacts
    from companion.play.session import Session
    from companion.record.journal import Journal
    from companion.table.overlays import Paged
    from hardware.ports import Box, HardwareError


class Host:
    """Owns what lies on the table, the running game, and the faces that show both."""

    def __init__(self, box: Box, journal: Journal, machine: Machine, inbox: Inbox) -> None:
        self._settings = Settings(journal, machine)
        self.stands = Stands(Table(rows=box.seats > 0))
        self.wording = Wording(self._settings, self.stands)
        said = self.stands.said_before
        self.faces = Faces(box, lambda: self._settings.now, self._settings.hour, self._report, said)
        self.guard = Guard(machine.clock(), switches_off=machine.power_off is not None)
        self.callers: Callers = Nobody()
        self.basics = Basics(
            self.stands, self._settings, self.wording, self.faces, journal, inbox, machine,
            lambda: self.callers,
        )  # fmt: skip
        self.screen = Screen(self.basics, self.guard)
        self.turn = Turn(self.basics, self.screen, has_ear=box.ear is not None)
        self.turn.watchers.append(lambda _: self.wonder)
        self._machine_hour = machine.hour
        self._recorded = RecordedGames(journal)
        self.remark: RareFact | None = None
        self._hinted: tuple[Prompt, Answer] | None = None
        self._counting, self._advising = machine.counting, machine.advising
        self._weighing, self._is_weighing = machine.weighing, False
        self._everybody: Everybody | int | None = None if machine.counting is None else 0
        self._left: tuple[object, ...] = ()  # what the screen that was left goes by
        self.journal, self.clock, self.wall = journal, machine.clock, machine.wall
        self.folder, self.taught = machine.folder, machine.taught
        self._inbox = inbox

    @property
    def voice(self) -> Voice:
        """The voice of the box."""
        return self.faces.voice

    @property
    def settings(self) -> Mapping[str, Any]:
        """How the box is set, by the name of each setting."""
        return self._settings.now

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.stands.table

    @property
    def running(self) -> Session | None:
        """The running game; None without one."""
        return self.stands.running

    @property
    def session(self) -> Session:
        """The running game; only where there is one."""
        return self.stands.session

    @property
    def face(self) -> Face | None:
        """What draws the game, if the game is what is in front."""
        return self.stands.face

    def rules_after(self) -> Rules:
        """The rules for what is said after the next answer."""
        rules, game = self.voice.rules, self.stands.game
        if game is None or rules.known == NOTHING:
            return rules
        return rules._replace(known=game.heard.before(game.session.last))

    def facts(self, session: Session | None) -> MenuFacts:
        """What a menu shows that opens now."""
        voices = self.voice.voices
        found = opened(
            self.journal, self.settings, self.wall(), session, voices, self._recorded.told
        )
        known, evening = self.callers.known, self.callers.evening
        if session is not None and self.table.ears.open:
            there = survey(self.playing(), self.wording.game())
            found = found._replace(there=there, said=self.voice.heard)
        if session is not None and self._advising is not None and self.settings["hints"]:
            found = found._replace(hint=outlook.asked(session) is not None)
        return found._replace(
            phones=known,
            evening=evening,
            board=self._board,
            printed=self._printed,
            everybody=self._everybody,
            outputs=self.voice.outputs,
            has_clock=self._machine_hour() is not None,
            up=int(self.clock()),
        )

    def _board(self, game: str) -> str:
        return taught.status(game, self.folder, self.taught)

    def _printed(self, game: str) -> Mapping[str, Any]:
        """The edition of the running game, with what was said in it; or that of a new one."""
        if self.running is not None:
            return taught.with_said(self.running.setup.edition, self.running.said)
        try:
            return editions.load(game, self.folder, self.taught)
        except editions.EditionError:  # a new game tells of it, and is played as assumed
            return editions.load(game)

    def _report(self, error: HardwareError) -> None:
        self.turn.report(error)

    # --- in and out of games ---

    def sit_down(self, session: Session) -> None:
        """A game is running from now on."""
        face, book = safe(session.setup, self._inbox)
        heard = Heard(book[self.wording.language()].variant)
        self.turn.sit(Sitting(session, face, book, heard))
        self.turn.then(partial(self.voice.pronounce, face.names), self.voice.forget)
        self.turn.inform()

    def playing(self) -> Playing:
        """The running game as it is now."""
        return self.stands.playing(away=self.callers.is_away)

    def go_home(self) -> None:
        """Leave the game, if there is one, for the first screen."""
        with self.turn.change():
            facts = self.facts(None)
            self.turn.sit(None)
            self.remark = None
            self.turn.put(self.table.home(facts))
            self.turn.inform()
            self.turn.tells()

    def give_up(self, error: Exception) -> None:
        """Leave a game whose code failed for the first screen, and tell it.

        What was answered before is on the disk.
        """
        self.log("the game was left", error)
        with self.turn.change():
            self.go_home()
            self.turn.tell(Cue("broken"))

    def log(self, what: str, error: Exception) -> None:
        """Log an error, with what the box did about it."""
        log("box", f"{what}: {error!r}", error)

    def offer_games(self) -> None:
        """Offer the games of installed packages, too; not before the first frame.

        A package with a game that is left out is named once.
        """
        left, known = left_out(), self.settings["left_out"]
        self._recorded.looks_up = True
        with self.turn.change():
            self.turn.put(self.table._replace(menus=pages.opened(self.facts(None))).aimed())
        for package in left:
            if str(package) not in known:
                self.turn.tell(Cue("left_out", package._asdict()))
        if [*map(str, left)] != known:
            try:
                self.turn.set({"left_out": [*map(str, left)]})
            except JournalError as error:
                self.turn.unwritten(error)

    def offer_phones(self) -> None:
        """Phones can come in: the first screen has a line for them."""
        with self.turn.change():
            self.turn.put(self.table._replace(menus=pages.opened(self.facts(None))).aimed())

    def follow_phones(self) -> None:
        """Phones have come or gone: who has one is asked there what is to be answered alone."""
        programs = frozenset() if self.running is None else frozenset(self.running.programs)
        phones = self.callers.phones - programs
        if phones != self.table.phones:
            with self.turn.change():
                self.turn.put(self.table._replace(phones=phones))

    # --- what is found out beside the loop ---

    def found(self, event: Finding) -> None:
        """Take what was found out while the box went on."""
        match event:
            case Figured():
                self._figured(event)
            case Examined(findings=findings):
                self.turn.turn_over(self.table.menus.knowing(findings=findings))
            case Advised():
                self._advised(event)
            case Weighed():
                self._weighed(event)

    # --- figures ---

    def count(self) -> None:
        """Begin to count everybody's figures; the last ones are shown until then."""
        if self._counting is not None:
            self._counting(None, self._inbox.put)

    def wonder(self) -> None:
        """Begin to look up in what a finished game was rare, while its end is shown."""
        self.remark = None
        if self._counting is not None and self.session.snapshot.outcome is not None:
            self._counting(self.session.number, self._inbox.put)

    def _figured(self, event: Figured) -> None:
        """Take figures that were counted; a remark on a game that was left is dropped."""
        found = event.found
        if isinstance(found, str):
            if isinstance(self._everybody, int):  # nobody is shown: the page leads nowhere
                self.turn.turn_over(self.table.menus.without("people"))
            message = self.wording.front()(f"box.record.{found}")
            self.turn.tell(Cue("refused", {"code": "figures", "message": message}))
        elif not isinstance(found, Remark):
            self._everybody = found
            with self.turn.change():
                self.turn.put(self.table.figured(found))
        elif self.running is not None and self.running.number == found.number:
            over = self.running.snapshot.outcome is not None
            self.remark = found.fact if over else None

    def examine(self) -> None:
        """Have the doctor look at the parts of the box; no press waits for it."""
        self.turn.put(self.table._replace(menus=self.table.menus.knowing(findings=None)))
        checkup.examine(self.settings["language"], self._inbox.put)

    def look_at(self, who: str | None) -> None:
        """Show the figures of a person, or of the whole table (None), in front of everything."""
        assert self._everybody is not None  # noqa: S101 - somebody of them was chosen
        assert not isinstance(self._everybody, int)  # noqa: S101 - likewise
        self.look_through(people.figures(self._everybody, who, self.wording.front()))

    def look_back(self, number: int) -> None:
        """Show a finished game of the record; raises JournalError."""
        weighs = self._weighing is not None and self.settings["hints"]
        self.look_through(past.looked_at(self.journal, number, self.wording.front(), weighs=weighs))
        self._weigh()

    @property
    def _past(self) -> past.PastGame | None:
        """The finished game that is looked at."""
        front = self.table.moments.front
        paged = None if front is None else front.paged
        return paged if isinstance(paged, past.PastGame) else None

    def _weigh(self) -> None:
        """Begin to find out what decided the game that is looked at; one game after another."""
        game = self._past
        if game is None or not game.awaits or self._weighing is None or self._is_weighing:
            return
        self._is_weighing = True
        self._weighing(game.number, game.language, self._inbox.put)

    def _weighed(self, event: Weighed) -> None:
        """What decided a game is known: its pages say so, if it is still looked at."""
        self._is_weighing = False
        game, moments = self._past, self.table.moments
        if game is not None and game.number == event.number:
            unknown = dict.fromkeys(past.DECIDED, self.wording.front()("box.turning.not"))
            game = replace(game, decided=unknown if event.told is None else event.told)
            queue = (moments.queue[0]._replace(paged=game), *moments.queue[1:])
            with self.turn.change():
                self.turn.put(self.table._replace(moments=moments._replace(queue=queue)))
        self._weigh()

    def look_through(self, paged: Paged) -> None:
        """Show a paged thing in front of everything, until OK."""
        shown = moment((paged.cue,), self.wording.front(), self.face, self.voice.rules)
        self.turn.put(self.table.noted(shown._replace(paged=paged)))

    def leave(self) -> None:
        """Go to the first screen; after a finished game the cursor stands on *again*.

        The press that left the game begins no other.
        """
        over = self.running is not None and self.running.snapshot.outcome is not None
        fact = self.remark
        with self.turn.change():
            self.go_home()
            if over:
                menus = self.table.menus.left_for("rematch")
                table = self.table._replace(menus=menus).aimed()
                shown = table.cursor._replace(shown=self.clock())
                self.turn.put(table._replace(cursor=shown))
            if fact is not None:
                self.part_with(fact)

    def part_with(self, fact: RareFact) -> None:
        """Tell in what the game that was left was rare."""
        self.turn.tell(remark(fact, self.wording.front()))

    # --- hints ---

    def advise(self) -> None:
        """Begin to find a hint for the player asked. Raises Refused."""
        known = outlook.outlook(self.session)
        if known is None or self._advising is None:
            raise Refused("no_hint")
        self._advising(known, self._inbox.put)

    def _advised(self, event: Advised) -> None:
        """Put the cursor on the answer of a hint, if its question still stands."""
        running = self.running
        if running is None or running.number != event.number:
            return
        prompt = outlook.asked(running)
        if prompt is None or running.snapshot.position != event.position:
            return
        table = hints.pointed(self.table, prompt, event.answer)
        if table is not None:
            self._hinted = prompt, event.answer
            with self.turn.change():
                if not prompt.private:
                    self.turn.put(table)
                self.turn.tell(Cue("hint"), whose=prompt.who)

    def wish(self, answer: Answer) -> None:
        """A seat of the box's would like that: people are told so, and the cursor stands on it."""
        prompt = self.session.prompt
        assert prompt is not None  # noqa: S101 - whoever wishes was asked
        asked = {"who": prompt.who, "question": prompt.name, "value": answer}
        with self.turn.change():
            self.turn.put(hints.pointed(self.table, prompt, answer) or self.table)
            self.turn.tell(Cue("wish", {**prompt.facts, **asked}))

    def point(self) -> None:
        """Put the cursor on the hint for a secret question, when its player looks."""
        hinted, self._hinted = self._hinted, None
        table = None if hinted is None else hints.pointed(self.table, *hinted)
        self.turn.put(self.table if table is None else table)

    # --- settings ---

    def mend(self) -> Cue | None:
        """Replace recorded settings that are not legal by their defaults; what to tell of it.

        Where that can not be written down, it is told at the next start, too.
        """
        wrong = illegal(self.journal.settings())
        if not wrong:
            return None
        with suppress(JournalError):
            self.turn.set({key: self.settings[key] for key in wrong})
        return Cue("reset", {"n": len(wrong)})

    # --- the next start ---

    def leave_first(self) -> None:
        """Leave the first screen for the next start, if what it shows may have changed."""
        running = self.running
        over = running is not None and running.snapshot.outcome is not None
        shows = self.settings, running and running.number, over, self.callers.known is None
        if self.faces.leaves and shows != self._left:
            self._left = shows
            home = self._home()
            self.faces.leave(first_screen.frame(home), first_screen.asks(home))

    def asks(self) -> str:
        """What the first screen asks now."""
        return first_screen.asks(self._home())

    def _home(self) -> Table:
        """The first screen as it would be now; how games stand is not looked up for it."""
        facts = opened(self.journal, self.settings, self.wall(), None, self.voice.voices)
        known, evening = self.callers.known, self.callers.evening
        facts = facts._replace(phones=known, evening=evening, everybody=self._everybody)
        return first_screen.home(facts, rows=self.table.rows)

    # --- notes ---

    def explain(self, cues: Cues, question: str | None, answer: Answer, whose: str | None) -> None:
        """What stands behind facts, after what an answer would do. Raises Refused if nothing does.

        A page each: the most particular first.
        """
        words, shown = self.wording.game(whose), bool(cues)
        would = words.glossary(question, answer, self.session.snapshot.view) if question else ()
        game = self.stands.game if shown else None
        whys = whys_of(would, cues or self.session.rulings, words, game and game.face)
        if not whys:
            raise Refused("nothing_to_explain")
        self.turn.note(*whys, whose=whose)
        self.turn.then(partial(self.voice.sound, "accepted"))
