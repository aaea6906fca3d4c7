"""The nine inputs of text: each target takes bytes, and raises an exception only for a fault."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from checked_input import strict_json
from checked_input.strict_json import InvalidJson
from companion.catalog import editions, registry
from companion.core.chance import Chance
from companion.door.stdio import StdioGame
from companion.figures import export, import_games, recorded
from companion.figures.export_reader import ExportFault
from companion.menus.settings import DEFAULTS, invalid_settings
from companion.play import simulate
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.entry import (
    DAMAGE_ERRORS,
    Entry,
    decode_record_line,
    decode_record_line_unchecked,
    encode_record_line,
)
from companion.record.journal import Journal
from companion.say.errors import error_text
from companion.say.words import Words
from companion_club import claims as claiming
from companion_club import exporting, new_facts, slips, table
from companion_club.box.status import parse_evening_status
from companion_club.commands.organiser import evening_status_lines
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import compute_evening_state
from companion_club.sync_state import EveningSyncState
from hardware.boards import board_file
from hardware.wiring import BoardFileError
from tests.door.callers import House
from tests.evening.boxes import open_facts, state_round
from tests.helpers import (
    OWN_PARTS_OPTIONS,
    Drive,
    begin_game,
    printed_edition,
    setup_for,
    words_for,
)

GAME: Final = "barney-miller"


def record(data: bytes) -> None:
    """Check that a record's line is an entry, or damaged."""
    line = data.decode("latin-1")
    with suppress(*DAMAGE_ERRORS):
        assert isinstance(decode_record_line_unchecked(line), Entry)
    with suppress(*DAMAGE_ERRORS):
        assert isinstance(decode_record_line(line, 1, 1, 0)[0], Entry)


def edition(data: bytes) -> None:
    """Check that a board file has mistakes, or that a game can be played on the board."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "own.toml"
        file.write_bytes(data)
        for game in map(registry.find_game, registry.BUILT_IN_GAMES):
            for mistake in (found := editions.find_edition_file_mistakes(game.name, file)):
                assert str(mistake).isprintable()
                assert mistake.line <= data.count(b"\n") + 1
            if not found:
                with_it = editions._read(game.name, file)[0]
                options = {option.name: option.values[0] for option in game.options}
                state = game.setup(game.names[:2], options, with_it)
                simulate.simulate_random_game(game, state, random.Random(1), count=False)


def board(data: bytes) -> None:
    """Check that a file is a valid board, or that its mistakes are reported."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "board.toml"
        file.write_bytes(data)
        with suppress(BoardFileError):
            board_file.read_board_file(file)


def settings(data: bytes) -> None:
    """Check that the box uses only valid settings of a record, and shows its settings."""
    with suppress(InvalidJson):
        found = strict_json.parse_json(data)
        journal = Journal(None)
        journal.save_settings(found if isinstance(found, dict) else {"names": found}, 0)
        drive = Drive(journal)
        assert not invalid_settings(drive.settings)
        drive.skip()
        drive.choose("settings")
        assert any(drive.frame)


def imports(data: bytes) -> None:
    """Check that a file's games are all imported, or that each fault has a sentence."""
    with TemporaryDirectory() as folder, closing(Journal(None)) as journal:
        file = Path(folder) / "games.jsonl"
        file.write_bytes(data)
        taken, faults = 0, tuple[ExportFault, ...]()
        try:
            taken = import_games.import_games_from_file(journal, file).new
        except import_games.ImportRefusedError as error:
            faults = error.faults
        assert all(error_text(fault.why, ENGLISH) for fault in faults)
        assert len(journal.game_numbers()) == taken


def stdio(data: bytes) -> None:
    """Check that a game on standard input and output survives all lines of a program."""
    game = registry.find_game(GAME)
    options = {option.name: option.values[0] for option in game.options}
    setup = GameSetup(
        game, game.names[:2], options, printed_edition(), Chance("seed"), mixing=False
    )
    with closing(Journal(None)) as journal:
        session = Session.begin(journal, setup, 0)
        sink = io.StringIO()
        words = words_for(GAME, "en")
        StdioGame(
            session, words, source=io.BytesIO(data), sink=sink, wall=lambda: 0, version="1"
        ).run()
        assert "\n" in sink.getvalue()


def door(data: bytes) -> None:
    """Check that a running box executes each line, or answers with an error that has a code."""
    game = registry.find_game(GAME)
    options = {option.name: option.values[0] for option in game.options}
    house = House(begin_game(setup_for(options, players=("Ann", "Bob"))))
    house.drive.resume()
    callers = house.caller(owner=True), house.caller()
    for line in data.split(b"\n"):
        for caller in callers:
            for message in caller.line(line):
                assert message["type"] != "error" or message["code"]
    assert house.drive.frame


def claims(data: bytes) -> None:
    """Check that a box accepts each message of an evening's broker, and shows the result."""
    topic, _, payload = data.partition(b"\n")
    followed(heard(topic.decode("latin-1"), payload))


def topics(data: bytes) -> None:
    """Check a message like `claims`, with a fact and its valid hash."""
    topic, _, text = data.partition(b"\n")
    where = topic.decode("latin-1")
    with suppress(InvalidJson):
        fact = strict_json.parse_json(text)
        canonical = json.dumps(fact, sort_keys=True, separators=(",", ":"))
        found = claiming.Claim(where, 1, "evil", frozenset(), canonical)
        more = {"v": 1, "revision": 1, "box": "evil", "over": [], "hash": found.hash}
        followed(heard(where, json.dumps({**more, "fact": fact}).encode()))


def heard(topic: str, payload: bytes) -> CurrentClaims:
    """Return the claims of a table after a message, with and without finished synchronisation."""
    link = EveningSyncState("a", EVENING).with_new_connection("now")
    found = [
        each.with_received_message(topic, payload)[0] for each in (link, link._replace(synced=True))
    ]
    assert found[0].known_claims == found[1].known_claims
    for where, heads in found[0].known_claims.heads.items():
        assert claiming.parse_valid_claims(where, claiming.make_claims_message(heads)) == heads
    assert found[1].with_own_fact(RESULT, new_facts.result_fact({}))[1]
    return found[0].known_claims


def followed(known: CurrentClaims) -> None:
    """Check that a box can format all pages and lines of an evening."""
    evening = compute_evening_state(known)
    told = (
        exporting.evening_as_json_object(evening, known),
        exporting.results_as_csv(evening, known),
    )
    assert all(line.isprintable() for line in evening_status_lines(evening, known)), told
    status = table.evening_status_for_table(evening, 1)
    if evening.rules is not None:
        parse_evening_status(status)
        new_facts.next_round_number(evening)
    for name in table.LIST_ROW_FUNCTIONS:
        json.dumps(table.answer_page_request(evening, known, {"do": name, "n": 1}))
    for number in range(1, len(evening.rounds) + 1):
        slips.format_result_slip("club", evening, number, 1, "a")


TARGETS: Final[dict[str, Callable[[bytes], None]]] = {
    "record": record, "edition": edition, "board": board, "stdio": stdio, "door": door,
    "claims": claims, "topics": topics, "settings": settings, "imports": imports,
}  # fmt: skip
_LINES: Final = (
    Entry("answer", "play_card", "Fish", 3, 17),
    Entry("game", value={"game": GAME, "players": ["Ann", "Bob"]}),
    Entry("undo", value=True),
)
ENGLISH: Final = Words("en")


def exported() -> bytes:
    """Return the lines of an export of two unfinished games."""
    setup = setup_for(
        {option.name: option.values[0] for option in registry.find_game(GAME).options}
    )
    journal = begin_game(setup, (4, 6), begin_game(setup_for(OWN_PARTS_OPTIONS), (4,)))
    games = (recorded.load_recorded_game(journal, number) for number in (1, 2))
    return "\n".join(export.export_lines(games, 2, "1", whole=True)).encode()


SET: Final = (
    b'{"volume":3,"heard":"scores","speech":"short","voices":{"en":"Amy"},"quiet_from":22,'
    b'"quiet_to":6,"language":"fr","languages":{"Ann":"en"},"quietest":2,"loudest":9,"ear":true,'
    b'"speeds":{"fr":160},"names":["Ann"],"called":"Chip","hidden":[1],"ears":["Ann"]}'
)
EVENING: Final = state_round(open_facts(("Ann", "Bob", "Cy", "Di", "Eve", "Flo")), random.Random(1))
RESULT: Final = "result/1/1"
CORPUS: Final[dict[str, tuple[bytes, ...]]] = {
    "claims": tuple(
        topic.encode() + b"\n" + claiming.make_claims_message(heads)
        for topic, heads in EVENING.heads.items()
    ),
    "topics": tuple(
        topic.encode() + b"\n" + heads[0].fact.encode() for topic, heads in EVENING.heads.items()
    ),
    "record": tuple(encode_record_line(1, 1, entry, 0)[0].encode() for entry in _LINES),
    "edition": tuple(
        editions.built_in_edition_file(game).read_bytes() for game in registry.BUILT_IN_GAMES
    ),
    "board": tuple(path.read_bytes() for path in sorted(board_file.BOARDS_FOLDER.glob("*.toml"))),
    "door": (
        b'{"watch":true,"after":3,"frames":true}\n{"answer":6}\n{"undo":true}\n{"state":true}\n',
        b'{"join":"Ann","code":"AB12"}\n{"join":"Ann","token":"00"}\n{"look":true}\n{"why":true}',
        b'{"address":{"url":"http://10.0.0.7:80","name":null}}\n{"check":"WORD"}\n{"quit":true}',
        b'{"interrupt":{"who":"Ann","stop":true}}\n{"frame":true}\n{"redo":true}\n{"address":null}',
        b'{"watch":true,"confirm":true}\n{"join":"Ann","code":"AB12","lang":"fr"}\n{"answer":6}\n',
        b'{"watch":true,"lang":"fr"}\n{"fill":"correct","given":{}}\n{"answer":1}\n{"leave":true}',
    ),
    "settings": (json.dumps(DEFAULTS).encode(), SET),
    "imports": (exported(),),
    "stdio": (
        b'{"answer":3}\n{"undo":true}\n{"redo":true}\n{"why":true}\n',
        b'{"answer":3,"id":4}\n{"interrupt":{"correct":1}}\n{"state":true}\n{"quit":true}\n',
    ),
}
"""Valid texts for each target, as a start."""
