"""A card that lies face down is told to nobody: every output of whole games is searched for it.

PLAYOUTS=1000 searches that many games for each number of players instead of one.
"""

from __future__ import annotations

import json
import os
import random
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.cmd.stdio import Stdio
from companion.core.chance import Chance
from companion.core.prompts import Choose, choices
from companion.draw import screens
from companion.draw.canvas import wrap
from companion.games.baretta.board import decks
from companion.games.baretta.face import FACE
from companion.games.baretta.words import card, short_card
from companion.games.registry import find
from companion.play.session import Session, Setup
from companion.play.simulate import pick
from companion.press.controls import LOOK
from companion.press.cursor import Cursor
from companion.press.wheel import wheel
from companion.record.journal import Journal
from companion.say.words import LANGUAGES, VERBOSITIES, Words
from tests.helpers import Drive, begun, printed, setup_for, words_for, words_of
from tests.say.test_words import Written
from tests.scenes.baretta import STOPS, VIRTUAL, answers, question, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.game import Cue
    from companion.core.prompts import Prompt
    from companion.core.snapshot import Snapshot

GAME: Final = find("baretta")
GAMES: Final = int(os.environ.get("PLAYOUTS", "1"))
NAMES: Final = ("Ann", "Bob", "Cy", "Dee")
CARDS: Final = tuple(decks(printed("baretta")))
TAKE_BACK: Final = 0.05
"""How often the last answer is taken back."""


@cache
def names_of(name: str, language: str) -> re.Pattern[str]:
    """Whatever names a card in an output: its id, or its name in a language, in any case."""
    words = words_for("baretta", language)
    long = card(words, name)
    texts = {name, long, long.replace(" ", "|")}
    either = "|".join(map(re.escape, texts))
    return re.compile(rf"(?<![\w:])(?:{either})(?![\w:])", re.IGNORECASE)


def named(text: str, language: str) -> set[str]:
    """The cards that an output names."""
    return {name for name in CARDS if names_of(name, language).search(text)}


def in_sight(state: Any, cues: tuple[Cue, ...]) -> set[str]:
    """What all may know: what lies face up, what came up just now, the Move being made."""
    seen = {spot.card for spot in state.spots if spot is not None and spot.up}
    seen |= {pile[0] for pile, up in zip(state.piles, state.shown, strict=True) if up}
    seen |= {cue.facts["card"] for cue in cues if cue.name in ("turned", "guessed")}
    if state.moving is not None and state.moving[1]:
        seen.add(f"move:{state.moving[0]}")
    kept_quiet = any(cue.name == "kept_quiet" for cue in cues)
    return seen | ({"hunch"} if kept_quiet else set())


def sentences(snapshot: Snapshot, words: Words) -> Iterator[str]:
    """All that is said, or written beside the board."""
    for cue in snapshot.cues:
        if cue.to is None:
            yield from (words.title(cue), words.text(cue), words.alone(cue)) if cue.name in (
                "turned", "guessed", "placed", "out", "wounded",
            ) else (words.text(cue),)  # fmt: skip
            yield from (words.speech(cue, verbosity) for verbosity in VERBOSITIES)
    prompt = snapshot.prompt
    if prompt is not None:
        yield words.question(prompt, snapshot.view)
        yield words.asked(prompt, snapshot.view)
        yield from (words.label(prompt.name, v, snapshot.view) for v in choices(prompt))


def frames(snapshot: Snapshot, words: Words, rng: random.Random) -> Iterator[str]:
    """The words on every frame that all may see, each as one text."""
    prompt, first = snapshot.prompt, Cursor()
    for cues in words.moments(snapshot.cues):
        screens.moment(cues, words, first, FACE, screens.steps(cues, FACE) - 1)
        yield shown()
    screens.standing(snapshot, words, first, FACE)
    yield shown()
    for name in snapshot.players:
        screens.peep(name, first, words)
        yield shown()
    if prompt is not None:
        cursor = Cursor(at=rng.randrange(len(wheel(prompt))))
        screens.question(snapshot, prompt, cursor, words, FACE)
        yield shown()


def shown() -> str:
    return " ".join(text for _, _, text, _ in Written.texts)


class Table:
    """Stdio with a random player, and an ear at every output before each answer."""

    def __init__(self, session: Session, rng: random.Random, language: str) -> None:
        self.session, self.rng, self.language = session, rng, language
        self.words = words_of(session, language)
        self.lines: list[dict[str, Any]] = []
        self.searched = 0
        self.before: set[str] = set()

    def write(self, line: str) -> None:
        self.lines.append(json.loads(line))

    def flush(self) -> None:
        pass

    def readline(self, _limit: int) -> bytes:
        self.search()
        prompt = self.session.prompt
        if prompt is None:
            return b""
        if self.rng.random() < TAKE_BACK and self.session.snapshot.undoable:
            return b'{"undo": true}\n'
        return json.dumps({"answer": self.answer(prompt)}).encode() + b"\n"

    def answer(self, prompt: Prompt) -> Any:
        """Hunches are played more often than people do, so that many are seen."""
        if isinstance(prompt, Choose) and prompt.name == "hunch" and self.rng.random() < 0.2:
            return self.rng.choice(prompt.options)
        return pick(prompt, self.rng)

    def search(self) -> None:
        """No output names a card that is not in sight, now or at the last answer."""
        session = self.session
        state, snapshot = session._line.last.state, session.snapshot
        now = in_sight(state, snapshot.cues) if state.piles else set()
        seen, self.before = now | self.before, now
        spoken = [*sentences(snapshot, self.words), *frames(snapshot, self.words, self.rng)]
        spoken.append(json.dumps(snapshot.view))
        spoken += [json.dumps(line) for line in self.lines if line["type"] in ("tell", "state")]
        spoken += [json.dumps(line) for line in self.lines if line["type"] in ("ask", "error")]
        for line in self.lines:
            if line["type"] == "secret":
                assert line["card"] in named(json.dumps(line), self.language)
        self.lines.clear()
        for text in spoken:
            self.searched += 1
            assert named(text, self.language) <= seen, text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_no_output_ever_names_a_card_that_lies_face_down(
    n: int, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "Canvas", Written)
    for seed in range(GAMES):
        rng = random.Random(f"{n} {language} {seed}")
        options = {**VIRTUAL, "wounded": rng.choice(["down", "up"])}
        setup = Setup(GAME, NAMES[:n], options, printed("baretta"), Chance(f"{seed}"), mixing=False)
        session = Session.begin(Journal(None), setup, 0)
        played: Any = Table(session, rng, language)
        face = Stdio(session, played.words, source=played, sink=played, wall=lambda: 0, version="1")
        face.run()
        assert played.searched > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_search_would_find_a_card(language: str) -> None:
    words = words_for("baretta", language)
    for name in CARDS:
        assert named(f"On 14: {card(words, name)}.", language) == {name}
        assert named(json.dumps({"card": f"up:{name}"}).replace("up:", ""), language) == {name}
        assert named(" ".join(wrap(card(words, name).upper(), 11)), language) == {name}
        assert short_card(words, name)
    assert not named("Ann puts a card on space 5, with a marker.", language)


# --- on the box -----------------------------------------------------------------------------------


def put_down() -> Drive:
    """Billy has put a card down; the moment that says so stands before the curtain."""
    *before, last = answers(STOPS["placed.marked"], 2, 1, own=False)
    drive = Drive(begun(table(VIRTUAL, 2, 1), before))
    drive.resume()
    drive.choose(last)
    return drive


def test_a_curtain_comes_at_once_before_whoever_put_a_card_down() -> None:
    drive = put_down()
    (secret,) = [cue for cue in drive.session.snapshot.cues if cue.to is not None]
    drive.skip()
    assert drive.table.curtain == secret.to
    curtain = drive.frame
    drive.down("ok")
    drive.wait(LOOK)
    assert drive.table.cursor.looking == secret.to
    looked = drive.frame
    drive.up("ok")
    assert drive.table.curtain is None
    assert drive.session.prompt is not None
    assert len({curtain, looked, drive.frame}) == 3


def test_the_card_put_down_is_never_heard() -> None:
    drive = put_down()
    (secret,) = [cue for cue in drive.session.snapshot.cues if cue.to is not None]
    told = card(words_of(drive.session, "en"), secret.facts["card"])
    last = len(drive.speaker.heard) - drive.speaker.heard[::-1].index("hush")
    said = drive.speaker.heard[last:]
    assert any("puts a card" in text for text in said)
    assert not any(told in text for text in said if "stay put" not in text.lower())


def undo(drive: Drive) -> Drive:
    drive.down("back")
    drive.wait(1.1)
    drive.up("back")
    return drive


def test_undoing_past_a_look_asks_the_table_and_a_no_keeps_the_card() -> None:
    drive = put_down()
    drive.skip()
    drive.down("ok")
    drive.wait(LOOK)
    drive.up("ok")
    before = drive.session.snapshot
    undo(drive)
    assert drive.session.prompt is not None
    assert drive.session.prompt.name == "agree_undo"
    drive.choose("no")
    assert drive.session.snapshot.view == before.view
    undo(drive)
    drive.choose("yes")
    assert [cue.name for cue in drive.session.snapshot.cues] == ["undone"]
    assert drive.session.snapshot.position < before.position


def test_undoing_a_card_that_nobody_looked_at_and_nobody_saw_needs_no_agreement() -> None:
    given = answers(only_placed, 2, 23, own=False)
    drive = Drive(begun(table(VIRTUAL, 2, 23), given[:-1]))
    drive.resume()
    drive.choose(given[-1])
    drive.skip()
    drive.press("back")
    undo(drive)
    assert [cue.name for cue in drive.session.snapshot.cues] == ["undone"]


def only_placed(now: Snapshot) -> bool:
    """A card was put down on an empty space: nothing was turned over for all to see."""
    placed = any(cue.name == "placed" for cue in now.cues)
    return placed and not any(cue.reveals for cue in now.cues)


@pytest.mark.parametrize("seat", ["seat1", "seat2"])
def test_a_tap_of_any_seats_button_cuts(seat: str) -> None:
    drive = Drive(begun(setup_for(VIRTUAL, game="baretta"), ["killer", "hijacker"]))
    drive.resume()
    drive.press(seat)
    assert "cut" in [cue.name for cue in drive.session.snapshot.cues]


def test_a_tap_of_a_button_where_nobody_sits_does_not_cut() -> None:
    drive = Drive(begun(setup_for(VIRTUAL, game="baretta"), ["killer", "hijacker"]))
    drive.resume()
    drive.press("seat3")
    assert drive.session.prompt is not None
    assert drive.session.prompt.name == "cut"


def test_a_seats_button_shows_the_own_hidden_cards_at_any_question() -> None:
    drive = question("en", STOPS["placed.marked"], 1)
    drive.press("back")
    shown_before = drive.frame
    (secret,) = [cue for cue in drive.session.snapshot.cues if cue.to is not None]
    seat = f"seat{drive.session.setup.players.index(str(secret.to)) + 1}"
    drive.down(seat)
    drive.wait(LOOK)
    assert drive.frame != shown_before
    drive.up(seat)
    assert drive.frame == shown_before
