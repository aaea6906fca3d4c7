"""What the box is around the table: settings, faces, words, and the game that is running."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.box import checkup, first_screen, past
from companion.box.callers import Nobody
from companion.box.events import Advised, Examined, Figured, Weighed
from companion.box.face_errors import safe
from companion.box.faces import Faces
from companion.box.guard import Guard
from companion.box.heard import Heard
from companion.box.recorded_games import RecordedGames
from companion.catalog import editions, taught
from companion.core.errors import Refused, log
from companion.core.game import Cue
from companion.draw import screens
from companion.figures.lookup import Remark
from companion.figures.telling import remark
from companion.hear.policy import NOTHING, Ears, SaidBefore, speech
from companion.menus import pages
from companion.menus.facts import left_out, opened
from companion.menus.settings import illegal, legal, told_hour
from companion.menus.words import of_the_box
from companion.play import outlook
from companion.press.cursor import Cursor
from companion.record.journal import JournalError
from companion.say.errors import worded
from companion.say.facts import OF_THE_BOX
from companion.table import hints, people
from companion.table.aloud import survey
from companion.table.frames import covered, frame, is_alike
from companion.table.overlays import NOTE, moment, whys_of
from companion.table.table import DARK, Playing, Table

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
    from companion.menus.pages import Menus
    from companion.play.session import Session
    from companion.record.journal import Journal
    from companion.say.phrasebook import Phrasebook
    from companion.say.words import Words
    from companion.table.overlays import Paged
    from hardware.ports import Box, HardwareError


class Host:
    """Owns what lies on the table, the running game, and the faces that show both."""

    def __init__(self, box: Box, journal: Journal, machine: Machine, inbox: Inbox) -> None:
        self.settings: Mapping[str, Any] = legal(journal.settings(), machine.language)
        if self.settings["clock"].get("up", 0) > machine.clock():  # of before the power was cut
            self.settings = {**self.settings, "clock": {}}
        self._machine_hour = machine.hour
        self.faces = Faces(box, lambda: self.settings, self.hour, self.report, self._known)
        self.guard = Guard(machine.clock(), switches_off=machine.power_off is not None)
        self.is_stale = self._has_left = False
        self.table = Table(rows=box.seats > 0)
        self.running: Session | None = None
        self.callers: Callers = Nobody()
        self._composed: tuple[Table, Mapping[str, Any], bytes] = self.table, {}, b""
        self._face: Face | None = None
        self._book: Phrasebook | None = None
        self._heard: Heard | None = None
        self._recorded = RecordedGames(journal)
        self.remark: RareFact | None = None
        self._hinted: tuple[Prompt, Answer] | None = None
        self._counting, self._advising = machine.counting, machine.advising
        self._weighing, self._is_weighing = machine.weighing, False
        self._everybody: Everybody | int | None = None if machine.counting is None else 0
        self._left: tuple[object, ...] = ()  # what the screen that was left goes by
        self._has_ear = box.ear is not None
        self.journal, self.clock, self.wall = journal, machine.clock, machine.wall
        self.folder, self.taught = machine.folder, machine.taught
        self._inbox = inbox

    @property
    def voice(self) -> Voice:
        """The voice of the box."""
        return self.faces.voice

    def hour(self) -> int | None:
        """Return the hour of the room: the machine's, else as a person has set it, else None."""
        found = self._machine_hour()
        return told_hour(self.settings["clock"], self.clock()) if found is None else found

    @property
    def session(self) -> Session:
        """The running game; only where there is one."""
        assert self.running is not None  # noqa: S101 - for the type checker
        return self.running

    @property
    def face(self) -> Face | None:
        """What draws the game, if the game is what is in front."""
        return None if self.table.menus.page is not None else self._face

    def words(self, player: str | None = None) -> Words:
        """The words of what is in front, in a player's language or the box's."""
        front = self.table.moments.front
        return self._words_of(front.lead if front is not None else None, player)

    def _words_of(self, fact: Cue | None, player: str | None = None) -> Words:
        """The words of a fact, which a page may stand behind, or of the page or question (None)."""
        is_the_games = self.table.playing is not None and fact and fact.name not in OF_THE_BOX
        if self.table.menus.page is None or is_the_games:
            return self.game_words(player)
        return of_the_box(self.language(player))

    def language(self, player: str | None = None) -> str:
        """The language of a player, or the box's."""
        found: str = self.settings["languages"].get(player) or self.settings["language"]
        return found

    def game_words(self, player: str | None = None) -> Words:
        """The words of the game, whatever lies in front of it; the box's if there is none."""
        return self.words_in(self.language(player))

    def words_in(self, language: str) -> Words:
        """The words of the game, or of the box, in a language."""
        return self._book[language] if self._book is not None else of_the_box(language)

    def _known(self) -> SaidBefore:
        """What has been said before the facts of the snapshot, and before its question.

        Who plays by ear hears whole sentences: nothing on the display makes up for a short one.
        """
        if self.running is None or self._heard is None or self.table.ears.open:
            return NOTHING
        facts = self._heard.before(self.running.since).facts
        return SaidBefore(facts, self._heard.before(self.running.last).asked)

    def rules_after(self) -> Rules:
        """The rules for what is said after the next answer."""
        rules = self.voice.rules
        if self._heard is None or rules.known == NOTHING:
            return rules
        return rules._replace(known=self._heard.before(self.session.last))

    # --- what is shown ---

    def show(self) -> None:
        """Hand the frame to the displays, unless another event waits: then only the last counts."""
        self.is_stale = not self._inbox.empty()
        if self.is_stale or self._has_left:
            return
        shown, guard = self.shown, self.guard
        guard.seen(shown, self.clock())
        self.faces.show(shown)
        self.faces.dim(guard.percent)
        self.faces.light(self.table.lights if guard.percent else DARK)
        self.callers.drawn()

    def show_last(self, frame: bytes) -> None:
        """Show a frame after which there is none; no lamp is lit."""
        self._has_left = True
        self.faces.dim(100)
        self.faces.show(frame)
        self.faces.light(DARK)
        self.voice.sound("goodbye")

    @property
    def shown(self) -> bytes:
        """The frame of how things are; no sign is on it of what mutes the box."""
        standing = self.standing() if self.guard.locked else None
        return self.guard.picture(self.words(), standing) or self._framed(public=False)

    def public_frame(self) -> bytes:
        """What the displays show, but for a secret that is open."""
        shown = self.guard.picture(self.words()) or self._framed(public=True)
        return self.faces.signed(shown)

    def frame(self) -> bytes:
        """The frame of the table as it is."""
        return frame(self._seen(public=False), self.words, self.secret)

    def _framed(self, *, public: bool) -> bytes:
        """The same, composed once for as long as nothing that it shows has changed.

        `public`: a secret that is open is covered.
        """
        table, (before, settings, composed) = self._seen(public=public), self._composed
        if settings is not self.settings or not is_alike(table, before):
            composed = frame(table, self.words, self.secret)
            self._composed = table, self.settings, composed
        return composed

    def _seen(self, *, public: bool) -> Table:
        """The table as a display may show it: a secret that is only heard is covered."""
        looking = self.table.cursor.looking
        shut = public or (looking is not None and self.is_whispering(looking))
        return covered(self.table) if shut else self.table

    def standing(self) -> bytes | None:
        """How the game stands, on a frame without a way on; None without a game."""
        playing = self.table.playing
        if playing is None or self._book is None:
            return None
        words = self._book[self.settings["language"]]
        legend = words("box.legend.locked")
        return screens.standing(playing.snapshot, words, Cursor(), playing.face, legend)

    def facts(self, session: Session | None) -> MenuFacts:
        """What a menu shows that opens now."""
        voices = self.voice.voices
        found = opened(
            self.journal, self.settings, self.wall(), session, voices, self._recorded.told
        )
        known, evening = self.callers.known, self.callers.evening
        if session is not None and self.table.ears.open:
            there = survey(self.playing(), self.game_words())
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

    def secret(self, player: str) -> Mapping[str, Any]:
        """The secrets of a player, as the view of that seat has them."""
        return self.session.secret(player)

    # --- in and out of games ---

    def sit_down(self, session: Session) -> None:
        """A game is running from now on."""
        self.running = session
        self._face, self._book = safe(session.setup, self._inbox)
        self._heard = Heard(self.game_words().variant)
        self.voice.pronounce(self._face.names)
        self.voice.forget()
        self._inform()

    def playing(self) -> Playing:
        """The running game as it is now."""
        assert self._face is not None  # noqa: S101 - as for the session
        session = self.session
        return Playing(
            session.snapshot,
            self._face,
            session.anytime,
            session.secret_holders,
            frozenset(session.programs),
            session.thinks,
            away=self.callers.is_away,
            at_once=tuple(session.at_once),
        )

    def reseat(self) -> None:
        """What plays the box's seats has come, or does not come any more."""
        self.table = self.table._replace(playing=self.playing()).aimed()
        self.show()

    def go_home(self) -> None:
        """Leave the game, if there is one, for the first screen."""
        facts = self.facts(None)
        self.running = self._face = self._book = self._heard = self.remark = None
        self.table = self.table.home(facts)
        self._inform()
        self.callers.publish()

    def give_up(self, error: Exception) -> None:
        """Leave a game whose code failed for the first screen, and tell it.

        What was answered before is on the disk.
        """
        self.log("the game was left", error)
        self.go_home()
        self.tell(Cue("broken"))

    def log(self, what: str, error: Exception) -> None:
        """Log an error, with what the box did about it."""
        log("box", f"{what}: {error!r}", error)

    def offer_games(self) -> None:
        """Offer the games of installed packages, too; not before the first frame.

        A package with a game that is left out is named once.
        """
        left, known = left_out(), self.settings["left_out"]
        self._recorded.looks_up = True
        facts = self.facts(None)
        self.table = self.table._replace(menus=pages.opened(facts)).aimed()
        self.show()
        for package in left:
            if str(package) not in known:
                self.tell(Cue("left_out", package._asdict()))
        if [*map(str, left)] != known:
            try:
                self.set({"left_out": [*map(str, left)]})
            except JournalError as error:
                self.unwritten(error)

    def offer_phones(self) -> None:
        """Phones can come in: the first screen has a line for them."""
        self.table = self.table._replace(menus=pages.opened(self.facts(None))).aimed()
        self.show()

    def follow_phones(self) -> None:
        """Phones have come or gone: who has one is asked there what is to be answered alone."""
        programs = frozenset() if self.running is None else frozenset(self.running.programs)
        phones = self.callers.phones - programs
        if phones != self.table.phones:
            self.table = self.table._replace(phones=phones)
            self.show()

    def turn_over(self, menus: Menus) -> None:
        """The menus change by themselves: what comes up by it is not answered unread."""
        self.table = self._turned(self.table._replace(menus=menus))
        self.show()

    def _turned(self, table: Table) -> Table:
        """A table that no press has brought about: aimed, if it asks something else."""
        if table.prompt == self.table.prompt:
            return table
        table = table.aimed()
        return table._replace(cursor=table.cursor._replace(shown=self.clock()))

    # --- what is found out beside the loop ---

    def found(self, event: Finding) -> None:
        """Take what was found out while the box went on."""
        match event:
            case Figured():
                self._figured(event)
            case Examined(findings=findings):
                self.turn_over(self.table.menus.knowing(findings=findings))
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
                self.turn_over(self.table.menus.without("people"))
            message = self.words()(f"box.record.{found}")
            self.tell(Cue("refused", {"code": "figures", "message": message}))
        elif not isinstance(found, Remark):
            self._everybody = found
            self.table = self.table.figured(found)
            self.show()
        elif self.running is not None and self.running.number == found.number:
            over = self.running.snapshot.outcome is not None
            self.remark = found.fact if over else None

    def examine(self) -> None:
        """Have the doctor look at the parts of the box; no press waits for it."""
        self.table = self.table._replace(menus=self.table.menus.knowing(findings=None))
        checkup.examine(self.settings["language"], self._inbox.put)

    def look_at(self, who: str | None) -> None:
        """Show the figures of a person, or of the whole table (None), in front of everything."""
        assert self._everybody is not None  # noqa: S101 - somebody of them was chosen
        assert not isinstance(self._everybody, int)  # noqa: S101 - likewise
        self.look_through(people.figures(self._everybody, who, self.words()))

    def look_back(self, number: int) -> None:
        """Show a finished game of the record; raises JournalError."""
        weighs = self._weighing is not None and self.settings["hints"]
        self.look_through(past.looked_at(self.journal, number, self.words(), weighs=weighs))
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
            unknown = dict.fromkeys(past.DECIDED, self.words()("box.turning.not"))
            game = replace(game, decided=unknown if event.told is None else event.told)
            queue = (moments.queue[0]._replace(paged=game), *moments.queue[1:])
            self.table = self.table._replace(moments=moments._replace(queue=queue))
            self.show()
        self._weigh()

    def look_through(self, paged: Paged) -> None:
        """Show a paged thing in front of everything, until OK."""
        shown = moment((paged.cue,), self.words(), self.face, self.voice.rules)
        self.table = self.table.noted(shown._replace(paged=paged))

    def leave(self) -> None:
        """Go to the first screen; after a finished game the cursor stands on *again*.

        The press that left the game begins no other.
        """
        over = self.running is not None and self.running.snapshot.outcome is not None
        fact = self.remark
        self.go_home()
        if over:
            menus = self.table.menus.left_for("rematch")
            table = self.table._replace(menus=menus).aimed()
            self.table = table._replace(cursor=table.cursor._replace(shown=self.clock()))
        if fact is not None:
            self.part_with(fact)

    def part_with(self, fact: RareFact) -> None:
        """Tell in what the game that was left was rare."""
        self.tell(remark(fact, self.words()))

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
            if not prompt.private:
                self.table = table
            self.tell(Cue("hint"), whose=prompt.who)

    def wish(self, answer: Answer) -> None:
        """A seat of the box's would like that: people are told so, and the cursor stands on it."""
        prompt = self.session.prompt
        assert prompt is not None  # noqa: S101 - whoever wishes was asked
        self.table = hints.pointed(self.table, prompt, answer) or self.table
        asked = {"who": prompt.who, "question": prompt.name, "value": answer}
        self.tell(Cue("wish", {**prompt.facts, **asked}))

    def point(self) -> None:
        """Put the cursor on the hint for a secret question, when its player looks."""
        hinted, self._hinted = self._hinted, None
        table = None if hinted is None else hints.pointed(self.table, *hinted)
        self.table = self.table if table is None else table

    # --- settings ---

    def mend(self) -> Cue | None:
        """Replace recorded settings that are not legal by their defaults; what to tell of it.

        Where that can not be written down, it is told at the next start, too.
        """
        wrong = illegal(self.journal.settings())
        if not wrong:
            return None
        with suppress(JournalError):
            self.set({key: self.settings[key] for key in wrong})
        return Cue("reset", {"n": len(wrong)})

    def set(self, values: Mapping[str, Any]) -> None:
        """Set some of the settings, for good. Raises JournalError; then none of them is."""
        self.journal.set_all(values, self.wall())
        self.settings = {**self.settings, **values}
        self._inform()
        self.voice.follow()
        self.follow()

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

    def _inform(self) -> None:
        """The table follows the settings."""
        players = self.running.setup.players if self.running is not None else ()
        ears = frozenset(self.settings["ears"]) & frozenset(players)
        heard = Ears(self.settings["ear"], ears, self._has_ear)
        table = self.table.informed(self.settings, heard)
        self.table = table if table.menus.page is None else self._turned(table)

    # --- notes ---

    def note(self, *cues: Cue, seconds: float | None = None, whose: str | None = None) -> None:
        """Facts stand in front of everything, until OK or for so long."""
        until = None if seconds is None else self.clock() + seconds
        words = self._words_of(cues[0])
        shown = moment(cues, words, self.face, self.voice.rules, whose)
        self.table = self.table.noted(shown, until)

    def tell(self, *cues: Cue, whose: str | None = None) -> None:
        """Facts stand in front until OK, and are said; in the language of `whose` alone."""
        self.note(*cues, whose=whose)
        self.show()
        if whose is not None and self.is_whispering(whose):
            said = (speech(cue, self._words_of(cue, whose), self.voice.rules) for cue in cues)
            self.voice.read(tuple(filter(None, said)), self.language(whose), whose, cuts=True)
        else:
            self.voice.say(cues, lambda _: self._words_of(cues[0], whose))

    def is_whispering(self, player: str) -> bool:
        """Whether a secret of a player is open, and heard by that player alone."""
        return self.table.cursor.looking == player and self.table.ears.hears_alone(player)

    def explain(self, cues: Cues, question: str | None, answer: Answer, whose: str | None) -> None:
        """What stands behind facts, after what an answer would do. Raises Refused if nothing does.

        A page each: the most particular first.
        """
        words, shown = self.game_words(whose), bool(cues)
        would = words.glossary(question, answer, self.session.snapshot.view) if question else ()
        whys = whys_of(would, cues or self.session.rulings, words, self._face if shown else None)
        if not whys:
            raise Refused("nothing_to_explain")
        self.note(*whys, whose=whose)
        self.show()
        self.voice.sound("accepted")

    def unwritten(self, error: JournalError) -> None:
        """Tell that a change could not be written, and so has not happened."""
        self.tell(self.refusal(error.code))

    def refusal(self, code: str) -> Cue:
        """The fact that nothing can be written, with the reason for `code`."""
        message = self.words()(f"box.record.{code}")
        return Cue("refused", {"code": "record", "message": message})

    def follow(self) -> None:
        """Tell the news of the record's file."""
        for code in self.journal.news():
            self.tell(Cue(code))

    def report(self, error: HardwareError) -> None:
        """Tell the failure of a face on those that still work, once until it works again."""
        if self.faces.is_news(error):
            cue = Cue("hardware", {"part": error.part, "message": worded(error, self.words())})
            if self.faces.can_show(error):
                self.note(cue, seconds=NOTE)
                self.show()
            if error.part not in ("sound", "voice"):
                self.voice.say([cue], self.words)
