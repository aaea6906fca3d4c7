"""docs/protocol.md, docs/chance.md and docs/rulings against games with corrections and leavers."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final

import pytest

from companion.catalog import editions, registry
from companion.core.prompts import LEAVES
from companion.say.words import LANGUAGES
from companion.testing.table import tables
from tests.chapters import rows
from tests.games.refereed import random_game
from tests.rulings import BOOKS

if TYPE_CHECKING:
    from companion.testing.playing import Move

LEAVING: Final = {
    "barney-miller": "BM-15", "baretta": "BA-20", "kojak": "KO-23", "probe": "PR-18",
}  # fmt: skip
CORRECTING: Final = {
    "barney-miller": {"BM-13"}, "baretta": {"BA-18"}, "kojak": {"KO-21"},
    "probe": {"PR-6", "PR-11"},
}  # fmt: skip
ENOUGH: Final = 4
SOMETIMES: Final = {"asked", "words", "cards", "seen"}
"""Fields of one player alone, and of an option (`remember`)."""
every_game = pytest.mark.parametrize("game", registry.NAMES)


@cache
def moves(game: str) -> tuple[Move, ...]:
    """Return the answers of random games, until players have left and corrected in some of them."""
    every = [*tables(registry.find(game), editions.load(game))]
    found: list[Move] = []
    said: Counter[str] = Counter()
    for n in range(60):
        played = random_game(every[n * 7 % len(every)], n).moves
        found += played
        said.update(move.prompt.name for move in played if move.spoken)
        if min(said[LEAVES], said["correct"]) >= ENOUGH:
            break
    return tuple(found)


@every_game
def test_a_view_after_a_leaving_or_a_correction_has_the_fields_of_the_protocol(game: str) -> None:
    fields = set(rows("State", game))
    its = registry.find(game)
    spoken = [move for move in moves(game) if move.spoken]
    assert {move.prompt.name for move in spoken} >= {LEAVES, "correct"}
    for move in spoken:
        view = its.view(move.after, None)
        assert set(view) <= fields, set(view) - fields
        assert fields - set(view) <= SOMETIMES, fields - set(view)
        assert set(view["out"]) <= set(move.after.table.players)


@every_game
def test_what_corrections_and_leavings_tell_is_in_the_protocol(game: str) -> None:
    events = rows("Events", game)
    spoken = [move for move in moves(game) if move.spoken and move.prompt.name != "guess"]
    for cue in (cue for move in spoken for cue in move.cues):
        assert cue.name in events, cue.name


@every_game
def test_a_leaving_and_a_correction_cite_their_clause_in_both_books(game: str) -> None:
    cited = {
        cue.clause for move in moves(game) if move.prompt.name == LEAVES for cue in move.cues[:1]
    }
    corrected = {
        cue.clause
        for move in moves(game)
        if move.spoken and move.prompt.name == "correct"
        for cue in move.cues[:1]
    }
    assert cited == {LEAVING[game]}
    assert corrected
    assert corrected <= CORRECTING[game]
    for language in LANGUAGES:
        book = BOOKS[language].read_text("utf-8")
        assert all(f"| {clause} |" in book for clause in cited | corrected)
