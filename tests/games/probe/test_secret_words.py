"""Secret words stay secret: every output of random games is searched, on every face.

PLAYOUTS=1000 plays that many games at each table instead of a few.
"""

from __future__ import annotations

import json
import os
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.cmd.stdio import Stdio
from companion.core.chance import Chance
from companion.core.errors import Refused
from companion.core.fold import replace, step
from companion.core.forms import Filling
from companion.core.prompts import Form, by_box
from companion.core.snapshot import Snapshot
from companion.draw import screens
from companion.games.probe import GAME
from companion.games.probe.face import FACE
from companion.play.session import Session, Setup
from companion.play.simulate import pick
from companion.press.controls import LOOK
from companion.press.cursor import HOLD, Cursor
from companion.press.wheel import DONE
from companion.record.journal import Journal
from hardware import BACK, OK
from tests.helpers import Drive, begun, printed, setup_for, words_of
from tests.met import every

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.game import Cues
    from companion.core.prompts import Prompt
    from companion.games.probe.state import State

PLAYOUTS: Final = int(os.environ.get("PLAYOUTS", "2"))
NAMES: Final = ("Ann", "Bob", "Cy", "Dee")
SECRET: Final = {"words": "secret", "deck": "virtual", "remember": "no"}
OTHER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ.", "BCDEFGHIJKLMNOPQRSTUVWXYZ.A")
every_table = pytest.mark.parametrize("n", [2, 3, 4])


def strange(rng: Random) -> str:
    """A word that stands in no sentence, with its dots."""
    letters = "".join(rng.choices("BCDFGHJKLMNPQRSTVWXZ", k=rng.randint(4, 9)))
    return "." * rng.randint(0, 2) + letters + "." * rng.randint(0, 1)


def disguised(state: State) -> State:
    """The same table with other letters under every flap that is down."""
    racks = []
    for rack in state.racks:
        letters = list(rack.word)
        for place in rack.covered:
            letters[place - 1] = letters[place - 1].translate(OTHER)
        racks.append(rack._replace(word="".join(letters)))
    return replace(state, racks=tuple(racks))


def played(n: int, game: int, remember: str) -> Iterator[tuple[State, Cues]]:
    """Every moment of a random game, with interruptions, and what was told before it."""
    rng = Random(f"{n} {game}")
    state = GAME.setup(NAMES[:n], {**SECRET, "remember": remember}, printed("probe"))
    cues: Cues = ()
    while (prompt := GAME.ask(state)) is not None:
        yield state, cues
        value = strange(rng) if prompt.name == "word" else pick(prompt, rng)
        state, cues = step(GAME, state, prompt, value)
        forms = [q for q in GAME.anytime(state) if isinstance(q, Form)]
        if forms and rng.random() < 0.05:
            yield state, cues
            filling = Filling(rng.choice(forms))
            while filling.prompt is not None:
                filling = filling.fill(pick(filling.prompt, rng))
            try:
                state, cues = step(GAME, state, filling.question, filling.answer)
            except Refused:
                cues = ()
    yield state, cues


def games(n: int) -> Iterator[tuple[State, Cues]]:
    for game in range(PLAYOUTS):
        yield from played(n, game, ("no", "yes")[game % 2])


def public(state: State, n: int, language: str) -> list[Any]:
    """All that the box shows and says to everybody at this moment: data, sentences and frames."""
    words, prompt, view = every("probe", language), GAME.ask(state), GAME.view(state, None)
    table = Snapshot(
        "probe", NAMES[:n], SECRET, prompt, view, (), 9, 9, 0, GAME.outcome(state), "CODE", None
    )
    found: list[Any] = [view, words.status(view)]
    pages = range(FACE.pages.count(table))
    found += [screens.standing(table, words, Cursor(page=i), FACE) for i in pages]
    if prompt is None or by_box(prompt):
        return found
    found += [prompt.name, prompt.who, words.question(prompt, view), words.asked(prompt, view)]
    if prompt.private:
        return [*found, screens.curtain(table, str(prompt.who), prompt, Cursor(), words)]
    return [*found, str(prompt), screens.question(table, prompt, Cursor(), words, FACE)]


@every_table
@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_that_all_may_see_depends_on_a_covered_letter(n: int, language: str) -> None:
    moments = [state for state, _ in games(n)]
    assert len(moments) > 20 * PLAYOUTS
    for state in moments:
        other = disguised(state)
        if not _same_choice(state, other):
            continue  # the copies of a letter are other ones: only its owner is asked that
        assert public(state, n, language) == public(other, n, language)


def _same_choice(state: State, other: State) -> bool:
    return state.step != "uncover" or GAME.ask(state) == GAME.ask(other)


@every_table
def test_no_fact_for_all_names_a_word_before_it_is_open(n: int) -> None:
    words = [every("probe", language) for language in ("en", "fr")]
    for state, cues in games(n):
        told = [
            text
            for cue in cues
            if cue.to is None
            for text in (
                json.dumps(cue.facts),
                *(w.text(cue) + w.speech(cue, "teaching") for w in words),
            )
        ]
        for rack in state.racks:
            covered = "".join(rack.word[place - 1] for place in rack.covered)
            secret = rack.word.strip(".")
            if len(covered) > 1 and len(secret) > 3:
                assert not [text for text in told if secret in text.upper()]


class Table:
    """A text protocol whose random player knows nothing; every line is kept with what was secret.

    The words are those that were typed: a line may show a letter of theirs only on an open place.
    """

    def __init__(self, n: int, seed: int) -> None:
        self.rng, self.sent = Random(seed), 0
        self.truth: dict[str, str] = {}
        self.lines: list[dict[str, Any]] = []
        self.ask: dict[str, Any] = {}
        chance = Chance(f"{seed:x}")
        setup = Setup(GAME, NAMES[:n], SECRET, printed("probe"), chance, mixing=False)
        self.session = Session.begin(Journal(None), setup, 0)

    def readline(self, _: int) -> bytes:
        if self.ask["type"] == "over" or self.sent > 3000:
            return b""
        self.sent += 1
        lucky = self.rng.random()
        if lucky < 0.06:
            return b'{"undo": true}\n'
        if lucky < 0.1:
            return b'{"redo": true}\n'
        who, other = self.rng.sample(self.session.setup.players, 2)
        racks = [rack for rack in self.truth if rack.startswith(other)]
        if lucky < 0.14 and racks:
            rack = self.rng.choice(racks)
            guess = self.rng.choice([self.truth[rack], "WRONG"])
            value = {"who": who, "whom": other, "rack": rack, "guess": guess}
            return json.dumps({"interrupt": value}).encode() + b"\n"
        choice = self.rng.choice(self.ask["choices"])["value"]
        if self.ask["question"] == "word":
            choice = self.truth[self.ask["rack"]] = strange(self.rng)
        return json.dumps({"answer": choice}).encode() + b"\n"

    def write(self, line: str) -> None:
        message = json.loads(line)
        self.lines.append(message)
        if message["type"] in ("ask", "over"):
            self.ask = message
        self.check(message, line)

    def flush(self) -> None:
        pass

    def check(self, message: dict[str, Any], line: str) -> None:
        if message["type"] == "secret" or message.get("private"):
            return
        racks = self.session.snapshot.view["racks"]
        for rack, word in self.truth.items():
            closed = [i for i, place in enumerate(racks[rack]) if place["covered"]]
            taken_back = all(place["letter"] is None for place in racks[rack])
            if len(closed) > 1 or (taken_back and not closed):
                assert word.strip(".") not in line.upper()
            if message["type"] == "state":
                assert all(message["racks"][rack][i]["letter"] is None for i in closed)


@every_table
def test_no_line_of_the_protocol_shows_a_covered_letter_but_to_its_owner(n: int) -> None:
    for seed in range(PLAYOUTS):
        table = Table(n, seed)
        pipe: Any = table
        session = table.session
        Stdio(
            session, words_of(session, "en"), source=pipe, sink=pipe, wall=lambda: 0, version="1"
        ).run()
        kinds = {message["type"] for message in table.lines}
        assert {"state", "ask", "tell"} <= kinds
        owners = {m["who"] for m in table.lines if m["type"] == "ask" and m["private"]}
        assert owners == {*session.setup.players}


# --- the box --------------------------------------------------------------------------------------


def spelled(word: str, other: str) -> tuple[list[bytes], list[bytes], Drive]:
    """A word typed in two sittings, then the whole way round; frames in the open, and the others.

    `other` is what Bob types.
    """
    drive = Drive(begun(setup_for(SECRET, game="probe", players=NAMES[:2])))
    free: list[bytes] = []
    closed: list[bytes] = []
    show = drive.fake.display.show

    def sorted_show(frame: bytes) -> None:
        (closed if drive.table.cursor.looking else free).append(frame)
        show(frame)

    drive.fake.display.show = sorted_show  # type: ignore[method-assign]
    drive.resume()
    for text in (word, other, word, other):
        if drive.table.cursor.looking is None:
            drive.down(OK)
            drive.wait(LOOK)
            drive.up(OK)
        for letter in (*text, DONE):
            drive.choose(letter)
        drive.skip()
    drive.choose("Z")
    drive.skip()
    drive.down("seat2")
    drive.wait(LOOK)
    drive.up("seat2")
    drive.press(BACK, seconds=HOLD + 0.1)
    drive.skip()
    if drive.table.prompt and drive.table.prompt.name == "agree_undo":
        drive.choose("yes")
        drive.skip()
    return free, closed, drive


def test_a_word_that_is_typed_is_in_no_frame_or_sound_that_others_get() -> None:
    one, two = spelled("ABCD", "EFGH"), spelled("KLMN", "PQRS")
    assert one[2].session.secret("Ann") != two[2].session.secret("Ann")
    heard = [[s for s in drive.speaker.heard if s != "hush"] for _, _, drive in (one, two)]
    assert heard[0] == heard[1]
    assert one[0] == two[0]
    assert one[1] != two[1]


def prompt_of(drive: Drive) -> Prompt:
    prompt = drive.table.prompt
    assert prompt is not None
    return prompt


@pytest.mark.parametrize(("words", "asks"), [("secret", True), ("racks", False)])
def test_taking_back_an_uncovering_needs_the_tables_yes_with_secret_words(
    words: str, *, asks: bool
) -> None:
    """Through the box: BACK held after a hit."""
    options = {**SECRET, "words": words, "deck": "own"}
    first: tuple[Any, ...] = ("PROBE", "FLAP", "RACK") if asks else (5, 4, 4)
    hit: tuple[Any, ...] = ("normal", "Bob", "F") if asks else ("normal", "Bob", "yes", 1)
    drive = Drive(begun(setup_for(options, game="probe", players=NAMES[:3]), (*first, *hit)))
    drive.resume()
    score = drive.session.snapshot.view["scores"]["Ann"]
    assert score == 5
    drive.press(BACK, seconds=HOLD + 0.1)
    drive.skip()
    assert (prompt_of(drive).name == "agree_undo") == asks
    if asks:
        assert drive.session.snapshot.view["scores"]["Ann"] == 5
        drive.choose("yes")
        drive.skip()
    assert drive.session.snapshot.view["scores"]["Ann"] == 0


def test_a_word_that_is_taken_back_and_given_again_is_told_to_nobody() -> None:
    def bot() -> Iterator[bytes]:
        for line in ({"answer": "QXZJV"}, {"undo": True}, {"redo": True}):
            yield json.dumps(line).encode() + b"\n"
        yield b""

    lines, source = [], bot()

    class Pipe:
        def readline(self, _: int) -> bytes:
            return next(source)

        def write(self, line: str) -> None:
            lines.append(line)

        def flush(self) -> None:
            pass

    setup = Setup(GAME, NAMES[:3], SECRET, printed("probe"), Chance("5eed"), mixing=False)
    session, pipe = Session.begin(Journal(None), setup, 0), Pipe()
    face: Any = pipe
    Stdio(
        session, words_of(session, "en"), source=face, sink=face, wall=lambda: 0, version="1"
    ).run()
    assert any('"undone"' in line for line in lines)
    assert any('"redone"' in line for line in lines)
    assert not [line for line in lines if "QXZJV" in line.upper()]


def test_a_guess_that_is_taken_back_is_no_longer_told() -> None:
    setup = setup_for(SECRET, game="probe", players=NAMES[:3])
    journal = begun(setup, ["VKQNFR", "FLAPS", "MANOEUVRE"])
    session = Session.resume(journal, 1, setup, 0)
    given = {"who": "Bob", "whom": "Ann", "rack": "Ann"}
    session.answer({**given, "guess": "VKQNFR"}, 0, "interrupt")
    session.undo(0)
    (undone,) = session.answer("yes", 0).cues
    assert (undone.name, undone.facts["value"]) == ("undone", given)
