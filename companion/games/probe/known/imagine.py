"""Probe for the computer player: simulated words, and the choice of a letter.

No function of this module receives the real state. The function `imagine` chooses words that agree
with the open letters, and with the refused letters that the player remembers (PR-3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final

from companion.core.game import Cue, SeatMemory
from companion.core.prompts import COVERED_LETTER, Answer, Choose, Question, Spell
from companion.core.snapshot import View
from companion.games.probe.known.lexicon import (
    RackKnowledge,
    available_secret_words,
    is_word_possible_on_rack,
    random_word_for_rack,
)
from companion.games.probe.known.words_to_hide import choose_secret_word
from companion.games.probe.rules.board import (
    DOT,
    LAST_PLACE_POINTS,
    MISSED_DOT_POINTS,
    NO_DOT_ANSWER,
    OWN_DOT,
    PLACE_VALUES,
    ActivityCard,
    Place,
    Rack,
    TableSetup,
    make_table_setup,
)
from companion.games.probe.rules.questions import LETTER_FREQUENCIES
from companion.games.probe.rules.state import (
    State,
    Step,
    candidate_places_to_uncover,
    has_no_place_to_uncover,
)

STEP_OF_QUESTION: Final[Mapping[str | None, Step]] = {
    "word": "word", "shuffle": "shuffle", "ask_whom": "ask_whom", "ask_for": "ask_for",
    "uncover": "uncover",
}  # fmt: skip
"""Table from the name of a pending question to the step of the simulated game.

If the pending question is not in the table, the simulated game is over.
"""
MAX_WORDS, MAX_WORDS_IF_FORGETFUL = 120, 4
"""Numbers of random words that a computer player tries for a rack.

With unlimited memory, the computer player tries MAX_WORDS words. With a memory of N events, the
computer player tries (N + 1) * MAX_WORDS_IF_FORGETFUL words.
"""
REFUSAL_FACTS: Final = ("said_no", "card_idle")
"""Names of the events that show which letters are on no covered place of a player."""
CONTINUED_TURN_POINTS: Final = 15
"""Estimated points that a player gains later in the same turn, because a "yes" continues the turn
(PR-3).
"""


def imagine(view: View, memory: SeatMemory, player: str, rng: Random) -> State:
    """Return a complete game state that agrees with the player's view.

    Each word that the player does not know is a random word.
    """
    names, table = memory.players, make_table_setup(memory.players, memory.settings, memory.edition)
    own_words = _own(memory.facts, player)
    seen = zip(table.racks, knowledge_of_each_rack(view, memory, table), strict=True)
    racks = [_imagined(rack_seen, own_words.get(rack, ""), rng) for rack, rack_seen in seen]
    filling = sum(bool(rack.word) for rack in racks)
    step = STEP_OF_QUESTION.get(memory.question, "over")
    acts = names.index(view["to_act"]) if view["to_act"] else 0
    return State(
        table=table,
        step=step,
        racks=tuple(racks),
        scores=tuple(view["scores"][who] for who in names),
        filling=filling,
        items=tuple(
            (seat, points, why, "")
            for seat, who in enumerate(names)
            for why, points in view["items"][who].items()
        ),
        pile=_pile(view, memory.recent_facts_with_names("shuffled", "drawn"), table, rng),
        left=table.counts,
        turn=0 if step == "word" else acts,
        card=view["card"] and ActivityCard(**view["card"]),
        times=view["times"],
        whom=None if view["whom"] is None else names.index(view["whom"]),
        letter=view["letter"],
        within=tuple(table.racks.index(rack) for rack in view["uncovering"]),
        because=view["because"] or "",
        gained=view["turn_points"],
        last=view["last_rounds"],
        counts=_counts(memory.facts, view["to_act"]),
        asked=tuple("".join(view.get("asked", {}).get(who, "")) for who in names),
        misspelled=tuple(table.racks.index(rack) for rack in view["misspelled"]),
        out=tuple(names.index(who) for who in view["out"]),
    )


def _imagined(seen: RackKnowledge, word: str, rng: Random) -> Rack:
    """Return a rack with `word` if `word` fits the open letters, else with a random word.

    `word`: the word that the computer player remembers as the word on this rack.
    """
    text = word
    if not is_word_possible_on_rack(seen._replace(refused=""), word):
        text = random_word_for_rack(seen, rng) if seen.open else ""
    return Rack(text, covered_places_of_rack(seen))


def _own(facts: Iterable[Cue], player: str) -> Mapping[str, str]:
    words: dict[str, str] = {}
    for cue in facts:
        if cue.name == "words" and cue.to == player:
            words |= cue.facts["words"]
    return words


def knowledge_of_each_rack(
    view: View, memory: SeatMemory, table: TableSetup
) -> tuple[RackKnowledge, ...]:
    """Return what the player knows about each rack: its open letters and its refused letters."""
    refused = _refused(view, memory)
    racks = []
    for n, rack in enumerate(table.racks):
        places = [place for place in view["racks"][rack] if place["used"]]
        letters = (
            COVERED_LETTER if place["covered"] else place["letter"] or DOT for place in places
        )
        racks.append(
            RackKnowledge("".join(letters), refused[memory.players[table.seat_owning_rack(n)]])
        )
    return tuple(racks)


def _refused(view: View, memory: SeatMemory) -> dict[str, str]:
    """Return, for each player, the letters (or the dot) that are on no covered place (PR-3, PR-5).

    A computer player with a limited memory remembers only the latest refusals of each player. If
    the box lists the requested letters (PR-4), the list also shows which letters were refused.
    """
    no: dict[str, list[Cue]] = {who: [] for who in memory.players}
    for cue in memory.facts:
        if cue.name == "said_no":
            no[cue.facts["whom"]].append(cue)
        elif cue.name == "card_idle" and cue.facts["card"]["kind"] == OWN_DOT:
            no[cue.facts["who"]].append(cue)
    refused = {
        who: {
            cue.facts.get("asked", DOT)
            for cue in memory._replace(facts=(*cues,)).recent_facts_with_names(*REFUSAL_FACTS)
        }
        for who, cues in no.items()
    }
    for who, letters in view.get("asked", {}).items():
        racks = (places for rack, places in view["racks"].items() if rack.split(":")[0] == who)
        shown = {place["letter"] for places in racks for place in places}
        refused[who] |= {*letters} - shown - {view["letter"]}
    return {who: "".join(sorted(letters)) for who, letters in refused.items()}


def covered_places_of_rack(seen: RackKnowledge) -> tuple[Place, ...]:
    """Return the numbers of a rack's covered places."""
    return tuple(n for n, letter in enumerate(seen.open, start=1) if letter == COVERED_LETTER)


def _pile(
    view: View, recent: Iterable[Cue], table: TableSetup, rng: Random
) -> tuple[ActivityCard, ...]:
    """Return a simulated pile, without the cards that the player remembers as drawn (PR-5)."""
    deck = Counter(dict(zip(table.cards, table.counts, strict=True)))
    drawn: Counter[ActivityCard] = Counter()
    for cue in recent:
        if cue.name == "shuffled":
            drawn.clear()
        elif cue.name == "drawn":
            drawn[ActivityCard(**cue.facts["card"])] += 1
    left = deck - drawn
    cards = [*(left if left.total() >= view["pile"] else deck).elements()]
    rng.shuffle(cards)
    return tuple(cards[: view["pile"]])


def _counts(facts: Sequence[Cue], acts: str | None) -> bool:
    """Return True if the current turn counts as a turn of the last rounds (PR-13).

    The turn in which the last rounds began does not count.
    """
    begins = [cue.name == "last_rounds" and cue.facts["begins"] for cue in facts]
    if True not in begins:
        return True
    at = len(begins) - 1 - begins[::-1].index(True)
    drew = [cue.facts["who"] for cue in facts[:at] if cue.name == "drawn"]
    since = {acts, *(cue.facts["who"] for cue in facts[at:] if cue.name == "drawn")}
    return since != {drew[-1] if drew else acts}


# --- the computer player's decisions --------------------------------------------------------------


def obvious_answers(view: View, memory: SeatMemory, player: str, rng: Random) -> tuple[Answer, ...]:
    """Return the computer player's answer about a word, an opponent, a letter or a place.

    Return () for all other questions.
    """
    # this function needs no name, because the view already contains all that the player knows
    del player
    match memory.question:
        case "word":
            return (choose_secret_word(available_secret_words(), rng, hard=memory.span is None),)
        case "uncover":
            return (_least(memory.choices, free=view["because"] == "own_dot"),)
        case "ask_whom":
            best = {who: _asks(view, memory, who, rng)[0][0] for who in memory.choices}
            return (max(best, key=lambda who: best[who]),)
        case "ask_for":
            asks = _asks(view, memory, view["whom"], rng)
            return (_first_thought(asks, rng) if memory.span == 0 else asks[0][1],)
        case _:
            return ()


def _least(choices: Sequence[Answer], *, free: bool) -> Answer:
    """Return the place with the lowest value, or with the highest value if `free` is True (PR-2).

    `free` is True if the player uncovers a dot of the player's own word: no player gets points for
    this dot (PR-8).
    """
    places = {
        place: 0 if place == NO_DOT_ANSWER else PLACE_VALUES[_place(place) - 1] for place in choices
    }
    return (max if free else min)(places, key=lambda place: places[place])


def _place(choice: Answer) -> Place:
    return int(str(choice).rpartition(":")[2])


def _asks(view: View, memory: SeatMemory, whom: str, rng: Random) -> list[tuple[float, str]]:
    """Return (expected points, letter) for each letter that the player can request, best first.

    A "yes" brings the value of the place, and more points in the turn that continues (PR-3). A
    request for a dot costs points if the rack has no covered dot (PR-10). If a multiplier is in
    force, the most probable letters come first (PR-5).
    """
    table = make_table_setup(memory.players, memory.settings, memory.edition)
    seen = knowledge_of_each_rack(view, memory, table)
    racks = [
        seen[n] for n in table.held[memory.players.index(whom)] if COVERED_LETTER in seen[n].open
    ]
    yes: Counter[str] = Counter()
    points: Counter[str] = Counter()
    words = MAX_WORDS if memory.span is None else MAX_WORDS_IF_FORGETFUL * (1 + memory.span)
    for _ in range(words):
        for letter, worth in _hits(
            [(rack_seen, random_word_for_rack(rack_seen, rng)) for rack_seen in racks]
        ).items():
            yes[letter] += 1
            points[letter] += worth
    asks = []
    for letter in LETTER_FREQUENCIES:
        chance, mean = yes[letter] / words, points[letter] / words
        missed = (1 - chance) * MISSED_DOT_POINTS if letter == DOT else 0
        likely = chance * chance if view["times"] > 1 else 1
        # tiny number that ranks the letters which are in no random word
        rest = LETTER_FREQUENCIES[letter] / 10_000
        asks.append(
            (
                likely * (mean * view["times"] + chance * CONTINUED_TURN_POINTS) + missed + rest,
                letter,
            )
        )
    return sorted(asks, reverse=True)


def _first_thought(asks: Sequence[tuple[float, str]], rng: Random) -> str:
    """Return a random letter. Letters with more expected points are more likely.

    If the choice were not random, a player without memory could request a refused letter again and
    again.
    """
    weights = [max(0.0, worth) for worth, _ in asks]
    return rng.choices([letter for _, letter in asks], weights)[0]


def _hits(racks: Iterable[tuple[RackKnowledge, str]]) -> dict[str, int]:
    """Return a table from each covered letter to the points of the cheapest place with this letter.

    If only one place of a rack is covered, the points include the 50 points for an open word.
    """
    points: dict[str, int] = {}
    for seen, text in racks:
        hidden = covered_places_of_rack(seen)
        for place in hidden:
            worth = PLACE_VALUES[place - 1] + LAST_PLACE_POINTS * (len(hidden) == 1)
            letter = text[place - 1]
            points[letter] = min(worth, points.get(letter, worth))
    return points


def quick_answer_in_simulation(state: State, question: Question, rng: Random) -> Answer | None:
    """Return a quick answer for a simulated game: a word to hide, or a place to uncover.

    Return None for all other questions.
    """
    if isinstance(question, Spell):
        return choose_secret_word(available_secret_words(), rng)
    if not isinstance(question, Choose):
        return None
    if (
        question.name == "uncover"
        and not has_no_place_to_uncover(state)
        and candidate_places_to_uncover(state)
    ):
        return _least(question.options, free=state.because == "own_dot")
    return None
