"""Baretta for the computer player: simulated game states, card knowledge, and obvious answers.

No function of this module receives the real state. The function `imagine` deals the hidden cards at
random. The computer player always remembers the cards that it has placed (BA-8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed
from functools import lru_cache
from operator import is_
from random import Random
from typing import Any, Final, NamedTuple

from companion.core.game import Cue, SeatMemory
from companion.core.prompts import Answer
from companion.core.snapshot import View
from companion.games.baretta.known.beliefs import ArrestCardBeliefs
from companion.games.baretta.rules.board import (
    ARREST,
    CARD_SPACE_COUNT,
    CRIMINALS,
    CardOnBoard,
    Seat,
    TableSetup,
    make_table_setup,
)
from companion.games.baretta.rules.cards import LOOKED_FACT
from companion.games.baretta.rules.corners import PASS_ANSWER
from companion.games.baretta.rules.state import (
    CardReason,
    State,
    Step,
    arrest_card_of_player,
    id_of_space,
    is_arrest_card,
    number_of_space,
)

STEP_OF_QUESTION: Final[Mapping[str | None, Step]] = {
    step: step
    for step in (
        "accused", "cut", "move_to", "hunch", "take_back", "unmark", "look", "draw", "swap",
        "swap_with", "corner_does",
    )
}  # fmt: skip
"""Table from the name of a pending question to the step of the simulated game.

If the pending question is not in the table, the simulated game starts with a roll.
"""
CORNER_QUESTIONS: Final = frozenset({"unmark", "look", "draw", "swap", "swap_with"})
REVEALING_FACTS: Final = (
    "placed", LOOKED_FACT, "wounded", "turned", "guessed", "discarded", "taken_back", "swapped",
)  # fmt: skip
"""Names of the events that show a card or the place of a card."""


@dataclass
class PlayerCardKnowledge:
    """A player's knowledge about cards, collected from events.

    - `own`: table from a space's id to the card that the player placed on the space.
    - `looked`: table from a space's id to the face-down card that the player looked at.
    - `public`: table from a space's id to the card that all players have seen face up.
    - `by`: table from a space's id to the player who placed the card on the space.
    - `top`: table from a player's name to the card that Wounded turned up on this player's pile.
    - `gone`: the names of the cards that have left the game.
    """

    player: str
    own: dict[str, str] = field(default_factory=dict)
    looked: dict[str, str] = field(default_factory=dict)
    public: dict[str, str] = field(default_factory=dict)
    by: dict[str, str] = field(default_factory=dict)
    top: dict[str, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)

    def add_knowledge_from_fact(self, cue: Cue) -> None:
        """Add the knowledge that the player gets from one event."""
        facts, name = cue.facts, cue.name
        space = facts.get("space", "")
        match name:
            case "placed" if cue.to == self.player:
                self.own[space] = facts["card"]
            case "looked" if cue.to == self.player:
                self.looked[space] = facts["card"]
            case "placed":
                self.by[space] = facts["who"]
                if (card := self.top.pop(facts["who"], None)) is not None:
                    self._show(space, card)
            case "wounded":
                self.top[facts["who"]] = facts["card"]
            case "turned" | "guessed":
                self._show(space, facts["card"])
            case "discarded":
                self.gone.append(facts["card"])
                self._leaves(space)
            case "taken_back":
                self._leaves(space)
            case "swapped":
                self._swap(space, facts["to"])

    def _show(self, space: str, card: str) -> None:
        self.public[space] = card
        if self.by.get(space) == self.player:
            self.own[space] = card

    def _leaves(self, space: str) -> None:
        for cards in (self.own, self.looked, self.public, self.by):
            cards.pop(space, None)

    def _swap(self, space: str, other: str) -> None:
        for cards in (self.own, self.looked, self.public, self.by):
            here, there = cards.pop(space, None), cards.pop(other, None)
            if here is not None:
                cards[other] = here
            if there is not None:
                cards[space] = there


def card_knowledge_of_player(memory: SeatMemory, player: str) -> PlayerCardKnowledge:
    """Return a player's knowledge about cards, from private events and remembered public events.

    A player always knows the face-down cards that the player placed or looked at. A player with a
    limited memory knows other cards only from recent events.
    """
    whole = PlayerCardKnowledge(player)
    for cue in memory.facts:
        if cue.name in REVEALING_FACTS:
            whole.add_knowledge_from_fact(cue)
    if memory.span is None:
        return whole
    recent = PlayerCardKnowledge(player)
    for cue in memory.recent_facts_with_names(*REVEALING_FACTS):
        recent.add_knowledge_from_fact(cue)
    recent.own, recent.looked = whole.own, whole.looked
    return recent


def imagine(view: View, memory: SeatMemory, player: str, rng: Random) -> State:
    """Return a complete game state that agrees with the player's view and card knowledge.

    If the player's memory is unlimited, the player's guesses decide how likely each place of
    another player's Arrest card is.
    """
    state, knows, beliefs = _known(_SeatKey(view, memory, player))
    if not state.piles:
        return state
    cards = _Cards(state, knows, beliefs, rng)
    cards.place_hidden_arrest_cards_randomly()
    return cards.deal_remaining_hidden_cards()


class _SeatKey(NamedTuple):
    """Cache key of a player's view and memory, which are compared by identity (`is`)."""

    view: View
    memory: SeatMemory
    player: str

    def __hash__(self) -> int:
        return hash((id(self.view), id(self.memory), self.player))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SeatKey) and all(map(is_, self, other))


@lru_cache(maxsize=4)
def _known(seat: _SeatKey) -> tuple[State, PlayerCardKnowledge, ArrestCardBeliefs]:
    """Return the state, the card knowledge and the guesses of a player, from a cache if possible.

    The cache saves time, because the computer player simulates many games to answer one question.
    """
    view, memory, player = seat
    state, knows = _visible(view, memory), card_knowledge_of_player(memory, player)
    beliefs = ArrestCardBeliefs(state.table.board, memory.players)
    if memory.span is None:
        beliefs.update_from_facts(memory.facts)
    return _place_known(state, knows), knows, beliefs


def _place_known(state: State, knows: PlayerCardKnowledge) -> State:
    spots = tuple(
        _known_spot(spot, id_of_space(state, space), knows, state.table.players)
        if spot is not None and not spot.up
        else spot
        for space, spot in enumerate(state.spots)
    )
    return changed(state, spots=spots)


def _known_spot(
    spot: CardOnBoard, here: str, knows: PlayerCardKnowledge, players: tuple[str, ...]
) -> CardOnBoard:
    me, whose = players.index(knows.player), knows.by.get(here)
    by = players.index(whose) if spot.by is None and whose is not None else spot.by
    card, seen = spot.card, spot.seen
    if here in knows.own:
        card, by = knows.own[here], me
    # the computer player remembers its own cards, so this unknown card is not its own
    elif by == me:
        by = None
    if here in knows.looked:
        card, seen = knows.looked[here], (me,)
    public = knows.public.get(here)
    if card is None and public is not None and spot.cleared >= (not is_arrest_card(public)):
        card = public
    return spot._replace(card=card, by=by, seen=seen)


def _visible(view: View, memory: SeatMemory) -> State:
    """Return the state with only its public information; every hidden card is None."""
    names, table, spaces = memory.players, _table(view, memory), view["spaces"]
    ids = table.board.ids
    step = STEP_OF_QUESTION.get(
        memory.question, "high_roll" if view["phase"] == "opening" else "roll"
    )
    acts = names.index(view["to_act"]) if view["to_act"] else 0
    about: CardReason = "corner" if step in CORNER_QUESTIONS else view["asked"] or ""
    accused = tuple(criminal for who in names if (criminal := view["accused"][who]) is not None)
    state = State(
        table,
        step,
        "landed" if step == "hunch" else about,
        accused=accused,
        spots=tuple(_spot(spaces[ids[n]], names) for n in range(CARD_SPACE_COUNT)),
        rollers=(acts,),
        opening=view["phase"] == "opening",
        turn=acts if step != "accused" else 0,
        moving=view["moving"] and (view["moving"]["n"], view["moving"]["second"]),
        sitting=tuple(names.index(who) for who in view["sitting"]),
        out=tuple(names.index(who) for who in view["out"]),
        left=tuple(names.index(who) for who in view["left"]),
    )
    at = ids.index(view["baretta"])
    state = changed(state, at=at, hunch=at if step == "hunch" else None)
    if step == "swap_with":
        there = {space for space, spot in enumerate(state.spots) if spot is not None}
        choices = {number_of_space(state, ident) for ident in memory.choices}
        state = changed(state, swapping=min(there - choices))
    if len(accused) < len(names) or (not any(view["pile"].values()) and not any(state.spots)):
        return state
    piles = tuple((None,) * view["pile"][who] for who in names)
    shown = tuple(view["shown"][who] is not None for who in names)
    tops = [view["shown"][who] for who in names]
    piles = tuple(
        (top, *pile[1:]) if top is not None else pile for top, pile in zip(tops, piles, strict=True)
    )
    cutting = tuple(range(len(names))) if step == "cut" and state.opening else ()
    return changed(state, piles=piles, shown=shown, cutting=cutting)


def _table(view: View, memory: SeatMemory) -> TableSetup:
    """Return the setup with the corner effects that players entered during the game (BA-19)."""
    table = make_table_setup(memory.players, memory.settings, memory.edition)
    does = tuple(view["spaces"][ident]["does"] or "" for ident in table.board.ids)
    if does == table.board.does:
        return table
    return changed(table, board=changed(table.board, does=does))


def _spot(space: Mapping[str, Any], names: Sequence[str]) -> CardOnBoard | None:
    if space["card"] is None:
        return None
    face, _, card = space["card"].partition(":")
    by = None if space["marker"] is None else names.index(space["marker"])
    return CardOnBoard(card or None, by, by is not None, face == "up", cleared=space["cleared"])


class _Cards:
    """Class that deals a state's hidden cards: first the Arrest cards, then all other cards."""

    def __init__(
        self, state: State, knows: PlayerCardKnowledge, beliefs: ArrestCardBeliefs, rng: Random
    ) -> None:
        self.state, self.knows, self.beliefs, self.rng = state, knows, beliefs, rng
        self.spots, self.piles = [*state.spots], [[*pile] for pile in state.piles]
        self.gone: list[str] = [f"{ARREST}:{c}" for c in CRIMINALS if c not in state.accused]
        self.players = state.table.players

    def place_hidden_arrest_cards_randomly(self) -> None:
        """Put each hidden Arrest card at random into one of the card's possible places (BA-3).

        The likelihoods in `beliefs` are the weights of the random choice.
        """
        lying = {spot.card for spot in self.spots if spot} | {p[0] for p in self.piles if p}
        for seat in range(len(self.players)):
            arrest = arrest_card_of_player(self.state, seat)
            if arrest in lying:
                continue
            places: list[tuple[list[Any], int]] = [
                (self.piles[seat], n) for n, card in enumerate(self.piles[seat]) if card is None
            ]
            hidden = [n for n, spot in enumerate(self.spots) if spot and _can_be(spot, seat)]
            places += [(self.spots, n) for n in hidden]
            if arrest in self.knows.gone or not places:
                self.gone.append(arrest)
                continue
            weights = [self.beliefs.pile[seat]] * (len(places) - len(hidden))
            weights += [self.beliefs.laid.get(n, 1.0) for n in hidden]
            ((there, n),) = self.rng.choices(places, weights)
            there[n] = arrest if there is self.piles[seat] else there[n]._replace(card=arrest)

    def deal_remaining_hidden_cards(self) -> State:
        """Deal all hidden cards except Arrest cards at random, and return the game state."""
        cards = [card for card, n in self.state.table.kinds for _ in range(n)]
        left = Counter(cards)
        left -= Counter(spot.card for spot in self.spots if spot and spot.card)
        left -= Counter(card for pile in self.piles for card in pile if card)
        left -= Counter(self.knows.gone)
        rest = list(left.elements())
        self.rng.shuffle(rest)
        spots = [
            spot._replace(card=_next(rest, cards)) if spot and spot.card is None else spot
            for spot in self.spots
        ]
        piles = [tuple(card or _next(rest, cards) for card in pile) for pile in self.piles]
        gone = (*self.gone, *(card for card in self.knows.gone if not is_arrest_card(card)), *rest)
        return changed(self.state, spots=tuple(spots), piles=tuple(piles), gone=gone)


def _can_be(spot: CardOnBoard, seat: Seat) -> bool:
    return spot.by == seat and spot.card is None and not spot.cleared


def _next(rest: list[str], cards: Sequence[str]) -> str:
    """Remove and return the last card of `rest`; if `rest` is empty, return `cards[0]`.

    The list `rest` is empty too early if the computer player remembers cards wrongly.
    """
    return rest.pop() if rest else cards[0]


# --- the computer player's decisions --------------------------------------------------------------


def answers_worth_analysing(
    view: View, memory: SeatMemory, player: str, _rng: Random
) -> tuple[Answer, ...]:
    """Return the answers that are worth analysing, or () if all answers are worth analysing.

    If the player's own Arrest card can win and the player can move to it, or guess it, return only
    the card's space (BA-13, BA-14). If the player has a Hunch and cannot guess this card, return
    only "pass". At the question `take_back`, return all answers except the card's space.
    """
    if memory.question not in ("hunch", "move_to", "take_back"):
        return ()
    arrest = f"{ARREST}:{view['accused'][player]}"
    own_spaces = [
        space
        for space, card in card_knowledge_of_player(memory, player).own.items()
        if card == arrest
    ]
    there = [space for space in own_spaces if space in memory.choices]
    if memory.question == "take_back":
        return tuple(choice for choice in memory.choices if choice not in own_spaces)
    if there and not view["spaces"][there[0]]["cleared"]:
        return (there[0],)
    return (PASS_ANSWER,) if memory.question == "hunch" else ()
