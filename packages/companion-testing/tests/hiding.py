"""A small game with secrets (dice, cards, words, numbers or codes), and variants that leak.

Each player hides a secret, bids on it behind a curtain, and can be doubted. The rules publish the
bids. The players then reveal their secrets one after another, and the highest secret wins. If the
secrets are codes, each player also guesses the next player's code, and all players learn the number
of right pegs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.core.game import Cue, Cues, Game, Outcome
from companion.core.prompts import (
    Answer,
    Choose,
    Form,
    Number,
    Prompt,
    Question,
    Roll,
    Shuffle,
    Spell,
    action_prompt,
)

SECRET_KINDS: Final = ("dice", "cards", "words", "numbers", "codes")
HAND, DICE, LONGEST, HIGHEST = 3, 3, 4, 9
BIDS: Final = ("low", "middle", "high")
PEGS: Final = ("first", "second", "third")
COLOURS: Final = (1, 2, 3, 4)
MAX_TRIES: Final = 2
"""Codes that each player tries."""


@dataclass(frozen=True)
class State:
    """A state: the `hidden` secrets and the `bids` so far, and the dealt cards."""

    players: tuple[str, ...]
    kind: str
    order: tuple[int, ...] = ()
    hidden: tuple[Any, ...] = ()
    bids: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    lifted: int = 0
    tried: tuple[tuple[int, ...], ...] = ()

    @property
    def step(self) -> str:
        """Return the next step of the game."""
        if self.kind == "cards" and not self.order:
            return "deal"
        for step, done in (("hide", self.hidden), ("bid", self.bids), ("doubt", self.doubted)):
            if len(done) < len(self.players):
                return step
        if self.kind == "codes" and len(self.tried) < MAX_TRIES * len(self.players):
            return "try"
        return "over" if self.over else "lift"

    @property
    def over(self) -> bool:
        """Return True if all secrets are revealed."""
        return self.lifted == len(self.players)

    @property
    def who(self) -> str:
        """Return the player who is asked."""
        done = {"hide": self.hidden, "bid": self.bids, "doubt": self.doubted}
        if self.step == "lift":
            return self.players[self.lifted]
        if self.step == "try":
            return self.players[len(self.tried) % len(self.players)]
        return self.players[len(done.get(self.step, ()))]

    @property
    def whose(self) -> int:
        """Return the seat of the player whose code was tried last."""
        return len(self.tried) % len(self.players)

    def hand(self, seat: int) -> tuple[int, ...]:
        """Return the cards that were dealt to a player."""
        return tuple(sorted(self.order[seat * HAND : (seat + 1) * HAND]))


def worth(hidden: Any) -> int:
    """Return the value of a secret."""
    match hidden:
        case str():
            return sum(map(ord, hidden))
        case tuple():
            return sum(hidden)
        case _:
            return int(hidden)


def odd(state: State) -> bool:
    """Return True if the first player's secret is odd, the bit that leaks reveal."""
    return bool(state.hidden) and worth(state.hidden[0]) % 2 == 1


def ask(state: State) -> Question | None:
    """Return the pending question."""
    match state.step:
        case "deal":
            return Shuffle("deal", HAND * len(state.players) + HAND)
        case "hide":
            return _hide(state)
        case "bid":
            return bid(state)
        case "doubt":
            return Choose("doubt", state.who, ("no", "yes"), look=True)
        case "try":
            return code("try", state.who, private=False)
        case "lift":
            return action_prompt("lift", facts={"whose": state.who})
        case _:
            return None


def code(name: str, who: str, *, private: bool) -> Form:
    """Return the question for a code of three pegs."""

    def part(given: Mapping[str, Answer]) -> Prompt | None:
        peg = next((peg for peg in PEGS if peg not in given), None)
        return None if peg is None else Choose(peg, who, COLOURS, private=private)

    return Form(name, who, part)


def bid(state: State, bids: tuple[str, ...] = BIDS) -> Form:
    """Return the form for a bid: height and certainty."""
    who = state.who

    def part(given: Mapping[str, Answer]) -> Prompt | None:
        if "high" not in given:
            return Choose("high", who, bids, private=True)
        return None if "sure" in given else Choose("sure", who, ("no", "yes"), private=True)

    return Form("bid", who, part)


def _hide(state: State) -> Question:
    who = state.who
    match state.kind:
        case "dice":
            return Roll("hide", who, DICE, private=True)
        case "cards":
            return Choose("hide", who, state.hand(len(state.hidden)), private=True, at_once=True)
        case "words":
            return Spell("hide", who, LONGEST, ("OAK", "ELM"), private=True, at_once=True)
        case "codes":
            return code("hide", who, private=True)
        case _:
            return Number("hide", who, 1, HIGHEST, 5, private=True, at_once=True)


def on_deal(state: State, order: list[int]) -> tuple[State, Cues]:
    """Deal a hand to each player."""
    state = replace(state, order=tuple(order))
    return state, _own(state)


def on_hide(state: State, value: Any) -> tuple[State, Cues]:
    """Store a player's secret; the others learn only that it exists."""
    who, kept = state.who, value
    if isinstance(value, (list, dict)):
        kept = tuple(value.values() if isinstance(value, dict) else value)
    state = replace(state, hidden=(*state.hidden, kept))
    return state, (Cue("hid", {"who": who}, "HI-1"), *(cue for cue in _own(state) if cue.to == who))


def on_bid(state: State, value: Mapping[str, str]) -> tuple[State, Cues]:
    """Store a bid, and announce it to all."""
    who = state.who
    told = Cue("bid", {"who": who, **value}, "HI-2")
    return replace(state, bids=(*state.bids, f"{value['high']} {value['sure']}")), (told,)


def on_doubt(state: State, value: str) -> tuple[State, Cues]:
    """Store whether the next player doubts the bid."""
    who = state.who
    cue = Cue("doubted", {"who": who, "doubt": value}, "HI-3")
    return replace(state, doubted=(*state.doubted, value)), (cue,)


def on_try(state: State, value: Mapping[str, int]) -> tuple[State, Cues]:
    """Announce the number of right pegs of a guess (HI-5)."""
    who = state.who
    state = replace(state, tried=(*state.tried, tuple(value.values())))
    return state, (
        Cue("tried", {"who": who, "pegs": [*value.values()], "right": right(state)}, "HI-5"),
    )


def right(state: State) -> int:
    """Return the number of right pegs of the last guess."""
    hidden = state.hidden[state.whose]
    return sum(one == two for one, two in zip(hidden, state.tried[-1], strict=True))


def on_lift(state: State, _value: str) -> tuple[State, Cues]:
    """Reveal a player's secret."""
    facts = {"who": state.who, "hidden": state.hidden[state.lifted]}
    state = replace(state, lifted=state.lifted + 1)
    return state, (Cue("shown", facts, "HI-4", reveals=True),)


def _own(state: State) -> Cues:
    """Return the secret of each player."""
    own = dict(zip(state.players, state.hidden, strict=False))
    hands = {who: state.hand(seat) for seat, who in enumerate(state.players)}
    return tuple(
        Cue(
            "own",
            {"who": who, "hand": hands[who], "hidden": own.get(who)},
            "HI-1",
            to=who,
        )
        for who in state.players
        if hands[who] or who in own
    )


def secrets(state: State) -> Cues:
    """Return the secrets that are not revealed yet."""
    return () if state.over else _own(state)


def view(state: State, player: str | None) -> dict[str, Any]:
    """Return the bids, and for a player the player's hand and secret."""
    shown = dict(zip(state.players, state.hidden[: state.lifted], strict=False))
    seen: dict[str, Any] = {"bids": state.bids, "shown": shown, "hiding": len(state.hidden)}
    seen["tried"] = state.tried
    if player is None:
        return seen
    seat = state.players.index(player)
    own = state.hidden[seat] if seat < len(state.hidden) else None
    return {**seen, "own": own, "hand": state.hand(seat)}


def scores(state: State) -> dict[str, int]:
    """Return the values of the secrets."""
    return dict(zip(state.players, map(worth, state.hidden), strict=True))


def outcome(state: State) -> Outcome | None:
    """Return the players with the highest value as winners."""
    if not state.over:
        return None
    best = max(scores(state).values())
    return Outcome(tuple(who for who, n in scores(state).items() if n == best), scores(state))


def honest(kind: str) -> Game[State]:
    """Return the game with a kind of secrets and no leak."""
    return Game(
        name=f"hiding-{kind}",
        seats=range(2, 4),
        options=(),
        setup=lambda players, _options, _edition: State(players, kind),
        ask=ask,
        on={
            "deal": on_deal, "hide": on_hide, "bid": on_bid, "doubt": on_doubt, "try": on_try,
            "lift": on_lift,
        },
        view=view,
        outcome=outcome,
        secrets=secrets,
        covert=frozenset() if kind == "dice" else frozenset({"hide"}),
        discloses={"tried": lambda state, _cue: right(state)},
    )  # fmt: skip


# --- leaks ----------------------------------------------------------------------------------------


def _telling(game: Game[State], more: Callable[[State], Cues]) -> Game[State]:
    """Return the game with the facts of `more` after each secret that is hidden."""

    def on(state: State, value: Any) -> tuple[State, Cues]:
        after, cues = game.on["hide"](state, value)
        return after, (*cues, *more(after))

    return game._replace(on={**game.on, "hide": on})


def in_the_view(game: Game[State]) -> Game[State]:
    """Leak: the public view has a secret."""
    return game._replace(view=lambda state, who: view(state, who) | {"cups": state.hidden})


def in_anothers_view(game: Game[State]) -> Game[State]:
    """Leak: the last player's view has the first player's secret."""

    def seen(state: State, who: str | None) -> dict[str, Any]:
        return view(state, who) | ({"first": state.hidden[:1]} if who == state.players[-1] else {})

    return game._replace(view=seen)


def in_a_fact(game: Game[State]) -> Game[State]:
    """Leak: a public fact has a secret."""
    return _telling(game, lambda state: (Cue("peeped", {"at": state.hidden[-1]}, "HI-1"),))


def in_a_question(game: Game[State]) -> Game[State]:
    """Leak: a question is asked only if the first player's secret is odd."""

    def asked(state: State) -> Question | None:
        once = state.step == "doubt" and not state.doubted and odd(state)
        return Choose("sure", state.who, ("no", "yes")) if once else ask(state)

    return game._replace(ask=asked, on={**game.on, "sure": on_doubt})


def in_the_order(game: Game[State]) -> Game[State]:
    """Leak: the order of bids depends on a secret."""

    def asked(state: State) -> Question | None:
        prompt = ask(state)
        return bid(state, BIDS[::-1]) if state.step == "bid" and odd(state) else prompt

    return game._replace(ask=asked)


def in_a_question_at_once(game: Game[State]) -> Game[State]:
    """Leak: a simultaneous question depends on another player's secret."""

    def asked(state: State) -> Question | None:
        prompt = ask(state)
        if prompt is not None and not isinstance(prompt, Shuffle) and prompt.name == "hide":
            return prompt._replace(facts={"odd": odd(state)})
        return prompt

    return game._replace(ask=asked)


def in_a_look(game: Game[State]) -> Game[State]:
    """Leak: a look is offered only if the secret is odd."""

    def asked(state: State) -> Question | None:
        prompt = ask(state)
        if isinstance(prompt, Choose) and prompt.name == "doubt":
            return prompt._replace(look=odd(state))
        return prompt

    return game._replace(ask=asked)


def in_the_number_of_facts(game: Game[State]) -> Game[State]:
    """Leak: there is one more fact if the secret is odd."""
    return _telling(game, lambda state: (Cue("rustled", {}, "HI-1"),) * odd(state))


def in_the_scores(game: Game[State]) -> Game[State]:
    """Leak: the scores count unrevealed secrets."""

    def on(state: State, _value: str) -> tuple[State, Cues]:
        return replace(state, lifted=state.lifted + 1), (Cue("lifted", {}, "HI-4"),)

    def seen(state: State, who: str | None) -> dict[str, Any]:
        return view(state, who) | {"shown": None}

    return game._replace(on={**game.on, "lift": on}, view=seen, secrets=_own)


def in_a_form(game: Game[State]) -> Game[State]:
    """Leak: a later part of a form lacks an answer if the secret is odd."""

    def asked(state: State) -> Question | None:
        question = ask(state)
        if not isinstance(question, Form) or not odd(state):
            return question

        def part(given: Mapping[str, Answer]) -> Prompt | None:
            prompt = question.ask(given)
            if isinstance(prompt, Choose) and prompt.name == "sure":
                return prompt._replace(options=("no",))
            return prompt

        return question._replace(ask=part)

    return game._replace(ask=asked)


def in_an_act(game: Game[State]) -> Game[State]:
    """Leak: the fact of a revealed secret is not marked `reveals`."""

    def on(state: State, value: str) -> tuple[State, Cues]:
        after, cues = on_lift(state, value)
        return after, tuple(cue._replace(reveals=False) for cue in cues)

    return game._replace(on={**game.on, "lift": on})


def in_an_export(game: Game[State]) -> Game[State]:
    """Leak: an export and an undo reveal a secret."""

    def asked(state: State) -> Question | None:
        prompt = ask(state)
        return prompt._replace(private=False) if isinstance(prompt, Roll) else prompt

    return game._replace(ask=asked, covert=frozenset())


def in_the_open(game: Game[State]) -> Game[State]:
    """Fault: a covert answer is chosen publicly."""

    def asked(state: State) -> Question | None:
        prompt = ask(state)
        if isinstance(prompt, Roll):
            return prompt._replace(private=False)
        if isinstance(prompt, (Choose, Number, Spell)) and prompt.name == "hide":
            return prompt._replace(private=False, at_once=False)
        if isinstance(prompt, Form) and prompt.name == "hide":
            return code("hide", state.who, private=False)
        return prompt

    return game._replace(ask=asked, covert=frozenset({"hide"}))


# --- leaks of one bit or one part, most of them late in the game ----------------------------------


def peg(state: State) -> Any:
    """Return the first part of the last secret: a peg, a letter, a die or the whole secret."""
    hidden = state.hidden[-1] if state.hidden else None
    return hidden[0] if isinstance(hidden, (str, tuple)) else hidden


def late(state: State) -> bool:
    """Return True if a player has doubted already."""
    return bool(state.doubted)


def a_bit_in_the_view(game: Game[State]) -> Game[State]:
    """Leak: the public view has one bit of a secret, late in the game."""

    def seen(state: State, who: str | None) -> dict[str, Any]:
        return view(state, who) | {"odd": late(state) and odd(state)}

    return game._replace(view=seen)


def a_part_in_the_view(game: Game[State]) -> Game[State]:
    """Leak: the public view has a part of the last player's secret, for one question."""

    def seen(state: State, who: str | None) -> dict[str, Any]:
        shown = state.step in ("try", "lift") and state.lifted == 0
        return view(state, who) | {"peg": peg(state) if shown else None}

    return game._replace(view=seen)


def a_bit_in_anothers_view(game: Game[State]) -> Game[State]:
    """Leak: the last player's view has one bit of the first player's secret."""

    def seen(state: State, who: str | None) -> dict[str, Any]:
        peeps = who == state.players[-1] and late(state) and len(state.hidden) > 1
        return view(state, who) | ({"odd": odd(state)} if peeps else {})

    return game._replace(view=seen)


def a_bit_in_a_fact(game: Game[State]) -> Game[State]:
    """Leak: a doubt's fact has one bit of a secret."""

    def on(state: State, value: str) -> tuple[State, Cues]:
        after, (cue,) = on_doubt(state, value)
        return after, (cue._replace(facts={**cue.facts, "odd": odd(state)}),)

    return game._replace(on={**game.on, "doubt": on})


def a_bit_in_the_number_of_facts(game: Game[State]) -> Game[State]:
    """Leak: a doubt has one more fact if the secret is odd."""

    def on(state: State, value: str) -> tuple[State, Cues]:
        after, cues = on_doubt(state, value)
        return after, cues + cues * odd(state)

    return game._replace(on={**game.on, "doubt": on})


def a_bit_in_the_order_of_facts(game: Game[State]) -> Game[State]:
    """Leak: the order of a doubt's facts depends on a secret."""

    def on(state: State, value: str) -> tuple[State, Cues]:
        after, (cue,) = on_doubt(state, value)
        both = (cue, Cue("sighed", {"who": cue.facts["who"]}, "HI-3"))
        return after, both[::-1] if odd(state) else both

    return game._replace(on={**game.on, "doubt": on})


def a_bit_in_the_options(game: Game[State]) -> Game[State]:
    """Leak: the second doubt has one more option if the secret is odd."""

    def asked(state: State) -> Question | None:
        prompt = ask(state)
        if isinstance(prompt, Choose) and prompt.name == "doubt" and late(state):
            return prompt._replace(
                options=("no", "yes", "perhaps") if odd(state) else ("no", "yes")
            )
        return prompt

    return game._replace(ask=asked)


def a_bit_in_the_order_of_options(game: Game[State]) -> Game[State]:
    """Leak: the order of the second doubt's options depends on a secret."""

    def asked(state: State) -> Question | None:
        prompt = ask(state)
        if isinstance(prompt, Choose) and prompt.name == "doubt" and late(state):
            return prompt._replace(options=("yes", "no") if odd(state) else ("no", "yes"))
        return prompt

    return game._replace(ask=asked)


def a_bit_in_a_count(game: Game[State]) -> Game[State]:
    """Leak: a public number is greater by one if the secret is odd."""

    def seen(state: State, who: str | None) -> dict[str, Any]:
        return view(state, who) | {"moves": len(state.doubted) + (late(state) and odd(state))}

    return game._replace(view=seen)


def more_than_disclosed(game: Game[State]) -> Game[State]:
    """Leak: a fact that may state a count of pegs also states a place."""

    def on(state: State, value: Mapping[str, int]) -> tuple[State, Cues]:
        after, (cue,) = on_try(state, value)
        first = after.hidden[after.whose][0] == after.tried[-1][0]
        return after, (cue._replace(facts={**cue.facts, "first": first}),)

    return game._replace(on={**game.on, "try": on})


BITS: Final[tuple[Callable[[Game[State]], Game[State]], ...]] = (
    a_bit_in_the_view, a_part_in_the_view, a_bit_in_anothers_view, a_bit_in_a_fact,
    a_bit_in_the_number_of_facts, a_bit_in_the_order_of_facts, a_bit_in_the_options,
    a_bit_in_the_order_of_options, a_bit_in_a_count,
)  # fmt: skip
LEAKS: Final[tuple[Callable[[Game[State]], Game[State]], ...]] = (
    in_the_view, in_anothers_view, in_a_fact, in_a_question, in_the_order, in_a_look,
    in_a_question_at_once,
    in_a_form, in_the_number_of_facts, in_the_scores, in_an_act, in_an_export, in_the_open,
)  # fmt: skip
