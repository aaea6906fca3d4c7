"""Tests of the text protocol against docs/protocol.md: every message, request and refusal.

GARBAGE: number of invalid lines in the long tests (default: 10,000).
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

import sounds
from companion.catalog import registry
from companion.cmd import stdio
from companion.cmd.cli import main
from companion.door.line_fields import COMMON_EVENT_FIELD_CHECKS, START_EVENT_FIELD_CHECKS
from companion.door.lines import Message
from companion.door.stdio import MAX_LINE_BYTES, STDIO_REQUESTS, StdioGame
from companion.draw.face import load_face
from companion.games import barney_miller
from companion.play.standing import UNDO_AGREEMENT
from companion.record.journal import Journal, RepairResult
from companion.say.facts import fact_variant_row
from companion_testing.lines import (
    ProtocolFault,
    ProtocolLineChecks,
)
from companion_testing.protocol import (
    Bot,
    Line,
    ProtocolReferee,
    RefereedBotGame,
    disruptive_random_bot,
    random_bot,
)
from tests import talks
from tests.helpers import begin_game, long_lane_params, raise_full_disk, session_words, setup_for
from tests.protocol_page import field_rows, names_in_code, section_text, sounds_of_events
from tests.talks import (
    PLAYER_NAMES,
    ROOT,
    TALKS,
    all_game_messages,
    events,
    game_messages,
    questions,
    told_facts,
)
from tests.typed import COMPANION_COMMAND

BARNEY: Final = TALKS["barney-miller"]
GARBAGE: Final = int(os.environ.get("GARBAGE", "10000"))
TIMEOUT: Final = 60 + GARBAGE / 500
OWN: Final = {
    option.name: option.values[0] for option in registry.find_game("barney-miller").options
}
VIRTUAL: Final = OWN | {"deck": "virtual"}
begin_of: Final = talks.begin
begin: Final = partial(talks.begin, "barney-miller")
TOTALS: Final = ("was", "total")
"""Facts of an undone answer that changed the running total."""

# --- every game: its events, questions and view ---------------------------------------------------


SELDOM: Final = {
    "another",
    "car",
    "by_hand",
    "who_won",
    "done_by_hand",
    "one_too_many",
    "in_vain",
    "kept_quiet",
    "suspect_gang",
    "corner_does",
    "field",
    "not_arrest",
    "left",
    "nobody_won",
    "drives",
}
"""Names that are rare in games, however many are played. The tests of the rules cover them."""


@pytest.mark.long
@pytest.mark.parametrize("game", TALKS)
def test_every_question_and_event_is_met_and_each_game_ends_as_it_must(game: str) -> None:
    its, known = TALKS[game], {*told_facts(game), *COMMON_EVENT_FIELD_CHECKS}
    lines = [line for lines in all_game_messages(game) for line in lines]
    asked = {line["question"] for line in lines if line["type"] == "ask"}
    standing = questions(game) - its.parts | {UNDO_AGREEMENT.name}
    assert standing - SELDOM <= asked <= standing
    told = {*events(lines)}
    assert known - SELDOM - its.rare <= told <= known
    unsaid = {line["event"] for line in lines if line["type"] == "tell" and not line["text"]}
    assert unsaid <= its.unsaid
    ends = [line for line in lines if line["type"] == "over"]
    assert ends
    assert all(its.ends(last) for last in ends)


@pytest.mark.long
@pytest.mark.parametrize("game", TALKS)
def test_a_line_with_one_field_missing_wrong_or_unknown_is_a_fault(game: str) -> None:
    its = TALKS[game]
    session = begin_of(game, its.tables[0], its.seats[0])
    schema, harmed, seen = ProtocolLineChecks(game, session), 0, set[tuple[Any, ...]]()

    def harm(line: Message) -> None:
        nonlocal harmed
        schema.check_line(line)
        shape = (line["type"], line.get("event"), line.get("question"), *sorted(line))
        if shape in seen:  # a line of this kind was already tested
            return
        seen.add(shape)
        optional = TOTALS if line.get("event") == "undone" else ()
        for name in line.keys() - {"type", *optional}:
            less = {other: fact for other, fact in line.items() if other != name}
            for broken in (less, {**line, name: 0.5}, {**line, f"{name}_": 1}):
                harmed += 1
                with pytest.raises(ProtocolFault):
                    schema.check_line(broken)

    bot = first_lines(disruptive_random_bot(random.Random(f"harmed {game}"), session), 60)
    RefereedBotGame(bot, ProtocolReferee(harm)).run(session)
    assert harmed > 100


def first_lines(bot: Bot, n: int) -> Bot:
    """Send only the first `n` lines of a bot."""
    line = next(bot)
    with suppress(StopIteration):  # the bot may have ended before
        for _ in range(n + 1):
            line = bot.send((yield line))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", TALKS)
def test_a_line_with_another_answer_player_or_state_than_the_session_s_is_a_fault(
    game: str,
) -> None:
    its = TALKS[game]
    session = begin_of(game, its.tables[0])
    schema = ProtocolLineChecks(game, session)
    table = RefereedBotGame(first_lines(random_bot(random.Random(1)), 9)).run(session)
    lines = table.referee.seen
    ask = next(line for line in reversed(lines) if line["type"] == "ask")
    state = next(line for line in reversed(lines) if line["type"] == "state")
    schema.check_line(ask)
    schema.check_line(state)
    fewer = ask["choices"][1:]
    for wrong in (ask | {"who": "Zoe"}, ask | {"choices": fewer}, state | {"to_act": "Zoe"}):
        with pytest.raises(ProtocolFault):
            schema.check_line(wrong)


@pytest.mark.parametrize("game", TALKS)
def test_every_fact_of_a_game_says_which_fields_it_has(game: str) -> None:
    own = {name: fact for name, fact in load_face(game).facts.items() if "." not in name}
    assert [
        name for name, fact in own.items() if fact.fields is None and fact.private_fields is None
    ] == []


@pytest.mark.parametrize("game", TALKS)
def test_every_event_is_in_the_docs_with_all_its_facts_and_no_other(game: str) -> None:
    shared = field_rows("Events of every game", game)
    assert shared["damaged"] == {*RepairResult._fields}
    known = {**told_facts(game), **COMMON_EVENT_FIELD_CHECKS, **START_EVENT_FIELD_CHECKS}
    assert {**shared, **field_rows("Events", game)} == {
        name: {*says} for name, says in known.items()
    }


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", TALKS)
def test_every_question_state_field_and_option_is_in_the_docs_and_no_other(game: str) -> None:
    its = TALKS[game]
    asked = {
        *field_rows("Questions of every game", game),
        *field_rows("Questions", game),
    }
    assert asked == questions(game) | {UNDO_AGREEMENT.name, "mix", "throw"}
    views = (begin_of(game, options).standing.snapshot.view for options in its.tables)
    assert field_rows("State", game).keys() == {field for view in views for field in view}
    page = (Path(__file__).parents[2] / "docs/players/house-rules.md").read_text("utf-8")
    listed = page.partition(f"<!-- options {game} -->")[2].partition("<!-- end -->")[0]
    options = {option.name: {*option.values} for option in registry.find_game(game).options}
    found = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", listed, re.MULTILINE))
    assert {name: {*re.findall(r"\(`(\w+)`\)", row)} for name, row in found.items()} == options


@pytest.mark.long
@pytest.mark.parametrize("game", TALKS)
def test_every_sound_of_a_tell_is_in_the_docs_and_has_a_file(game: str) -> None:
    heard = {"refused": {"why"}}  # a refusal without a ruling
    for message in itertools.chain.from_iterable(all_game_messages(game)):
        if message.get("cue"):
            heard.setdefault(message["cue"], set()).add(message["event"])
    documented = sounds_of_events(game)
    for cue, its_events in documented.items():
        heard.setdefault(cue, set()).update(
            its_events & {*SELDOM, "looked"}
        )  # not heard with own cards
    assert heard == documented
    assert all(
        sounds.find_sound_file(cue, registry.game_file_path(game, "sounds")) for cue in heard
    )


@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_what_has_no_sound_with_own_cards_is_in_the_docs(game: str) -> None:
    facts = load_face(game).facts
    told = {name: fact_variant_row(facts, name.partition(".")[0], name) for name in facts}
    unheard = {
        name.partition(".")[0]
        for name, fact in told.items()
        if fact.sound and fact.sounds_like_dealing
    }
    (line,) = re.findall(
        r"^With your own cards, .* no cue: .*$", section_text("Events", game), re.MULTILINE
    )
    assert names_in_code(line) == unheard


def test_every_field_of_every_message_is_in_the_docs_and_no_other() -> None:
    seen = game_messages("barney-miller", 3, BARNEY.tables.index(VIRTUAL))
    own = {
        "secret": {"cards"},
        "ask": {"by", "laid", "nth", "detective"},
        "tell": {field for says in told_facts("barney-miller").values() for field in says},
    }
    for kind in ("hello", "tell", "ask", "secret", "error", "over"):
        found = {*next(message for message in seen if message["type"] == kind)} - {"type"}
        assert {*field_rows(kind, "barney-miller")} >= found - own.get(kind, set()), kind
    shown = {name for message in seen for name in message if message["type"] == "ask"}
    at_times = {"free", "pattern", "number", "spell", "at_once", "look", "hidden", "kept"}
    assert {*field_rows("ask", "barney-miller")} == (shown | at_times) - {"type", *own["ask"]}


# --- undo -----------------------------------------------------------------------------------------


def answers_then(answers: int, then: Sequence[Line]) -> Bot:
    """Send the first choice `answers` times, or to the end (-1), and then these lines."""
    messages = yield {}
    while messages[-1]["type"] == "ask" and answers:
        answers -= 1
        messages = yield {"answer": messages[-1]["choices"][0]["value"]}
    for line in then:
        messages = yield line


def back_to_the_first() -> Bot:
    """Play to the end. Undo everything, and agree to each undo that needs agreement."""
    messages = yield {}
    rng = random.Random(3)
    while messages[-1]["type"] == "ask":
        messages = yield {"answer": rng.choice(messages[-1]["choices"])["value"]}
    while messages[-1]["type"] != "error":
        agree = messages[-1].get("question") == "agree_undo"
        messages = yield ({"answer": "yes"} if agree else {"undo": True})


@pytest.mark.long
@pytest.mark.parametrize("options", [OWN, VIRTUAL, *long_lane_params(BARNEY.tables)], ids=str)
def test_undo_goes_from_the_end_back_to_the_first_answer(options: Mapping[str, str]) -> None:
    table = RefereedBotGame(back_to_the_first()).run(begin(options))
    referee, seen = table.referee, table.referee.seen
    assert "over" in {message["type"] for message in seen}
    assert referee.back == []
    opening = next(message for message in seen if message["type"] == "state")
    assert referee.state == {name: fact for name, fact in opening.items() if name != "type"}
    agreed = any(message.get("question") == "agree_undo" for message in seen)
    assert agreed == (options["deck"] == "virtual")


def until_agree_undo(then: Sequence[Line]) -> Bot:
    """Play and try to undo, until an undo needs agreement. Then send these lines."""
    messages = yield {}
    while True:
        messages = yield {"answer": messages[-1]["choices"][0]["value"]}
        messages = yield {"undo": True}
        if messages[-1]["question"] == "agree_undo":
            break
        messages = yield {"redo": True}
    for line in then:
        messages = yield line


@pytest.mark.long
def test_the_table_that_does_not_agree_keeps_the_answer() -> None:
    table = RefereedBotGame(until_agree_undo([{"answer": "no"}])).run(begin(VIRTUAL))
    assert [message["type"] for message in table.referee.seen[-3:]] == ["ask", "state", "ask"]
    assert table.referee.pending_message["question"] != "agree_undo"


@pytest.mark.long
def test_the_table_that_agrees_takes_the_answer_back_and_that_is_told() -> None:
    table = RefereedBotGame(until_agree_undo([{"answer": "yes"}])).run(begin(VIRTUAL))
    told, _, ask = table.referee.seen[-3:]
    assert (told["event"], told["agreed"]) == ("undone", True)
    assert ask["question"] != "agree_undo"


@pytest.mark.long
def test_undo_while_the_table_is_asked_asks_it_again() -> None:
    table = RefereedBotGame(until_agree_undo([{"undo": True}, {"undo": True}])).run(begin(VIRTUAL))
    assert [message["question"] for message in table.referee.seen[-3:]] == ["agree_undo"] * 3


@pytest.mark.long
def test_redo_and_nonsense_while_the_table_is_asked_are_refused() -> None:
    lines: list[Line] = [{"redo": True}, {"answer": "perhaps"}, {"interrupt": "yes"}]
    table = RefereedBotGame(until_agree_undo(lines)).run(begin(VIRTUAL))
    assert [message["type"] for message in table.referee.seen[-4:]] == ["ask", *["error"] * 3]


def test_the_id_of_another_question_is_refused_and_the_question_stands() -> None:
    lines: list[Line] = [{"answer": 1, "id": n} for n in (1, 3, 0, -2, 2.0, True, "2", None)]
    table = RefereedBotGame(answers_then(1, [*lines, {"answer": 1, "id": 2}])).run(begin(OWN))
    kinds = [message["type"] for message in table.referee.seen if message["type"] != "tell"]
    assert kinds == ["hello", "state", "ask", "state", "ask", *["error"] * 8, "state", "ask"]


REFUSED: Final[Mapping[bytes, str]] = {
    b'{"answer": NaN}': "stdio.not_json",
    b'{"answer": 1, "answer": 1}': "stdio.not_json",
    b'{"answer": [' * 900: "stdio.not_json",
    b"[1]": "stdio.not_json",
    b" " * MAX_LINE_BYTES: "stdio.too_long",
    b"{}": "stdio.one_verb",
    b'{"undo": true, "redo": true}': "stdio.one_verb",
    b'{"answer": 1, "hint": 1}': "stdio.one_verb",
    b'{"undo": true, "id": 2}': "stdio.stray_id",
    b'{"quit": "true"}': "stdio.say_true",
    b'{"answer": 1, "id": 9}': "stdio.other_id",
    b'{"answer": 77}': "box.cue.refused.not_offered.text",
    b'{"interrupt": 1}': "box.cue.refused.not_asked.text",
    b'{"redo": true}': "box.cue.refused.nothing_to_redo.text",
}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_refusal_says_in_the_language_of_the_game_what_is_wrong(language: str) -> None:
    session = begin(OWN)
    table = RefereedBotGame(answers_then(1, [*REFUSED])).run(session, language)
    words = session_words(session, language)
    facts = {
        "n": MAX_LINE_BYTES, "verb": "quit", "id": 2, "verbs": ", ".join(STDIO_REQUESTS)
    }  # fmt: skip
    said = [
        (message["message"], message["code"])
        for message in table.referee.seen
        if message["type"] == "error"
    ]
    assert said == [
        (words(key, **facts), key.removesuffix(".text").rpartition(".")[2])
        for key in REFUSED.values()
    ]


@pytest.mark.long
def test_after_the_end_only_undo_and_why_are_taken() -> None:
    lines: list[Line] = [{"answer": 1}, {"redo": True}, {"interrupt": {}}, {"why": True}]
    table = RefereedBotGame(answers_then(-1, lines)).run(begin(OWN))
    over, *errors, why = table.referee.seen[-5:]
    assert over["type"] == "over"
    assert [message["type"] for message in errors] == ["error"] * 3
    assert (why["event"], why["of"], why["clause"]) == ("why", "game_won", "BM-12")


def test_why_before_the_first_ruling_says_that_there_is_none() -> None:
    table = RefereedBotGame(answers_then(0, [{"why": True}])).run(
        begin({**OWN, "posters": "choose"})
    )
    why = table.referee.seen[-1]
    assert (why["event"], why["of"], why["clause"]) == ("why", None, None)


def test_an_answer_that_can_not_be_written_is_one_error_and_the_question_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def bot() -> Bot:
        messages = yield {}
        value = messages[-1]["choices"][0]["value"]
        write = Journal.append_entries_to_game

        monkeypatch.setattr(Journal, "append_entries_to_game", raise_full_disk)
        messages = yield {"answer": value, "id": 1}
        assert [message["type"] for message in messages] == ["error"]
        monkeypatch.setattr(Journal, "append_entries_to_game", write)
        messages = yield {"answer": value, "id": 1}
        assert messages[-1]["type"] == "ask"

    table = RefereedBotGame(bot())
    # the referee would reject an error about a legal answer
    monkeypatch.setattr(table.referee, "_refused", lambda _: None)
    session = begin(OWN)
    table.run(session, "fr")
    errors = [m["message"] for m in table.referee.seen if m["type"] == "error"]
    assert errors == [session_words(session, "fr")("box.record.full")]


def test_a_record_of_the_box_asks_for_the_presses_and_does_not_list_four_billion() -> None:
    session = begin(VIRTUAL, mixing=True)
    sink = io.StringIO()
    lines = io.BytesIO(b'{"answer": 5}\n{"answer": -1}\n{"answer": 4294967296}\n{"answer": 6}\n')
    words = session_words(session, "en")
    StdioGame(session, words, source=lines, sink=sink, wall=lambda: 0, version="1").run()
    said = [json.loads(line) for line in sink.getvalue().splitlines()]
    asked = [message for message in said if message["type"] == "ask"]
    assert [(ask["question"], ask["who"]) for ask in asked] == [
        ("mix", who) for who in PLAYER_NAMES[:3]
    ]
    assert all(ask["free"] is True and len(ask["choices"]) == 1 for ask in asked)
    assert all(re.search(ask["pattern"], str(ask["choices"][0]["value"])) for ask in asked)
    assert [message["type"] for message in said].count("error") == 2


# --- seed and commitment --------------------------------------------------------------------------


@pytest.mark.long
def test_the_same_seed_and_answers_give_the_same_lines_to_the_letter() -> None:
    one, two, other = (
        RefereedBotGame(disruptive_random_bot(random.Random(4)))
        .run(begin(VIRTUAL, seed=seed))
        .written
        for seed in ("5eed", "5eed", "5eee")
    )
    assert one == two
    assert one != other


# --- a real process -------------------------------------------------------------------------------


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Return an environment without this machine's user folders."""
    own = {"HOME": "home", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config"}
    return {**os.environ, **{name: str(tmp_path / place) for name, place in own.items()}}


class Process:
    """`companion stdio` in a process, with a referee."""

    def __init__(self, env: dict[str, str], *arguments: str) -> None:
        self.referee = ProtocolReferee(ProtocolLineChecks("barney-miller").check_line)
        self.process = subprocess.Popen(
            [*COMPANION_COMMAND, "stdio", "barney-miller", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            cwd=ROOT,
        )

    def open(self) -> None:
        self.referee.check_reply(None, self.read(lambda m: m["type"] in ("ask", "over")))

    def read(self, is_last: Callable[[Message], bool]) -> list[Message]:
        assert self.process.stdout is not None
        found: list[Message] = []
        while not found or not is_last(found[-1]):
            line = self.process.stdout.readline()
            assert line.endswith(b"\n"), self.process.communicate()
            # offers may follow the expected line
            if (message := json.loads(line))["type"] != "offers":
                found.append(message)
        return found

    def send(self, line: Message) -> list[Message]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()
        found = self.read(
            lambda m: m["type"] in ("ask", "over", "error") or m.get("event") == "why"
        )
        self.referee.check_reply(line, found)
        return found

    def play(self, rng: random.Random, answers: int = 10**6) -> Message:
        """Give up to `answers` random answers. Return the last question or the end of the game."""
        while self.referee.pending_message["type"] == "ask" and answers:
            answers -= 1
            self.send({"answer": rng.choice(self.referee.pending_message["choices"])["value"]})
        return self.referee.pending_message

    def end(self) -> int:
        """Close the input. Return the exit status."""
        out, err = self.process.communicate(timeout=TIMEOUT)
        assert err == b""
        # the offers after the last question may still be unread
        assert {json.loads(line)["type"] for line in out.splitlines()} <= {"offers"}
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=TIMEOUT)


@pytest.fixture
def start(env: dict[str, str]) -> Iterator[Callable[..., Process]]:
    """Return a function that starts processes. Kill the remaining processes after the test."""
    with ExitStack() as stack:

        def started(*arguments: str) -> Process:
            process = Process(env, *arguments)
            stack.enter_context(process.process)
            stack.callback(process.process.kill)
            process.open()
            return process

        yield started


@pytest.mark.long
def test_a_process_ends_with_0_after_the_game_and_the_end_of_its_input(
    start: Callable[..., Process],
) -> None:
    process = start("--players", "Ann, Bob,Cy", "--set", "deck=virtual", "--lang", "fr")
    assert process.referee.hello["players"] == ["Ann", "Bob", "Cy"]
    assert process.referee.hello["options"]["deck"] == "virtual"
    assert process.referee.hello["edition"] == {str(card): n for card, n in enumerate(
        (4, 10, 10, 8, 6, 4, 4, 4, 2, 2, 2))}  # fmt: skip
    assert process.play(random.Random(2))["type"] == "over"
    assert process.end() == 0


@pytest.mark.long
def test_a_process_ends_with_0_at_quit_and_at_the_end_of_its_input(env: dict[str, str]) -> None:
    for given in (b'{"quit": true}\n{"why": true}\n', b""):
        done = run(env, ["stdio", "barney-miller"], given)
        assert (done.returncode, done.stderr) == (0, b"")
        kinds = [json.loads(line)["type"] for line in done.stdout.splitlines()]
        assert kinds[-2:] == ["ask", "offers"]


@pytest.mark.long
def test_a_process_whose_reader_goes_away_ends_in_silence(env: dict[str, str]) -> None:
    command = [*COMPANION_COMMAND, "stdio", "barney-miller"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        cwd=ROOT,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b'{"answer": 1}\n' * 10)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(TIMEOUT) == 0


@pytest.mark.long
def test_a_killed_process_goes_on_where_it_was_and_then_a_new_game_begins(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    rng = random.Random(9)
    arguments = ("--players", "Ann,Bob,Cy", "--set", "deck=virtual", "--journal", f"{tmp_path}/g")
    begun = killed = start(*arguments, "--seed", "5eed")
    for answers in (1, 7, 12):
        assert killed.play(rng, answers)["type"] == "ask"
        killed.kill()
        again = start("--journal", f"{tmp_path}/g")
        assert again.referee.hello == begun.referee.hello
        assert again.referee.state == killed.referee.state
        assert {**again.referee.pending_message, "id": 0} == {
            **killed.referee.pending_message,
            "id": 0,
        }
        assert {m["who"] for m in again.referee.seen if m["type"] == "secret"} == {
            "Ann",
            "Bob",
            "Cy",
        }
        again.referee.back = killed.referee.back
        killed = again
    assert killed.play(rng)["type"] == "over"
    assert killed.end() == 0
    new = start(*arguments)
    assert new.referee.state["round"] == 1
    assert new.referee.hello["commitment"] != begun.referee.hello["commitment"]
    assert new.end() == 0


@pytest.mark.long
def test_a_game_with_a_seed_is_the_same_in_every_process(env: dict[str, str]) -> None:
    lines = b'{"answer": 1}\n{"answer": 2}\n{"answer": 1}\n'
    arguments = ["stdio", "barney-miller", "--seed", "C0FFEE"]
    one, two = (run(env, arguments, lines).stdout for _ in range(2))
    hello = json.loads(one.splitlines()[0])
    assert one == two
    assert len(one.splitlines()) > 10
    assert hello["commitment"] == hashlib.sha256(b"C0FFEE").hexdigest()


@pytest.mark.long
def test_a_sentence_with_letters_of_any_script_is_utf_8_whatever_the_locale(
    env: dict[str, str],
) -> None:
    arguments = ["stdio", "barney-miller", "--players", "Zoë,Łódź 東京,🂡", "--lang", "fr"]
    done = run({**env, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, arguments)
    hello = json.loads(done.stdout.decode("utf-8").splitlines()[0])
    assert hello["players"] == ["Zoë", "Łódź 東京", "🂡"]


# --- bad arguments --------------------------------------------------------------------------------


def run(
    env: dict[str, str], arguments: list[str], given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    command = [*COMPANION_COMMAND, *arguments]
    return subprocess.run(
        command, input=given, capture_output=True, env=env, cwd=ROOT, timeout=TIMEOUT, check=False
    )


BAD: Final = (
    ("", "GAME"),
    ("barny-miler", "did you mean barney-miller?"),
    ("xyzzy", "the box has barney-miller"),
    ("barney-miller kojak", "kojak"),
    ("barney-miller --plyers Ann,Bob", "--players"),
    ("barney-miller --players Ann,open", "'open'"),
    ("barney-miller --players Nobody,Ann", "'Nobody'"),
    ("barney-miller --players Ann:left,Bob", "colon"),
    ("barney-miller --players Ann,,Bob", "''"),
    ("barney-miller --players A\nnn,Bob", "is not a valid name"),
    ("barney-miller --players A\udcffnn,Bob", "is not a valid name"),
    ("barney-miller --players Ann,Bob,Ann", "same name"),
    ("barney-miller --players A,B,C,D,E", "2 to 4 players, not 5"),
    ("barney-miller --players Ann", "2 to 4 players, not 1"),
    ("barney-miller --players", "--players"),
    ("barney-miller --set dek=own", "did you mean deck?"),
    ("barney-miller --set deck=virtul", "did you mean virtual?"),
    ("barney-miller --set deck", "own, virtual"),
    ("barney-miller --seed 0xab", "hexadecimal"),
    ("barney-miller --seed=", "hexadecimal"),
    ("barney-miller --lang de", "fr"),
    ("barney-miller --journal .", "'.'"),
    ("barney-miller --journal /dev/null/x", "/dev/null/x"),
    ("barney-miller --journal /dev/null/x\ny", "/dev/null/x y"),
)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("arguments", "hint"), BAD)
def test_a_bad_argument_is_status_2_and_one_line_that_says_what_to_do(
    arguments: str,
    hint: str,
    env: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name, place in env.items():
        monkeypatch.setenv(name, place)
    monkeypatch.setattr(sys, "argv", ["companion", "stdio", *filter(None, arguments.split(" "))])
    with pytest.raises(SystemExit) as done:
        main()
    out, err = capfd.readouterr()
    assert (done.value.code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("companion: ")
    assert hint in err


@pytest.mark.long
def test_a_journal_that_another_companion_has_is_a_bad_argument(
    env: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "games"
    journal = Journal(file)
    done = run(env, ["stdio", "barney-miller", "--journal", str(file)])
    journal.close()
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        f"companion: Another companion (process {os.getpid()}) is using {file}: end it first.\n"
    )


# --- invalid lines --------------------------------------------------------------------------------


def bad_line(rng: random.Random) -> bytes:
    """Return a line that is no message, or that is not valid at the first question."""
    kind = rng.randrange(len(BAD_LINES) + 3)
    if kind < len(BAD_LINES):
        return BAD_LINES[kind]
    if kind == len(BAD_LINES):
        return rng.randbytes(rng.randrange(1, 60)).replace(b"\n", b"\r")
    if kind == len(BAD_LINES) + 1:
        return b'{"answer": %d, "id": %d}' % (rng.randrange(11), rng.choice((0, 2, 10**9, -1)))
    whole = b'{"answer": 1, "id": 1}'
    return whole[: rng.randrange(len(whole))]


BAD_LINES: Final = (
    b"", b" ", b"\r", b"\0", b"\0" * 50, b"null", b"true", b"1", b'"quit"', b"[]", b"{}", b"{" * 50,
    b"\xff\xfe", b'{"answer": "\xc3"}', b"\xef\xbb\xbf" + b'{"answer": 1}', b'{"answer": 1',
    b'{"answer": NaN}', b'{"answer": Infinity}', b'{"answer": -Infinity}', b'{"answer": 1e999}',
    b'{"answer": 1.0}', b'{"answer": true}', b'{"answer": null}', b'{"answer": "1"}',
    b'{"answer": [1]}',
    b'{"answer": {"value": 1}}', b'{"answer": -1}', b'{"answer": 11}', b'{"answer": 1}x',
    b'{"answer": 1}{"answer": 1}', b'{"answer": 1, "answer": 1}', b'{"quit": true, "quit": true}',
    b'{"answer": "\\ud800"}', b'{"\\udfff": 1}', b'{"answer": "\\u0000"}', b"{'answer': 1}",
    b'{"answer": 1' + b"0" * 5000 + b"}", b'{"answer": 1, "id": 1' + b"0" * 5000 + b"}",
    b'{"answer": 1, "id": null}', b'{"answer": 1, "id": "1"}', b'{"answer": 1, "id": 1.0}',
    b'{"answer": 1, "undo": true}', b'{"answer": 1, "hint": true}', b'{"id": 1}', b'{"Answer": 1}',
    b'{"undo": false}', b'{"undo": 1}', b'{"undo": null}', b'{"undo": true, "id": 1}',
    b'{"undo": true}',
    b'{"redo": true}', b'{"redo": "true"}', b'{"why": false}', b'{"why": []}', b'{"quit": 1}',
    b'{"quit": "true"}', b'{"interrupt": {}}', b'{"interrupt": null}',
    b'{"interrupt": {"stop": true}}',
    b"[" * 30_000, b'{"answer":' * 5_000, b'{"a":[' * 9_000, b"[" * 500 + b"]" * 500,
    b'{"answer": ' + b"[" * 800 + b"]" * 800 + b"}",
)  # fmt: skip
HUGE: Final = (
    b'{"answer": 1, "id": 1' + b" " * MAX_LINE_BYTES + b"}",
    b"x" * (MAX_LINE_BYTES + 1),
    b"[" * (MAX_LINE_BYTES * 2),
    b'{"answer": "' + b"y" * (MAX_LINE_BYTES * 3) + b'"}',
)


def garbage(n: int) -> Iterator[bytes]:
    """Yield `n` invalid lines of every kind. One line in a hundred is too long."""
    rng = random.Random("garbage")
    kinds = itertools.chain(BAD_LINES, HUGE)
    for count in range(n):
        known = next(kinds, None)
        if known is not None:
            yield known
        else:
            yield rng.choice(HUGE) if count % 100 == 0 else bad_line(rng)


MEASURED: Final = (
    "import atexit, sys; from companion.cmd.cli import main\n"
    "def peak(): print(next(line for line in open('/proc/self/status') if 'VmHWM' in line),"
    " file=sys.stderr)\n"
    "atexit.register(peak); main()"
)


def fed(env: dict[str, str], given: bytes) -> tuple[list[Message], int]:
    """Return the output lines of a process for this input, and its peak memory (KiB)."""
    command = [sys.executable, "-c", MEASURED, "stdio", "barney-miller", "--seed", "5eed"]
    command += ["--players", "Ann,Bob"]
    done = subprocess.run(
        command, input=given, capture_output=True, env=env, cwd=ROOT, timeout=TIMEOUT, check=False
    )
    assert done.returncode == 0, done.stderr
    peak = done.stderr.split()
    assert peak[0] == b"VmHWM:", done.stderr
    said = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    return [message for message in said if message["type"] != "offers"], int(peak[1])


@pytest.mark.long
@pytest.mark.parametrize("bad", [1_000, *long_lane_params([GARBAGE])])
def test_each_bad_line_is_one_error_and_then_the_game_goes_on_to_its_end(
    bad: int, env: dict[str, str]
) -> None:
    table = RefereedBotGame(random_bot(random.Random(5))).run(begin(OWN, 2, seed="5eed"))
    lines = table.lines
    usual, peak = fed(env, b"\n".join(lines))
    said, peak_after = fed(env, b"\n".join([*garbage(bad), *lines, b'{"answer": 1}']))
    start = next(n for n, message in enumerate(usual) if message["type"] == "ask") + 1
    errors, rest = said[start : start + bad], said[start + bad :]
    assert said[:start] == usual[:start]
    assert [message["type"] for message in errors] == ["error"] * bad
    for message in errors:
        ProtocolLineChecks("barney-miller").check_line(message)
    assert rest[:-1] == usual[start:]
    assert [message["type"] for message in rest[-2:]] == ["over", "error"]
    assert usual[start:] == table.referee.seen[start:]
    assert peak_after < peak + 4_096


def test_a_game_that_is_outgrown_stands_in_nobody_s_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> Any:
        raise KeyError("corners")

    setup = setup_for(OWN)
    journal = begin_game(setup)
    monkeypatch.setattr(barney_miller, "GAME", setup.game._replace(setup=fails))
    session, notices = stdio._open(journal, setup)
    assert session.number == 2
    assert [cue.name for cue in notices] == ["outgrown"]
