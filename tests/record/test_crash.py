"""Tests of a box that is killed at any moment, and of a record damaged at any place.

MOMENTS and DAMAGES: numbers of random kills and damages. MOMENTS=200 is the full run.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import companion
from companion.catalog import registry
from companion.core.chance import Chance
from companion.core.prompts import legal_answers
from companion.games.barney_miller import GAME
from companion.play.answer_history import GameSetup
from companion.play.session import Session, resume_recorded_game
from companion.record.journal import Entry, Journal, JournalError

MOMENTS = int(os.environ.get("MOMENTS", "20"))
DAMAGES = int(os.environ.get("DAMAGES", "150"))
FURTHER = 3  # maximum number of answers between the last cue read and the kill
NAMES = ("Ann", "Bob", "Cy")
ROOT = Path(companion.__file__).parents[1]

# --- kill -9 --------------------------------------------------------------------------------------

CHILD = """
import random, sys, tomllib, zlib
from pathlib import Path
from companion.core.chance import Chance
from companion.core.prompts import legal_answers
from companion.games.barney_miller import GAME
from companion.record.journal import Journal
from companion.play.answer_history import GameSetup
from companion.play.session import Session

path, edition, seed = sys.argv[1:]
rng = random.Random(seed)
options = {"deck": rng.choice(("own", "virtual")), "die": "companion", "track": "edition"}
players = ("Ann", "Bob", "Cy", "Dee")[: rng.randint(2, 4)]
edition = tomllib.loads(Path(edition).read_text("utf-8"))
setup = GameSetup(GAME, players, options, edition, Chance(seed))
journal = Journal(Path(path))
session = Session.begin(journal, setup, 0)

def cue():
    line = session.standing.history
    moment = (line.last.state, line.presses, sorted(line.last_look_steps.items()), line.redo)
    print(zlib.crc32(repr(moment).encode()), flush=True)

cue()
while (now := session.standing).pending_prompt is not None:
    sys.stdin.readline()
    pick, agrees = rng.random(), now.pending_prompt.name == "agree_undo"
    if now.pending_prompt.name == "mix":
        session.answer(rng.getrandbits(32), 1)
    elif pick < 0.06 and now.snapshot.undoable and not agrees:
        session.undo(2)
    elif pick < 0.09 and now.snapshot.redoable and not agrees:
        session.redo(3)
    else:
        session.answer(rng.choice(legal_answers(now.pending_prompt)), 1)
    asked = session.standing.pending_prompt
    if pick > 0.5 and asked and asked.name != "agree_undo":
        session.mark_secrets_sent(4)
    session.commit()
    cue()
"""


def child(path: Path, edition: Path, seed: str, answers: int = 9999) -> subprocess.Popen[bytes]:
    """Start a box that gives up to `answers` answers and then waits."""
    command = [sys.executable, "-c", CHILD, str(path), str(edition), seed]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=ROOT, bufsize=0)
    assert process.stdin is not None
    process.stdin.write(b"\n" * answers)
    return process


def moment(session: Session) -> bytes:
    line = session.standing.history
    seen = (line.last.state, line.presses, sorted(line.last_look_steps.items()), line.redo)
    return b"%d" % zlib.crc32(repr(seen).encode())


def kill_at(n: int, folder: Path, edition: Path, lives: dict[str, list[bytes]]) -> int:
    """Kill a box soon after a random cue and check its record. Return the number of cues."""
    rng = random.Random(f"kill {n}")
    seed = rng.choice(list(lives))
    life = lives[seed]
    heard = rng.randrange(1, len(life))
    path = folder / f"killed-{n}"
    with child(path, edition, seed, heard + FURTHER) as process:
        assert process.stdout is not None
        cues = [process.stdout.readline() for _ in range(heard)]
        with suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(0, 0.003))
        process.kill()
        cues += process.stdout.readlines()
    heard = len([cue for cue in cues if cue.endswith(b"\n")])
    journal = Journal(path)
    assert journal.repair_result is None
    session, changed = resume_recorded_game(journal, 1, 0)
    assert changed is None
    assert moment(session) in life[heard - 1 : heard + 1], (n, heard)
    journal.close()
    return heard


@pytest.mark.long
def test_a_killed_box_goes_on_from_the_last_cue_that_was_heard_or_later(tmp_path: Path) -> None:
    edition = registry.game_file_path("barney-miller", "edition.toml")
    lives = {}
    for seed in ("one", "two", "three", "four", "five", "six"):
        with child(tmp_path / seed, edition, seed) as process:
            assert process.stdout is not None
            lives[seed] = process.stdout.read().split()
        assert process.returncode == 0
        assert len(lives[seed]) > 10
    with ThreadPoolExecutor(4) as pool:
        heard = list(pool.map(lambda n: kill_at(n, tmp_path, edition, lives), range(MOMENTS)))
    assert min(heard) < 15
    assert max(heard) > 50


# --- damage ---------------------------------------------------------------------------------------


class Record(NamedTuple):
    """A folder with a journal as a power cut left it, and the committed lines."""

    folder: Path
    lines: dict[int, list[Entry]]
    over: frozenset[int]


def play(session: Session, rng: random.Random, answers: int) -> None:
    for _ in range(answers):
        if session.standing.pending_prompt is None:
            return
        session.answer(rng.choice(legal_answers(session.standing.pending_prompt)), 1)
        session.mark_secrets_sent(1)
        session.commit()


def copy(folder: Path, to: Path) -> Path:
    to.mkdir()
    for file in folder.iterdir():
        if not file.name.endswith("-shm"):  # shared memory, lost in a power cut
            shutil.copy(file, to)
    return to


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory, edition: dict[str, Any]) -> dict[str, Record]:
    """Return records of three games whose lines are in the log, in the file, or in both.

    The first game is finished, and the other two games are not.
    """
    folder = tmp_path_factory.mktemp("record")
    rng = random.Random("record")
    options = {"deck": "virtual", "die": "companion", "track": "edition"}
    journal = Journal(folder / "games")
    journal.save_setting("language", "fr", 0)
    for number, answers in enumerate((5_000, 14, 12), 1):
        setup = GameSetup(GAME, NAMES, options, edition, Chance(f"game {number}"), mixing=False)
        session = Session.begin(journal, setup, 0)
        play(session, rng, answers)

    def record(name: str) -> Record:
        lines = {
            n: [Entry("game", value=h), *e]
            for n in (1, 2, 3)
            for h, e in [journal.read_game_header_and_lines(n)]
        }
        to = copy(folder, tmp_path_factory.mktemp("records") / name)
        assert journal.recent_unfinished_game_numbers() == [3, 2]
        return Record(to, lines, frozenset({1}))

    found = {"log": record("log")}
    journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    play(session, rng, 6)
    found["both"] = record("both")
    journal.close()
    journal = Journal(folder / "games")
    found["file"] = record("file")
    journal.close()
    assert journal.repair_result is None
    assert (found["log"].folder / "games-wal").stat().st_size > 100_000
    assert (found["both"].folder / "games-wal").stat().st_size > 20_000
    assert (found["file"].folder / "games-wal").stat().st_size == 0
    return found


def damage(file: Path, rng: random.Random) -> str:
    """Damage the file at a random place. Return a description of the damage."""
    data = bytearray(file.read_bytes())
    size = len(data)
    kind = rng.choice(("bytes", "bytes", "byte", "page", "header", "zeros", "cut", "empty"))
    place = rng.randrange(size)
    if kind == "page":  # the place where SQLite stores the kind of a page
        frame = 4096 + 24 if file.name.endswith("-wal") else 4096
        place = min(size - 1, place // frame * frame + rng.randrange(60))
    elif kind == "header":
        place = rng.randrange(min(size, 120))
    length = {"bytes": rng.randrange(2, 64), "zeros": rng.choice((512, 4096))}.get(kind, 1)
    if kind in ("cut", "empty"):
        del data[place if kind == "cut" else 0 :]
    elif kind == "zeros":
        data[place // 512 * 512 : place // 512 * 512 + length] = bytes(length)
    else:
        data[place : place + length] = rng.randbytes(length)
    file.write_bytes(data)
    return f"{file.name}: {kind} at {place}"


def lines_of(journal: Journal, game: int) -> list[Entry] | None:
    try:
        header, entries = journal.read_game_header_and_lines(game)
    except JournalError:
        return None
    return [Entry("game", value=header), *entries]


def check(journal: Journal, record: Record) -> None:
    """Check that every line is as committed, and that missing lines are reported."""
    named = journal.repair_result
    if named is not None:
        assert (record.folder / named.file).exists()
    offered = journal.recent_unfinished_game_numbers()
    journal.game_numbers()
    for game, written in record.lines.items():
        found = lines_of(journal, game)
        if found is None:
            assert named is not None or game in record.over, f"game {game} is gone"
            continue
        assert found == written[: len(found)], f"game {game} contains lines that were not committed"
        if len(found) < len(written):
            assert named is not None, f"game {game} lost lines without a report"
            assert named.lost > 0 or game != max(record.lines)
        if game not in record.over or len(found) < len(written):
            assert game in offered, f"game {game} is not offered"
        assert journal.game_summary(game).players == NAMES


def survive(n: int, record: Record, folder: Path) -> str:
    rng = random.Random(f"damage {n}")
    record = record._replace(folder=copy(record.folder, folder / f"{n}"))
    path = record.folder / "games"
    files = [path, path.with_name("games-wal")]
    what = damage(rng.choice([file for file in files if file.stat().st_size]), rng)
    try:
        journal = Journal(path)
    except JournalError as error:
        return f"{error}: {what}"
    try:
        check(journal, record)
        outcome = "repaired" if journal.repair_result else "unharmed"
        if max(record.lines) in journal.recent_unfinished_game_numbers():
            session, changed = resume_recorded_game(journal, max(record.lines), 0)
            assert changed is None
            with suppress(JournalError):
                play(session, rng, 3)
        lines = {game: lines_of(journal, game) for game in journal.game_numbers()}
    finally:
        journal.close()
    again = Journal(path)
    assert not (outcome == "repaired" and again.repair_result)
    for game, written in lines.items():
        found = lines_of(again, game)
        assert again.repair_result or found == written or game in record.over
        assert found is None or written is None or found == written[: len(found)]
    again.close()
    outcome = "repaired later" if again.repair_result else outcome
    return f"{outcome}: {what}"


@pytest.mark.long
@pytest.mark.parametrize("name", ["log", "both", "file"])
def test_a_damaged_record_goes_on_from_the_last_answer_or_says_what_is_lost(
    name: str, records: dict[str, Record], tmp_path: Path
) -> None:
    outcomes = Counter(
        survive(n, records[name], tmp_path).rpartition(": games")[0]
        for n in range(DAMAGES // 3 + 1)
    )
    assert outcomes["repaired"] > DAMAGES // 20
    newer = {text for text in outcomes if "written by a newer companion" in text}
    assert outcomes.keys() <= {"repaired", "repaired later", "unharmed"} | newer
    assert sum(outcomes[text] for text in newer) <= DAMAGES // 100
