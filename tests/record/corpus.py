"""Write a record with every game: `python -m tests.record.corpus FOLDER`.

The record of each release is stored in `released/`, and every later version must open it.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from companion.catalog import editions, registry
from companion.core.chance import Chance
from companion.core.game import Game
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.record.journal import Journal

PLAYERS: Final = ("Ann", "Zoë", "Cy", "Dee")
STOPPED: Final = 30
"""Number of answers in an unfinished game."""
BEGUN: Final = 1_763_700_000


def made(folder: Path) -> None:
    """Write `games.db`, and `games.json` with the state of each game in it."""
    folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(folder / "games.db")
    journal.save_setting("language", "fr", BEGUN)
    journal.save_setting("volume", 4, BEGUN)
    stand = {}
    for name in registry.BUILT_IN_GAMES:
        game = registry.find_game(name)
        seats = cycle(game.seats)
        for options in tables(game):
            for answers in (STOPPED, sys.maxsize):
                session = played(journal, game, next(seats), options, answers)
                stand[session.number] = standing(session)
    journal.close()
    (folder / "games.db-lock").unlink()  # only a mark for the box that wrote the record
    (folder / "games.json").write_text(json.dumps(stand, indent=1) + "\n", encoding="utf-8")


def tables(game: Game[Any]) -> Iterator[dict[str, str]]:
    """Return the usual options, and each other value of each option once."""
    usual = {option.name: option.values[0] for option in game.options}
    yield usual
    for option in game.options:
        for value in option.values[1:]:
            yield {**usual, option.name: value}


def played(
    journal: Journal, game: Game[Any], seats: int, options: dict[str, str], answers: int
) -> Session:
    """Play up to `answers` random answers, with undo, redo and looks at secrets."""
    seed = f"{game.name} {seats} {options} {answers}"
    chance, rng = Chance(seed), random.Random(seed)
    setup = GameSetup(game, PLAYERS[:seats], options, editions.load_edition(game.name), chance)
    session = Session.begin(journal, setup, BEGUN)
    for now in range(BEGUN, BEGUN + answers):
        if session.standing.pending_prompt is None:
            break
        doing = rng.random()
        if session.standing.pending_prompt.name in ("mix", "agree_undo"):
            session.answer(random_answer(session.standing.pending_prompt, rng), now)
        elif doing < 0.05 and session.standing.snapshot.undoable:
            session.undo(now)
        elif doing < 0.08 and session.standing.snapshot.redoable:
            session.redo(now)
        else:
            session.answer(random_answer(session.standing.pending_prompt, rng), now)
        if (
            doing > 0.5
            and session.standing.pending_prompt is not None
            and session.standing.pending_prompt.name != "agree_undo"
        ):
            session.mark_secrets_sent(now)
        session.commit()
    return session


def standing(session: Session) -> dict[str, Any]:
    """Return the parts of a game's state on which all later versions must agree."""
    snapshot = session.standing.snapshot
    return {
        "game": snapshot.game,
        "position": snapshot.position,
        "undoable": snapshot.undoable,
        "asked": snapshot.prompt and snapshot.prompt.name,
        "winners": snapshot.outcome and list(snapshot.outcome.winners),
    }


if __name__ == "__main__":
    made(Path(sys.argv[1]))
