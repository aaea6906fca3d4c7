from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from companion.catalog.editions import load_edition
from companion.catalog.registry import find_game
from companion.core.chance import Chance
from companion.core.errors import Refused
from companion.core.game import Cue, Cues, Game, Outcome
from companion.core.prompts import PRESSED_ROLL_QUESTION, Choose, Number, Prompt, Roll, Shuffle
from companion.games.barney_miller import GAME
from companion.play.answer_history import GameSetup, RulesChangedError
from companion.play.session import Session, resume_recorded_game
from companion.play.simulate import random_answer
from companion.play.standing import MAX_PRESS_TIME_IN_CHANCE, UNDO_AGREEMENT
from companion.record.entry import drop_cut_entries
from companion.record.journal import Entry, Journal, JournalError
from tests.english import english_error, raises_english
from tests.helpers import OWN_PARTS_OPTIONS, max_examples, setup_for
from tests.system.bench import long

# --- the smallest game with public rolls, secret cards, choices and an end ------------------------

NAMES = ("Ann", "Bob")
MOVES = ("roll", "draw", "wait", "end")


@dataclasses.dataclass(frozen=True)
class State:
    step: str = "move"
    turn: int = 0
    rolls: tuple[int, ...] = ()
    cards: tuple[tuple[int, int], ...] = ()


def ask(state: State) -> Prompt | None:
    if state.step == "move":
        return Choose("move", NAMES[state.turn], MOVES)
    if state.step == "roll":
        return Roll("roll", NAMES[state.turn])
    return Shuffle("shuffle", 20) if state.step == "draw" else None


def on_move(state: State, value: str) -> tuple[State, Cues]:
    told = Cue("moved", {"who": NAMES[state.turn], "move": value}, "TOY-1")
    if value == "wait":
        return dataclasses.replace(state, turn=1 - state.turn), (told,)
    return dataclasses.replace(state, step="over" if value == "end" else value), (told,)


def on_roll(state: State, value: list[int]) -> tuple[State, Cues]:
    rolls = (*state.rolls, value[0])
    after = dataclasses.replace(state, step="move", turn=1 - state.turn, rolls=rolls)
    return after, (Cue("rolled", {"dice": value}, "TOY-2"),)


def on_shuffle(state: State, order: list[int]) -> tuple[State, Cues]:
    cards = (*state.cards, (state.turn, order[0]))
    after = dataclasses.replace(state, step="move", turn=1 - state.turn, cards=cards)
    who = NAMES[state.turn]
    return after, (Cue("drew", {"who": who}, "TOY-3"), Cue("card", {"n": order[0]}, to=who))


def view(state: State, player: str | None) -> dict[str, Any]:
    seen = {"step": state.step, "turn": state.turn, "rolls": list(state.rolls)}
    if player is not None:
        seat = NAMES.index(player)
        return {**seen, "cards": [card for owner, card in state.cards if owner == seat]}
    return {**seen, "drawn": len(state.cards)}


def outcome(state: State) -> Outcome | None:
    return Outcome((NAMES[state.turn],), dict.fromkeys(NAMES, 0)) if state.step == "over" else None


def secrets(state: State) -> Cues:
    return tuple(Cue("card", {"n": card}, to=NAMES[owner]) for owner, card in state.cards)


TOY: Game[State] = Game(
    name="toy",
    seats=range(2, 3),
    options=(),
    setup=lambda _players, _options, _edition: State(),
    ask=ask,
    on={"move": on_move, "roll": on_roll, "shuffle": on_shuffle},
    view=view,
    outcome=outcome,
    secrets=secrets,
)


def toy(*, mixing: bool = False, seed: str = "toy", game: Game[State] = TOY) -> GameSetup:
    return GameSetup(game, NAMES, {}, {}, Chance(seed), mixing)


class Table:
    """A session and its journal. Commit every call at once."""

    def __init__(self, setup: GameSetup, journal: Journal | None = None) -> None:
        self.journal = journal or Journal(None)
        self.session = Session.begin(self.journal, setup, 0)

    def answer(self, *values: Any) -> None:
        for value in values:
            self.session.answer(value, 1)
            self.session.commit()

    def undo(self, times: int = 1) -> None:
        for _ in range(times):
            self.session.undo(2)
            self.session.commit()

    def redo(self) -> None:
        self.session.redo(3)
        self.session.commit()

    def look(self, player: str) -> None:
        self.session.mark_secrets_seen(player, 4)
        self.session.commit()

    def resume(self) -> None:
        number, setup = self.session.number, self.session.game_setup
        self.session = Session.resume(self.journal, number, setup, 5)

    @property
    def state(self) -> State:
        state = self.session.standing.history.last.state
        assert isinstance(state, State)
        return state

    @property
    def entries(self) -> list[Entry]:
        return self.journal.read_game_header_and_lines(self.session.number)[1]


def everything(session: Session) -> dict[str, Any]:
    """Return the data that a resumed game must restore: the snapshot without cues, and the rest."""
    line = session.standing.history
    shown = {
        **vars(session.standing.snapshot),
        "cues": None,
        "asking": line.is_undo_question_pending,
    }
    kept = {"seen": dict(line.last_look_steps), "redo": line.redo, "presses": line.presses}
    return {**shown, **kept, "state": line.last.state}


# --- answer, undo, redo ---------------------------------------------------------------------------


def test_an_answer_moves_the_game_on_and_the_box_answers_what_is_its_own() -> None:
    table = Table(toy())
    snapshot = table.session.answer("roll", 1)
    assert [cue.name for cue in snapshot.cues] == ["moved", "rolled"]
    assert snapshot.prompt == Choose("move", "Bob", MOVES)
    assert (snapshot.position, snapshot.undoable, snapshot.redoable) == (2, 1, 0)
    assert len(table.state.rolls) == 1


@pytest.mark.parametrize("value", ["fly", "", None, 3, ["roll"]])
def test_a_refused_answer_changes_and_writes_nothing(value: Any) -> None:
    table = Table(toy())
    table.answer("roll", "wait")
    table.undo()
    before = everything(table.session)
    with pytest.raises(Refused, match="not_offered"):
        table.session.answer(value, 1)
    with pytest.raises(Refused, match="not_asked"):
        table.session.answer("roll", 1, "roll")
    assert everything(table.session) == before
    assert table.session._batch == []


def test_undo_takes_back_one_answer_with_what_the_box_answered_to_it() -> None:
    table = Table(toy())
    table.answer("wait")
    before = table.state
    table.answer("roll")
    table.undo()
    assert table.state == before
    (undone,) = table.session.standing.snapshot.cues
    facts = {"who": "Bob", "question": "move", "value": "roll", "agreed": False}
    assert undone.name == "undone"
    assert facts.items() <= undone.facts.items()
    table.undo()
    assert table.state == State()
    with pytest.raises(Refused, match="nothing_to_undo"):
        table.session.undo(2)


def test_an_undone_card_has_the_total_before_and_after() -> None:
    session = Session.begin(Journal(None), setup_for(OWN_PARTS_OPTIONS), 0)
    for answer in (0, 4, 3):
        session.answer(answer, 0)
    for was, total in ((7, 4), (4, 0)):
        (undone,) = session.undo(0).cues
        assert (undone.facts["was"], undone.facts["total"]) == (was, total)
    (undone,) = session.undo(0).cues
    assert "total" not in undone.facts


def test_undo_then_redo_gives_the_same_roll() -> None:
    table = Table(toy())
    table.answer("roll", "roll", "roll")
    rolls = table.state.rolls
    table.undo(3)
    for n in (1, 2, 3):
        table.redo()
        assert table.state.rolls == rolls[:n]
    with pytest.raises(Refused, match="nothing_to_redo"):
        table.session.redo(3)


def test_redo_tells_what_it_did_and_what_came_of_it() -> None:
    table = Table(toy())
    table.answer("roll")
    told = table.session.standing.snapshot.cues
    table.undo()
    table.redo()
    redone = Cue("redone", {"who": "Ann", "question": "move", "value": "roll"})
    assert table.session.standing.snapshot.cues == (redone, *told)


def test_undo_then_another_answer_leaves_every_players_next_roll_as_it_was() -> None:
    table = Table(toy())
    table.answer("roll", "roll", "roll", "roll")
    first, second, third, fourth = table.state.rolls
    table.undo(4)
    table.answer("wait", "roll", "wait", "roll")
    assert table.state.rolls == (second, fourth)
    table.undo(4)
    table.answer("roll", "wait", "roll", "wait")
    assert table.state.rolls == (first, third)


def test_a_new_answer_after_an_undo_drops_what_could_be_redone() -> None:
    table = Table(toy())
    table.answer("wait", "wait")
    table.undo(2)
    assert table.session.standing.snapshot.redoable == 2
    table.answer("roll")
    assert table.session.standing.snapshot.redoable == 0


def test_a_game_that_is_over_can_be_taken_back_and_ends_again() -> None:
    table = Table(toy())
    table.answer("wait", "end")
    assert table.journal.recent_unfinished_game_numbers() == []
    assert table.session.standing.snapshot.outcome is not None
    table.undo()
    assert table.journal.recent_unfinished_game_numbers() == [1]
    assert table.session.standing.snapshot.outcome is None
    table.redo()
    assert table.journal.recent_unfinished_game_numbers() == []
    assert table.journal.game_summary(1).winners == ("Bob",)


def test_the_seed_is_shown_only_when_the_game_is_over() -> None:
    table = Table(toy(seed="secret"))
    assert table.session.standing.snapshot.seed is None
    table.answer("end")
    assert table.session.standing.snapshot.seed == "secret"


def test_looking_at_the_own_cards_after_the_end_leaves_the_game_over() -> None:
    table = Table(toy())
    table.answer("draw", "end")
    table.look("Ann")
    assert table.entries[-1].kind == "seen"
    assert table.journal.recent_unfinished_game_numbers() == []
    assert table.journal.game_summary(1).winners == ("Bob",)


# --- honest undo ----------------------------------------------------------------------------------


def drawn() -> Table:
    """Return a game in which Ann has drawn a secret card and Bob has waited."""
    table = Table(toy())
    table.answer("draw", "wait")
    return table


def test_an_undo_past_a_secret_that_nobody_has_seen_needs_no_agreement() -> None:
    table = drawn()
    table.look("Bob")
    table.undo(2)
    assert table.state == State()


def test_an_undo_past_a_seen_secret_asks_the_table_first() -> None:
    table = drawn()
    table.look("Ann")
    table.undo()
    assert table.session.standing.pending_prompt == Choose("move", "Bob", MOVES)
    before = everything(table.session)
    table.undo()
    assert table.session.standing.pending_prompt == UNDO_AGREEMENT
    assert everything(table.session) == {**before, "prompt": UNDO_AGREEMENT, "asking": True}


def test_no_keeps_everything() -> None:
    table = drawn()
    table.look("Ann")
    table.undo()
    before, lines = everything(table.session), table.entries
    table.undo()
    table.answer("no")
    assert everything(table.session) == before
    table.undo(2)  # a second undo means "no" too
    assert everything(table.session) == before
    assert table.entries == lines


def test_yes_takes_back_and_the_record_says_that_the_table_agreed() -> None:
    table = drawn()
    table.look("Ann")
    table.undo(2)
    assert table.entries[-1] == Entry("undo", value=False, at=2)
    table.answer("yes")
    assert table.state == State()
    assert table.entries[-1] == Entry("undo", value=True, at=1)
    assert table.session.standing.snapshot.cues[0].facts["agreed"] is True


def test_only_yes_or_no_answers_the_tables_question() -> None:
    table = drawn()
    table.look("Ann")
    table.undo(2)
    before = everything(table.session)
    for value in ("draw", "", None, True):
        with pytest.raises(Refused, match="not_offered"):
            table.session.answer(value, 1)
    with pytest.raises(Refused, match="nothing_to_redo"):
        table.session.redo(3)
    assert everything(table.session) == before


def test_secrets_that_were_told_at_once_count_as_seen() -> None:
    table = Table(toy())
    table.session.answer("draw", 1)
    table.session.mark_secrets_sent(1)
    table.session.commit()
    assert [entry.kind for entry in table.entries] == ["answer", "box", "seen"]
    assert table.session.standing.undo_needs_agreement


def test_a_second_look_at_the_same_secret_writes_nothing() -> None:
    table = drawn()
    table.look("Ann")
    lines = table.entries
    table.look("Ann")
    assert table.entries == lines


def test_a_secret_given_anew_after_an_undo_is_not_yet_seen() -> None:
    table = Table(toy())
    table.answer("draw", "wait")
    table.look("Ann")
    table.undo(2)
    table.answer("yes")
    table.answer("wait", "wait", "draw")
    assert not table.session.standing.undo_needs_agreement


def test_a_secret_turned_over_for_all_needs_agreement_too() -> None:
    def loud(state: State, value: list[int]) -> tuple[State, Cues]:
        after, (rolled,) = on_roll(state, value)
        return after, (rolled._replace(reveals=value[0] > 0),)

    table = Table(toy(game=TOY._replace(on={**TOY.on, "roll": loud})))
    table.answer("roll")
    table.undo()
    assert table.session.standing.pending_prompt == UNDO_AGREEMENT


def test_a_covert_answer_is_not_told_when_it_is_taken_back_or_given_again() -> None:
    table = Table(toy(game=TOY._replace(covert=frozenset({"move"}))))
    table.answer("wait")
    facts = {"who": "Ann", "question": "move", "value": None}
    assert table.session.undo(0).cues[0].facts == {**facts, "agreed": False, "left": 0}
    assert table.session.redo(0).cues[0].facts == facts


def test_only_the_own_view_holds_the_own_secret() -> None:
    table = drawn()
    ((_, card),) = table.state.cards
    assert table.session.standing.view_with_player_secrets("Ann")["cards"] == [card]
    assert table.session.standing.view_with_player_secrets("Bob")["cards"] == []
    assert "cards" not in table.session.standing.snapshot.view


# --- explanation of a ruling ("why?") -------------------------------------------------------------


LAST: Final = itemgetter(-1)
"""Chooses the last of several events with a clause."""


def test_why_explains_the_last_public_ruling_and_all_of_that_answer_are_known() -> None:
    table = Table(toy())
    with pytest.raises(Refused, match="nothing_to_explain"):
        table.session.standing.explanation_of_latest_clause(LAST)
    table.answer("draw")
    assert table.session.standing.explanation_of_latest_clause(LAST) == Cue(
        "why", {"of": "drew", "facts": {"who": "Ann"}}, "TOY-3"
    )
    assert [cue.name for cue in table.session.standing.history.latest_events_with_clause()][
        -1:
    ] == ["drew"]
    assert all(
        cue.clause and cue.to is None
        for cue in table.session.standing.history.latest_events_with_clause()
    )


def test_why_prefers_a_ruling_to_the_roll_of_the_box_that_came_after_it() -> None:
    table = Table(toy())
    table.answer("roll")
    assert [cue.name for cue in table.session.standing.snapshot.cues] == ["moved", "rolled"]
    assert table.session.standing.explanation_of_latest_clause(LAST).clause == "TOY-1"
    table.answer("draw", "roll")
    assert table.session.standing.explanation_of_latest_clause(LAST).clause == "TOY-1"


def test_right_after_an_arrest_in_kojak_why_tells_of_it_and_not_of_the_next_roll() -> None:
    kojak, arrests = find_game("kojak"), 0
    options = {option.name: option.values[0] for option in kojak.options}
    table = Table(
        GameSetup(kojak, NAMES, options, load_edition("kojak"), Chance("6"), mixing=False)
    )
    rng = random.Random(6)
    while (prompt := table.session.standing.pending_prompt) is not None:
        table.session.answer(random_answer(prompt, rng), 0)
        told = [cue.name for cue in table.session.standing.snapshot.cues if cue.clause]
        if "arrest" in told[:-1] and told[-1] == "rolled":
            arrests += 1
            assert table.session.standing.explanation_of_latest_clause(LAST).facts["of"] == told[-2]
    assert arrests


# --- mixing ---------------------------------------------------------------------------------------


def mix(who: str) -> Prompt:
    return Number("mix", who, 0, MAX_PRESS_TIME_IN_CHANCE, 0)


def test_every_player_presses_before_the_first_draw_and_never_again() -> None:
    table = Table(toy(mixing=True))
    table.answer("wait")
    assert table.session.standing.pending_prompt == Choose("move", "Bob", MOVES)
    table.answer("roll")
    assert table.session.standing.pending_prompt == mix("Ann")
    table.answer(17)
    assert table.session.standing.pending_prompt == mix("Bob")
    assert table.state.rolls == ()
    table.answer(MAX_PRESS_TIME_IN_CHANCE)
    assert len(table.state.rolls) == 1
    table.answer("roll")
    assert len(table.state.rolls) == 2


def test_a_press_is_mixed_into_the_draws() -> None:
    def rolled(press: int) -> tuple[int, ...]:
        table = Table(toy(mixing=True))
        table.answer("roll", 1, press, "roll", "roll", "roll", "roll", "roll")
        return table.state.rolls

    assert rolled(2) == rolled(2)
    assert len({rolled(press) for press in range(5)}) == 5


@pytest.mark.parametrize("value", [-1, MAX_PRESS_TIME_IN_CHANCE + 1, 1.0, "1", None, True])
def test_a_press_must_be_a_number_of_32_bits(value: Any) -> None:
    table = Table(toy(mixing=True))
    table.answer("roll")
    with pytest.raises(Refused, match="not_offered"):
        table.session.answer(value, 1)


def test_a_press_is_not_undone_with_the_answer_before_it() -> None:
    table = Table(toy(mixing=True))
    table.answer("roll", 1, 2)
    rolls = table.state.rolls
    table.undo()
    assert table.session.standing.snapshot.undoable == 0
    table.answer("roll")
    assert table.state.rolls == rolls
    assert table.session.standing.history.presses == (1, 2)


def test_an_answer_to_another_question_is_no_press() -> None:
    table = Table(toy(mixing=True))
    table.answer("roll")
    with pytest.raises(Refused, match="not_asked"):
        table.session.answer(3, 1, "move")
    table.session.answer(3, 1, "mix")
    assert table.session.standing.history.presses == (3,)


# --- resume ---------------------------------------------------------------------------------------


def test_resume_gives_the_same_game_redo_presses_and_seen_included() -> None:
    table = Table(toy(mixing=True))
    table.answer("draw", 3, 4, "roll", "draw", "wait", "roll")
    table.look("Ann")
    table.undo(2)
    before = everything(table.session)
    assert before["redoable"] == 2
    assert before["seen"] == {"Ann": 6}
    table.resume()
    assert everything(table.session) == before
    table.resume()
    assert everything(table.session) == before


def test_a_resumed_game_is_undone_and_redone_as_if_it_had_never_stopped() -> None:
    table, other = Table(toy()), Table(toy())
    for each in (table, other):
        each.answer("roll", "draw", "roll")
        each.undo()
    table.resume()
    for each in (table, other):
        each.undo()
        each.redo()
        each.redo()
        each.undo(2)
        each.answer("draw")
    assert table.state == other.state
    assert [entry[:4] for entry in table.entries] == [entry[:4] for entry in other.entries]


def test_what_was_taken_back_before_somebody_rolled_is_not_given_again_after_a_restart() -> None:
    """The press of a roll is not recorded, but the recorded roll implies the press."""

    def asked(state: State) -> Prompt | None:
        prompt = ask(state)
        return prompt._replace(pressed=True) if isinstance(prompt, Roll) else prompt

    note = Choose("note", None, ("lost",))
    on = {**TOY.on, "note": lambda state, _: (dataclasses.replace(state, turn=0), ())}
    table = Table(toy(game=TOY._replace(ask=asked, on=on, anytime=lambda _: (note,))))
    table.answer("roll")
    table.session.answer("lost", 1, "note")
    table.undo()
    assert table.session.standing.snapshot.redoable == 1
    table.answer(PRESSED_ROLL_QUESTION)
    assert table.session.standing.snapshot.redoable == 0
    before = everything(table.session)
    table.resume()
    assert everything(table.session) == before


def test_resume_tells_the_players_their_secrets_again() -> None:
    table = drawn()
    table.resume()
    assert table.session.standing.snapshot.cues == secrets(table.state)


def test_resume_asks_again_for_the_presses_that_are_missing() -> None:
    table = Table(toy(mixing=True))
    table.answer("roll", 9)
    table.resume()
    assert table.session.standing.pending_prompt == mix("Bob")


def test_a_draw_that_was_not_written_is_the_same_after_resume() -> None:
    table = Table(toy())
    table.answer("roll")
    journal = Journal(None)
    journal.save_new_game(table.journal.read_game_header_and_lines(1)[0], table.entries[:1], 0)
    assert Session.resume(journal, 1, toy(), 0).standing.history.last.state == table.state


def test_rules_changed_names_the_exact_answer() -> None:
    table = Table(toy())
    table.answer("wait", "roll", "wait", "end")
    calmer = TOY._replace(
        ask=lambda s: Choose("move", "x", MOVES[:3]) if s.step == "move" else ask(s)
    )
    with pytest.raises(RulesChangedError) as caught:
        Session.resume(table.journal, 1, toy(game=calmer), 0)
    assert (caught.value.answer, caught.value.recorded, caught.value.asked) == (5, "move", "move")
    renamed = TOY._replace(ask=lambda s: Choose("act", "x", MOVES) if s.rolls else ask(s))
    with raises_english(
        RulesChangedError, match="Answer 4 was given to 'move'; now the rules ask 'act'"
    ):
        Session.resume(table.journal, 1, toy(game=renamed), 0)


def test_an_answer_that_the_changed_rules_refuse_is_rules_changed_too() -> None:
    def stricter(state: State, value: str) -> tuple[State, Cues]:
        if state.rolls:
            raise Refused("no_more")
        return on_move(state, value)

    table = Table(toy())
    table.answer("roll", "wait")
    game = TOY._replace(on={**TOY.on, "move": stricter})
    with pytest.raises(RulesChangedError) as caught:
        Session.resume(table.journal, 1, toy(game=game), 0)
    assert caught.value.answer == 3


def test_a_game_whose_rules_changed_goes_on_from_the_last_answer_that_fits() -> None:
    table = Table(toy())
    table.answer("wait", "roll")
    fits = table.state
    table.answer("end")
    table.undo()
    table.redo()
    shorter = TOY._replace(
        ask=lambda s: Choose("move", "x", MOVES[:3]) if s.step == "move" else ask(s)
    )
    setup = toy(game=shorter)
    session = Session.resume_at_last_valid_answer(table.journal, 1, setup, 0)
    assert session.standing.history.last.state == fits
    assert drop_cut_entries(table.entries) == table.entries[:3]
    session.answer("roll", 0)
    session.commit()
    assert everything(Session.resume(table.journal, 1, setup, 0)) == everything(session)


def test_a_recorded_game_says_itself_what_it_was_begun_with(edition: dict[str, Any]) -> None:
    options = {option.name: option.values[0] for option in GAME.options}
    setup = GameSetup(GAME, ("Ann", "Bob", "Cy"), options, edition, Chance("seed"))
    table = Table(setup)
    table.answer(1, 2, 3)
    session, changed = resume_recorded_game(table.journal, 1, 0)
    assert changed is None
    assert everything(session) == everything(table.session)
    assert session.game_setup == setup


def test_the_rules_are_asked_once_while_the_state_stays_the_same() -> None:
    asked: list[State] = []

    def note(state: State) -> Prompt | None:
        asked.append(state)
        return ask(state)

    setup = toy(game=TOY._replace(ask=note))
    standing = Session.begin(Journal(None), setup, 0).standing
    question = standing.question_of_rules
    asked.clear()
    again = standing.with_answer_history(standing.history._replace(presses=(1,)))
    assert again.question_of_rules is question
    assert asked == []


# --- a commit that fails --------------------------------------------------------------------------


class FullDisk(Journal):
    """A journal in memory whose disk is full while `full`."""

    full = False

    def append_entries_to_game(self, game: int, entries: Any) -> None:
        if self.full:
            raise JournalError("full")
        super().append_entries_to_game(game, entries)


def test_a_commit_that_fails_leaves_everything_as_it_was_and_the_same_answer_then_works() -> None:
    journal = FullDisk(None)
    table, other = Table(toy(), journal), Table(toy())
    for each in (table, other):
        each.answer("draw", "roll")
        each.undo()
    before, lines = everything(table.session), table.entries
    journal.full = True
    changes: tuple[Callable[[], object], ...] = (
        lambda: table.session.answer("roll", 1),
        lambda: table.session.undo(2),
        lambda: table.session.redo(3),
        lambda: table.session.mark_secrets_seen("Ann", 4),
    )
    for change in changes:
        change()
        with pytest.raises(JournalError):
            table.session.commit()
        assert everything(table.session) == before
        assert table.entries == lines
    journal.full = False
    for each in (table, other):
        each.answer("roll")
    assert everything(table.session) == everything(other.session)
    assert table.entries == other.entries


def test_a_real_full_disk_is_told_plainly_and_the_same_answer_works_once_there_is_room(
    tmp_path: Path,
) -> None:
    journal = Journal(tmp_path / "games")
    table, other = Table(toy(), journal), Table(toy())
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    errors = []
    for _ in range(200):
        before = everything(table.session)
        table.session.answer("draw", 1)
        try:
            table.session.commit()
        except JournalError as error:
            errors.append((error.code, english_error(error)))
            assert everything(table.session) == before
            journal._db.execute("PRAGMA max_page_count = 1000000")
            table.answer("draw")
        other.answer("draw")
    ((code, text),) = errors
    assert code == "full"
    assert text.startswith("The disk is full")
    assert table.state == other.state
    journal.close()
    journal = Journal(tmp_path / "games")
    assert journal.repair_result is None
    assert Session.resume(journal, 1, toy(), 0).standing.history.last.state == other.state
    journal.close()


def test_a_game_that_can_not_be_begun_is_not_there() -> None:
    journal = FullDisk(None)
    journal.full = True
    with pytest.raises(JournalError):
        Session.begin(journal, toy(), 0)
    assert journal.game_numbers() == []
    journal.full = False
    assert Session.begin(journal, toy(), 0).number == 1


# --- random sequences of all calls, compared with a model: a list of answers ----------------------


class AnyOrder(RuleBasedStateMachine):
    """The model: the valid answers, the undone answers, and how far each player has looked."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[str] = []
        self.undone: list[str] = []
        self.presses: list[int] = []
        self.looked = dict.fromkeys(NAMES, 0)
        self.asking = False

    @initialize(mixing=st.booleans())
    def begin(self, mixing: bool) -> None:  # noqa: FBT001 - hypothesis calls it
        self.setup = toy(mixing=mixing)
        self.journal = FullDisk(None)
        self.session = Session.begin(self.journal, self.setup, 0)

    def expected(self) -> Session:
        """Return a new game that was given only the model's answers and presses."""
        session = Session.begin(Journal(None), self.setup, 0)
        presses = iter(self.presses)
        for value in (*self.answers, None):
            while (prompt := session.standing.pending_prompt) and prompt.name == "mix":
                press = next(presses, None)
                if press is None:
                    break
                session.answer(press, 0)
            if value is not None:
                session.answer(value, 0)
        return session

    def whose(self, answers: list[str]) -> str:
        """Return the player who gave the last of `answers`. The players alternate."""
        return NAMES[(len(answers) - 1) % 2]

    @property
    def question(self) -> str | None:
        prompt = self.session.standing.pending_prompt
        return prompt.name if prompt else None

    @precondition(lambda self: self.question == "move")
    @rule(value=st.sampled_from(("roll", "draw", "draw", "wait", "wait", "end")))
    def answer(self, value: str) -> None:
        self.session.answer(value, 0)
        self.session.commit()
        self.answers.append(value)
        self.undone.clear()

    @precondition(lambda self: self.question == "mix")
    @rule(value=st.integers(0, 3))
    def press(self, value: int) -> None:
        self.session.answer(value, 0)
        self.session.commit()
        self.presses.append(value)

    @precondition(lambda self: self.answers and not self.asking)
    @rule()
    def undo(self) -> None:
        self.session.undo(0)
        self.session.commit()
        who = self.whose(self.answers)
        if self.answers[-1] == "draw" and self.looked[who] >= len(self.answers):
            self.asking = True
        else:
            self.taken_back()

    @precondition(lambda self: self.asking)
    @rule(value=st.sampled_from(("yes", "no")))
    def agree(self, value: str) -> None:
        self.session.answer(value, 0)
        self.session.commit()
        self.asking = False
        if value == "yes":
            self.taken_back()

    def taken_back(self) -> None:
        self.undone.append(self.answers.pop())
        self.looked = {who: min(n, len(self.answers)) for who, n in self.looked.items()}

    @precondition(lambda self: self.undone and not self.asking)
    @rule()
    def redo(self) -> None:
        self.session.redo(0)
        self.session.commit()
        self.answers.append(self.undone.pop())

    @rule(who=st.sampled_from(NAMES))
    def look(self, who: str) -> None:
        self.session.mark_secrets_seen(who, 0)
        self.session.commit()
        if self.question != "mix":  # a card is dealt only after the mix presses
            self.looked[who] = len(self.answers)

    @rule()
    def resume(self) -> None:
        self.session = Session.resume(self.journal, self.session.number, self.setup, 0)
        self.asking = False

    @rule(change=st.sampled_from(("answer", "undo", "redo", "look")))
    def fail(self, change: str) -> None:
        self.journal.full = True
        try:
            if change == "answer":
                self.session.answer({"mix": 1, "move": "draw"}.get(str(self.question)), 0)
            elif change == "look":
                self.session.mark_secrets_seen("Ann", 0)
            elif not self.asking:
                getattr(self.session, change)(0)
            wrote = bool(self.session._batch)
            self.session.commit()
        except Refused:
            wrote = False
        except JournalError:
            pass
        finally:
            self.journal.full = False
        if not wrote:
            self.asking = self.session.standing.history.is_undo_question_pending

    @invariant()
    def it_stands_where_the_model_says(self) -> None:
        expected, found = self.expected(), self.session
        assert found.standing.history.last.state == expected.standing.history.last.state
        assert found.standing.history.presses == tuple(self.presses)
        assert found.standing.snapshot.position == expected.standing.snapshot.position
        assert found.standing.snapshot.undoable == len(self.answers)
        assert found.standing.snapshot.redoable == len(self.undone)
        assert found.standing.pending_prompt == (
            UNDO_AGREEMENT if self.asking else expected.standing.pending_prompt
        )


AnyOrder.TestCase.settings = settings(max_examples=max_examples(60), stateful_step_count=25)
TestAnyOrder = AnyOrder.TestCase


def test_a_moment_is_looked_at_once_however_often_it_is_shown() -> None:
    seen: list[State] = []

    def view(state: State, player: str | None) -> dict[str, Any]:
        seen.append(state)
        return TOY.view(state, player)

    table = Table(toy(game=TOY._replace(view=view)))
    before = table.session.standing.snapshot
    del seen[:]
    assert table.session.standing.snapshot is before
    assert not seen
    table.answer("wait")
    after = table.session.standing.snapshot
    assert after.position == before.position + 1
    assert len(seen) == 1
    table.undo()
    assert table.session.standing.snapshot.position == before.position


@pytest.mark.long
def test_a_press_and_its_replay_do_not_depend_on_how_long_the_game_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(long, "LENGTHS", (10, 100, 1_000))
    counted = [row for row in long.lengths(tmp_path) if row.what.startswith("Lines of Python")]
    assert len(counted) == 3
    assert [row for row in counted if not row.met] == []
