"""The service that saves the values of a printed board that players enter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from companion.box.state import Basics
from companion.box.turn import Turn
from companion.catalog import entered_boards
from companion.core.game import Cue, EnteredBoardValue
from companion.figures import times
from companion.play.session import Session


class EnteredBoardSaver:
    """The service that saves the values of printed boards that players have entered.

    If the box has no folder for entered boards, the service saves nothing.
    """

    def __init__(self, basics: Basics, turn: Turn) -> None:
        self._machine, self._turn = basics.machine, turn
        self._said: tuple[EnteredBoardValue, ...] = ()

    def ignore_already_entered_values(self, values: tuple[EnteredBoardValue, ...]) -> None:
        """Make `save_entered_values` ignore `values`, which players entered earlier."""
        self._said = values

    def save_entered_values(self, session: Session, values: tuple[EnteredBoardValue, ...]) -> None:
        """Save newly entered values. Delete saved values whose entry was undone."""
        before, self._said, folder = self._said, values, self._machine.taught
        if before == values or folder is None:
            return

        with self._telling():
            entered_boards.save_entered_values(
                session.game_setup.game.name, folder, before, values, self._day
            )

    def apply_printed_board_decision(
        self, game: str, how: str, players: tuple[str, ...], data: Mapping[str, Any]
    ) -> None:
        """Save the players' decision about the printed board of a game.

        - `how`: "mine" if players confirm the assumed board, "teach" if players entered `data`, or
          "forget" to delete the entered board.
        """
        folder = self._machine.taught
        assert folder is not None  # noqa: S101 - a player was asked
        with self._telling():
            match how:
                case "mine":
                    entered_boards.confirm_assumed_board(game, folder, players, self._day)
                case "teach":
                    entered_boards.save_entered_board(game, folder, data, players, self._day)
                case _:
                    entered_boards.delete_entered_board(game, folder)

    @property
    def _day(self) -> str:
        return times.format_utc_date(self._machine.wall())

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """If the `with` block raises OSError, announce the error and continue the game."""
        try:
            yield
        except OSError:
            self._turn.announce_facts(Cue("refused", {"code": "untaught"}))
