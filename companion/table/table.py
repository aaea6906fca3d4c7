"""The table as one value: the running game, and all menus and overlays in front of the game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.game import Cues
from companion.core.prompts import (
    COMPUTER_CHOOSING_QUESTION,
    INTERRUPT_FORM,
    Choose,
    Prompt,
    Question,
    Shuffle,
    Spell,
    action_prompt,
)
from companion.hear.policy import AudioModePlayers
from companion.menus import menu_stack
from companion.menus.menu_stack import Menus
from companion.menus.page import MenuFacts
from companion.press.cursor import Cursor, PressContext, cursor_on_likeliest_answer
from companion.press.wheel import NAME_LETTERS, wheel_answers_and_symbols
from companion.table.overlays import Overlay, OverlayQueue, push_overlay
from hardware.ports import BLINK_QUICKLY, BLINK_SLOWLY, LAMP_OFF, LAMP_ON, SEATS

if TYPE_CHECKING:
    from companion.core.snapshot import Snapshot
    from companion.draw.face import Face
    from companion.figures.lookup import PeopleAndGroupStatistics
    from companion.play.conversation import Conversation

Lights = tuple[str, ...]
ALL_LAMPS_OFF: Lights = (LAMP_OFF,) * len(SEATS)


class RunningGame(NamedTuple):
    """The data of a running game that the table shows.

    - `snapshot`: the public state of the game.
    - `face`: the drawing functions and the sentences of the game.
    - `anytime`: the questions that a player can now answer out of turn.
    - `holders`: the people who may have a secret, in seat order.
    - `programs`: the computer players.
    - `thinks`: the computer player that must answer, or None.
    - `away`: if True, the process of the computer players does not respond.
    - `at_once`: the players who answer at the same time, each on a private phone.
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
    """The fields of `Table`. The docstring of `Table` explains each field."""

    playing: RunningGame | None = None
    menus: Menus = Menus()
    overlays: OverlayQueue = OverlayQueue()
    curtain: str | None = None
    held: Cues | None = None
    talk: Conversation | None = None
    cursor: Cursor = Cursor()
    draft: str = ""
    rows: bool = True
    together: bool = False
    ears: AudioModePlayers = AudioModePlayers()
    large: bool = False
    phones: frozenset[str] = frozenset()
    nudged: bool = False
    sand: int | None = None


class Table(_Lies):
    """The table: the running game, with the menus and overlays in front of the game.

    Overlays cover the menus, and the menus cover the game. A `Table` never changes, so its derived
    values are cached.

    - `curtain`: the player who receives the box to look at a secret, or None.
    - `held`: the events to announce after the look at the secret, or None if there is no new
      secret.
    - `talk`: an unfinished answer, which is out of turn or awaits confirmation, or None.
    - `cursor`: the position among the answers of the front question.
    - `draft`: the letters of an unfinished secret word, which are stored while a menu is open.
    - `rows`: if True, the box has seat buttons. If options are in rows, a button selects a column.
    - `together`: if True, one press replaces all players' presses for the joint shuffle.
    - `ears`: the players in audio mode.
    - `large`: if True, the selected answer is shown in the largest letters.
    - `phones`: the players with a phone, who answer private questions on the phone.
    - `nudged`: if True, the asked player was reminded and has not pressed a button since.
    - `sand`: the remaining time of the turn timer, from 0 to `TURN_TIMER_PARTS`, or None without a
      timer.
    """

    @cached_property
    def menu_or_game_prompt(self) -> Prompt | None:
        """Return the prompt of the open menu page, or of the game if no menu page is open."""
        if self.menus.current_page is not None:
            return self._in_order(menu_stack.page_question(self.menus.current_page))
        return self.pending_game_question

    @cached_property
    def pending_game_question(self) -> Prompt | None:
        """Return the game's pending question, even while a menu covers the question.

        Return None while the player `curtain` has the box to look at a secret.
        """
        if self.talk is not None:
            return self._in_order(self.talk.next_prompt)
        if self.curtain is not None or self.playing is None:
            return None
        if self.playing.thinks is not None:
            facts = {"player": self.playing.thinks, "away": self.playing.away}
            return action_prompt(COMPUTER_CHOOSING_QUESTION, facts=facts)
        return self._in_order(self.playing.snapshot.prompt)

    def _in_order(self, prompt: Prompt | None) -> Prompt | None:
        crowded = self.playing is not None and not self.players_with_seat_buttons
        if isinstance(prompt, Choose) and prompt.cells and (crowded or not self.rows):
            return prompt._replace(cells=())
        if not isinstance(prompt, Spell):
            return prompt
        if prompt.letters:
            return prompt
        capital = self.cursor.letters_before_caret[-1:] in ("", "-", "'")
        return prompt._replace(letters=NAME_LETTERS if capital else NAME_LETTERS.lower())

    @cached_property
    def players_with_seat_buttons(self) -> tuple[str, ...]:
        """Return all players if each player has a seat button, or else ()."""
        players = () if self.playing is None else self.playing.snapshot.players
        return players if len(players) <= len(SEATS) else ()

    @cached_property
    def press_context(self) -> PressContext:
        """Return the context of a press: the overlay, menu or game that the display shows."""
        moments, prompt, playing = self.overlays, self.menu_or_game_prompt, self.playing
        if self.menus.current_page is not None or playing is None:
            front = moments.front_overlay
            turned = 1 if front is None or front.paged is None else front.paged.page_count
            page = self.menus.current_page
            home = page is not None and page.page == "home"
            return PressContext(
                prompt, overlay=front is not None, holds=False, pages=turned, home=home,
                ear=self.ears.has_players,
            )  # fmt: skip
        pages = playing.face.pages.count(playing.snapshot)
        if (front := moments.front_overlay) is not None:
            shown = len(front.cues) if front.is_ruling_explanation else 1
            if moments.is_score_in_front or moments.is_recap_in_front:
                shown = pages + moments.is_recap_in_front
            return PressContext(prompt, overlay=True, pages=shown)
        over = prompt is None and self.curtain is None
        curtain = self.curtain or (prompt.who if prompt and prompt.private else None)
        open_ = None if curtain is not None or isinstance(prompt, Shuffle) else prompt
        looks = open_.who if open_ is not None and open_.look else None
        free = self.talk is None and curtain is None and not over
        return PressContext(
            prompt,
            self._at_buttons(playing.holders),
            curtain=curtain,
            holds=self.curtain is None,
            looks=looks if looks in playing.holders else None,
            seats=self._at_buttons({*self.players_with_seat_buttons} - playing.programs),
            interrupts=free and INTERRUPT_FORM in [question.name for question in playing.anytime],
            pages=pages if over else 1,
            alone=frozenset(filter(self.ears.hears_secrets_privately, playing.snapshot.players)),
            ear=self.ears.has_players,
        )

    def _at_buttons(self, players: Collection[str]) -> tuple[str | None, ...]:
        return (
            tuple([who if who in players else None for who in self.players_with_seat_buttons])
            if players
            else ()
        )

    @cached_property
    def lamp_states(self) -> Lights:
        """Return the state of the lamp at every seat.

        If no game is running, or if the game has more players than the box has seat buttons, all
        lamps are off. Otherwise:

        - While a player answers out of turn, the lamp of this player blinks quickly. If this player
          is not chosen yet, the lamps of all players who can answer out of turn blink quickly.
        - The lamp of the asked player, or of the player who has the box, is steady. If this player
          was reminded, the lamp blinks quickly.
        - If the box does not ask the player whose turn it is, this player's lamp blinks slowly.
        - While a menu is open, the lamps do not show which player is asked.
        """
        if self.playing is None or not self.players_with_seat_buttons:
            return ALL_LAMPS_OFF
        prompt = None if self.menus.current_page is not None else self.menu_or_game_prompt
        asked = self.curtain or (prompt.who if prompt else None)
        turn = self.playing.face.to_act(self.playing.snapshot.view)
        quick = () if self.talk is None else self.talk.out_of_turn_players
        shine = {
            turn: BLINK_SLOWLY,
            asked: BLINK_QUICKLY if self.nudged else LAMP_ON,
        } | dict.fromkeys(quick, BLINK_QUICKLY)
        lamps = [shine.get(player, LAMP_OFF) for player in self.players_with_seat_buttons]
        return (*lamps, *ALL_LAMPS_OFF)[: len(SEATS)]

    @property
    def players_asked_on_phones(self) -> tuple[str, ...]:
        """Return the players who must answer the pending question on their phones.

        Return () if the asked player has looked at the secret on the box.
        """
        prompt, scene = self.pending_game_question, self.press_context
        if self.talk is not None or scene.curtain is None or self.cursor.looked or prompt is None:
            return ()
        return self.players_answering_on_phones(prompt)

    def players_answering_on_phones(self, prompt: Prompt) -> tuple[str, ...]:
        """Return all players who answer `prompt` on phones at the same time.

        The result contains every asked player with a phone, to hide who answered first.
        """
        if self.playing is None or not prompt.private or prompt.who not in self.phones:
            return ()
        return tuple(who for who in self.playing.at_once if who in self.phones) or (prompt.who,)

    def with_cursor_on_likeliest_answer(self) -> Table:
        """Return the table with the cursor on the likeliest answer or on the stored menu line."""
        cursor, page = (
            cursor_on_likeliest_answer(self.cursor, self.menu_or_game_prompt),
            self.menus.current_page,
        )
        if page is not None and page.at is not None:
            cursor = cursor._replace(
                at=page.at % len(wheel_answers_and_symbols(menu_stack.page_question(page)))
            )
        if self.is_spelling_secret_word:
            cursor = cursor._replace(text=self.draft)
        return self._replace(cursor=cursor)

    @property
    def is_spelling_secret_word(self) -> bool:
        """Return True if a player is spelling a secret word for the game."""
        if self.talk is not None and self.talk.given:
            return False
        return isinstance(self.menu_or_game_prompt, Spell) and self.menu_or_game_prompt.private

    def with_spelt_secret_as_draft(self) -> Table:
        """Return the table with the letters spelt so far saved in the field `draft`."""
        return self._replace(draft=self.cursor.text) if self.is_spelling_secret_word else self

    def with_first_screen(self, facts: MenuFacts) -> Table:
        """Return the table with the first screen, without a game and without overlays."""
        empty = Table(cursor=self.cursor, rows=self.rows)
        return empty._replace(menus=menu_stack.open_menus(facts)).with_cursor_on_likeliest_answer()

    def with_settings(self, settings: Mapping[str, Any], ears: AudioModePlayers) -> Table:
        """Return the table with new settings and a new list of players in audio mode."""
        return self._replace(
            menus=self.menus.with_changed_facts(settings=settings),
            ears=ears,
            large=settings["large"],
        )

    def with_statistics(self, everybody: PeopleAndGroupStatistics | int) -> Table:
        """Return the table with the statistics of all players.

        While the box counts games, `everybody` is the number of games that remain to be counted.
        """
        table = self._replace(menus=self.menus.with_changed_facts(everybody=everybody))
        return (
            table
            if table.menu_or_game_prompt == self.menu_or_game_prompt
            else table.with_cursor_on_likeliest_answer()
        )

    def with_menu_facts(self, facts: MenuFacts) -> Table:
        """Return the table with `facts` as the new data of all menu pages."""
        table = self._replace(menus=self.menus.with_all_facts_replaced(facts))
        return (
            table
            if table.menu_or_game_prompt == self.menu_or_game_prompt
            else table.with_cursor_on_likeliest_answer()
        )

    def with_overlay(self, moment: Overlay, until: float | None = None) -> Table:
        """Return the table with an overlay in front.

        The overlay closes at the time `until` (s). If `until` is None, only a press closes the
        overlay.
        """
        return self._replace(overlays=push_overlay(self.overlays, moment, until))
