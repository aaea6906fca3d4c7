"""Tests of twin boxes in audio mode with equal presses: the room hears no difference of secrets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from companion.catalog import editions, registry
from companion.core.chance import Chance
from companion.core.errors import Refused
from companion.core.prompts import (
    Answer,
    Choose,
    Form,
    Number,
    Question,
    Roll,
    Shuffle,
    Spell,
    legal_answers,
)
from companion.hear.voice import Voice
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from companion_testing.playing import RandomPlayer
from companion_testing.table import tables_of_all_option_combinations
from hardware.mock import MIN_READING_SECONDS, FakeBox
from hardware.ports import BACK, DOWN, OK, UP
from tests.helpers import Drive, begin_game, long_lane_params

BOXES: Final = int(os.environ.get("SECRECY", "3"))
"""Series of pairs for each game: `SECRECY=25 pytest -m "" tests/ear/test_twins.py` tries more."""
PAIRS: Final = 10
"""Pairs of each game in the long lane, 40 in all."""
ANSWERS: Final = 40
"""Maximum number of answers before audio mode begins."""
FEW: Final = 25
ENOUGH: Final = 120
"""Presses to compare over several pairs: in a short run, and in a long run."""
PLACES: Final = [
    *((game, 0, FEW) for game in ("barney-miller", "probe")),
    *long_lane_params((game, 0, FEW) for game in ("baretta", "kojak")),
    *long_lane_params((game, n, ENOUGH) for game in registry.BUILT_IN_GAMES for n in range(BOXES)),
]
PRESSES: Final = 40
"""Maximum number of presses on each of two boxes."""
LISTENS: Final = (OK, 1.0)
HANDS: Final = ((DOWN, 0.08), (UP, 0.08), (OK, 0.08), LISTENS, (OK, 2.2), (BACK, 0.08))
OFTEN: Final = (6, 3, 6, 4, 1, 1)
SAME: Final = "one"
OTHER: Final = "other"
DICE: Final = 3
"""Maximum length of a roll. A longer draw is a shuffle."""
PARTS: Final = 100
"""Pairs of each seed, and their maximum."""
WHISPERED: Final = (("barney-miller", 0), *long_lane_params((("baretta", 0), ("probe", 3))))
"""Games with secrets to look at, and a seed with a look. Kojak's secrets are in piles."""
TRIED: Final = 4
"""Number of seeds to try, because with a single seed it may happen that no player looks."""
DRAWN: Final = Chance.drawn_answer_to_prompt


class Draw(NamedTuple):
    """A shuffle or a roll: the name of its prompt, its player, and its number."""

    name: str
    who: str | None
    n: int


class Draws:
    """The draws of both boxes. They are equal, except for those in `instead` on the second box."""

    def __init__(self) -> None:
        self.instead: dict[Draw, Answer] = {}
        self.made: dict[Draw, Answer] = {}

    def answer(self, chance: Chance, prompt: Roll | Shuffle, n: int) -> Answer:
        """Return the draw of the box to which `chance` belongs."""
        which = Draw(prompt.name, prompt.who, n)
        if chance.seed == OTHER and which in self.instead:
            return self.instead[which]
        self.made[which] = value = DRAWN(chance._replace(seed=SAME), prompt, n)
        return value


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> Draws:
    """Return the draws of all boxes from now on."""
    found = Draws()
    monkeypatch.setattr(Chance, "drawn_answer_to_prompt", lambda *given: found.answer(*given))  # noqa: PLW0108 - a method of Chance
    return found


class Twins:
    """A random game on two boxes, which differ in one secret."""

    def __init__(self, name: str, seed: int, draws: Draws) -> None:
        self.game, self.rng = registry.find_game(name), Random(f"{name} {seed}")
        every = [*tables_of_all_option_combinations(self.game, editions.load_edition(name))]
        hiding = [one for one in every if {"virtual", "secret"} & {*one.options.values()}]
        self.table = self.rng.choice(hiding or every)
        self.language = ("en", "fr")[seed % 2]
        draws.instead.clear()
        draws.made.clear()
        self.answers, private = self._played()
        self.others = [*self.answers]
        shuffled = [draw for draw, value in draws.made.items() if len(value) > DICE]
        if shuffled and (not private or self.rng.random() < 0.5):
            draw = self.rng.choice(shuffled)
            draws.instead[draw] = _changed(draws.made[draw], self.rng)
        elif private:
            n = self.rng.choice([*private])
            self.others[n] = private[n]
            del self.answers[n + 4 :], self.others[n + 4 :]  # a player may soon look at this secret
        self.differ = bool(shuffled or private)

    def _played(self) -> tuple[list[Answer], dict[int, Answer]]:
        """Return random answers of players, and other values for the private answers."""
        session, player = Session.begin(Journal(None), self._setup(SAME), 0), RandomPlayer(self.rng)
        answers: list[Answer] = []
        private: dict[int, Answer] = {}
        for n in range(self.rng.randrange(3, ANSWERS)):
            if (prompt := session.standing.pending_prompt) is None:
                break
            answers.append(player.choose_answer(prompt))
            if (other := _otherwise(prompt, answers[n], self.rng)) is not None:
                private[n] = other
            session.answer(answers[n], 0)
            session.commit()
        if session.standing.snapshot.outcome is not None:  # a finished game cannot go on
            del answers[-5:]
        return answers, {n: value for n, value in private.items() if n < len(answers)}

    def _setup(self, seed: str) -> GameSetup:
        table = self.table
        options, edition = dict(table.options), dict(table.edition)
        return GameSetup(self.game, table.players, options, edition, Chance(seed), mixing=False)

    def boxes(self) -> tuple[Drive, Drive]:
        """Return both boxes at the first screen. Raise Refused if a secret is not legal."""
        return self._box(SAME, self.answers), self._box(OTHER, self.others)

    def _box(self, seed: str, answers: list[Answer]) -> Drive:
        journal = begin_game(self._setup(seed), answers)
        settings = {"ear": True, "language": self.language, "quiet_from": None}
        journal.save_settings(settings, 0)
        return Drive(journal, self.language, fake=FakeBox(ear=True))


def _otherwise(prompt: Question, value: Answer, rng: Random) -> Answer | None:
    """Return another answer to a private question, or None if there is none."""
    if isinstance(prompt, Form) or not prompt.private:
        return None
    others: list[Answer] = []
    if isinstance(prompt, Spell):
        others = [one for one in prompt.samples if one != value and len(one) == len(value)]
    elif isinstance(prompt, Choose | Number):
        others = [one for one in legal_answers(prompt) if one != value]
    return rng.choice(others) if others else None


def _changed(order: Answer, rng: Random) -> Answer:
    """Return the order with two cards swapped."""
    changed = [*order]
    one, two = rng.sample(range(len(changed)), 2)
    changed[one], changed[two] = changed[two], changed[one]
    return changed


def public(drive: Drive) -> Any:
    """Return everything that each player may know by the rules: the question, facts and views."""
    if drive.loop.running_session is None:
        return None
    snapshot, prompt = drive.session.standing.snapshot, drive.session.standing.pending_prompt
    shown = isinstance(prompt, Choose | Number) and not prompt.private
    asked = prompt if shown else prompt and (prompt.name, prompt.who)
    told = [
        cue
        for cue in drive.session.standing.facts_received_by(snapshot.players[0])
        if cue.to is None
    ]
    return asked, told, snapshot.view, snapshot.outcome


def compared(one: Drive, two: Drive, rng: Random) -> int:
    """Press equal buttons until both differ in public or end. Return the number of presses."""
    for drive in (one, two):
        drive.resume()
    pressed = 0
    while pressed < PRESSES and public(one) == public(two) and not _is_over(one):
        assert one.speaker.heard == two.speaker.heard, f"different sounds after {pressed} presses"
        ((button, seconds),) = rng.choices(HANDS, OFTEN)
        if one.table.press_context.curtain is not None and rng.random() < 0.5:
            button, seconds = LISTENS
        for drive in (one, two):
            drive.down(button)
            drive.wait(seconds)
            drive.up(button)
            drive.wait(MIN_READING_SECONDS)
        pressed += 1
    return pressed


def _is_over(drive: Drive) -> bool:
    session = drive.loop.running_session
    return session is not None and session.standing.snapshot.outcome is not None


def compared_pairs(game: str, seed: int, draws: Draws) -> Iterator[int]:
    """Yield the number of compared presses for each pair whose second secret may be legal."""
    for part in range(PARTS):
        twins = Twins(game, seed * PARTS + part, draws)
        if twins.differ:
            with suppress(Refused):  # the rules may forbid the other secret
                one, two = twins.boxes()
                if (
                    one.journal.recent_unfinished_game_numbers()
                    and two.journal.recent_unfinished_game_numbers()
                ):
                    yield compared(one, two, twins.rng)


def compare_pairs(game: str, seed: int, draws: Draws, enough: int) -> int:
    """Compare one pair after another until `enough` presses were compared. Return their number."""
    presses = 0
    for pressed in compared_pairs(game, seed, draws):
        presses += pressed
        if presses >= enough:
            break
    return presses


@pytest.mark.long
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_the_room_hears_ten_pairs_of_each_game_alike(game: str, draws: Draws) -> None:
    pressed = [*islice(filter(None, compared_pairs(game, PAIRS, draws)), PAIRS)]
    assert len(pressed) == PAIRS
    assert sum(pressed) >= ENOUGH


@pytest.mark.long
@pytest.mark.parametrize(("game", "seed", "presses"), PLACES)
def test_the_room_hears_the_same_of_two_boxes_that_differ_in_a_secret(
    game: str, seed: int, presses: int, draws: Draws
) -> None:
    assert compare_pairs(game, seed, draws, presses) >= presses


@pytest.mark.long
@pytest.mark.parametrize(("game", "seed"), WHISPERED)
def test_the_room_would_hear_of_a_secret_that_is_read_to_all(
    game: str, seed: int, draws: Draws, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Voice.speak_texts_in_audio_mode

    def aloud(voice: Voice, texts: Any, language: str, _: str | None, *, cuts: bool) -> None:
        read(voice, texts, language, None, cuts=cuts)

    monkeypatch.setattr(Voice, "speak_texts_in_audio_mode", aloud)
    with pytest.raises(AssertionError, match="different sounds"):
        sum(compare_pairs(game, seed + n, draws, PARTS * PRESSES) for n in range(TRIED))
