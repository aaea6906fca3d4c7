"""What happens in the loop: an event, through controls and session, to the faces.

The frame leaves first, the record is written next, and only then the sound is heard: what the
table has heard can no longer be lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.box.doubts import Doubt, Doubts
from companion.box.faces import Faces
from companion.box.frames import frame
from companion.box.lights import DARK, lights
from companion.box.loop import Loop
from companion.box.menus import rules as home
from companion.box.menus.facts import opened
from companion.box.menus.words import of_the_box
from companion.box.moments import NOTE, STANDING, Moments
from companion.box.scenes import INTERRUPT, scene
from companion.core.errors import Refused
from companion.core.forms import Filling
from companion.core.game import Cue, Cues
from companion.draw import screens
from companion.press import controls
from companion.press.controls import Action, Cursor, Scene
from companion.press.helps import helps
from companion.record.journal import Journal, JournalError
from hardware import BACK, OK, Box, Edge, HardwareError, Speaker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.box.events import Inbox
    from companion.box.system import Pulse
    from companion.core.prompts import Prompt
    from companion.draw.face import Face
    from companion.hear.voice import Voice
    from companion.play.session import Session
    from companion.say.dictionary import Dictionary
    from companion.say.words import Phrasebook, Words


class App(Loop):
    """The box, alive. Everything happens in the thread that calls `run` (or, in tests, `handle`).

    `clock` gives the seconds of the edges' clock, `wall` seconds since 1970, `folder` is where
    users keep their own edition files; `loudspeaker` makes one more speaker, after the first frame;
    `language` is the box's until somebody sets it; `dictionary` makes the word lists, when a word
    is looked up; `hour` gives the hour of the room, 0 to 23; `pulse` beats for as long as the loop
    turns; `inbox` may hold what the hardware has said already. `power_off` switches the machine
    off, if it is the box's own; the box then takes its leave as such a machine does.
    """

    def __init__(
        self,
        box: Box,
        journal: Journal,
        *,
        clock: Callable[[], float],
        wall: Callable[[], int],
        folder: Path | None = None,
        loudspeaker: Callable[[App], Speaker] | None = None,
        language: str = "en",
        dictionary: Callable[[], Dictionary] | None = None,
        pulse: Pulse | None = None,
        inbox: Inbox | None = None,
        power_off: Callable[[], None] | None = None,
        hour: Callable[[], int] = lambda: 12,
    ) -> None:
        faces = Faces(box, lambda: self._settings, hour, self._report)
        super().__init__(faces, journal, clock, pulse, inbox, power_off)
        self._box, self._wall = box, wall
        self._folder, self._loudspeaker = folder, loudspeaker
        defaults = {**home.DEFAULTS, "language": language}
        self._settings: Mapping[str, Any] = {**defaults, **journal.settings()}
        self._session: Session | None = None
        self._face: Face | None = None
        self._book: Phrasebook | None = None
        self._menu: list[home.State] = []
        self._moments = Moments()
        self._form: Filling | Doubt | None = None
        self._doubts = Doubts(dictionary)
        self._curtain: str | None = None
        self._cursor = Cursor()

    # --- events and time ---

    def start(self) -> None:
        """Show the first screen, listen to the buttons, and say what was found on opening."""
        self._go_home()
        damage = self._journal.damage
        if damage is not None:
            self._moments.show(Cue("damaged", damage._asdict()))
        self._draw()
        self._box.buttons.listen(self.inbox.put)
        if self._loudspeaker is not None:
            self._faces.add(self._loudspeaker(self))
        self._voice.follow()
        if damage is not None:
            self._voice.tell([Cue("damaged", damage._asdict())], self._words)
        self._voice.sound("ready")

    def _press(self, edge: Edge) -> None:
        self._cursor, action = controls.press(self._cursor, edge, self._scene())
        self._act(action)

    def _let_be(self) -> None:
        self._cursor = controls.let_be(self._cursor)

    def _pass(self, now: float) -> None:
        """Time went by: a button is still held, or a moment is over."""
        if (until := self._passing()) is not None and until <= now:
            if not self._moments.move(now):
                self._next_moment()
            self._draw()
        self._hold(now)

    def _hold(self, now: float) -> None:
        """Whatever the buttons that are held have come to by `now`."""
        while (due := controls.deadline(self._cursor, self._scene())) is not None and due <= now:
            self._cursor, action = controls.tick(self._cursor, now, self._scene())
            self._act(action)

    def _dues(self) -> tuple[float | None, ...]:
        return self._passing(), controls.deadline(self._cursor, self._scene())

    @property
    def _is_looking(self) -> bool:
        return self._cursor.looking is not None

    def _passing(self) -> float | None:
        """When the moment goes by itself; not while a button that is meant for it is held."""
        spent = self._cursor.spent
        meant = any(b in (OK, BACK) and b not in spent for b, _ in self._cursor.held)
        return None if meant else self._moments.until

    # --- what stands in front ---

    def _prompt(self) -> Prompt | None:
        if self._menu:
            return home.ask(self._menu[-1])
        if self._form is not None:
            return self._words().in_order(self._form.prompt)
        if self._curtain is not None or self._session is None:
            return None
        return self._words().in_order(self._session.prompt)

    def _scene(self) -> Scene:
        session, filling = None if self._menu else self._session, self._form is not None
        shown = self._prompt(), self._moments, self._curtain
        return scene(session, self._face, *shown, filling=filling)

    def _act(self, action: Action | None) -> None:
        """Carry out what a press came to, then show what has changed."""
        if action is not None:
            before = tuple(self._moments), list(self._menu), self._cursor
            try:
                self._DO[action.name](self, action.value)
            except Refused as refused:
                self._refuse(refused.code)
            except JournalError as error:
                self._restore(*before)
                self._not_written(error)
        self._draw()

    def _refuse(self, code: str) -> None:
        """A mistake concerns whoever was asked."""
        scene = self._scene()
        asked = scene.curtain or (scene.prompt.who if scene.prompt else None)
        self._tell(Cue("refused", {"code": code}), asked)

    def _restore(self, moments: tuple[Cues, ...], menu: list[home.State], cursor: Cursor) -> None:
        """All as it was before the press, so that it can be pressed again."""
        self._moments, self._menu = Moments(moments), menu
        down = tuple(button for button, _ in cursor.held)
        looked = cursor.looked and cursor.looking is None
        self._cursor = cursor._replace(spent=down, bar=0, looking=None, looked=looked)

    def _not_written(self, error: JournalError) -> None:
        """The answer is not on disk, so it has not happened; say so and go on."""
        message = self._words()(f"box.record.{error.code}")
        self._tell(Cue("refused", {"code": "record", "message": message}))

    # --- actions ---

    def _answer(self, value: Any) -> None:
        if self._menu:
            self._choose(value)
        elif self._form is not None:
            self._fill(self._form.fill(value))
        elif doubt := self._doubts.about(self._prompt(), value, self._settings["language"]):
            self._fill(doubt)
        else:
            self._take(self._playing().answer(value, self._wall()).cues)
        for cue in self._doubts.news():
            self._tell(cue)

    def _fill(self, form: Filling | Doubt | None) -> None:
        """One answer more out of turn; when nothing is missing all of it is answered at once."""
        if form is None:  # a word is not to stand: back to its letters
            text = self._form.text if isinstance(self._form, Doubt) else ""
            self._form = None
            self._aim()
            self._cursor = self._cursor._replace(text=text)
            return
        self._form = None if form.refusal or form.prompt is None else form
        if form.refusal is not None:
            self._aim()
            raise form.refusal
        if self._form is not None:
            self._aim()
            self._draw()
            self._voice.sound("accepted")
            return
        self._take(self._playing().answer(form.answer, self._wall(), form.question.name).cues)

    def _interrupt(self, player: str) -> None:
        """A seat's button held: that player interrupts."""
        self._fill(self._out_of_turn(INTERRUPT).fill(player))

    def _out_of_turn(self, name: str) -> Filling:
        return Filling(next(q for q in self._playing().anytime if q.name == name))

    def _undo(self, _: Any) -> None:
        if self._menu:
            self._back(None)
        elif self._form is not None:
            self._form = None
            self._aim()
        elif self._curtain is None:
            self._take(self._playing().undo(self._wall()).cues)

    def _redo(self) -> None:
        self._take(self._playing().redo(self._wall()).cues)

    def _why(self, _: Any) -> None:
        """Explain the moment on the screen, or the last ruling."""
        if self._session is None:
            return
        lead = self._moments[0][0] if self._moments else None
        if lead is not None and lead.name == "why":
            return
        cue = self._session.why(lead if lead and lead.clause else None)
        self._tell(cue)

    def _back(self, _: Any) -> None:
        """BACK: a page up in the menus; during a game, its menu."""
        if self._form is not None and not self._menu:
            self._form = self._form.back()
        elif self._curtain is not None:
            self._curtain = None
        elif not self._menu:
            self._open_menu()
        elif len(self._menu) > 1:
            self._menu.pop()
        elif self._session is not None:
            self._menu.clear()
        self._aim()

    def _look(self, player: str) -> None:
        """A secret: written down that it is seen, before it is."""
        session = self._playing()
        session.look(player, self._wall())
        session.commit()
        self._voice.sound("secret_shown")

    def _hide(self, _: Any) -> None:
        """The secret is covered; who only wanted to look gives the box back."""
        if self._curtain is not None:
            self._back(None)
        self._draw()
        self._voice.sound("secret_hidden")

    def _go_on(self, _: Any) -> None:
        if self._moments:
            self._next_moment()
        elif self._curtain is not None:
            self._back(None)
        elif self._session is not None and not self._menu:
            self._leave()

    def _help(self, button: str) -> None:
        """What a button does, instead of doing it."""
        inside = len(self._menu) > 1 or self._form is not None or self._curtain is not None
        playing = "menu" if self._session is not None and not self._menu else "home"
        leads = "page" if inside else playing
        self._tell(helps(button, self._scene(), self._cursor, back=leads))

    def _silence(self, _: Any) -> None:
        """Silence, or an end to it; what still mutes the box is shown."""
        self._set("silent", not self._settings["silent"])
        cue = Cue("sound", {"how": self._voice.rules.muted or "on"})
        self._moments.show(cue, self._clock() + NOTE)
        self._draw()
        self._voice.tell([cue], self._words)

    _DO: Final[Mapping[str, Callable[[App, Any], None]]] = {
        "answer": _answer,
        "undo": _undo,
        "why": _why,
        "menu": _back,
        "look": _look,
        "hide": _hide,
        "interrupt": _interrupt,
        "go_on": _go_on,
        "again": lambda self, _: self._voice.again(),
        "help": _help,
        "silence": _silence,
        "refused": lambda self, code: self._refuse(code),
    }

    def _take(self, cues: Cues) -> None:
        """What an answer brought about: seen, then written down, then heard."""
        session = self._playing()
        words = self._words()
        self._moments = Moments(words.moments(cues))
        self._curtain = next((cue.to for cue in cues if words.is_looked_at(cue)), None)
        self._aim()
        self._time_moment()
        self._draw()
        session.commit()
        self._voice.tell(cues, self._words, receipt="accepted")
        if (prompt := session.prompt) is not None:
            self._voice.ask(prompt, session.snapshot.view, self._words(prompt.who))

    # --- menus ---

    def _choose(self, value: Any) -> None:
        """An answer to a page of the menus."""
        page = self._menu[-1]
        state, cues = home.on(page, value)
        wished = {cue.name for cue in cues}
        if "refused" in wished:
            raise Refused(cues[0].facts["code"])
        kept = self._cursor.at
        self._menu = home.turned(self._menu, state)
        self._aim()
        if home.place(state) == home.place(page) and wished <= {"set"}:
            self._cursor = self._cursor._replace(at=kept)
        for cue in cues:
            self._wish(cue)
        self._draw()
        if not wished & {"undo", "redo", "why", "again"}:
            self._voice.sound("accepted")

    def _wish(self, cue: Cue) -> None:
        """What a page of the menus asks for; the menu of a running game closes first."""
        if self._session is not None and cue.name not in ("set", "leave"):
            self._menu.clear()
            self._aim()
        self._WISHES[cue.name](self, cue.facts)

    _WISHES: Final[Mapping[str, Callable[[App, Mapping[str, Any]], None]]] = {
        "set": lambda self, facts: self._set(**facts),
        "begin": lambda self, facts: self._begin(**facts),
        "resume": lambda self, facts: self._resume(**facts),
        "past": lambda self, facts: self._past(**facts),
        "leave": lambda self, _: self._leave(),
        "go_on": lambda *_: None,
        "standing": lambda self, _: self._moments.show(STANDING),
        "undo": lambda self, _: self._undo(None),
        "redo": lambda self, _: self._redo(),
        "why": lambda self, _: self._why(None),
        "again": lambda self, _: self._voice.again(),
        "look": lambda self, facts: self._cover(facts["who"]),
        "anytime": lambda self, facts: self._fill(self._out_of_turn(facts["name"])),
    }

    def _cover(self, player: str) -> None:
        self._curtain = player
        self._aim()

    def _set(self, key: str, value: Any) -> None:
        self._journal.set(key, value, self._wall())
        self._settings = {**self._settings, key: value}
        self._menu = [home.informed(page, self._settings) for page in self._menu]
        self._voice.follow()

    def _open_menu(self) -> None:
        known = opened(self._journal, self._settings, self._wall(), self._session)
        self._menu = [home.setup(known)]
        self._aim()

    def _go_home(self) -> None:
        self._session, self._face, self._book, self._curtain, self._form = (None,) * 5
        self._open_menu()

    # --- games ---

    def _begin(self, game: str, players: tuple[str, ...], options: Mapping[str, str]) -> None:
        from companion.play import begin  # noqa: PLC0415 - nothing heavy before the first frame

        try:
            setup = begin.setup(game, players, options, self._folder)
        except begin.EditionError as error:
            self._moments.show(Cue("edition", {"game": game, "n": len(error.mistakes)}))
            return
        self._set("names", home.remembered(self._settings["names"], players))
        self._enter(begin.Session.begin(self._journal, setup, self._wall()))

    def _resume(self, number: int) -> None:
        from companion.play.session import recorded  # noqa: PLC0415 - nothing heavy before the first frame

        session, changed = recorded(self._journal, number, self._wall())
        self._enter(session)
        if changed is not None:
            self._moments.show(Cue("rules_changed", {"answer": changed.answer}))

    def _past(self, number: int) -> None:
        from companion.box import past  # noqa: PLC0415 - nothing heavy before the first frame

        self._moments.show(past.told(self._journal, number, self._words()))

    def _enter(self, session: Session) -> None:
        """Sit down at a game: how it stands, then its question."""
        from companion.box.slips import safe  # noqa: PLC0415 - nothing heavy before the first frame

        self._session = session
        self._face, self._book = safe(session.setup, self.inbox)
        self._voice.pronounce(self._face.names)
        self._menu.clear()
        self._moments = Moments([(STANDING,)])
        self._aim()
        self._voice.tell(session.snapshot.cues, self._words)

    def _leave(self) -> None:
        self._go_home()
        self._moments = Moments()

    def _playing(self) -> Session:
        assert self._session is not None  # noqa: S101 - for the type checker
        return self._session

    # --- moments ---

    def _tell(self, cue: Cue, who: str | None = None) -> None:
        """A fact that stands in front until OK, and is said; in the language of `who` alone."""
        self._moments.show(cue, whose=who)
        self._draw()
        self._voice.tell([cue], lambda _: self._words(who))

    def _next_moment(self) -> None:
        self._moments.popleft()
        self._cursor = controls.past(self._cursor)
        self._time_moment()

    def _time_moment(self) -> None:
        """A verdict goes by itself; the last word of a game stays."""
        face = None if self._menu else self._face
        steps = screens.steps(self._moments[0], face) if self._moments else 1
        stays = self._session is None or self._session.prompt is None
        self._moments.begin(self._words(), self._clock(), steps, stays=stays)

    def _aim(self) -> None:
        self._cursor = controls.aim(self._cursor, self._prompt())

    # --- faces ---

    @property
    def _voice(self) -> Voice:
        return self._faces.voice

    def _words(self, player: str | None = None) -> Words:
        """The words of the running game, in a player's language or the box's."""
        language = self._settings["languages"].get(player) or self._settings["language"]
        if self._book is None or self._menu:
            return of_the_box(language)
        return self._book.words(language)

    def _draw(self) -> None:
        """Hand the frame to the displays, unless another event waits: then only the last counts."""
        self._stale = not self.inbox.empty()
        if self._stale or self._over is not None:
            return
        shown = self._frame()
        self._guard.seen(shown, self._clock())
        self._faces.show(shown)
        self._faces.dim(self._guard.percent)
        prompt = None if self._menu else self._prompt()
        form = self._form if isinstance(self._form, Filling) else None
        lit = lights(self._session, self._face, prompt, self._curtain, form)
        self._faces.light(lit if self._guard.percent else DARK)

    def _frame(self) -> bytes:
        plate, scene = self._guard.picture(self._words()), self._scene()
        return plate or frame(
            self._menu, self._moments, self._session, scene, self._cursor, self._words, self._face
        )

    def _report(self, error: HardwareError) -> None:
        """Say once, on the faces that still work, that one of them does not."""
        if self._faces.is_news(error):
            cue = Cue("hardware", {"part": error.part, "message": str(error)})
            if self._faces.can_show(error):
                self._moments.show(cue, self._clock() + NOTE)
                self._draw()
            if error.part not in ("sound", "voice"):
                self._voice.tell([cue], self._words)
