"""Rules of Barney Miller's turns (docs/rulings.md): rolls, cards, and captures.

A hand is a tuple of cards. If the players use real cards, None is a card that the box does not
know.
"""

from __future__ import annotations

from typing import Any

from companion.catalog.first_turn_roll import apply_first_turn_roll
from companion.core.fold import replace
from companion.core.game import Cue, Cues, EnteredBoardValue
from companion.core.prompts import Answer, rolled_numbers
from companion.games.barney_miller.rules.board import (
    CARD_COUNTS,
    DECK,
    GANG,
    HAND_SIZE_BY_PLAYER_COUNT,
    IDENTIFICATION,
    INSUFFICIENT_EVIDENCE,
    SUSPECTS_PER_POSTER,
    TARGET_TOTAL,
    UNKNOWN_SPACE_OR_GANG,
    WARRANT,
    Hand,
    Seat,
    TrackSpace,
    parse_track_space,
    setup_with_suspect_gang,
)
from companion.games.barney_miller.rules.state import (
    State,
    Step,
    find_suspect_with_unknown_gang,
    move_chips_to_new_posters,
    next_remaining_seat,
    player_name,
    replace_tuple_item,
    seats_of_remaining_players,
    uncaptured_suspects,
)
from companion.games.barney_miller.rules.views import private_hand_cues, secrets

# --- dealing (BM-3, BM-11) ------------------------------------------------------------------------


def on_shuffle(state: State, order: list[int]) -> tuple[State, Cues]:
    """Put the deck into a shuffled order, and deal the cards (BM-3, BM-11).

    `order`: for each position in the shuffled deck, an index into DECK.
    """
    first = state.deals == 0
    state = deal_hands(state, tuple(DECK[i] for i in order))
    if first:
        return replace(state, step="high_roll"), (_dealt(state, "first"), *secrets(state))
    return ask_for_next_card(state, (_dealt(state, "again"), *secrets(state)))


def deal_hands(state: State, deck: Hand) -> State:
    """Deal `deck`: two hands to each player in the first deal (BM-3), later one hand (BM-11)."""
    n, hands_each = len(seats_of_remaining_players(state)), 2 if state.deals == 0 else 1
    return replace(_hand_out(state, deck, n * hands_each), unseen=CARD_COUNTS)


def _hand_out(state: State, deck: Hand, n_hands: int) -> State:
    """Deal `n_hands` hands, one card at a time (BM-3), and set the remaining cards aside."""
    there = seats_of_remaining_players(state)
    dealt = n_hands * HAND_SIZE_BY_PLAYER_COUNT[len(there)]
    hands = tuple(deck[i:dealt:n_hands] for i in range(n_hands))
    return replace(
        state,
        hands=_by_seat(state, hands[: len(there)]),
        seconds=_by_seat(state, hands[len(there) :]),
        aside=deck[dealt:],
        deals=state.deals + 1,
    )


def _by_seat(state: State, hands: tuple[Hand, ...]) -> tuple[Hand, ...]:
    of = dict(zip(seats_of_remaining_players(state), hands, strict=False))
    return tuple(of.get(seat, ()) for seat in range(len(state.hands)))


def _dealt(state: State, how: str) -> Cue:
    """Return the event that announces a deal.

    `how`: the kind of deal. "first" or "half": each player gets two hands. "again" or "rest": each
    player gets one hand.
    """
    facts = {
        "how": how,
        "cards": max(map(len, state.hands)),
        "deal": state.deals,
        "own": state.table.own,
    }
    return Cue("dealt", facts, "BM-3" if how == "first" else "BM-11")


def ask_for_next_card(state: State, cues: Cues) -> tuple[State, Cues]:
    """Ask the next player with a card to play a card; if all hands are empty, deal again (BM-11).

    If a virtual hand has only one card, play this card without a question (BM-7). If a hand has
    several equal cards, ask nevertheless, because a missing question would reveal the hand.
    """
    if not any(state.hands):
        return _deal_again(state, cues)
    turn = state.turn
    while not state.hands[turn]:
        turn = state.table.next_seat_clockwise(turn)
    if turn != state.turn or state.step != "play_card":
        state = replace(state, turn=turn, step="play_card")
    hand = state.hands[turn]
    only = hand[0] if len(hand) == 1 else None
    return (state, cues) if only is None else _play(state, only, cues, forced=True)


def _deal_again(state: State, cues: Cues) -> tuple[State, Cues]:
    """Deal cards after all hands are played, without changing the total (BM-11).

    In a game of two players, the first such deal uses the cards that were set aside. If the setup's
    `deals_on` is True and enough cards are set aside, deal these cards. In all other cases, shuffle
    and deal all 56 cards.
    """
    n = len(seats_of_remaining_players(state))
    if state.deals == 1 and len(state.hands) == 2:  # noqa: PLR2004 - two players
        how, state = "half", _hand_out(state, state.aside, 4)
    elif state.table.deals_on and len(state.aside) >= n * HAND_SIZE_BY_PLAYER_COUNT[n]:
        how, state = "rest", _hand_out(state, state.aside, n)
    elif state.table.own:
        how, state = "again", deal_hands(state, (None,) * len(DECK))
    else:
        return replace(state, step="shuffle"), cues
    return ask_for_next_card(state, (*cues, _dealt(state, how), *secrets(state)))


# --- rolling and moving (BM-4, BM-5, BM-10) -------------------------------------------------------


def on_roll(state: State, value: Answer) -> tuple[State, Cues]:
    """Apply a roll that decides who begins (BM-4), or that moves the pawn (BM-5)."""
    if state.roller is None:
        return _high_roll(state, sum(rolled_numbers(value)))
    rolled = Cue(
        "rolled", {"who": player_name(state, state.roller), "dice": rolled_numbers(value)}, "BM-5"
    )
    if state.table.track is None:
        return replace(state, step="space"), (rolled,)
    track = state.table.track
    pawn = ((state.pawn or 0) + sum(rolled_numbers(value))) % len(track)
    state, space = replace(state, pawn=pawn), track[pawn]
    if space.kind == UNKNOWN_SPACE_OR_GANG:
        return replace(state, step="space"), (rolled,)
    return land_on_space(state, space, (rolled,), sum(rolled_numbers(value)))


def _high_roll(state: State, n: int) -> tuple[State, Cues]:
    """Apply a player's roll, which decides who begins (BM-4).

    If several players tie for the highest roll, only the tied players roll again.
    """
    rollers, rolls, cues = apply_first_turn_roll(
        state.table.players, state.rollers, state.rolls, n, "BM-4"
    )
    state = replace(state, rollers=rollers, rolls=rolls)
    if not cues or len(rollers) > 1:
        return state, cues
    begins = Cue("begins", {"who": player_name(state, rollers[0])}, "BM-4")
    return replace(state, roller=rollers[0], step=first_question_of_round(state)), (*cues, begins)


def first_question_of_round(state: State) -> Step:
    """Return the first question of a round: the roll, or the pawn's space.

    If the die is real and the box does not know the track, the box asks only for the pawn's space.
    """
    return "space" if state.table.real_die and state.table.track is None else "roll"


def on_space(state: State, value: str) -> tuple[State, Cues]:
    """Apply the pawn's space, whose kind `value` the players have entered (BM-5).

    If the players enter the track during the game, save the kind of the space (BM-14). After a
    correction, continue with the interrupted question (BM-13).
    """
    track, pawn = state.table.track, state.pawn or 0
    if track is not None:
        track = replace_tuple_item(track, pawn, parse_track_space(value))
        entered = EnteredBoardValue(("track", pawn), value, state.table.players)
        state = replace(state, table=replace(state.table, track=track), said=(*state.said, entered))
    if not state.stopped:
        return land_on_space(state, parse_track_space(value), ())
    return resume_after_correction(replace(state, space=parse_track_space(value)), ())


def resume_after_correction(state: State, cues: Cues) -> tuple[State, Cues]:
    """Ask the question that a correction interrupted, or the current question again (BM-13)."""
    *waiting, step = state.stopped or (state.step,)
    state = replace(state, step=step, stopped=tuple(waiting))
    return ask_for_next_card(state, cues) if step == "play_card" else (state, cues)


def land_on_space(
    state: State, space: TrackSpace, cues: Cues, rolled: int | None = None
) -> tuple[State, Cues]:
    """Start a round on `space` (BM-6), or roll again if no player needs the space's gang (BM-10).

    `rolled`: the roll that moved the pawn, or None if the box does not know the roll. If suspects
    with unknown gangs can belong to the space's gang, first ask for the gangs of these suspects
    (BM-14). If the player who rolled has left, the neighbour to the left takes this player's place
    (BM-15).
    """
    roller = state.roller
    assert roller is not None
    state = replace(state, space=space)
    if space.kind == GANG and not any(
        uncaptured_suspects(state, seat, space.gang) for seat in seats_of_remaining_players(state)
    ):
        if find_suspect_with_unknown_gang(state):
            return replace(state, step="suspect"), cues
        roller = next_remaining_seat(state, roller) if roller in state.out else roller
        unwanted = Cue("unwanted", {"who": player_name(state, roller), "gang": space.gang}, "BM-10")
        return replace(state, step=first_question_of_round(state), roller=roller), (*cues, unwanted)
    who = player_name(state, roller)
    facts = {"who": who, "kind": space.kind, "gang": space.gang, "pips": rolled}
    moved = Cue("moved", facts, "BM-5")
    return ask_for_next_card(
        replace(state, turn=next_remaining_seat(state, roller)), (*cues, moved)
    )


# --- playing cards (BM-6 to BM-8) -----------------------------------------------------------------


def on_play_card(state: State, value: int) -> tuple[State, Cues]:
    """Play the active player's card (BM-6). A total of ten or more ends the round (BM-7)."""
    return _play(state, value, ())


def _play(state: State, value: int, cues: Cues, *, forced: bool = False) -> tuple[State, Cues]:
    """Play the active player's card (BM-6).

    `forced` is True if the box plays the last card of a hand without a question (BM-7).
    """
    total = state.total + value
    who, own_cards = player_name(state, state.turn), state.table.own
    facts = {"who": who, "value": value, "total": total, "forced": forced, "own": own_cards}
    clause = "BM-7" if forced else "BM-6"
    state, laid, taken = _lay(state, value, Cue("card_played", facts, clause))
    return continue_or_end_round(state, (*cues, *laid), taken)


def continue_or_end_round(state: State, cues: Cues, taken: Cues = ()) -> tuple[State, Cues]:
    """Ask for the next card while the total is below ten; else end the round (BM-7).

    `taken`: events about the second hand that a player has just picked up (BM-11). These events are
    announced last.
    """
    if state.total < TARGET_TOTAL:
        return ask_for_next_card(state, (*cues, *taken))
    if state.total == TARGET_TOTAL:
        ten = Cue("ten", {"who": player_name(state, state.played[-1][0])}, "BM-7")
        return _taken_up(ask_zero_or_end_round(state, (*cues, ten)), taken)
    winner = state.played[-2][0]
    won = Cue("round_won", _won(state, winner, "over"), "BM-7")
    return _taken_up(_settle(state, winner, won, cues), taken)


def on_zero(state: State, value: str) -> tuple[State, Cues]:
    """Apply the answer at a total of ten: a 0 keeps the total, and "pass" ends the round (BM-8)."""
    if value == "pass":
        return _ten_stands(state, ())
    facts = {"who": player_name(state, state.turn), "total": TARGET_TOTAL}
    state, laid, taken = _lay(state, 0, Cue("zero_played", facts, "BM-8"))
    return _taken_up(ask_zero_or_end_round(state, laid), taken)


def _lay(state: State, value: int, cue: Cue) -> tuple[State, Cues, Cues]:
    """Move a card from the active player's hand to the table, and pass the turn to the left (BM-6).

    After the last card of the first hand, the player picks up the second hand (BM-11). Return the
    events about the second hand separately, so that the end of the round can be announced first.
    """
    seat, unseen, hands, seconds = state.turn, state.unseen, state.hands, state.seconds
    hand = _without(hands[seat], value)
    cues: Cues = (cue,) if unseen[value] else (cue, surplus_card_warning(state, seat, value))
    taken: Cues = ()
    if not hand and seconds[seat]:
        hand, seconds = seconds[seat], replace_tuple_item(seconds, seat, ())
        picked = Cue(
            "picked_up", {"who": player_name(state, seat), "own": state.table.own}, "BM-11"
        )
        taken = (picked, *private_hand_cues(state, seat, hand))
    state = replace(
        state,
        hands=replace_tuple_item(hands, seat, hand),
        seconds=seconds,
        turn=next_remaining_seat(state, seat),
        unseen=subtract_seen_cards(unseen, value),
        total=state.total + value,
        played=(*state.played, (seat, value)),
    )
    return state, cues, taken


def _taken_up(folded: tuple[State, Cues], taken: Cues) -> tuple[State, Cues]:
    state, cues = folded
    return state, cues if state.step == "over" else (*cues, *taken)


def subtract_seen_cards(unseen: tuple[int, ...], value: int, cards: int = 1) -> tuple[int, ...]:
    """Return the numbers of unseen cards after `cards` more cards of `value` were seen."""
    return replace_tuple_item(unseen, value, unseen[value] - cards)


def surplus_card_warning(state: State, seat: Seat, value: int) -> Cue:
    """Return the warning that players entered more cards of `value` than exist (BM-11).

    The warning means that players entered one of the cards wrongly. Between two shuffles of all 56
    cards, callers give this warning at most once for each value.
    """
    count = CARD_COUNTS[value]
    facts = {"who": player_name(state, seat), "value": value, "n": count + 1, "count": count}
    return Cue("too_many", facts, "BM-11")


def _without(hand: Hand, value: int) -> Hand:
    i = hand.index(value) if value in hand else hand.index(None)
    return hand[:i] + hand[i + 1 :]


def ask_zero_or_end_round(state: State, cues: Cues) -> tuple[State, Cues]:
    """Ask the next player for a 0 at a total of ten (BM-8), or end the round.

    In a game with virtual cards, end the round if all zeros were seen. Otherwise, also ask a player
    without a 0, so that the question does not reveal a hand. In a game with real cards, ask every
    player with a card, because an entered 0 can be wrong (BM-11).
    """
    can = state.hands[state.turn] and (state.table.own or state.unseen[0])
    return (replace(state, step="zero"), cues) if can else _ten_stands(state, cues)


def _ten_stands(state: State, cues: Cues) -> tuple[State, Cues]:
    """End the round at a total of ten (BM-7, BM-8).

    The player who played the last 0 wins the round. If no 0 was played, the player who made ten
    wins.
    """
    winner = state.played[-1][0]
    by_zero = sum(value for _, value in state.played[:-1]) == TARGET_TOTAL
    how, clause = ("zero", "BM-8") if by_zero else ("ten", "BM-7")
    return _settle(state, winner, Cue("round_won", _won(state, winner, how), clause), cues)


def _won(state: State, winner: Seat, how: str) -> dict[str, Any]:
    last, value = state.played[-1]
    return {
        "who": player_name(state, winner),
        "last": player_name(state, last),
        "value": value,
        "how": how,
        "total": state.total,
        "round": state.round,
    }


# --- settling a round (BM-9, BM-12) ---------------------------------------------------------------


def _settle(state: State, winner: Seat, won: Cue, cues: Cues) -> tuple[State, Cues]:
    """Apply the pawn's space at the end of a round (BM-9).

    A winner who has left gets nothing (BM-15).
    """
    if winner in state.out:
        return begin_next_round(state, (*cues, Cue("nobody_won", won.facts, "BM-15")))
    return _rewarded(replace(state, turn=winner), (*cues, won))


def _rewarded(state: State, cues: Cues) -> tuple[State, Cues]:
    """Apply the effect of the pawn's space to the round's winner, the active player (BM-9).

    If the effect depends on suspects whose gangs are unknown, first ask for the gangs (BM-14).
    """
    assert state.space is not None
    winner, (kind, gang) = state.turn, state.space
    if kind in (GANG, WARRANT, INSUFFICIENT_EVIDENCE) and find_suspect_with_unknown_gang(state):
        return replace(state, step="suspect"), cues
    if kind in (GANG, WARRANT):
        wanted = uncaptured_suspects(state, winner, gang)
        if len(wanted) > 1:
            return replace(state, step="commit_suspect"), cues
        if wanted:
            return _capture(state, wanted[0], cues)
    elif kind == IDENTIFICATION:
        reserve = replace_tuple_item(state.reserve, winner, state.reserve[winner] + 1)
        state = replace(state, reserve=reserve)
        return _settled(state, (*cues, Cue("reserve", chips_as_fact_fields(state, winner), "BM-9")))
    elif kind == INSUFFICIENT_EVIDENCE and state.captured[winner]:
        if len(state.captured[winner]) > 1:
            return replace(state, step="free_suspect"), cues
        return _free(state, state.captured[winner][0], cues)
    nothing = Cue(
        "nothing", {"who": player_name(state, winner), "kind": kind, "gang": gang}, "BM-9"
    )
    return _settled(state, (*cues, nothing))


def on_suspect(state: State, gang: str) -> tuple[State, Cues]:
    """Save the gang that a player has entered for a suspect (BM-14)."""
    seat, n = find_suspect_with_unknown_gang(state) or (0, 0)
    before, who = state.table, player_name(state, seat)
    at = before.printed.index(before.desks[seat])
    entered = EnteredBoardValue(("poster", at, "suspects", n), gang, (who,))
    state = replace(
        state, table=setup_with_suspect_gang(before, seat, n, gang), said=(*state.said, entered)
    )
    return continue_after_gang_questions(move_chips_to_new_posters(state, before.desks), ())


def continue_after_gang_questions(state: State, cues: Cues) -> tuple[State, Cues]:
    """Continue after a suspect's gang was entered: after a roll (BM-10) or a round (BM-9)."""
    assert state.space is not None
    return _rewarded(state, cues) if state.played else land_on_space(state, state.space, cues)


def on_commit_suspect(state: State, suspect: str) -> tuple[State, Cues]:
    """Put a chip on the suspect whom the round's winner chose (BM-9)."""
    return _capture(state, suspect, ())


def on_free_suspect(state: State, suspect: str) -> tuple[State, Cues]:
    """Set free the suspect whom the winner of the round chose (BM-9)."""
    return _free(state, suspect, ())


def _capture(state: State, suspect: str, cues: Cues) -> tuple[State, Cues]:
    seat = state.turn
    captured = replace_tuple_item(state.captured, seat, (*state.captured[seat], suspect))
    state = replace(state, captured=captured)
    facts = {**chips_as_fact_fields(state, seat), "suspect": suspect, "gang": _gang(state, suspect)}
    facts["kind"] = state.space and state.space.kind
    return _settled(state, (*cues, Cue("captured", facts, "BM-9")))


def _free(state: State, suspect: str, cues: Cues) -> tuple[State, Cues]:
    seat = state.turn
    left = tuple(other for other in state.captured[seat] if other != suspect)
    state = replace(state, captured=replace_tuple_item(state.captured, seat, left))
    facts = {**chips_as_fact_fields(state, seat), "suspect": suspect, "gang": _gang(state, suspect)}
    return _settled(state, (*cues, Cue("freed", facts, "BM-9")))


def _settled(state: State, cues: Cues) -> tuple[State, Cues]:
    """End the game if the round's winner has four chips (BM-12), else start the next round."""
    after, round_cues = begin_next_round(state, cues)
    return end_if_four_chips(after, state.turn, cues) or (after, round_cues)


def begin_next_round(state: State, cues: Cues) -> tuple[State, Cues]:
    """Start the next round (BM-5). The player who played the last card rolls.

    If this player has left, the neighbour to the left rolls (BM-15).
    """
    last = state.played[-1][0]
    roller = next_remaining_seat(state, last) if last in state.out else last
    state = replace(state, round=state.round + 1, roller=roller, total=0, played=())
    clause = "BM-15" if last in state.out else "BM-5"
    rolls = Cue("next_roller", {"who": player_name(state, roller)}, clause)
    return replace(state, step=first_question_of_round(state)), (*cues, rolls)


def end_if_four_chips(state: State, seat: Seat, cues: Cues) -> tuple[State, Cues] | None:
    """End the game if a player has four chips (captures and reserve, BM-12), else return None."""
    if len(state.captured[seat]) + state.reserve[seat] < SUSPECTS_PER_POSTER:
        return None
    return end_game_with_winner(state, seat, cues)


def end_game_with_winner(state: State, seat: Seat, cues: Cues) -> tuple[State, Cues]:
    """End the game, won by a player with four chips (BM-12) or by the last player (BM-15)."""
    last = len(seats_of_remaining_players(state)) == 1
    facts = {**chips_as_fact_fields(state, seat), "how": "last" if last else "chips"}
    wins = Cue("game_won", facts, "BM-15" if last else "BM-12")
    return replace(state, step="over", champion=seat), (*cues, wins)


def chips_as_fact_fields(state: State, seat: Seat) -> dict[str, Any]:
    """Return event fields about a player: name, number of captures, and number of reserve chips."""
    return {
        "who": player_name(state, seat),
        "captured": len(state.captured[seat]),
        "reserve": state.reserve[seat],
    }


def _gang(state: State, suspect: str) -> str:
    return next(s.gang for desk in state.table.desks for s in desk.suspects if s.id == suspect)
