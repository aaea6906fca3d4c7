"""One evening: a box on fake hardware, with its record on a disk, and random events."""

from __future__ import annotations

import logging
import random
import shutil
from collections import Counter
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

from companion.box.events import BoxQuitRequested
from companion.record.journal import Journal, JournalError
from hardware.ports import COMMON_RANK
from tests.helpers import NOW_SECONDS, Drive
from tests.record.test_crash import damage
from tests.system.soak import referee, thumb

if TYPE_CHECKING:
    from pathlib import Path

    from tests.system.soak.faults import Fault

FILES: Final = ("games.db", "games.db-wal")
SOON: Final = 12
"""Maximum number of actions while a fault lasts."""
BY_EAR: Final = 0.25
"""Probability that all players play in audio mode."""
FAULTS: Final = 0.04
"""Probability of a fault between two actions."""


class Evening:
    """A box that is played at random. `tried` counts its events."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(f"evening {seed}")
        self.tried: Counter[str] = Counter()
        self.wall, self._folder, self._card = NOW_SECONDS, folder, 0
        self._heard: dict[int, int] = {}
        self.config = folder / "config"
        (folder / "0").mkdir(parents=True)
        if self.chance.random() < BY_EAR:
            self.tried["evenings by ear"] += 1
            with closing(Journal(self._path, self.wall)) as journal:
                journal.save_settings({"ear": True, "heard": "everything"}, self.wall)
        self._switch_on()

    # --- power ---

    @property
    def _path(self) -> Path:
        return self._folder / str(self._card) / "games.db"

    def _switch_on(self) -> None:
        journal = Journal(self._path, self.wall)
        self.drive = Drive(journal, self.chance.choice(("en", "fr")), folder=self.config)
        self.drive.services.wall = lambda: self.wall
        play = self.drive.speaker.play

        def heard(sound: str, rank: int = COMMON_RANK) -> None:
            play(sound, rank)
            referee.check_facts_are_written(self.drive)

        self.drive.speaker.play = heard  # type: ignore[method-assign]
        self.tried["starts"] += 1

    def restart(self) -> None:
        before = referee.lines(self.drive.journal)
        self.drive.loop.handle_event(BoxQuitRequested())
        self.drive.loop.close()
        self.drive.journal.close()
        self._switch_on()
        referee.check_same_record(before, self.drive.journal)

    def kill(self) -> None:
        """Cut the power: only the card's files remain."""
        before = self._leave()
        self._switch_on()
        referee.check_same_record(before, self.drive.journal)

    def harm(self) -> None:
        """Cut the power, and damage a file on the card; a complete copy replaces it later.

        Damage in a finished game may be found late, so no evening continues with a damaged card.
        """
        before = self._leave()
        whole = self._folder / "whole"
        shutil.copytree(self._path.parent, whole)
        files = [self._path.with_name(name) for name in FILES]
        damage(
            self.chance.choice([f for f in files if f.exists() and f.stat().st_size]), self.chance
        )
        try:
            self._switch_on()
        except JournalError:  # refuses the file, and does not change it
            self.tried["records that were refused"] += 1
        else:
            self.tried["records that were repaired"] += self.drive.journal.repair_result is not None
            referee.check_remaining_record(before, self.drive.journal)
            for _ in range(SOON):
                thumb.step(self.drive, self.chance)
            self.drive.journal.close()
        self._card += 1
        whole.rename(self._path.parent)
        self._switch_on()
        referee.check_same_record(before, self.drive.journal)

    def _leave(self) -> dict[int, referee.Lines]:
        """Remove the card from the running box."""
        journal, old = self.drive.journal, self._path.parent
        before = referee.lines(journal)
        self._card += 1
        shutil.copytree(old, self._path.parent)
        journal.close()
        shutil.rmtree(old)
        return before

    # --- play ---

    def step(self, table: tuple[Fault, ...], n: int) -> None:
        """Do one random step. Raise Finding if the box is wrong after the step."""
        if table and self.chance.random() < FAULTS:
            fault = self.chance.choices(table, [fault.weight for fault in table])[0]
            self.tried[fault.name] += 1
            fault.strike(self)
        else:
            thumb.step(self.drive, self.chance)
        self.drive.pump()
        if not self.drive.fake.display.failing:
            referee.check_display(self.drive)
        if n % referee.EVERY == 0:
            referee.check_game_follows_record(self.drive)

    def close(self) -> None:
        games = [entries for entries in referee.lines(self.drive.journal).values() if entries]
        self.tried["games"] += len(games)
        for entries in games:
            self.tried[f"games of {entries[0].value['game']}"] += 1
            self.tried["games that were played to their end"] += entries[-1].kind == "over"
            self.tried["answers on the disk"] += sum(e.kind == "answer" for e in entries)
        with suppress(JournalError):
            self.drive.journal.close()


def spend(folder: Path, seed: int, steps: int, table: tuple[Fault, ...]) -> Counter[str]:
    """Play an evening of some steps; return the counted events. Raise the referee's Finding."""
    logger, judge = logging.getLogger("companion"), referee.Logged(logging.ERROR)
    logger.addHandler(judge)
    evening, n = Evening(folder, seed), 0
    try:
        with patch("companion.play.begin.fresh_seed", lambda: f"{evening.chance.random()}"):
            for n in range(steps):
                evening.step(table, n)
        referee.check_game_follows_record(evening.drive)
    except Exception as error:
        error.add_note(f"seed {seed}, step {n}")
        raise
    finally:
        logger.removeHandler(judge)
        evening.close()
    evening.tried["things that somebody did"] += steps
    return evening.tried
