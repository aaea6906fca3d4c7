"""Barney Miller, clause by clause (docs/rulings.md): cards played to a running total of ten.

A hand is a tuple of cards. With *own cards* the box does not know them: such a card is None, and
everything else is the same.
"""

from __future__ import annotations

from typing import Any

from companion.catalog.shared import high_roll
from companion.core.fold import replace
from companion.core.game import Cue, Cues, Said
from companion.core.prompts import Answer, pips
from companion.games.barney_miller.rules.board import (
    COUNTS,
    DECK,
    GANG,
    HAND_SIZE,
    IDENTIFICATION,
    INSUFFICIENT,
    SUSPECTS,
    TEN,
    UNKNOWN,
    WARRANT,
    Hand,
    Seat,
    Space,
    named_suspect,
    space_of,
)
from companion.games.barney_miller.rules.state import (
    State,
    Step,
    keeping_chips,
    left_of,
    name,
    put,
    seats,
    suspect_without_gang,
    uncaptured_suspects,
)
from companion.games.barney_miller.rules.views import hand_of, secrets

# --- Dealing (BM-3, BM-11) ------------------------------------------------------------------------


def on_shuffle(state: State, order: list[int]) -> tuple[State, Cues]:
    """BM-3, BM-11: the whole deck is shuffled and dealt; `order` holds indices into DECK."""
    first = state.deals == 0
    state = deal(state, tuple(DECK[i] for i in order))
    if first:
        return replace(state, step="high_roll"), (_dealt(state, "first"), *secrets(state))
    return your_card(state, (_dealt(state, "again"), *secrets(state)))


def deal(state: State, deck: Hand) -> State:
    """BM-3: two hands each the first time; BM-11: one hand each from then on."""
    n, hands_each = len(seats(state)), 2 if state.deals == 0 else 1
    return replace(_hand_out(state, deck, n * hands_each), unseen=COUNTS)


def _hand_out(state: State, deck: Hand, n_hands: int) -> State:
    """Deal one card at a time into `n_hands` hands; what is left is put aside."""
    there = seats(state)
    dealt = n_hands * HAND_SIZE[len(there)]
    hands = tuple(deck[i:dealt:n_hands] for i in range(n_hands))
    return replace(
        state,
        hands=_by_seat(state, hands[: len(there)]),
        seconds=_by_seat(state, hands[len(there) :]),
        aside=deck[dealt:],
        deals=state.deals + 1,
    )


def _by_seat(state: State, hands: tuple[Hand, ...]) -> tuple[Hand, ...]:
    """Hands of those who are in the game, by seat; of all others, and if there are none, empty."""
    of = dict(zip(seats(state), hands, strict=False))
    return tuple(of.get(seat, ()) for seat in range(len(state.hands)))


def _dealt(state: State, how: str) -> Cue:
    """`how`: "first" or "half" (two hands each), "again" or "rest" (one hand each)."""
    facts = {
        "how": how,
        "cards": max(map(len, state.hands)),
        "deal": state.deals,
        "own": state.table.own,
    }
    return Cue("dealt", facts, "BM-3" if how == "first" else "BM-11")


def your_card(state: State, cues: Cues) -> tuple[State, Cues]:
    """A card is needed of the next player who holds one; if nobody does, deal first (BM-11).

    BM-7: a hand's last card, as all can see, is no choice. Several cards of one value are asked for
    all the same: to pass them by would tell them. BM-11: own cards are always asked for.
    """
    if not any(state.hands):
        return _deal_again(state, cues)
    turn = state.turn
    while not state.hands[turn]:
        turn = state.table.left_of(turn)
    if turn != state.turn or state.step != "play_card":
        state = replace(state, turn=turn, step="play_card")
    hand = state.hands[turn]
    only = hand[0] if len(hand) == 1 else None
    return (state, cues) if only is None else _play(state, only, cues, forced=True)


def _deal_again(state: State, cues: Cues) -> tuple[State, Cues]:
    """BM-11: two players' half deck as it lies, else all 56, shuffled; the total stands.

    A table that deals on from what lies aside does so until there is not a hand for everybody.
    """
    n = len(seats(state))
    if state.deals == 1 and len(state.hands) == 2:  # noqa: PLR2004 - two players
        how, state = "half", _hand_out(state, state.aside, 4)
    elif state.table.deals_on and len(state.aside) >= n * HAND_SIZE[n]:
        how, state = "rest", _hand_out(state, state.aside, n)
    elif state.table.own:
        how, state = "again", deal(state, (None,) * len(DECK))
    else:
        return replace(state, step="shuffle"), cues
    return your_card(state, (*cues, _dealt(state, how), *secrets(state)))


# --- Rolling and moving (BM-4, BM-5, BM-10) -------------------------------------------------------


def on_roll(state: State, value: Answer) -> tuple[State, Cues]:
    """BM-4 at first, then BM-5: the roller moves the pawn."""
    if state.roller is None:
        return _high_roll(state, sum(pips(value)))
    rolled = Cue("rolled", {"who": name(state, state.roller), "dice": pips(value)}, "BM-5")
    if state.table.track is None:
        return replace(state, step="space"), (rolled,)
    track = state.table.track
    pawn = ((state.pawn or 0) + sum(pips(value))) % len(track)
    state, space = replace(state, pawn=pawn), track[pawn]
    if space.kind == UNKNOWN:
        return replace(state, step="space"), (rolled,)
    return land(state, space, (rolled,), sum(pips(value)))


def _high_roll(state: State, n: int) -> tuple[State, Cues]:
    """BM-4: the highest begins; the highest, if tied, roll again among themselves."""
    rollers, rolls, cues = high_roll(state.table.players, state.rollers, state.rolls, n, "BM-4")
    state = replace(state, rollers=rollers, rolls=rolls)
    if not cues or len(rollers) > 1:
        return state, cues
    begins = Cue("begins", {"who": name(state, rollers[0])}, "BM-4")
    return replace(state, roller=rollers[0], step=to_roll(state)), (*cues, begins)


def to_roll(state: State) -> Step:
    """A real die on an untaught track is nobody's business: only the space is asked."""
    return "space" if state.table.real_die and state.table.track is None else "roll"


def on_space(state: State, value: str) -> tuple[State, Cues]:
    """The track is not taught: people say on which kind of space the pawn stands (BM-5).

    BM-14: on a track that is being taught it is remembered. BM-13: the game then goes on where it
    was when the pawn was put there.
    """
    track, pawn = state.table.track, state.pawn or 0
    if track is not None:
        track = put(track, pawn, space_of(value))
        said = Said(("track", pawn), value, state.table.players)
        state = replace(state, table=replace(state.table, track=track), said=(*state.said, said))
    if not state.stopped:
        return land(state, space_of(value), ())
    return resume(replace(state, space=space_of(value)), ())


def resume(state: State, cues: Cues) -> tuple[State, Cues]:
    """BM-13: on with what was asked; a card, if that is no choice, is played (BM-7)."""
    *waiting, step = state.stopped or (state.step,)
    state = replace(state, step=step, stopped=tuple(waiting))
    return your_card(state, cues) if step == "play_card" else (state, cues)


def land(state: State, space: Space, cues: Cues, rolled: int | None = None) -> tuple[State, Cues]:
    """BM-10: a gang that nobody wants is rolled past; else BM-6: the left neighbour begins.

    `rolled` is the number of the die that has just brought the pawn there, if it is known. BM-14:
    suspects of unknown gang are asked for until one is wanted. BM-15: if the roller has left since,
    the left neighbour rolls again, or plays the first card.
    """
    roller = state.roller
    assert roller is not None
    state = replace(state, space=space)
    if space.kind == GANG and not any(
        uncaptured_suspects(state, seat, space.gang) for seat in seats(state)
    ):
        if suspect_without_gang(state):
            return replace(state, step="suspect"), cues
        roller = left_of(state, roller) if roller in state.out else roller
        unwanted = Cue("unwanted", {"who": name(state, roller), "gang": space.gang}, "BM-10")
        return replace(state, step=to_roll(state), roller=roller), (*cues, unwanted)
    who = name(state, roller)
    facts = {"who": who, "kind": space.kind, "gang": space.gang, "pips": rolled}
    moved = Cue("moved", facts, "BM-5")
    return your_card(replace(state, turn=left_of(state, roller)), (*cues, moved))


# --- Playing cards (BM-6 to BM-8) -----------------------------------------------------------------


def on_play_card(state: State, value: int) -> tuple[State, Cues]:
    """BM-6, BM-7: a card below ten; exactly ten, or over it, ends the round."""
    return _play(state, value, ())


def _play(state: State, value: int, cues: Cues, *, forced: bool = False) -> tuple[State, Cues]:
    """`forced`: the player had no choice, and was not asked."""
    total = state.total + value
    who, own = name(state, state.turn), state.table.own
    facts = {"who": who, "value": value, "total": total, "forced": forced, "own": own}
    clause = "BM-7" if forced else "BM-6"
    state, laid, taken = _lay(state, value, Cue("card_played", facts, clause))
    return check_total(state, (*cues, *laid), taken)


def check_total(state: State, cues: Cues, taken: Cues = ()) -> tuple[State, Cues]:
    """BM-7: below ten the next card is due; ten, or more than ten, ends the round.

    `taken`: the facts of a second hand that was just picked up (BM-11).
    """
    if state.total < TEN:
        return your_card(state, (*cues, *taken))
    if state.total == TEN:
        ten = Cue("ten", {"who": name(state, state.played[-1][0])}, "BM-7")
        return _taken_up(at_ten(state, (*cues, ten)), taken)
    winner = state.played[-2][0]
    won = Cue("round_won", _won(state, winner, "over"), "BM-7")
    return _taken_up(_settle(state, winner, won, cues), taken)


def on_zero(state: State, value: str) -> tuple[State, Cues]:
    """BM-8: a 0 keeps the ten; the first who cannot or will not ends the round."""
    if value == "pass":
        return _ten_stands(state, ())
    facts = {"who": name(state, state.turn), "total": TEN}
    state, laid, taken = _lay(state, 0, Cue("zero_played", facts, "BM-8"))
    return _taken_up(at_ten(state, laid), taken)


def _lay(state: State, value: int, cue: Cue) -> tuple[State, Cues, Cues]:
    """A card leaves a hand, and the turn goes left (BM-6).

    BM-11: after the last card of the first hand the second hand is picked up at once; what tells
    of it stands by itself, for the end of a round is told first.
    """
    seat, unseen, hands, seconds = state.turn, state.unseen, state.hands, state.seconds
    hand = _without(hands[seat], value)
    cues: Cues = (cue,) if unseen[value] else (cue, too_many(state, seat, value))
    taken: Cues = ()
    if not hand and seconds[seat]:
        hand, seconds = seconds[seat], put(seconds, seat, ())
        picked = Cue("picked_up", {"who": name(state, seat), "own": state.table.own}, "BM-11")
        taken = (picked, *hand_of(state, seat, hand))
    state = replace(
        state,
        hands=put(hands, seat, hand),
        seconds=seconds,
        turn=left_of(state, seat),
        unseen=count_as_seen(unseen, value),
        total=state.total + value,
        played=(*state.played, (seat, value)),
    )
    return state, cues, taken


def _taken_up(folded: tuple[State, Cues], taken: Cues) -> tuple[State, Cues]:
    """After what came of a card, the second hand that was taken up; of no use in a won game."""
    state, cues = folded
    return state, cues if state.step == "over" else (*cues, *taken)


def count_as_seen(unseen: tuple[int, ...], value: int, cards: int = 1) -> tuple[int, ...]:
    """Return how many cards of each value are unseen after `cards` more of `value` were."""
    return put(unseen, value, unseen[value] - cards)


def too_many(state: State, seat: Seat, value: int) -> Cue:
    """BM-11: people show a card that cannot be, so it was an earlier one that was told wrongly.

    It is told of the first that is too many, and of no other until all are shuffled again.
    """
    count = COUNTS[value]
    facts = {"who": name(state, seat), "value": value, "n": count + 1, "count": count}
    return Cue("too_many", facts, "BM-11")


def _without(hand: Hand, value: int) -> Hand:
    i = hand.index(value) if value in hand else hand.index(None)
    return hand[:i] + hand[i + 1 :]


def at_ten(state: State, cues: Cues) -> tuple[State, Cues]:
    """BM-8: the next player may play a 0, and is asked while all must think that it can be.

    The hand itself is not looked at: nobody learns who has no 0. Own cards may have been told
    wrongly, so that any hand can hold one (BM-11).
    """
    can = state.hands[state.turn] and (state.table.own or state.unseen[0])
    return (replace(state, step="zero"), cues) if can else _ten_stands(state, cues)


def _ten_stands(state: State, cues: Cues) -> tuple[State, Cues]:
    """BM-7, BM-8: whoever made the ten, or kept it last with a 0, wins."""
    winner = state.played[-1][0]
    kept = sum(value for _, value in state.played[:-1]) == TEN
    how, clause = ("zero", "BM-8") if kept else ("ten", "BM-7")
    return _settle(state, winner, Cue("round_won", _won(state, winner, how), clause), cues)


def _won(state: State, winner: Seat, how: str) -> dict[str, Any]:
    last, value = state.played[-1]
    return {
        "who": name(state, winner),
        "last": name(state, last),
        "value": value,
        "how": how,
        "total": state.total,
        "round": state.round,
    }


# --- Settling a round (BM-9, BM-12) ---------------------------------------------------------------


def _settle(state: State, winner: Seat, won: Cue, cues: Cues) -> tuple[State, Cues]:
    """BM-9: what the winner does depends on the pawn's space.

    BM-15: a round that is won by who has left the game is nobody's.
    """
    if winner in state.out:
        return next_round(state, (*cues, Cue("nobody_won", won.facts, "BM-15")))
    return _rewarded(replace(state, turn=winner), (*cues, won))


def _rewarded(state: State, cues: Cues) -> tuple[State, Cues]:
    """BM-9: the winner captures, takes a chip or loses one; BM-14: unknown suspects are asked."""
    assert state.space is not None
    winner, (kind, gang) = state.turn, state.space
    if kind in (GANG, WARRANT, INSUFFICIENT) and suspect_without_gang(state):
        return replace(state, step="suspect"), cues
    if kind in (GANG, WARRANT):
        wanted = uncaptured_suspects(state, winner, gang)
        if len(wanted) > 1:
            return replace(state, step="commit_suspect"), cues
        if wanted:
            return _capture(state, wanted[0], cues)
    elif kind == IDENTIFICATION:
        reserve = put(state.reserve, winner, state.reserve[winner] + 1)
        state = replace(state, reserve=reserve)
        return _settled(state, (*cues, Cue("reserve", chips(state, winner), "BM-9")))
    elif kind == INSUFFICIENT and state.captured[winner]:
        if len(state.captured[winner]) > 1:
            return replace(state, step="free_suspect"), cues
        return _free(state, state.captured[winner][0], cues)
    nothing = Cue("nothing", {"who": name(state, winner), "kind": kind, "gang": gang}, "BM-9")
    return _settled(state, (*cues, nothing))


def on_suspect(state: State, gang: str) -> tuple[State, Cues]:
    """BM-14: a player says of which gang a suspect on the own poster is."""
    seat, n = suspect_without_gang(state) or (0, 0)
    before, who = state.table, name(state, seat)
    at = before.printed.index(before.desks[seat])
    said = Said(("poster", at, "suspects", n), gang, (who,))
    state = replace(state, table=named_suspect(before, seat, n, gang), said=(*state.said, said))
    return posters_known(keeping_chips(state, before.desks), ())


def posters_known(state: State, cues: Cues) -> tuple[State, Cues]:
    """BM-14: go on where suspects were asked for: after a roll (BM-10) or a round (BM-9)."""
    assert state.space is not None
    return _rewarded(state, cues) if state.played else land(state, state.space, cues)


def on_commit_suspect(state: State, suspect: str) -> tuple[State, Cues]:
    """BM-9: the winner commits the chip to a suspect of choice."""
    return _capture(state, suspect, ())


def on_free_suspect(state: State, suspect: str) -> tuple[State, Cues]:
    """BM-9, Insufficient Evidence: the winner sets a suspect of choice free."""
    return _free(state, suspect, ())


def _capture(state: State, suspect: str, cues: Cues) -> tuple[State, Cues]:
    seat = state.turn
    captured = put(state.captured, seat, (*state.captured[seat], suspect))
    state = replace(state, captured=captured)
    facts = {**chips(state, seat), "suspect": suspect, "gang": _gang(state, suspect)}
    facts["kind"] = state.space and state.space.kind
    return _settled(state, (*cues, Cue("captured", facts, "BM-9")))


def _free(state: State, suspect: str, cues: Cues) -> tuple[State, Cues]:
    seat = state.turn
    left = tuple(other for other in state.captured[seat] if other != suspect)
    state = replace(state, captured=put(state.captured, seat, left))
    facts = {**chips(state, seat), "suspect": suspect, "gang": _gang(state, suspect)}
    return _settled(state, (*cues, Cue("freed", facts, "BM-9")))


def _settled(state: State, cues: Cues) -> tuple[State, Cues]:
    """BM-12: four chips, committed or in reserve, win; else the next round."""
    after, told = next_round(state, cues)
    return check_win(after, state.turn, cues) or (after, told)


def next_round(state: State, cues: Cues) -> tuple[State, Cues]:
    """BM-5: the last card's player rolls, or who sits to the left of it (BM-15)."""
    last = state.played[-1][0]
    roller = left_of(state, last) if last in state.out else last
    state = replace(state, round=state.round + 1, roller=roller, total=0, played=())
    clause = "BM-15" if last in state.out else "BM-5"
    rolls = Cue("next_roller", {"who": name(state, roller)}, clause)
    return replace(state, step=to_roll(state)), (*cues, rolls)


def check_win(state: State, seat: Seat, cues: Cues) -> tuple[State, Cues] | None:
    """BM-12: with four chips a player wins; None with fewer."""
    if len(state.captured[seat]) + state.reserve[seat] < SUSPECTS:
        return None
    return win(state, seat, cues)


def win(state: State, seat: Seat, cues: Cues) -> tuple[State, Cues]:
    """BM-12: four chips win; BM-15: so does the last who is in the game."""
    last = len(seats(state)) == 1
    facts = {**chips(state, seat), "how": "last" if last else "chips"}
    wins = Cue("game_won", facts, "BM-15" if last else "BM-12")
    return replace(state, step="over", champion=seat), (*cues, wins)


def chips(state: State, seat: Seat) -> dict[str, Any]:
    """How many chips a player has."""
    return {
        "who": name(state, seat),
        "captured": len(state.captured[seat]),
        "reserve": state.reserve[seat],
    }


def _gang(state: State, suspect: str) -> str:
    return next(s.gang for desk in state.table.desks for s in desk.suspects if s.id == suspect)
