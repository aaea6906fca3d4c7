"""Tests of a computer player, which reads protocol lines and knows nothing else."""

from __future__ import annotations

import json
from contextlib import closing
from random import Random
from typing import Any, Final

import pytest

from companion.catalog import editions, registry
from companion.core.chance import Chance
from companion.core.game import Cue, SeatMemory
from companion.core.prompts import Roll, Shuffle
from companion.door.lines import Message
from companion.door.stdio import StdioGame
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from companion.seat.player import LEVELS, ComputerSeat
from companion.seat.seat_program import can_seat_read_line
from companion_testing import arena
from companion_testing.face_recording import game_words_for_edition
from tests.helpers import long_lane_params

NEAR, FAR = 2, 3
"""Two cards of a shuffle that no player sees at first: in second hands, or face down."""
GAMES: Final = [
    name for name in registry.BUILT_IN_GAMES if registry.find_game(name).computer is not None
]


def pitch(name: str, **settings: str) -> arena.ArenaGameSettings:
    game, edition = registry.find_game(name), editions.load_edition(name)
    hands = game.options_without_computer_players
    chosen = {
        option.name: next(v for v in option.values if v not in hands.get(option.name, ()))
        for option in game.options
    }
    return arena.ArenaGameSettings(
        game, {**chosen, **settings}, edition, game_words_for_edition(name, "en", edition)
    )


def seat(
    place: arena.ArenaGameSettings, player: str, level: str = "friend", seed: str = "1"
) -> ComputerSeat:
    few = LEVELS[level]
    if few.effort is not None:
        few = few._replace(effort=few.effort._replace(worlds=1))
    return ComputerSeat(place.game, player, few, edition=place.edition, seed=seed)


class Watched(ComputerSeat):
    """A seat that records its lines and its answers."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.lines: list[Message] = []
        self.said: list[tuple[int, Message]] = []

    def process_and_answer_line(self, message: Message) -> Message | None:
        self.lines.append(message)
        said = super().process_and_answer_line(message)
        if said is not None:
            self.said.append((len(self.lines), said))
        return said


def watched(
    place: arena.ArenaGameSettings, seed: str, players: tuple[str, ...]
) -> dict[str, Watched]:
    """Play a whole game between computer players. Return their seats."""
    few = LEVELS["friend"]
    assert few.effort is not None
    few = few._replace(effort=few.effort._replace(worlds=1))
    seats = {who: Watched(place.game, who, few, edition=place.edition, seed=who) for who in players}
    arena.play_arena_game(place, seats, seed, lambda: 0.0)
    return seats


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("level", ["friend", *long_lane_params(["learner", "greedy"])])
def test_a_seat_plays_a_whole_game_and_no_answer_of_it_is_refused(name: str, level: str) -> None:
    place = pitch(name)
    players = place.game.names[:2]
    seats = {who: seat(place, who, level) for who in players}
    winners, table = arena.play_arena_game(place, seats, "ab", lambda: 0.0)
    assert winners
    assert not table.faults


@pytest.mark.long
def test_ko_7_in_the_arena_a_car_comes_where_it_would_like_to_as_often_as_a_road_leads_there() -> (
    None
):
    class Wishing(Watched):
        """A seat that chooses a mission whenever it can, and counts its missions."""

        tried = met = 0

        def process_and_answer_line(self, message: Message) -> Message | None:
            said = super().process_and_answer_line(message)
            self.met += message.get("event") == "mission" and message["who"] == self.player
            if said is None or message.get("question") != "happened":
                return said
            wishes = "mission" in [choice["value"] for choice in message["choices"]]
            self.tried += wishes
            return {**said, "answer": "mission"} if wishes else said

    place = pitch("kojak")
    few = LEVELS["greedy"]
    tried = met = 0
    for seed in ("ab", "cd"):
        seats = {
            who: Wishing(place.game, who, few, edition=place.edition) for who in ("Ann", "Bob")
        }
        assert not arena.play_arena_game(place, seats, seed, lambda: 0.0)[1].faults
        tried += sum(one.tried for one in seats.values())
        met += sum(one.met for one in seats.values())
    assert met
    assert met < tried / 2


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_is_shown_no_secret_and_no_question_of_others(name: str) -> None:
    place = pitch(name)
    for who, one in watched(place, "cd", place.game.names[:2]).items():
        assert {line["who"] for line in one.lines if line["type"] == "secret"} <= {who}
        assert {line["who"] for line in one.lines if line["type"] == "ask"} <= {who, None}
        assert one.said


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_the_same_lines_and_the_same_seed_give_the_same_answers(name: str) -> None:
    place = pitch(name)
    (who, one), *_ = watched(place, "ef", place.game.names[:2]).items()
    again = Watched(place.game, who, one.level, edition=place.edition, seed=who)
    for line in one.lines:
        again.process_and_answer_line(line)
    assert again.said == one.said


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_twin_games_are_answered_alike_while_a_seat_is_told_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cards of the shuffle are swapped. A seat that sees neither gives the same answers."""
    place = pitch(name)
    players = place.game.names[:2]
    one = watched(place, "aa", players)
    straight, compared = Chance.drawn_answer_to_prompt, 0

    def swapped(chance: Chance, prompt: Roll | Shuffle, n: int) -> Any:
        order = straight(chance, prompt, n)
        if isinstance(prompt, Shuffle) and prompt.n > FAR:
            order[FAR], order[NEAR] = order[NEAR], order[FAR]
        return order

    monkeypatch.setattr(Chance, "drawn_answer_to_prompt", swapped)
    two = watched(place, "aa", players)
    for who in players:
        pairs = [*zip(one[who].lines, two[who].lines, strict=False)]
        differs = next((n for n, (a, b) in enumerate(pairs) if a != b), len(pairs))
        ours = [said for n, said in one[who].said if n <= differs]
        assert ours == [said for n, said in two[who].said if n <= differs]
        compared += len(ours)
    assert compared


def test_a_refused_answer_is_given_anew_and_differently() -> None:
    place = pitch("barney-miller")
    ann = seat(place, "Ann", "strong")
    asked = lines(place, ("Ann", "Bob"))
    answers: list[Any] = []
    for line in asked:
        if (said := ann.process_and_answer_line(line)) is not None:
            answers.append(said["answer"])
            break
    stands = next(line for line in reversed(asked) if line["type"] == "ask")
    choices = [choice["value"] for choice in stands["choices"]]
    for _ in choices[1:]:
        said = ann.process_and_answer_line({"type": "error", "message": "No."})
        assert said is not None
        assert said["id"] == stands["id"]
        answers.append(said["answer"])
    assert sorted(answers) == sorted(choices)


def lines(place: arena.ArenaGameSettings, players: tuple[str, ...]) -> list[Message]:
    """Return the messages to Ann until she has a choice."""
    told: list[Message] = []
    rng = Random(1)

    class Pipe:
        def write(self, line: str) -> None:
            message = json.loads(line)
            if can_seat_read_line(message, "Ann") or message["type"] == "ask":
                told.append(message)

        def flush(self) -> None: ...

        def readline(self, _limit: int) -> bytes:
            asked = next(line for line in reversed(told) if line["type"] == "ask")
            if asked["who"] == "Ann" and len(asked["choices"]) > 2:
                return b""
            value = rng.choice(asked["choices"])["value"]
            return json.dumps({"answer": value}).encode() + b"\n"

    pipe: Any = Pipe()
    with closing(Journal(None)) as journal:
        setup = GameSetup(
            place.game, players, place.settings, place.edition, Chance("12"), mixing=False
        )
        session = Session.begin(journal, setup, 0)
        StdioGame(session, place.words, source=pipe, sink=pipe, wall=lambda: 0, version="").run()
    return [line for line in told if can_seat_read_line(line, "Ann")]


def test_what_came_after_an_answer_that_was_taken_back_is_not_known() -> None:
    place = pitch("barney-miller")
    told = lines(place, ("Ann", "Bob"))
    ann = seat(place, "Ann")
    for line in told:
        ann.listening.add_protocol_line(line)
    before = ann.listening.memory
    state, asked = (
        next(line for line in reversed(told) if line["type"] == kind) for kind in ("state", "ask")
    )
    played = {
        "type": "tell", "event": "card_played", "text": "", "speech": "", "cue": None,
        "clause": "BM-6", "who": "Ann", "value": 3, "total": 3, "forced": False, "own": False,
    }  # fmt: skip
    undone = {**played, "event": "undone"}
    for line in (played, {**state, "total": 3}, undone, state, asked):
        ann.listening.add_protocol_line(line)
    assert ann.listening.memory == before


class Caller(Watched):
    """A seat that first calls a wrong word at each question for a letter, and then answers."""

    calls, refused, opponents = 0, 0, ("Ada", "Edgar")

    def process_and_answer_line(self, message: Message) -> Message | None:
        self.refused += message["type"] == "error"
        said = super().process_and_answer_line(message)
        if message.get("question") != "ask_for" or message["who"] != self.player:
            return said
        (whom,) = {*self.opponents} - {self.player}
        self.calls += 1
        call = {"who": self.player, "whom": whom, "rack": f"{whom}:left", "guess": "ZZZZZZ"}
        return {"interrupt": call} if self.calls % 2 else said


@pytest.mark.long
@pytest.mark.usefixtures("word_list")
def test_pr_15_a_seat_of_the_arena_calls_words_and_the_game_goes_on() -> None:
    place = pitch("probe")
    seats = {
        who: Caller(place.game, who, LEVELS["greedy"], edition=place.edition, seed=who)
        for who in Caller.opponents
    }
    winners, table = arena.play_arena_game(place, seats, "ab", lambda: 0.0)
    wrong = [line for line in seats["Ada"].lines if line.get("event") == "interrupted"]
    assert winners
    assert len(wrong) > 2
    assert sum(seat.refused for seat in seats.values()) == table.faults


@pytest.mark.long
def test_a_seat_of_the_arena_can_neither_speak_for_others_nor_correct_the_score() -> None:
    class Cheat(Watched):
        def process_and_answer_line(self, message: Message) -> Message | None:
            said = super().process_and_answer_line(message)
            if message["type"] != "state":
                return said
            (other,) = {"Ada", "Edgar"} - {self.player}
            as_other = {"who": other, "whom": self.player, "rack": f"{self.player}:left"}
            lies = (
                {"correct": {"who": self.player, "points": 500}},
                {"stop": True},
                {**as_other, "guess": "ZZZZZZ"},
            )
            return {"interrupt": lies[len(self.lines) % len(lies)]}

    place = pitch("probe")
    seats = {who: Cheat(place.game, who, LEVELS["greedy"], edition=place.edition, seed=who)
             for who in ("Ada", "Edgar")}  # fmt: skip
    winners, table = arena.play_arena_game(place, seats, "ab", lambda: 0.0)
    events = {line.get("event") for line in seats["Ada"].lines}
    assert winners
    assert not table.calls
    assert not events & {"corrected", "stopped", "interrupted"}


@pytest.mark.long
@pytest.mark.usefixtures("word_list")
def test_a_probe_seat_plays_on_with_a_word_that_it_would_not_choose() -> None:
    """The lines are of a seat with another seed, as after an undo."""
    place = pitch("probe")
    for who, one in watched(place, "ef", place.game.names[:2]).items():
        other = seat(place, who, "friend", seed="another")
        assert [other.process_and_answer_line(line) for line in one.lines].count(None) < len(
            one.lines
        )


def test_an_interval_holds_the_share_and_is_wider_for_fewer_games() -> None:
    low, high = arena.wilson_interval(0.6, 400)
    assert low == pytest.approx(0.5513, abs=1e-3)
    assert high == pytest.approx(0.6468, abs=1e-3)
    assert arena.wilson_interval(1.0, 10) == pytest.approx((0.722, 1.0), abs=1e-3)


def test_a_deal_that_decides_by_itself_tells_more_when_it_is_played_from_every_chair() -> None:
    by_chance = [1.0, 0.0] * 30 + [1.0, 1.0] * 10
    low, high = arena.wilson_interval(0.625, arena.effective_game_count(by_chance, 2))
    plain = arena.wilson_interval(0.625, len(by_chance))
    assert plain[0] < low < 0.625 < high < plain[1]
    assert arena.effective_game_count([1.0, 0.0] * 4, 2) == 8  # a few deals are no evidence
    assert arena.effective_game_count([1.0] * 40, 2) == 40


def test_who_forgets_remembers_the_last_facts_of_a_kind() -> None:
    facts = tuple(Cue(name, {"n": n}) for n in range(5) for name in ("heard", "seen"))
    told = SeatMemory(("Ann", "Bob"), {}, {}, facts, span=3)
    assert [cue.facts["n"] for cue in told.recent_facts_with_names("heard")] == [2, 3, 4]
    assert told._replace(span=0).recent_facts_with_names("heard", "seen") == ()
    assert len(told._replace(span=None).recent_facts_with_names("seen")) == 5


@pytest.mark.long
def test_seats_are_rotated_and_each_seed_is_played_from_every_chair() -> None:
    place = pitch("barney-miller")
    sat: list[tuple[str, str, str]] = []

    def make(name: str, player: str, seed: str) -> ComputerSeat:
        sat.append((name, player, seed))
        return seat(place, player, "random", seed)

    played = list(arena.play_arena_games(place, ["a", "b"], 4, "ab", make, lambda: 0.0))
    assert [(name, player) for name, player, _ in sat[:4]] == [
        ("a", "Fish"), ("b", "Harris"), ("b", "Fish"), ("a", "Harris"),
    ]  # fmt: skip
    assert sat[0][2] == sat[3][2]
    assert all(sum(one.shares) == 1 for one in played)
    assert sum(one.share for one in arena.win_shares(played)) == 1


@pytest.mark.long
@pytest.mark.usefixtures("word_list")
def test_who_remembers_nothing_does_not_ask_for_the_same_letter_over_and_over() -> None:
    place = pitch("probe")
    one, two = place.game.names[:2]
    runs: list[bool] = []
    for seed in ("ab", "cd", "ef"):
        seats = {who: Watched(place.game, who, LEVELS["learner"], edition=place.edition, seed=who)
                 for who in (one, two)}  # fmt: skip
        arena.play_arena_game(place, seats, seed, lambda: 0.0)
        facts = seats[one].listening.memory.facts
        refused = [
            cue.facts["asked"] for cue in facts if cue.name == "said_no" and cue.facts["who"] == one
        ]
        runs += [a == b == c for a, b, c in zip(refused, refused[1:], refused[2:], strict=False)]
    assert len(runs) > 4
    assert sum(runs) <= len(runs) / 5
