"""What lies on the table: the game, and what lies in front of it, as one value."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from companion.core.prompts import INTERRUPT, PROGRAM, Choose, Shuffle, Spell, act
from companion.hear.policy import Ears
from companion.menus import pages
from companion.menus.pages import Menus
from companion.press.cursor import Cursor, Scene, aim
from companion.press.wheel import ALPHABET, wheel
from companion.table.overlays import Moments, push
from hardware.ports import OUT, QUICK, SEATS, SLOW, STEADY

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from companion.core.game import Cues
    from companion.core.prompts import Prompt, Question
    from companion.core.snapshot import Snapshot
    from companion.draw.face import Face
    from companion.figures.lookup import Everybody
    from companion.menus.page import MenuFacts
    from companion.play.conversation import Conversation
    from companion.table.overlays import Moment

Lights = tuple[str, ...]
DARK: Lights = (OUT,) * len(SEATS)


class Playing(NamedTuple):
    """The game as its session gives it out.

    What stands, what may be answered out of turn, and the people, in seat order, if each has
    something to know alone; `programs` are the players whose seat the box plays, and `thinks` the
    one of them who is asked; if they are `away`, nothing answers. `at_once` are the players who are
    asked at the same time, each alone. `face` is what it looks like.
    """

    snapshot: Snapshot
    face: Face
    anytime: tuple[Question, ...] = ()
    holders: tuple[str, ...] = ()
    programs: frozenset[str] = frozenset()
    thinks: str | None = None
    away: bool = False
    at_once: tuple[str, ...] = ()


class _Lies(NamedTuple):
    """The fields of `Table`, which tells what each of them is."""

    playing: Playing | None = None
    menus: Menus = Menus()
    moments: Moments = Moments()
    curtain: str | None = None
    held: Cues | None = None
    talk: Conversation | None = None
    cursor: Cursor = Cursor()
    draft: str = ""
    rows: bool = True
    together: bool = False
    ears: Ears = Ears()
    large: bool = False
    phones: frozenset[str] = frozenset()
    nudged: bool = False
    sand: int | None = None


class Table(_Lies):
    """A moment lies in front of the menus, the menus in front of the game.

    In the game, a `curtain` names the player to whom the box is handed for a look, `held` are the
    facts that are told after it, None if the look is no news; and a `talk` is an answer that has
    been begun: out of turn, or one that is asked about again. `cursor` is where the thumbs are,
    over what lies in front. `draft` has the letters of the secret word that the game asks for,
    whatever lies in front of it. `rows`: whether seats have buttons, which choose a
    column where options lie in rows.
    `together`: one press stands for everybody's part in the chance. `ears`: who plays by ear.
    `large`: what is chosen stands in the largest letters. `phones`: the players who have a phone at
    the table, where they are asked what they answer alone. `nudged`: the player asked has been
    reminded, and has not pressed since. `sand`: how much of the turn timer is left, in parts of
    `SAND`; None without a timer.

    What follows from all this is found out once, for a table never changes: another one is made.
    """

    @cached_property
    def prompt(self) -> Prompt | None:
        """What is asked: by the menus if they are open, else in the game."""
        if self.menus.page is not None:
            return self._in_order(pages.ask(self.menus.page))
        return self.question

    @cached_property
    def question(self) -> Prompt | None:
        """What is asked in the game, menus or not; None while a player only looks."""
        if self.talk is not None:
            return self._in_order(self.talk.prompt)
        if self.curtain is not None or self.playing is None:
            return None
        if self.playing.thinks is not None:
            facts = {"player": self.playing.thinks, "away": self.playing.away}
            return act(PROGRAM, facts=facts)
        return self._in_order(self.playing.snapshot.prompt)

    def _in_order(self, prompt: Prompt | None) -> Prompt | None:
        """A word to spell, with the letters of names if it brings none: small ones inside a name.

        Options lie in rows for seats' buttons only: without those they stand one after another.
        """
        crowded = self.playing is not None and not self.seats
        if isinstance(prompt, Choose) and prompt.cells and (crowded or not self.rows):
            return prompt._replace(cells=())
        if not isinstance(prompt, Spell):
            return prompt
        if prompt.letters:
            return prompt
        capital = self.cursor.before[-1:] in ("", "-", "'")
        return prompt._replace(letters=ALPHABET if capital else ALPHABET.lower())

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The players, if there is a seat's button for each; else none."""
        players = () if self.playing is None else self.playing.snapshot.players
        return players if len(players) <= len(SEATS) else ()

    @cached_property
    def scene(self) -> Scene:
        """What a press is about: the moment, the menus or the game, whichever is in front."""
        moments, prompt, playing = self.moments, self.prompt, self.playing
        if self.menus.page is not None or playing is None:
            front = moments.front
            turned = 1 if front is None or front.paged is None else front.paged.count
            page = self.menus.page
            home = page is not None and page.page == "home"
            return Scene(
                prompt, moment=front is not None, holds=False, pages=turned, home=home,
                ear=self.ears.open,
            )  # fmt: skip
        pages = playing.face.pages.count(playing.snapshot)
        if moments.front is not None:
            told = len(moments.front.cues) if moments.front.is_why else 1
            return Scene(prompt, moment=True, pages=pages if moments.is_standing else told)
        over = prompt is None and self.curtain is None
        curtain = self.curtain or (prompt.who if prompt and prompt.private else None)
        open_ = None if curtain is not None or isinstance(prompt, Shuffle) else prompt
        looks = open_.who if open_ is not None and open_.look else None
        free = self.talk is None and curtain is None and not self.is_over
        return Scene(
            prompt,
            self._at_buttons(playing.holders),
            curtain=curtain,
            holds=self.curtain is None,
            looks=looks if looks in playing.holders else None,
            seats=self._at_buttons({*self.seats} - playing.programs),
            interrupts=free and INTERRUPT in [question.name for question in playing.anytime],
            pages=pages if over else 1,
            alone=frozenset(filter(self.ears.hears_alone, playing.snapshot.players)),
            ear=self.ears.open,
        )

    def _at_buttons(self, players: Collection[str]) -> tuple[str | None, ...]:
        """By seat's button whose it is, if that is one of these players; nothing without any."""
        return tuple(who if who in players else None for who in self.seats) if players else ()

    @cached_property
    def lights(self) -> Lights:
        """The light of every seat.

        Quick for an interruption and for a player who is nudged, steady for the player asked or
        handed the box, slow for the turn.
        While the menus are open only the turn shines; none does at a table with more players than
        buttons.
        """
        if self.playing is None or not self.seats:
            return DARK
        prompt = None if self.menus.page is not None else self.prompt
        asked = self.curtain or (prompt.who if prompt else None)
        turn = self.playing.face.to_act(self.playing.snapshot.view)
        quick = () if self.talk is None else self.talk.interrupting
        shine = {turn: SLOW, asked: QUICK if self.nudged else STEADY} | dict.fromkeys(quick, QUICK)
        found = [shine.get(player, OUT) for player in self.seats]
        return (*found, *DARK)[: len(SEATS)]

    @property
    def on_phones(self) -> tuple[str, ...]:
        """Who answers alone on phones; none once the player asked has looked at the box."""
        prompt, scene = self.question, self.scene
        if self.talk is not None or scene.curtain is None or self.cursor.looked or prompt is None:
            return ()
        return self.answering_phones(prompt)

    def answering_phones(self, prompt: Prompt) -> tuple[str, ...]:
        """Who answers a question of the game on a phone: whom it is put to, and all at that time.

        So nobody learns which of those was the first to answer.
        """
        if self.playing is None or not prompt.private or prompt.who not in self.phones:
            return ()
        return tuple(who for who in self.playing.at_once if who in self.phones) or (prompt.who,)

    @property
    def is_over(self) -> bool:
        """Whether there is no game, or none that asks for anything."""
        return self.playing is None or self.playing.snapshot.prompt is None

    def aim_cursor(self) -> Table:
        """With the cursor on the likeliest answer, or on the line that one came from."""
        cursor, page = aim(self.cursor, self.prompt), self.menus.page
        if page is not None and page.at is not None:
            cursor = cursor._replace(at=page.at % len(wheel(pages.ask(page))))
        if self.is_spelt:
            cursor = cursor._replace(text=self.draft)
        return self._replace(cursor=cursor)

    @property
    def is_spelt(self) -> bool:
        """Whether a secret word is what the cursor stands over, as the question that stands."""
        if self.talk is not None and self.talk.given:
            return False
        return isinstance(self.prompt, Spell) and self.prompt.private

    def save_draft(self) -> Table:
        """With the letters as they are now."""
        return self._replace(draft=self.cursor.text) if self.is_spelt else self

    def home(self, facts: MenuFacts) -> Table:
        """The table without a game: the first screen, and nothing in front of it."""
        empty = Table(cursor=self.cursor, rows=self.rows)
        return empty._replace(menus=pages.open_menus(facts)).aim_cursor()

    def with_settings(self, settings: Mapping[str, Any], ears: Ears) -> Table:
        """The settings are these now, and the ears these."""
        return self._replace(
            menus=self.menus.knowing(settings=settings),
            ears=ears,
            large=settings["large"],
        )

    def with_statistics(self, everybody: Everybody | int) -> Table:
        """Everybody's figures are known now, or how many games are still to be counted."""
        table = self._replace(menus=self.menus.knowing(everybody=everybody))
        return table if table.prompt == self.prompt else table.aim_cursor()

    def with_facts(self, facts: MenuFacts) -> Table:
        """The game has gone on behind its menu, which shows what holds now."""
        table = self._replace(menus=self.menus.with_facts(facts))
        return table if table.prompt == self.prompt else table.aim_cursor()

    def noted(self, moment: Moment, until: float | None = None) -> Table:
        """With a moment in front of everything, at most until then."""
        return self._replace(moments=push(self.moments, moment, until))
