"""Helpers: random games with leavers, corrections and random boards, checked by a referee.

The referee knows only public facts and the clauses in docs/rulings.md and docs/protocol.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final

from companion.catalog import editions, registry
from companion.core.chance import Chance
from companion.core.errors import Refused
from companion.core.fold import apply_answer
from companion.core.prompts import (
    LEAVING_PLAYER_QUESTION,
    Question,
    Roll,
    Shuffle,
    is_answered_by_box,
)
from companion_testing.playing import Move, Playout, RandomPlayer, move_from_answer
from companion_testing.table import GameTable
from tests.met import busy_edition, longest_edition

CORRECTS: Final = 0.08
"""Probability of a correction or a guess before an answer."""
LEAVING: Final = {"barney-miller": 0.01, "baretta": 0.005, "kojak": 0.005, "probe": 0.01}
"""Probability that a player leaves before an answer. Players leave in about half of the games."""
ENDING: Final = 0.1
"""Probability that an answer out of turn is kept if it ends the game."""
LONGEST: Final = 20_000
WINNING: Final = 4
MARKERS: Final = 6
BARETTA: Final = registry.find_game("baretta")
TRAPS: Final = 20
MISSIONS: Final = 16


def random_game(table: GameTable, seed: int) -> Playout:
    """Play a game with corrections and leavers to its end. Raise AssertionError at an error."""
    game, start, chance = table.game, table.first_state(), Chance(f"{table.id} {seed}")
    player, draws, state = RandomPlayer(Random(f"{table.id} {seed}")), Counter[str](), start
    made: list[Move] = []
    while (prompt := game.ask(state)) is not None and len(made) < LONGEST:
        move = None if is_answered_by_box(prompt) else _spoken(table, state, player)
        if move is None and is_answered_by_box(prompt) and isinstance(prompt, (Roll, Shuffle)):
            name = chance.name_of_draw(prompt.name, prompt.who)
            move = move_from_answer(
                game, state, prompt, chance.drawn_answer_to_prompt(prompt, draws[name])
            )
            draws[name] += 1
        elif move is None:
            move = move_from_answer(game, state, prompt, player.choose_answer(prompt))
        assert move.fault is None, (table.id, seed, len(made), move.fault)
        made.append(move)
        state = move.after
    return Playout(table, seed, chance, start, tuple(made))


def _spoken(table: GameTable, state: Any, player: RandomPlayer) -> Move | None:
    """Return a random answer out of turn, or None."""
    for question in table.game.anytime(state):
        often = LEAVING[table.game.name] if question.name == LEAVING_PLAYER_QUESTION else CORRECTS
        if player.rng.random() > often:
            continue
        value = player.choose_answer(question)
        try:
            after, cues = apply_answer(table.game, state, value, question.name)
        except Refused:
            continue
        if table.game.outcome(after) is not None and player.rng.random() > ENDING:
            continue
        return Move(state, question, value, after, cues, is_out_of_turn=True)
    return None


# --- random boards --------------------------------------------------------------------------------


def own_board(game: str, seed: int) -> Mapping[str, Any]:
    """Return a board that was never printed. Seed 0 is the board of the edition."""
    edition, rng = editions.load_edition(game), Random(f"{game} {seed}")
    if seed == 0:
        return edition
    if game == "barney-miller":
        first, *others = edition["track"]
        return {**edition, "track": [first, *rng.sample(others, rng.randint(8, len(others)))]}
    if game == "baretta":
        return busy_edition(edition) if seed % 2 else edition
    return longest_edition(game) if game == "kojak" else edition


# --- laws of every game ---------------------------------------------------------------------------


def faults(played: Playout) -> Iterator[str]:
    """Yield each violation of a clause in a game, with the number of the answer."""
    game, left = played.table.game, list[str]()
    for n, move in enumerate(played.moves):
        if move.prompt.name == LEAVING_PLAYER_QUESTION:
            left.append(str(move.value))
        before, view = game.view(move.before, None), game.view(move.after, None)
        for wrong in (*_of_leavers(played, move, view, left), *LAWS[game.name](move, before, view)):
            yield f"{played.table.id} {played.seed}, answer {n} ({move.prompt.name}): {wrong}"
    yield from _of_the_end(played, left)


def _of_leavers(played: Playout, move: Move, view: Any, left: list[str]) -> Iterator[str]:
    """BM-15, BA-20, KO-23, PR-18: a leaver is out, and gets no questions and no private cues."""
    game = played.table.game
    question, is_over = game.ask(move.after), game.outcome(move.after) is not None
    if not set(left) <= set(view["out"]):
        yield f"{left} have left, and {view['out']} are out"
    if not is_over and view["to_act"] in left:
        yield f"{view['to_act']} has left, and has the turn"
    if question is not None and question.who in left:
        yield f"{question.who} has left, and is asked"
    stay = [name for name in played.table.players if name not in left]
    if len(stay) == 1 and not is_over:
        yield f"{stay} is the only one left, and has not won"
    yield from (f"{cue.to} has left, and is told {cue.name}" for cue in move.cues if cue.to in left)


def _of_the_end(played: Playout, left: list[str]) -> Iterator[str]:
    """A leaver does not win, but the last remaining player wins."""
    outcome = played.table.game.outcome(played.last_state)
    if outcome is None:
        yield f"{played.table.id} {played.seed} has no end"
        return
    stay = {name for name in played.table.players if name not in left}
    if not outcome.winners or not set(outcome.winners) <= stay:
        yield f"{played.table.id} {played.seed}: {outcome.winners} win, of {stay}"


# --- the games ------------------------------------------------------------------------------------


def barney_miller(move: Move, _before: Any, view: Any) -> Iterator[str]:
    chips = {who: len(view["captured"][who]) + view["reserve"][who] for who in view["reserve"]}
    if any(n > WINNING for n in chips.values()):
        yield f"BM-13: more chips than suspects: {chips}"
    most = max((n for who, n in chips.items() if who not in view["out"]), default=0)
    if most == WINNING and view["to_act"] is not None:
        yield f"BM-12: four chips win at once: {chips}"
    if view["total"] != sum(value for _, value in view["played"]):
        yield f"BM-6: {view['played']} do not make {view['total']}"
    for who in view["out"]:
        if view["hand"][who] or view["second"][who]:
            yield f"BM-15: {who} has left, and holds cards"
    for who, ids in view["captured"].items():
        own = [suspect["id"] for suspect in view["posters"][who]]
        if len(set(ids)) != len(ids) or not set(ids) <= set(own):
            yield f"BM-9: {who} has captured {ids}"
    is_leaving = move.prompt.name == LEAVING_PLAYER_QUESTION
    if is_leaving and not move.cues[0].facts["own"] and len(view["out"]) < len(view["hand"]) - 1:
        yield from _cards_of_a_leaver(move, _before, view)


def _cards_of_a_leaver(move: Move, before: Any, view: Any) -> Iterator[str]:
    """BM-15: the leaver's cards go under the cards aside, unless a deal or play follows at once."""
    if {cue.name for cue in move.cues} & {"dealt", "card_played"}:
        return
    cards = before["hand"][move.value] + before["second"][move.value]
    if view["deck_aside"] != before["deck_aside"] + cards:
        yield f"BM-15: {cards} cards of {move.value}, {view['deck_aside']} lie aside"


def baretta(move: Move, _before: Any, view: Any) -> Iterator[str]:
    out = Counter(space["marker"] for space in view["spaces"].values() if space["marker"])
    for who, markers in view["markers"].items():
        if markers != MARKERS - out[who] or markers < 0:
            yield f"BA-8: {who} has {markers} markers, and {out[who]} on the board"
    if view["baretta"] not in view["spaces"]:
        yield f"BA-6: Baretta stands on {view['baretta']}"
    stay = [who for who in view["pile"] if who not in view["out"]]
    if len(stay) == 1 and view["phase"] != "over":
        yield f"BA-16: only {stay} is in"
    if view["phase"] == "playing" and view["to_act"] in view["out"]:
        yield f"BA-16: {view['to_act']} is out, and has the turn"
    yield from _of_barettas_question(BARETTA.ask(move.after), view)


def _of_barettas_question(question: Question | None, view: Any) -> Iterator[str]:
    """BA-20: the view shows the active player, the reason of a question, and no dropped parts."""
    name, who = (question.name, question.who) if question else (None, None)
    is_answered_by_a_person = question is not None and not is_answered_by_box(question)
    if view["phase"] == "playing" and is_answered_by_a_person and who not in (None, view["to_act"]):
        yield f"BA-18: {who} is asked {name}, and {view['to_act']} has the turn"
    moving, steps = view["moving"], question.facts.get("steps") if question else None
    if (moving is not None) != (name == "move_to"):
        yield f"BA-20: {name} is asked, and moving is {moving}"
    if moving is not None and (moving["who"], moving["n"]) != (who, steps):
        yield f"BA-6: {who} moves {steps}, and moving is {moving}"
    if (view["asked"] is not None) != (name in ("card", "take_back")):
        yield f"BA-20: {name} is asked, because of {view['asked']}"


def kojak(_move: Move, _before: Any, view: Any) -> Iterator[str]:
    if view["trap_pile"] not in (TRAPS, TRAPS - 1):
        yield f"KO-13: {view['trap_pile']} trap cards"
    held = sum(colour is not None for colour in view["mission"].values())
    if view["phase"] != "opening" and view["mission_pile"] + held > MISSIONS:
        yield f"KO-8: {view['mission_pile']} mission cards and {held} held"
    for who in view["out"]:
        if view["mission"][who] or view["warrant"][who] or who in view["may_arrest"]:
            yield f"KO-23: {who} has left, with mission or warrant"
        if who in (*view["race"], *view["lose_turn"]):
            yield f"KO-23: {who} has left, and races or misses a turn"
    for who in view["may_arrest"]:
        colour = view["mission"][who]
        if colour is None or not view["warrant"][who] or view["files"][colour] != "open":
            yield f"KO-15: {who} may arrest {colour}"
        elif view["circle"][colour] not in view["red"][colour]:
            yield f"KO-15: {colour} is not on red"
    closed = Counter(who for who in view["files"].values() if who != "open")
    if {who: n for who, n in view["arrests"].items() if n} != closed:
        yield f"KO-16: {view['arrests']}, and closed are {view['files']}"


def probe(move: Move, before: Any, view: Any) -> Iterator[str]:
    for who in view["out"]:
        racks = (places for rack, places in view["racks"].items() if rack.split(":")[0] == who)
        if any(place["covered"] for places in racks for place in places):
            yield f"PR-18: {who} has left, with covered places"
    if (
        move.prompt.name == LEAVING_PLAYER_QUESTION
        and view["scores"] != before["scores"]
        and not _scores_follow(move)
    ):
        yield f"PR-18: {before['scores']} became {view['scores']}"
    for who, items in view["items"].items():
        if sum(items.values()) != view["scores"][who]:
            yield f"PR-6: {who} has {view['scores'][who]}, items {items}"


def _scores_follow(move: Move) -> bool:
    """Return True if the next player drew a card at once (PR-5), or the game ended (PR-13)."""
    return any(cue.name in {"drawn", "survived", "game_won", "tied"} for cue in move.cues)


LAWS: Final[Mapping[str, Callable[[Move, Any, Any], Iterator[str]]]] = {
    "barney-miller": barney_miller,
    "baretta": baretta,
    "kojak": kojak,
    "probe": probe,
}
