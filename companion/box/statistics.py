"""Statistics from recorded games: players' results, a game's rarest event and turning point."""

from __future__ import annotations

from dataclasses import replace

from companion.box import finished_game
from companion.box.events import StatisticsReported, TurningPointReady
from companion.box.state import Basics
from companion.box.turn import Turn
from companion.core.game import Cue
from companion.figures.lookup import PeopleAndGroupStatistics, RarestFactFound
from companion.figures.rare import RareFact
from companion.figures.sentences import rarest_fact_announcement
from companion.play.session import Session
from companion.table import statistics_pages
from companion.table.overlays import PagedText, make_overlay


class Statistics:
    """The service that computes statistics and shows the statistics page by page.

    - `everybody`: the statistics of all players, or the number of games that remain to be counted.
      If the box computes no statistics, `everybody` is None.
    - `remark`: the rarest event of the game that has just ended, or None.
    """

    def __init__(self, basics: Basics, turn: Turn) -> None:
        self._basics, self._stands, self._turn = basics, basics.stands, turn
        self._counting, self._weighing = basics.machine.counting, basics.machine.weighing
        self._is_weighing = False
        self.remark: RareFact | None = None
        self.everybody: PeopleAndGroupStatistics | int | None = (
            None if self._counting is None else 0
        )

    def start_computing_statistics(self) -> None:
        """Start computing the statistics of all players, outside the event loop.

        Until the computation ends, menus show the previous statistics, or how many games remain to
        be counted.
        """
        if self._counting is not None:
            self._counting(None, self._basics.inbox.put)

    def start_rarest_fact_search(self) -> None:
        """Start searching for the running game's rarest event if the game is finished."""
        session, self.remark = self._stands.session, None
        if self._counting is not None and session.standing.snapshot.outcome is not None:
            self._counting(session.number, self._basics.inbox.put)

    def forget_rarest_fact(self) -> None:
        """Delete the stored rarest event of the game that the players have just left."""
        self.remark = None

    def store_computed_statistics(self, event: StatisticsReported) -> None:
        """Store computed statistics.

        If the result is the rarest event of a game that is no longer running, discard the result.
        """
        result, table, running = event.found, self._stands.table, self._stands.running_session
        if isinstance(result, str):
            # the computation failed: close the page with the number of games still to count
            if isinstance(self.everybody, int):
                self._turn.replace_menus(table.menus.without_page("people"))
            message = self._basics.wording.front_screen_words()(f"box.record.{result}")
            self._turn.announce_facts(Cue("refused", {"code": "figures", "message": message}))
        elif not isinstance(result, RarestFactFound):
            self.everybody = result
            with self._turn.change():
                self._turn.replace_table(table.with_statistics(result))
        elif running is not None and running.number == result.number:
            self.remark = result.fact if has_finished_game(running) else None

    def announce_rarest_fact(self, fact: RareFact) -> None:
        """Announce the rarest event of the game that the players have just left."""
        self._turn.announce_facts(
            rarest_fact_announcement(fact, self._basics.wording.front_screen_words())
        )

    def show_person_or_group_statistics(self, who: str | None) -> None:
        """Show the statistics of a person, or of the whole group if `who` is None."""
        assert self.everybody is not None  # noqa: S101 - a player of the list was chosen
        assert not isinstance(self.everybody, int)  # noqa: S101 - for the type checker
        self._look_through(
            statistics_pages.person_or_group_statistics_pages(
                self.everybody, who, self._basics.wording.front_screen_words()
            )
        )

    # --- a finished game ---

    def show_finished_game_review(self, number: int) -> None:
        """Show the review of a recorded, finished game.

        Raise JournalError if the record cannot be read.
        """
        basics, weighs = self._basics, self._weighing is not None
        weighs = weighs and basics.settings["hints"]
        words = basics.wording.front_screen_words()
        self._look_through(
            finished_game.open_finished_game_review(basics.journal, number, words, weighs=weighs)
        )
        self._weigh()

    def show_turning_point(self, event: TurningPointReady) -> None:
        """If the review of the game is still open, show the turning point in this review."""
        self._is_weighing = False
        game, table = self._past, self._stands.table
        if game is not None and game.number == event.number:
            unknown = dict.fromkeys(
                finished_game.TURNING_POINT_PAGES,
                self._basics.wording.front_screen_words()("box.turning.not"),
            )
            game = replace(game, decided=unknown if event.told is None else event.told)
            queue = (
                table.overlays.queue[0]._replace(paged=game),
                *table.overlays.queue[1:],
            )
            with self._turn.change():
                self._turn.replace_table(
                    table._replace(overlays=table.overlays._replace(queue=queue))
                )
        self._weigh()

    @property
    def _past(self) -> finished_game.FinishedGameReview | None:
        front = self._stands.table.overlays.front_overlay
        paged = None if front is None else front.paged
        return paged if isinstance(paged, finished_game.FinishedGameReview) else None

    def _weigh(self) -> None:
        game = self._past
        if (
            game is None
            or not game.is_turning_point_pending
            or self._weighing is None
            or self._is_weighing
        ):
            return
        self._is_weighing = True
        self._weighing(game.number, game.language, self._basics.inbox.put)

    def _look_through(self, paged: PagedText) -> None:
        words, rules = (
            self._basics.wording.front_screen_words(),
            self._basics.faces.voice.current_audio_settings,
        )
        shown = make_overlay((paged.title_fact,), words, self._stands.running_game_face, rules)
        self._turn.replace_table(self._stands.table.with_overlay(shown._replace(paged=paged)))


def has_finished_game(session: Session | None) -> bool:
    """Return True if `session` has a game, and the game is finished."""
    return session is not None and session.standing.snapshot.outcome is not None
