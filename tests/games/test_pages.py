"""Check docs/protocol.md, docs/chance.md and docs/rulings against games of many kinds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import pytest

from companion.catalog import editions, registry
from companion.core.prompts import LEAVING_PLAYER_QUESTION, Shuffle
from companion.say.words import LANGUAGES
from companion_testing.playing import Move
from companion_testing.table import tables_of_all_option_combinations
from tests.games.refereed import random_game
from tests.protocol_page import field_rows
from tests.rulings import DOCS_FOLDER, RULING_BOOKS

LEAVING: Final = {
    "barney-miller": "BM-15", "baretta": "BA-20", "kojak": "KO-23", "probe": "PR-18",
}  # fmt: skip
CORRECTING: Final = {
    "barney-miller": {"BM-13"}, "baretta": {"BA-18"}, "kojak": {"KO-21"},
    "probe": {"PR-6", "PR-11"},
}  # fmt: skip
ENOUGH: Final = 4
SOMETIMES: Final = {"asked", "words", "cards", "seen"}
"""Fields of a single player, and of the option `remember`."""
every_game = pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)


@cache
def moves(game: str) -> tuple[Move, ...]:
    """Return answers of random games, until enough players have left and corrected values."""
    every = [
        *tables_of_all_option_combinations(registry.find_game(game), editions.load_edition(game))
    ]
    found: list[Move] = []
    said: Counter[str] = Counter()
    for n in range(60):
        played = random_game(every[n * 7 % len(every)], n).moves
        found += played
        said.update(move.prompt.name for move in played if move.is_out_of_turn)
        if min(said[LEAVING_PLAYER_QUESTION], said["correct"]) >= ENOUGH:
            break
    return tuple(found)


@pytest.mark.sampled(1)
@every_game
def test_a_view_after_a_leaving_or_a_correction_has_the_fields_of_the_protocol(game: str) -> None:
    fields = set(field_rows("State", game))
    its = registry.find_game(game)
    spoken = [move for move in moves(game) if move.is_out_of_turn]
    assert {move.prompt.name for move in spoken} >= {LEAVING_PLAYER_QUESTION, "correct"}
    for move in spoken:
        view = its.view(move.after, None)
        assert set(view) <= fields, set(view) - fields
        assert fields - set(view) <= SOMETIMES, fields - set(view)
        assert set(view["out"]) <= set(move.after.table.players)


@pytest.mark.long
@every_game
def test_what_corrections_and_leavings_tell_is_in_the_protocol(game: str) -> None:
    events = field_rows("Events", game)
    spoken = [move for move in moves(game) if move.is_out_of_turn and move.prompt.name != "guess"]
    for cue in (cue for move in spoken for cue in move.cues):
        assert cue.name in events, cue.name


@every_game
def test_a_leaving_and_a_correction_cite_their_clause_in_both_books(game: str) -> None:
    cited = {
        cue.clause
        for move in moves(game)
        if move.prompt.name == LEAVING_PLAYER_QUESTION
        for cue in move.cues[:1]
    }
    corrected = {
        cue.clause
        for move in moves(game)
        if move.is_out_of_turn and move.prompt.name == "correct"
        for cue in move.cues[:1]
    }
    assert cited == {LEAVING[game]}
    assert corrected
    assert corrected <= CORRECTING[game]
    for language in LANGUAGES:
        book = RULING_BOOKS[language].read_text("utf-8")
        assert all(f"| {clause} |" in book for clause in cited | corrected)


# --- docs/chance.md -------------------------------------------------------------------------------


class Hands:
    """The cards of Barney Miller, computed only from docs/chance.md and docs/rulings.md."""

    def __init__(self, seed: str, players: tuple[str, ...]) -> None:
        page = (DOCS_FOLDER / "chance.md").read_text("utf-8")
        first, _, shuffle, *_ = re.findall(
            r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE
        )
        self.space: dict[str, Any] = {}
        exec(first, self.space)  # noqa: S102 - runs the code of the page
        self.space |= {"seed": seed, "presses": ""}
        self.shuffle = shuffle.rpartition("print")[0]
        self.stay, self.aside, self.shuffles = [*players], list[int](), 0
        self.hands: dict[str, list[int]] = {name: [] for name in players}
        self.seconds: dict[str, list[int]] = {name: [] for name in players}

    def shuffled(self) -> None:
        """BM-3, BM-11: two hands each of the first deck, and one hand each of every later deck."""
        name = f"shuffle||{self.shuffles}"
        exec(self.shuffle.replace("shuffle||0", name), self.space)  # noqa: S102 - code of the page
        self.shuffles += 1
        self.deal([*self.space["deck"]], 2 if self.shuffles == 1 else 1)

    def deal(self, deck: list[int], each: int) -> None:
        hands = each * len(self.stay)
        dealt = hands * (9 if len(self.stay) == 3 else 7)
        for n, name in enumerate(self.stay):
            self.hands[name] = deck[n:dealt:hands]
            self.seconds[name] = deck[n + len(self.stay) : dealt : hands] if each > 1 else []
        self.aside = deck[dealt:]

    def hear(self, name: str, facts: Mapping[str, Any]) -> None:
        """Update the cards after a public cue."""
        match name, facts:
            case ("card_played" | "zero_played", {"who": who}):
                self.hands[who].remove(facts.get("value", 0))
                if not self.hands[who]:
                    self.hands[who], self.seconds[who] = self.seconds[who], []
            case "dealt", {"how": "half" | "rest" as how}:
                self.deal(self.aside, 2 if how == "half" else 1)
            case "left", {"who": who}:
                self.aside += self.hands[who] + self.seconds[who]
                self.stay.remove(who)
                self.hands[who] = self.seconds[who] = []


@pytest.mark.long
def test_the_page_of_chance_gives_every_hand_also_after_somebody_has_left() -> None:
    game, left = registry.find_game("barney-miller"), 0
    every = [*tables_of_all_option_combinations(game, editions.load_edition(game.name))]
    virtual = [table for table in every if table.options["deck"] == "virtual"]
    for n in range(3 * len(virtual)):
        table = virtual[n % len(virtual)]
        played = random_game(table, n)
        hands = Hands(played.chance.seed, table.players)
        for move in played.moves:
            if isinstance(move.prompt, Shuffle):
                hands.shuffled()
            for cue in move.cues:
                hands.hear(cue.name, cue.facts)
            left += move.prompt.name == LEAVING_PLAYER_QUESTION
            for name in hands.stay:
                assert game.view(move.after, name)["cards"] == sorted(hands.hands[name])
            assert game.view(move.after, None)["deck_aside"] == len(hands.aside)
    assert left >= ENOUGH
