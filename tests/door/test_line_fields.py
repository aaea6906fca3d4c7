"""Tests that every line of whole random games matches the schema in companion/door/line_fields.py.

The programs in these tests know no rules. They answer, undo, fill in forms and send odd requests.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from companion.core.prompts import Form, Question, legal_answers
from companion.door.answer_steps import NO_CONFIRMATIONS, Confirmations
from companion.door.line_fields import COMMON_EVENT_FIELD_CHECKS
from companion.door.lines import Message, ProtocolRequest
from companion.door.record_requests import RecordRequestHandler
from companion.door.stdio import StdioGame
from companion.draw.face import load_face
from companion.play.session import Session
from companion.record.journal import Journal
from companion.say.dictionary import Dictionary, WordVerdict
from companion.say.words import LANGUAGES
from companion_testing.lines import ProtocolFault, ProtocolLineChecks
from companion_testing.protocol import RefereedBotGame, random_bot
from tests.door.callers import Caller, House
from tests.helpers import NOW_SECONDS, begin_game, format_day, session_words, setup_for
from tests.talks import PLAYER_NAMES, TALKS, begin

MAX_LINES: Final = 500
"""Maximum number of lines that a program sends in one game."""
TABLES: Final = [
    (game, n * len(talk.tables) // 8) for game, talk in TALKS.items() for n in range(8)
]
"""The game and the number of the table: eight tables of each game."""
NONSENSE: Final[tuple[Message, ...]] = (
    {"answer": "nonsense"},
    {"answer": 1, "id": 0},
    {"fill": "nothing"},
    {"interrupt": {}},
    {"undo": 1},
)


def checked(game: str, session: Session | None, line: Message) -> Message:
    """Return a line of a built-in game after the check of its fields."""
    ProtocolLineChecks(game, session).check_line(line)
    if line["type"] == "tell":
        assert line["event"] in {*load_face(game).facts, *COMMON_EVENT_FIELD_CHECKS}
    return line


def random_form(rng: random.Random, question: Question) -> Message:
    """Return a line that begins, continues or completes a form out of turn."""
    given: dict[str, Any] = {}
    while isinstance(question, Form) and (part := question.ask(given)) is not None:
        if rng.random() < 0.3:
            return {"fill": question.name, "given": given}
        given[part.name] = rng.choice(legal_answers(part))
    return {"fill": question.name, "given": given}


def random_line(rng: random.Random, asked: Message, offered: Iterable[Question]) -> Message:
    """Return an answer to the question `asked`, or another line."""
    forms = [question for question in offered if question.name not in ("leaves", "stop")]
    lucky = rng.random()
    if lucky < 0.04:
        return rng.choice(({"undo": True}, {"redo": True}, {"why": True}))
    if lucky < 0.08:
        return rng.choice(NONSENSE)
    if lucky < 0.16 and forms:
        return random_form(rng, rng.choice(forms))
    if lucky < 0.165 and "leaves" in {question.name for question in offered}:
        return {"fill": "leaves"}
    choices = asked.get("choices") or [{"value": None}]
    return {"answer": rng.choice(choices)["value"], "id": asked["id"]}


# --- standard input and output --------------------------------------------------------------------


class CheckedPipe:
    """The streams of a game: a program that sends random lines, and checks every line it receives.

    - `types`: the types of all received lines.
    - `asked`: the last received question; {} after the end of the game.
    """

    def __init__(self, game: str, session: Session, rng: random.Random) -> None:
        self.types: set[str] = set()
        self.asked: Message = {}
        self._game, self._session, self._rng = game, session, rng
        self._sent = 0

    def write(self, text: str) -> None:
        line = checked(self._game, self._session, json.loads(text))
        self.types |= {line["type"], *(f"ask.{name}" for name in line if line["type"] == "ask")}
        if line["type"] in ("ask", "over"):
            self.asked = line if line["type"] == "ask" else {}

    def flush(self) -> None:
        """Do nothing, because lines are not buffered."""

    def readline(self, _limit: int) -> bytes:
        self._sent += 1
        if not self.asked or self._sent > MAX_LINES:
            return b""
        offered = self._session.standing.out_of_turn_questions
        return json.dumps(random_line(self._rng, self.asked, offered)).encode() + b"\n"


def play_over_stdio(game: str, at: int, *, confirm: bool) -> CheckedPipe:
    session = begin(game, TALKS[game].tables[at], seed=f"{at:x}")
    rng = random.Random(f"{game} {at} {confirm}")
    pipe = CheckedPipe(game, session, rng)
    streams: Any = pipe
    words = session_words(session, rng.choice(LANGUAGES))
    grave = load_face(game).should_confirm_answer
    asking = Confirmations(grave, lambda _word: ("american-english",))
    StdioGame(
        session, words, source=streams, sink=streams, wall=lambda: 0, version="1",
        confirmations=asking if confirm else NO_CONFIRMATIONS,
    ).run()  # fmt: skip
    return pipe


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("game", "at"), TABLES)
@pytest.mark.parametrize("confirm", [False, True])
def test_every_line_over_stdio_has_the_fields_of_the_schema(
    game: str, at: int, *, confirm: bool
) -> None:
    pipe = play_over_stdio(game, at, confirm=confirm)
    assert pipe.types >= {"hello", "state", "ask"}


# --- the door -------------------------------------------------------------------------------------


def check_sent_lines(
    monkeypatch: pytest.MonkeyPatch, house: House, game: str, types: set[str]
) -> None:
    """Check every line from now on when the box sends the line, and collect the types of lines."""
    send = house.wire.send

    def check_and_send(batch: Iterable[tuple[int, bytes]], *, done: bool = False) -> None:
        batch = [*batch]
        for text in b"".join(data for _, data in batch).splitlines():
            line = checked(game, house.drive.session, json.loads(text))
            types.add(line["type"])
            types.update(f"ask.{name}" for name in line if line["type"] == "ask")
        send(batch, done=done)

    monkeypatch.setattr(house.wire, "send", check_and_send)


def play_over_the_door(
    monkeypatch: pytest.MonkeyPatch, game: str, at: int, folder: Path
) -> set[str]:
    """Play a random game by phones and programs. Return the types of lines, and fields of `ask`.

    folder: an empty folder for a word list.
    """
    rng, types = random.Random(f"{game} {at}"), set[str]()
    (folder / "american-english").write_text("probe\n", "ascii")
    setup = setup_for(TALKS[game].tables[at], game=game, players=PLAYER_NAMES[:2])
    house = House(
        begin_game(setup), "en", lambda _word, _language: WordVerdict(known=True, lists=("words",)),
        dictionary=lambda: Dictionary(folder / "cache", folder),
    )  # fmt: skip
    house.drive.resume()
    check_sent_lines(monkeypatch, house, game, types)
    phones = [house.phone("Ann"), house.phone("Bob")]
    owner, guest = house.caller(owner=True), house.caller()
    for caller, confirm in zip((*phones, owner, guest), (True, False, False, True), strict=True):
        caller.say(watch=True, confirm=confirm, frames=caller is guest)
        caller.say(check="WORD")
    for _ in range(MAX_LINES // 2):
        if house.drive.session.standing.snapshot.outcome:
            break
        caller = rng.choice((*phones, owner))
        caller.say(**door_line(rng, caller, house))
    phones[0].say(leave=True)
    return types


def door_line(rng: random.Random, caller: Caller, house: House) -> Message:
    """Return a random line for the door."""
    if rng.random() < 0.04:
        return rng.choice(({"state": True}, {"frame": True}, {"check": "WORD"}, {"look": True}))
    return random_line(rng, caller.asked, house.drive.session.standing.out_of_turn_questions)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("game", "at"), TABLES)
def test_every_line_of_the_door_has_the_fields_of_the_schema(
    game: str, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    types = play_over_the_door(monkeypatch, game, at, tmp_path)
    assert types >= {"state", "ask", "offers", "joined", "left", "frame", "error"}
    if TALKS[game].tables[at].get("words") == "secret":
        assert types >= {"checked", "ask.hidden", "ask.kept", "ask.at_once", "ask.lists"}


# --- recorded games -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["barney-miller", "probe"])
def test_every_reply_about_recorded_games_has_the_fields_of_the_schema(
    game: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.db"
    with closing(Journal(path)) as journal:
        options = {name: "secret" for name in TALKS[game].tables[0] if name == "words"}
        session = begin(game, {**TALKS[game].tables[0], **options}, 2, journal=journal)
        RefereedBotGame(random_bot(random.Random(1))).run(session)
    handler = RecordRequestHandler(path, tmp_path / "figures.db", format_day, lambda: NOW_SECONDS)
    for request in (
        {"past": {"from": 0, "n": 9}}, {"past": {"game": 1}}, {"past": {"game": 9}},
        {"people": True}, {"group": True},
    ):  # fmt: skip
        (verb,) = request
        reply = handler.reply_to_request(ProtocolRequest(verb, request))
        line = checked(game, None, json.loads(reply))
        assert (line["type"] == "error") == (request == {"past": {"game": 9}})


# --- one wrong field ------------------------------------------------------------------------------


GAME: Final = {"number": 1, "game": "probe"}
REPLIES: Final[tuple[Message, ...]] = (
    {"type": "joined", "seat": "Ann", "token": "abc"},
    {"type": "left", "seat": "Ann"},
    {"type": "frame", "png": "", "event_id": 3},
    {"type": "checked", "known": None, "flaw": "Too short."},
    {"type": "past", "games": [GAME], "of": 1},
    {"type": "past", "game": GAME},
    {"type": "people", "people": [{"name": "Ann"}]},
    {
        "type": "group", "years": {"2026": {"games": 1}}, "records": {"probe": {"best": None}},
        "hardest": [{"word": "PROBE", "asked": 9}], "a_year_ago": [GAME], "people": [],
    },
    {"type": "error", "message": "Wait.", "code": "slow_down", "seconds": 3},
    {"type": "error", "message": "Late.", "code": "late", "ask": None},
    {"type": "state"},
    {"type": "secret", "who": "Ann", "event": "look", "text": "", "secrets": []},
)  # fmt: skip


@pytest.mark.parametrize("line", REPLIES, ids=lambda line: line["type"])
def test_a_reply_with_one_field_missing_wrong_or_unknown_is_a_fault(line: Message) -> None:
    checks = ProtocolLineChecks("probe")
    checks.check_line(line)
    for name in line.keys() - {"type", "event_id", "code"}:
        less = {other: value for other, value in line.items() if other != name}
        for broken in (less, line | {name: 0.5}, line | {f"{name}_": 1}):
            with pytest.raises(ProtocolFault):
                checks.check_line(broken)


def test_a_secret_that_a_player_looks_at_has_the_facts_of_its_event() -> None:
    checks = ProtocolLineChecks("baretta")
    secret = {"event": "placed", "text": "Yours.", "space": "1", "card": "hunch"}
    line = {"type": "secret", "who": "Ann", "event": "look", "text": "Yours.", "secrets": [secret]}
    checks.check_line(line)
    for wrong in ({**secret, "card": "joker"}, {**secret, "own": 1}, {"event": "placed"}):
        with pytest.raises(ProtocolFault):
            checks.check_line({**line, "secrets": [wrong]})


def test_a_line_of_an_unknown_type_is_a_fault() -> None:
    with pytest.raises(ProtocolFault, match="told is no kind of line"):
        ProtocolLineChecks("probe").check_line({"type": "told"})
