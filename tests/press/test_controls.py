"""Tests of presses: edges and time over a prompt become moves of the cursor, or one action."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.prompts import (
    AGREE_UNDO_QUESTION,
    COMPUTER_CHOOSING_QUESTION,
    Choose,
    Number,
    Prompt,
    Roll,
    Spell,
    action_prompt,
    cursor_start_answer_index,
    legal_answers,
)
from companion.games.barney_miller import GAME
from companion.play import simulate
from companion.press.actions import (
    Action,
    BeginOutOfTurnAnswer,
    ClearWord,
    CloseScreen,
    EnterAnswer,
    ExplainButton,
    GoBackOrOpenMenu,
    HideSecret,
    RejectPress,
    ReportListEnd,
    RequestRulingExplanation,
    RequestSpeechRepeat,
    ToggleSound,
    UncoverSecret,
    UndoLastAnswer,
)
from companion.press.controls import (
    HELP_HOLD_SECONDS,
    LOOK_HOLD_SECONDS,
    OPEN_SECRET_TIMEOUT_SECONDS,
    REPEAT_AFTER_SECONDS,
    REPEAT_EVERY_SECONDS,
    UNREAD_SECONDS,
    cursor_and_action_after_edge,
    next_due_action_time,
    process_due_action,
)
from companion.press.cursor import (
    CONFIRM_UNLISTED_WORD_QUESTION,
    HOLD_SECONDS,
    HOLD_STEP_TIMES,
    NO_SELECTION,
    Cursor,
    PressContext,
    cursor_after_overlay,
    cursor_on_likeliest_answer,
    reachable_answers_and_symbols,
    selected_answer,
)
from companion.press.wheel import (
    CARET_TO_END_PLACE,
    DONE_PLACE,
    ERASE_PLACE,
    MAX_ROW_LETTERS,
    NAME_LETTERS,
    closed_letter_row_text,
    count_presses_to_answer,
    is_drawn_as_wheel,
    wheel_answers_and_symbols,
)
from hardware.ports import BACK, BUTTONS, DOWN, OK, SEATS, UP, Edge
from tests.helpers import OWN_PARTS_OPTIONS, PLAYER_NAMES, max_examples, printed_edition

CARDS: Final = Choose("play_card", "Ann", (0, 1, 2, 5), (4, 10, 9, 1))
LIST: Final = Choose("space", None, ("north", "east", "south"))
SECRET: Final = Choose("play_card", "Bob", (1, 4, 7), private=True)
WORD: Final = Spell("spell", None, 4, ())
MIX: Final = Number("mix", "Ann", 0, (1 << 32) - 1, 0)
SEATED: Final = ("Ann", "Bob")

digits = st.integers(0, 9)
prompts: st.SearchStrategy[Prompt] = st.one_of(
    st.builds(
        lambda n, weights, private: Choose("c", "Ann", tuple(range(n)), weights[:n], private),
        st.integers(1, 12),
        st.one_of(st.just(()), st.lists(st.integers(1, 9), min_size=12).map(tuple)),
        st.booleans(),
    ),
    st.builds(lambda n: Choose("d", None, tuple("abcdefghij"[:n])), st.integers(1, 10)),
    st.builds(
        lambda lo, n: Number("n", None, lo, lo + n, lo), st.integers(-3, 9), st.integers(0, 20)
    ),
    st.builds(lambda n: Spell("s", None, n, ()), st.integers(1, 10)),
    st.builds(lambda n: Roll("r", "Ann", n, real=True), st.integers(1, 3)),
)
events = st.lists(
    st.tuples(st.sampled_from([None, *BUTTONS]), st.booleans(), st.floats(0, 1.2, allow_nan=False)),
    max_size=60,
)


class Thumb:
    """Presses over one scene, with the present time and the resulting actions."""

    def __init__(self, scene: PressContext) -> None:
        self.scene, self.now = scene, 0.0
        self.cursor = cursor_on_likeliest_answer(Cursor(), scene.prompt)
        self.actions: list[Action] = []

    def _note(self, result: tuple[Cursor, Action | None]) -> None:
        self.cursor, action = result
        if action is not None:
            self.actions.append(action)

    def edge(self, button: str, *, down: bool) -> None:
        self._note(
            cursor_and_action_after_edge(self.cursor, Edge(button, down, self.now), self.scene)
        )

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := next_due_action_time(self.cursor, self.scene)) is not None and due <= end:
            self._note(process_due_action(self.cursor, due, self.scene))
        self.now = end

    def press(self, *buttons: str, seconds: float = 0.08) -> Thumb:
        for button in buttons:
            self.edge(button, down=True)
            self.wait(seconds)
            self.edge(button, down=False)
            self.wait(0.02)
        return self

    def hold(self, button: str, seconds: float) -> Thumb:
        self.edge(button, down=True)
        self.wait(seconds)
        return self

    def play(self, script: Iterable[tuple[str | None, bool, float]]) -> Thumb:
        for button, down, seconds in script:
            if button is not None:
                self.edge(button, down=down)
            self.wait(seconds)
        return self

    @property
    def kinds(self) -> list[type[Action]]:
        return [type(action) for action in self.actions]


def scene(prompt: Prompt | None = CARDS, **changes: Any) -> PressContext:
    curtain = prompt.who if prompt is not None and prompt.private else None
    return PressContext(prompt, curtain=curtain)._replace(**changes)


# --- moving ---------------------------------------------------------------------------------------


@given(prompts, events)
def test_the_cursor_always_stands_on_a_place(prompt: Prompt, script: Any) -> None:
    thumb = Thumb(scene(prompt))
    for event in script:
        thumb.play([event])
        assert thumb.cursor.at >= (NO_SELECTION if prompt.private else 0)
        assert thumb.cursor.at < len(reachable_answers_and_symbols(prompt, thumb.cursor))
        assert 0 <= thumb.cursor.back <= len(thumb.cursor.text)
        assert len(thumb.cursor.text) <= getattr(prompt, "longest", 0)


@given(prompts, events)
def test_only_answers_that_the_prompt_offers_are_given(prompt: Prompt, script: Any) -> None:
    thumb = Thumb(scene(prompt)).play(script)
    for action in thumb.actions:
        if isinstance(action, EnterAnswer) and isinstance(prompt, Spell):
            assert 0 < len(action.answer) <= prompt.longest
        elif isinstance(action, EnterAnswer):
            assert action.answer in legal_answers(prompt)


@given(prompts, events, st.sets(st.sampled_from(["moment", "holds"])))
def test_any_storm_comes_to_known_actions_only(
    prompt: Prompt, script: Any, flags: set[str]
) -> None:
    moment, holds = "moment" in flags, "holds" in flags
    thumb = Thumb(scene(prompt, overlay=moment, holds=holds, players=SEATED)).play(script)
    known = {
        EnterAnswer,
        UndoLastAnswer,
        ClearWord,
        RequestRulingExplanation,
        GoBackOrOpenMenu,
        UncoverSecret,
        HideSecret,
        CloseScreen,
        RejectPress,
    }
    anywhere = {RequestSpeechRepeat, ExplainButton, ToggleSound}
    assert set(thumb.kinds) <= known | anywhere
    if moment:
        assert set(thumb.kinds) <= {
            CloseScreen,
            UndoLastAnswer,
            RequestRulingExplanation,
            ExplainButton,
            ToggleSound,
        }
    if not holds:
        assert not {UndoLastAnswer, RequestRulingExplanation} & set(thumb.kinds)


def test_the_cursor_starts_on_the_likeliest_answer() -> None:
    assert selected_answer(CARDS, cursor_on_likeliest_answer(Cursor(), CARDS)) == 1


def test_up_is_more_on_a_wheel_and_higher_in_a_list() -> None:
    assert selected_answer(CARDS, Thumb(scene()).press(UP).cursor) == 2
    assert selected_answer(CARDS, Thumb(scene()).press(DOWN).cursor) == 0
    assert selected_answer(LIST, Thumb(scene(LIST)).press(DOWN).cursor) == "east"
    assert is_drawn_as_wheel(CARDS)
    assert not is_drawn_as_wheel(LIST)


@given(prompts.filter(lambda prompt: not isinstance(prompt, Spell)))
def test_wheels_and_lists_go_round(prompt: Prompt) -> None:
    thumb = Thumb(scene(prompt, curtain=None))
    start, n = thumb.cursor.at, len(wheel_answers_and_symbols(prompt))
    if start == NO_SELECTION:
        start = thumb.press(UP).cursor.at
    assert thumb.press(*[UP] * n).cursor.at == start
    assert thumb.press(*[DOWN] * n).cursor.at == start
    assert thumb.press(UP, DOWN).cursor.at == start


@pytest.mark.parametrize("button", BUTTONS)
def test_an_edge_that_changes_nothing_is_ignored(button: str) -> None:
    thumb = Thumb(scene())
    thumb.edge(button, down=False)
    assert thumb.cursor == cursor_on_likeliest_answer(Cursor(), CARDS)
    thumb.edge(button, down=True)
    once = thumb.cursor
    thumb.now += 0.001
    thumb.edge(button, down=True)
    assert thumb.cursor == once
    thumb.edge(button, down=False)
    told = len(thumb.actions)
    thumb.edge(button, down=False)
    assert len(thumb.actions) == told


def test_a_moving_button_repeats_while_it_is_held() -> None:
    prompt = Number("players", None, 0, 99, 0)
    thumb = Thumb(scene(prompt)).hold(UP, REPEAT_AFTER_SECONDS - 0.01)
    assert thumb.cursor.at == 1
    thumb.wait(0.02 + 4 * REPEAT_EVERY_SECONDS)
    assert thumb.cursor.at == 6
    thumb.edge(UP, down=False)
    thumb.wait(5)
    assert thumb.cursor.at == 6


def test_an_idle_hand_needs_no_tick() -> None:
    thumb = Thumb(scene())
    assert next_due_action_time(thumb.cursor, thumb.scene) is None
    thumb.press(UP)
    assert next_due_action_time(thumb.cursor, thumb.scene) is None


# --- answering and holding ------------------------------------------------------------------------


def test_a_short_ok_answers_when_it_comes_up() -> None:
    thumb = Thumb(scene())
    thumb.edge(OK, down=True)
    assert not thumb.actions
    thumb.now += 0.1
    thumb.edge(OK, down=False)
    assert thumb.actions == [EnterAnswer(1)]


@pytest.mark.parametrize("seconds", [HOLD_SECONDS, HOLD_SECONDS + 0.001, HELP_HOLD_SECONDS - 0.001])
@pytest.mark.parametrize(
    ("button", "kind"), [(BACK, UndoLastAnswer), (OK, RequestRulingExplanation)]
)
def test_a_second_acts_exactly_once_and_only_when_the_button_is_let_go(
    button: str, kind: type[Action], seconds: float
) -> None:
    thumb = Thumb(scene()).hold(button, seconds)
    assert thumb.kinds == []
    thumb.edge(button, down=False)
    thumb.wait(5)
    assert thumb.kinds == [kind]


def test_back_held_less_opens_the_menu() -> None:
    assert Thumb(scene()).press(BACK, seconds=HOLD_SECONDS - 0.01).kinds == [GoBackOrOpenMenu]


def test_the_bar_grows_while_a_button_is_held_and_goes_when_it_is_let_go() -> None:
    thumb = Thumb(scene())
    thumb.edge(BACK, down=True)
    bars = []
    for due in HOLD_STEP_TIMES:
        thumb.wait(due - thumb.now)
        bars.append(thumb.cursor.bar)
    assert bars == [1, 2, 3, 4]
    thumb.edge(BACK, down=False)
    assert thumb.cursor.bar == 0


def test_where_nothing_can_be_taken_back_a_long_press_is_a_short_one() -> None:
    thumb = Thumb(scene(LIST, holds=False)).hold(BACK, HELP_HOLD_SECONDS - 0.01)
    assert thumb.cursor.bar == 0
    thumb.edge(BACK, down=False)
    assert thumb.kinds == [GoBackOrOpenMenu]


@given(prompts, st.sampled_from([OK, BACK, *SEATS]), st.floats(0, 3))
def test_a_held_button_does_nothing_to_the_next_prompt(
    prompt: Prompt, button: str, seconds: float
) -> None:
    thumb = Thumb(scene(LIST))
    thumb.edge(button, down=True)
    thumb.scene = scene(prompt, players=SEATED)
    thumb.cursor = cursor_on_likeliest_answer(thumb.cursor, prompt)
    thumb.wait(seconds)
    thumb.edge(button, down=False)
    assert not thumb.actions
    assert thumb.cursor.looking is None


def test_the_first_press_of_a_shuffle_is_any_button_going_down() -> None:
    for button in BUTTONS:
        thumb = Thumb(scene(MIX))
        thumb.now = 12.345678901
        thumb.edge(button, down=True)
        assert thumb.actions == [EnterAnswer(int(12.345678901 * 1e9) & MIX.hi)]
        thumb.wait(3)
        thumb.edge(button, down=False)
        assert len(thumb.actions) == 1


@pytest.mark.parametrize("button", BUTTONS)
def test_no_button_is_a_part_in_a_shuffle_that_came_up_by_itself(button: str) -> None:
    cursor = Cursor(shown=1.0)
    assert cursor_and_action_after_edge(cursor, Edge(button, True, 1.1), scene(MIX))[1] is None
    assert (
        cursor_and_action_after_edge(cursor, Edge(button, True, 1.0 + UNREAD_SECONDS), scene(MIX))[
            1
        ]
        is not None
    )


def test_whoever_presses_with_the_last_of_a_shuffle_answers_nothing_after_it() -> None:
    thumb = Thumb(scene(MIX)).press(UP)
    thumb.scene, thumb.cursor = scene(), cursor_on_likeliest_answer(thumb.cursor, CARDS)
    assert thumb.press(OK).kinds == [EnterAnswer, RequestSpeechRepeat]


def test_what_a_turn_past_a_moment_brought_up_is_not_answered_at_once() -> None:
    thumb = Thumb(scene(overlay=True)).press(UP)
    thumb.scene, thumb.cursor = scene(), cursor_after_overlay(thumb.cursor)
    assert thumb.press(OK).kinds == [CloseScreen, RequestSpeechRepeat]


# --- help: what a button does ---------------------------------------------------------------------


@pytest.mark.parametrize("where", [{}, {"overlay": True}, {"holds": False}])
@pytest.mark.parametrize("button", [OK, BACK, *SEATS])
def test_two_seconds_tell_what_a_button_does_and_then_it_does_nothing(
    button: str, where: dict[str, bool]
) -> None:
    thumb = Thumb(scene(LIST, **where)).hold(button, HELP_HOLD_SECONDS)
    assert thumb.actions == [ExplainButton(button)]
    thumb.wait(10)
    thumb.edge(button, down=False)
    thumb.wait(10)
    assert thumb.actions == [ExplainButton(button)]


@pytest.mark.parametrize("button", [UP, DOWN])
@pytest.mark.parametrize("where", [scene(None), scene(SECRET)])
def test_up_and_down_tell_what_they_do_where_they_turn_nothing(
    button: str, where: PressContext
) -> None:
    assert Thumb(where).hold(button, HELP_HOLD_SECONDS).actions == [ExplainButton(button)]


@pytest.mark.parametrize("prompt", [CARDS, LIST, WORD])
def test_up_held_on_a_wheel_turns_it_for_ever(prompt: Prompt) -> None:
    thumb = Thumb(scene(prompt)).hold(UP, 60)
    assert thumb.actions == []
    assert thumb.cursor.repeats > 400


def test_up_held_on_standings_with_pages_turns_them() -> None:
    thumb = Thumb(scene(None, overlay=True, pages=3)).hold(UP, 60)
    assert thumb.actions == []


def test_a_secret_is_looked_at_for_as_long_as_its_button_is_held() -> None:
    thumb = Thumb(scene(SECRET, players=SEATED)).hold(OK, 60)
    assert thumb.actions == [UncoverSecret("Bob")]
    thumb.edge(OK, down=False)
    assert thumb.hold(SEATS[0], 60).actions[2:] == [UncoverSecret("Ann")]


# --- say it again -------------------------------------------------------------------------------


def answered() -> Thumb:
    """Return a thumb whose OK has answered a question, with the next question shown."""
    thumb = Thumb(scene())
    thumb.edge(OK, down=True)
    thumb.wait(0.08)
    thumb.edge(OK, down=False)
    thumb.actions.clear()
    thumb.scene = scene(LIST)
    thumb.cursor = cursor_on_likeliest_answer(thumb.cursor, LIST)
    return thumb


@pytest.mark.parametrize("seconds", [0.0, 0.002, 0.1, UNREAD_SECONDS - 0.001])
def test_ok_twice_says_it_again_and_answers_nothing_that_nobody_has_read(seconds: float) -> None:
    thumb = answered()
    thumb.wait(seconds)
    assert thumb.press(OK).actions == [RequestSpeechRepeat()]


@pytest.mark.parametrize("rate", range(2, 9))
def test_a_mash_of_ok_repeats_a_question_once_and_then_answers_it(rate: int) -> None:
    thumb, answered_at = answered(), 0.0
    while EnterAnswer("north") not in thumb.actions and thumb.now < 3:
        thumb.wait(1 / rate - 0.02 - 0.05)
        answered_at = thumb.now
        thumb.press(OK, seconds=0.05)
    assert thumb.kinds in ([EnterAnswer], [RequestSpeechRepeat, EnterAnswer])
    assert UNREAD_SECONDS <= answered_at - 0.08 < UNREAD_SECONDS + 2 / rate


def test_the_seats_buttons_repeat_no_question() -> None:
    assert answered().press(*SEATS).actions == []


def test_a_question_to_a_program_is_answered_by_no_button() -> None:
    for button in (OK, *SEATS):
        assert (
            Thumb(scene(action_prompt(COMPUTER_CHOOSING_QUESTION), seats=SEATED))
            .press(button)
            .actions
            == []
        )


def test_whoever_had_the_time_to_read_answers() -> None:
    thumb = answered()
    thumb.wait(UNREAD_SECONDS + 0.001)
    assert thumb.press(OK).actions == [EnterAnswer("north")]


@pytest.mark.parametrize("button", [UP, DOWN, BACK, SEATS[0]])
def test_no_other_button_lets_a_question_be_answered_earlier(button: str) -> None:
    thumb = answered()
    thumb.edge(button, down=True)
    thumb.wait(0.05)
    thumb.edge(button, down=False)
    assert thumb.press(OK, seconds=0.01).kinds[-1] == RequestSpeechRepeat


def test_who_turned_the_wheel_meanwhile_answers_when_the_time_to_read_is_over() -> None:
    thumb = answered().press(DOWN, seconds=0.01)
    thumb.wait(UNREAD_SECONDS)
    assert thumb.press(OK).kinds == [EnterAnswer]


def test_ok_held_explains_even_at_once() -> None:
    assert answered().press(OK, seconds=HOLD_SECONDS).kinds == [RequestRulingExplanation]


def test_back_held_where_the_table_is_asked_says_that_it_leaves_the_answer() -> None:
    asked = Choose(AGREE_UNDO_QUESTION, None, ("yes", "no"))
    assert Thumb(scene(asked)).hold(BACK, 0.7).cursor.means == "stay"
    assert Thumb(scene(LIST)).hold(BACK, 0.7).cursor.means == BACK


def test_moments_and_menus_go_as_fast_as_the_thumb() -> None:
    for changes in ({"overlay": True}, {"holds": False}):
        thumb = answered()
        thumb.scene = scene(LIST, **changes)
        thumb.press(OK, OK, OK)
        assert RequestSpeechRepeat not in thumb.kinds
        assert len(thumb.kinds) == 3


def test_past_a_moment_ok_twice_says_it_again() -> None:
    thumb = Thumb(scene(overlay=True)).press(OK)
    thumb.scene, thumb.cursor = scene(), cursor_after_overlay(thumb.cursor)
    assert thumb.press(OK).kinds == [CloseScreen, RequestSpeechRepeat]


def test_the_letters_of_a_word_are_spelt_as_fast_as_the_thumb() -> None:
    thumb = Thumb(scene(WORD)).press(*[OK] * 6)
    assert thumb.kinds == []
    assert len(thumb.cursor.text) == 3


# --- turning the sound on and off ---------------------------------------------------------------


@pytest.mark.parametrize("pair", [(UP, DOWN), (DOWN, UP)])
@pytest.mark.parametrize(
    "where", [scene(), scene(LIST, holds=False), scene(None), scene(SECRET), scene(WORD)]
)
def test_up_and_down_held_together_silence_once_and_turn_nothing(
    where: PressContext, pair: tuple[str, str]
) -> None:
    thumb = Thumb(where)
    at = thumb.cursor.at
    thumb.hold(pair[0], 0.1).hold(pair[1], HOLD_SECONDS - 0.01)
    assert thumb.kinds == []
    thumb.wait(20)
    assert thumb.actions == [ToggleSound()]
    thumb.edge(pair[0], down=False)
    thumb.edge(pair[1], down=False)
    thumb.wait(20)
    assert thumb.actions == [ToggleSound()]
    assert thumb.cursor.at == at


def test_one_of_a_pair_that_went_past_a_moment_still_silences_and_turns_nothing() -> None:
    thumb = Thumb(scene(overlay=True)).hold(UP, 0.01)
    thumb.scene, thumb.cursor = scene(), cursor_after_overlay(thumb.cursor)
    at = thumb.cursor.at
    assert thumb.hold(DOWN, HOLD_SECONDS).kinds == [CloseScreen, ToggleSound]
    assert thumb.cursor.at == at


def test_a_pair_let_go_before_its_second_turns_as_before() -> None:
    thumb = Thumb(scene()).hold(UP, 0.1).hold(DOWN, 0.5)
    thumb.edge(DOWN, down=False)
    thumb.edge(UP, down=False)
    thumb.wait(5)
    assert thumb.kinds == []
    assert thumb.press(UP).cursor.at == (cursor_start_answer_index(CARDS) + 1) % 4


# --- overlays -------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", [UP, DOWN, OK, BACK])
def test_a_short_press_goes_past_a_moment(button: str) -> None:
    assert Thumb(scene(overlay=True)).press(button).kinds == [CloseScreen]


def test_up_and_down_turn_the_pages_of_a_moment_round_and_ok_and_back_go_past_it() -> None:
    thumb = Thumb(scene(overlay=True, pages=3))
    turned = [thumb.press(button).cursor.page for button in (DOWN, DOWN, DOWN, UP, UP)]
    assert turned == [1, 2, 0, 2, 1]
    assert thumb.kinds == []
    assert cursor_after_overlay(thumb.cursor).page == 0
    assert thumb.press(OK).press(BACK).kinds == [CloseScreen, CloseScreen]


def test_a_moment_is_explained_or_taken_back_by_a_hold() -> None:
    assert Thumb(scene(overlay=True)).press(OK, seconds=1.2).kinds == [RequestRulingExplanation]
    assert Thumb(scene(overlay=True)).press(BACK, seconds=1.2).kinds == [UndoLastAnswer]


@pytest.mark.parametrize("button", [UP, DOWN, OK, *SEATS])
def test_a_button_held_for_a_moment_does_nothing_to_what_follows(button: str) -> None:
    thumb = Thumb(scene(overlay=True)).hold(button, 0.1)
    thumb.actions.clear()
    thumb.scene = scene(SECRET, players=SEATED)
    thumb.cursor = cursor_after_overlay(thumb.cursor)
    at = thumb.cursor.at
    thumb.wait(3)
    thumb.edge(button, down=False)
    assert not thumb.actions
    assert thumb.cursor.at == at


def test_a_hold_of_back_survives_a_moment() -> None:
    thumb = Thumb(scene(overlay=True)).hold(BACK, 0.7)
    thumb.scene = scene()
    thumb.cursor = cursor_after_overlay(thumb.cursor)
    thumb.wait(0.4)
    thumb.edge(BACK, down=False)
    assert thumb.kinds == [UndoLastAnswer]


# --- secrets --------------------------------------------------------------------------------------


def test_a_secret_is_seen_only_while_its_button_is_held() -> None:
    thumb = Thumb(scene(SECRET)).hold(OK, LOOK_HOLD_SECONDS - 0.01)
    assert thumb.cursor.looking is None
    thumb.wait(0.02)
    assert thumb.cursor.looking == "Bob"
    thumb.edge(OK, down=False)
    assert thumb.cursor.looking is None
    assert thumb.kinds == [UncoverSecret, HideSecret]


def test_a_private_question_is_not_answered_before_its_owner_has_looked() -> None:
    thumb = Thumb(scene(SECRET)).press(OK)
    assert thumb.actions == [RejectPress("look_first")]
    thumb.hold(OK, LOOK_HOLD_SECONDS).press(UP).edge(OK, down=False)
    thumb.press(OK)
    assert thumb.actions[1:] == [UncoverSecret("Bob"), HideSecret(), EnterAnswer(1)]


def test_who_looked_and_turned_nothing_has_not_chosen() -> None:
    thumb = Thumb(scene(SECRET, holds=False)).press(OK, seconds=1).press(OK, DOWN, OK)
    assert thumb.actions[2:] == [RejectPress("choose_first"), RejectPress("choose_first")]


@pytest.mark.parametrize("turn", [UP, DOWN])
@pytest.mark.parametrize("options", [(1,), (1, 4, 7)])
def test_the_first_turn_stands_on_the_likeliest_however_many_there_are(
    options: tuple[int, ...], turn: str
) -> None:
    thumb = Thumb(scene(SECRET._replace(options=options))).hold(OK, LOOK_HOLD_SECONDS).press(turn)
    thumb.edge(OK, down=False)
    assert thumb.press(OK).actions[-1:] == [EnterAnswer(1)]


def test_somebody_elses_look_does_not_unlock_a_private_question() -> None:
    thumb = Thumb(scene(SECRET, players=SEATED)).press(SEATS[0], seconds=1)
    assert thumb.actions == [UncoverSecret("Ann"), HideSecret()]
    assert thumb.press(OK).actions[-1:] == [RejectPress("look_first")]


def test_the_choice_moves_only_while_its_owner_sees_it() -> None:
    thumb = Thumb(scene(SECRET, players=SEATED)).press(UP, DOWN, DOWN)
    assert thumb.cursor.at == NO_SELECTION
    thumb.hold(SEATS[0], LOOK_HOLD_SECONDS).press(UP)
    assert thumb.cursor.at == NO_SELECTION
    thumb.edge(SEATS[0], down=False)
    thumb.hold(OK, LOOK_HOLD_SECONDS).press(UP, UP)
    assert thumb.cursor.at == 1
    thumb.edge(OK, down=False)
    assert thumb.press(UP).cursor.at == 1


def test_another_seats_held_button_does_not_end_a_look_nor_begin_one() -> None:
    for first, second in ((OK, SEATS[0]), (SEATS[1], SEATS[0]), (SEATS[0], SEATS[1])):
        thumb = Thumb(scene(None, curtain="Bob", players=SEATED)).hold(first, LOOK_HOLD_SECONDS)
        looker = thumb.cursor.looking
        thumb.hold(second, 1)
        thumb.edge(second, down=False)
        assert (thumb.cursor.looking, thumb.kinds) == (looker, [UncoverSecret])
        thumb.edge(first, down=False)
        assert thumb.cursor.looking is None
        assert thumb.kinds == [UncoverSecret, HideSecret]


def test_a_seats_button_shows_that_seats_secret() -> None:
    for seat, player in zip(SEATS, SEATED, strict=False):
        thumb = Thumb(scene(players=SEATED)).hold(seat, LOOK_HOLD_SECONDS)
        assert thumb.cursor.looking == player
    assert Thumb(scene(players=SEATED)).hold(SEATS[3], 1.9).kinds == []
    assert Thumb(scene()).hold(SEATS[0], 1.9).kinds == []


def test_a_look_from_the_menu_ends_with_ok_once_it_was_had() -> None:
    thumb = Thumb(PressContext(None, curtain="Bob", holds=False)).press(OK)
    assert thumb.actions == [RejectPress("look_first")]
    assert thumb.press(OK, seconds=1).press(OK).kinds[1:] == [
        UncoverSecret,
        HideSecret,
        CloseScreen,
    ]


@given(events)
def test_what_is_looked_at_is_held(script: Any) -> None:
    thumb = Thumb(scene(SECRET, players=SEATED))
    for event in script:
        thumb.play([event])
        held = dict(thumb.cursor.held)
        owner = thumb.cursor.looking
        if owner is not None:
            keys = {"Ann": {SEATS[0]}, "Bob": {OK, SEATS[1]}}[owner]
            assert keys & held.keys()


@given(events)
def test_an_answer_to_a_secret_comes_after_a_look(script: Any) -> None:
    thumb = Thumb(scene(SECRET, players=SEATED)).play(script)
    for i, action in enumerate(thumb.actions):
        if isinstance(action, EnterAnswer):
            assert UncoverSecret("Bob") in thumb.actions[:i]


# --- spelling -------------------------------------------------------------------------------------


def spelt(thumb: Thumb, word: str) -> Thumb:
    for letter in word:
        for _ in ("row", "letter"):
            at = next(
                n
                for n, place in enumerate(reachable_answers_and_symbols(WORD, thumb.cursor))
                if letter in place
            )
            away = at - thumb.cursor.at
            thumb.press(*[DOWN if away > 0 else UP] * abs(away), OK)
    return thumb


def test_a_word_is_spelt_and_ends_with_a_tick() -> None:
    thumb = spelt(Thumb(scene(WORD)), "ZOÉ")
    assert thumb.cursor.text == "ZOÉ"
    thumb.press(
        *[DOWN]
        * (reachable_answers_and_symbols(WORD, thumb.cursor).index(DONE_PLACE) - thumb.cursor.at),
        OK,
    )
    assert thumb.actions == [EnterAnswer("ZOÉ")]


def test_down_goes_on_through_the_alphabet_and_ends_at_the_tick() -> None:
    thumb = spelt(Thumb(scene(WORD)), "A").press(UP)
    assert selected_answer(WORD, thumb.cursor)[0] == "A"
    rows = [selected_answer(WORD, thumb.press(DOWN).cursor)[0] for _ in range(4)]
    assert rows == ["H", "O", "V", DONE_PLACE]
    assert thumb.press(UP, UP, UP, OK).cursor.row[:1] == "H"
    assert [selected_answer(WORD, thumb.press(DOWN).cursor) for _ in range(3)] == ["I", "Î", "Ï"]


def test_the_rows_have_a_first_and_a_last_line_and_say_so_once() -> None:
    thumb = Thumb(scene(WORD)).press(UP, UP, UP)
    assert (thumb.cursor.at, thumb.actions) == (0, [ReportListEnd(), ReportListEnd()])
    thumb = Thumb(scene(WORD)).hold(DOWN, 3)
    assert (thumb.cursor.at, thumb.actions) == (3, [])


@pytest.mark.parametrize("text", ["", "A", "AB"])
def test_each_letter_begins_at_the_row_from_h_to_n(text: str) -> None:
    thumb = spelt(Thumb(scene(WORD)), text)
    assert selected_answer(WORD, thumb.cursor) == "HIÎÏJKLMN"


@pytest.mark.parametrize("text", ["Z", "ZOÉ", "ABCD"])
def test_ok_held_ends_a_word_wherever_the_cursor_stands(text: str) -> None:
    thumb = spelt(Thumb(scene(WORD)), text).press(UP)
    thumb.hold(OK, HOLD_SECONDS + 0.1)
    assert thumb.actions == [EnterAnswer(text)]


def test_ok_held_ends_no_word_that_has_no_letter() -> None:
    thumb = Thumb(scene(WORD, holds=False))
    thumb.hold(OK, HOLD_SECONDS + 0.1)
    assert thumb.actions == []


def test_a_full_word_stands_on_the_tick() -> None:
    thumb = spelt(Thumb(scene(WORD)), "ABCD")
    assert wheel_answers_and_symbols(WORD, "ABCD") == (DONE_PLACE,)
    assert thumb.press(OK).actions == [EnterAnswer("ABCD")]


def test_back_moves_left_through_the_letters_and_then_leaves() -> None:
    thumb = spelt(Thumb(scene(WORD, holds=False)), "AB").press(BACK)
    assert (thumb.cursor.letters_before_caret, thumb.cursor.text) == ("A", "AB")
    assert (thumb.press(BACK).cursor.letters_before_caret, thumb.cursor.text) == ("", "AB")
    assert thumb.press(BACK).kinds == [GoBackOrOpenMenu]


def test_a_wrong_letter_is_replaced_without_those_behind_it() -> None:
    thumb = spelt(spelt(Thumb(scene(WORD)), "ZAR").press(BACK, BACK), "O")
    assert (thumb.cursor.text, thumb.cursor.letters_before_caret) == ("ZOR", "ZO")
    thumb.hold(OK, HOLD_SECONDS + 0.1)
    assert thumb.actions == [EnterAnswer("ZOR")]


def inside(thumb: Thumb, place: str) -> Thumb:
    return thumb.press(
        *[DOWN]
        * (reachable_answers_and_symbols(WORD, thumb.cursor).index(place) - thumb.cursor.at),
        OK,
    )


def test_from_inside_a_word_the_arrow_leads_behind_its_last_letter() -> None:
    thumb = inside(spelt(Thumb(scene(WORD)), "ZAR").press(BACK, BACK), CARET_TO_END_PLACE)
    assert (spelt(thumb, "A").cursor.text, thumb.cursor.back) == ("ZARA", 0)


def test_the_cross_erases_the_letter_under_the_caret_and_those_behind_it_press_by_press() -> None:
    thumb = inside(spelt(Thumb(scene(WORD)), "ZARA").press(BACK, BACK, BACK), ERASE_PLACE)
    assert (thumb.cursor.text, thumb.cursor.letters_before_caret) == ("ZRA", "Z")
    assert thumb.press(OK, OK).cursor.text == "Z"
    assert ERASE_PLACE not in reachable_answers_and_symbols(WORD, thumb.cursor)
    assert selected_answer(WORD, thumb.cursor) == "HIÎÏJKLMN"


SEEN: Final = Spell("spell", None, 10, (), known=("Harris", "Harriet", "Édith", "Hart", "Harold"))


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("", ()), ("H", ()), ("Ha", ("Harris", "Harriet", "Hart")), ("Harr", ("Harris", "Harriet")),
        ("Ed", ("Édith",)), ("Harris", ()),
    ],
)  # fmt: skip
def test_two_letters_are_enough_for_names_seen_before(text: str, offered: tuple[str, ...]) -> None:
    assert wheel_answers_and_symbols(SEEN, text)[4:] == (*offered, *((DONE_PLACE,) if text else ()))


def test_ok_takes_a_name_seen_before() -> None:
    thumb = Thumb(scene(SEEN))
    thumb.cursor = thumb.cursor._replace(text="Ha")
    assert thumb.press(DOWN, DOWN, DOWN, DOWN, OK).actions == [EnterAnswer("Harriet")]


def test_back_in_a_row_leads_to_the_rows_and_moves_nothing() -> None:
    thumb = spelt(Thumb(scene(WORD)), "A").press(UP, OK, UP)
    opened = thumb.cursor.row
    thumb.press(BACK)
    assert (thumb.cursor.text, thumb.cursor.row) == ("A", "")
    assert wheel_answers_and_symbols(WORD, "A")[thumb.cursor.at] == opened


@given(
    st.text(alphabet=NAME_LETTERS, min_size=1, max_size=45).map(lambda t: "".join(dict.fromkeys(t)))
)
def test_every_letter_is_in_one_row_and_stands_as_in_the_alphabet(letters: str) -> None:
    for spelt in (letters, letters.lower()):
        prompt = Spell("word", None, 4, (), letters=spelt)
        places = wheel_answers_and_symbols(prompt)
        found = "".join(places)
        assert sorted(found) == sorted(spelt)
        assert [NAME_LETTERS.index(letter.upper()) for letter in found] == sorted(
            NAME_LETTERS.index(letter.upper()) for letter in found
        )
        assert len(places) <= 4 or len(letters) <= MAX_ROW_LETTERS


def test_the_alphabet_lies_in_four_rows_of_seven_with_accents_beside_their_letter() -> None:
    assert wheel_answers_and_symbols(Spell("name", None, 9, ())) == (
        "AÀÂBCÇDEÈÉÊËFG",
        "HIÎÏJKLMN",
        "OÔPQRSTUÙÛ",
        "VWXYZ-'",
    )
    assert [
        closed_letter_row_text(row)
        for row in wheel_answers_and_symbols(Spell("name", None, 9, ()))[:3]
    ] == [
        "ABCDEFG",
        "HIJKLMN",
        "OPQRSTU",
    ]
    of_words = "ABCDEFGHIJKLMNOPQRSTUVWXYZ."
    four = wheel_answers_and_symbols(Spell("word", "Ann", 12, (), letters=of_words))
    assert four == ("ABCDEFG", "HIJKLMN", "OPQRSTU", "VWXYZ.")


def test_strange_letters_come_in_rows_as_they_are_given() -> None:
    assert wheel_answers_and_symbols(Spell("word", None, 9, (), letters="ΑΒΓΔΕΖΗΘΙ")) == (
        "ΑΒΓΔΕΖΗ",
        "ΘΙ",
    )


# --- number of presses ----------------------------------------------------------------------------


@settings(max_examples=max_examples(60))
@given(prompts.filter(lambda prompt: not isinstance(prompt, Spell)), st.data())
def test_the_presses_that_are_counted_are_the_presses_that_it_takes(
    prompt: Prompt, data: st.DataObject
) -> None:
    value = data.draw(st.sampled_from(list(legal_answers(prompt))))
    places, most = legal_answers(prompt), count_presses_to_answer(prompt, value)
    if prompt.private:
        return
    tries = [Thumb(scene(prompt)).press(*[way] * (most - 1), OK) for way in (UP, DOWN)]
    assert any(thumb.actions == [EnterAnswer(value)] for thumb in tries)
    assert most == 1 or not any(
        Thumb(scene(prompt)).press(*[way] * fewer, OK).actions == [EnterAnswer(value)]
        for way in (UP, DOWN)
        for fewer in range(most - 1)
    )
    assert (
        count_presses_to_answer(prompt, places[cursor_start_answer_index(prompt)])
        == 1 + prompt.private
    )


@pytest.mark.long
def test_an_answer_takes_few_presses_on_average() -> None:
    for n in GAME.seats:
        first = GAME.setup(PLAYER_NAMES[:n], OWN_PARTS_OPTIONS, printed_edition())
        figures = simulate.simulate_random_games(GAME, first, games=334, seed=1977)
        # cards by chance: the wheel starts on the ten, the card that people play more often
        assert figures.presses / figures.player_answers <= 3.4


@pytest.mark.long
def test_a_thousand_random_thumbs_answer_what_they_turned_to() -> None:
    rng = random.Random(4)
    for _ in range(1000):
        thumb, turns = Thumb(scene()), rng.choices([UP, DOWN], k=rng.randrange(9))
        away = turns.count(UP) - turns.count(DOWN)
        expected = CARDS.options[(cursor_start_answer_index(CARDS) + away) % len(CARDS.options)]
        assert thumb.press(*turns, OK).actions == [EnterAnswer(expected)]


# --- seats ----------------------------------------------------------------------------------------

WHOM = Choose("whom", "Ann", ("Bob", "Cy"))
ROUND = PressContext(WHOM, seats=("Ann", "Bob", "Cy"), interrupts=True)


def tapped(
    button: str, scene: PressContext, cursor: Cursor | None = None
) -> tuple[Cursor, Action | None]:
    down, _ = cursor_and_action_after_edge(cursor or Cursor(), Edge(button, True, 1.0), scene)
    return cursor_and_action_after_edge(down, Edge(button, False, 1.1), scene)


def test_a_tap_of_a_seat_chooses_its_player_where_one_is_to_be_chosen() -> None:
    assert [tapped("seat2", ROUND)[1]] == [EnterAnswer("Bob")]
    assert [tapped("seat3", ROUND)[1]] == [EnterAnswer("Cy")]


@pytest.mark.parametrize(
    ("button", "scene"),
    [
        ("seat1", ROUND),  # Ann is not offered
        ("seat4", ROUND),  # seat 4 is empty
        ("seat2", ROUND._replace(prompt=Choose("card", "Ann", (1, 2)))),
        ("seat2", ROUND._replace(curtain="Ann")),
        ("seat2", ROUND._replace(prompt=None)),
        ("seat2", ROUND._replace(seats=())),
    ],
)
def test_a_tap_of_a_seat_does_nothing_where_its_player_is_not_offered(
    button: str, scene: PressContext
) -> None:
    assert tapped(button, scene)[1] is None


CUT: Final = Choose("cut", None, ("no", "yes"), tap="yes")


def test_a_tap_of_any_players_button_chooses_what_the_question_says() -> None:
    cut = PressContext(CUT, seats=("Ann", "Bob"))
    for seat in SEATS[:2]:
        assert [tapped(seat, cut)[1]] == [EnterAnswer("yes")]
    assert tapped("seat3", cut)[1] is None
    assert tapped("seat2", cut._replace(curtain="Ann"))[1] is None
    seated = CUT._replace(options=("Bob", "yes"))
    assert [tapped("seat2", cut._replace(prompt=seated))[1]] == [EnterAnswer("Bob")]


def test_a_seat_held_interrupts_and_letting_go_does_nothing_more() -> None:
    cursor, _ = cursor_and_action_after_edge(Cursor(), Edge("seat2", True, 1.0), ROUND)
    assert next_due_action_time(cursor, ROUND) == 1.0 + HOLD_SECONDS
    cursor, action = process_due_action(cursor, 1.0 + HOLD_SECONDS, ROUND)
    assert [action] == [BeginOutOfTurnAnswer("Bob")]
    assert next_due_action_time(cursor, ROUND) is None
    assert cursor_and_action_after_edge(cursor, Edge("seat2", False, 3.0), ROUND)[1] is None


@pytest.mark.parametrize(
    ("button", "scene"), [("seat2", ROUND._replace(interrupts=False)), ("seat4", ROUND)]
)
def test_a_seat_held_tells_only_what_it_is_for_where_nobody_may_interrupt(
    button: str, scene: PressContext
) -> None:
    cursor, _ = cursor_and_action_after_edge(Cursor(), Edge(button, True, 1.0), scene)
    assert next_due_action_time(cursor, scene) == 1.0 + HELP_HOLD_SECONDS
    assert [process_due_action(cursor, 1.0 + HELP_HOLD_SECONDS, scene)[1]] == [
        ExplainButton(button)
    ]


def test_a_player_who_looks_at_the_own_secret_interrupts_with_ok() -> None:
    scene = ROUND._replace(players=("Ann", "Bob", "Cy"))
    cursor, _ = cursor_and_action_after_edge(Cursor(), Edge("seat2", True, 1.0), scene)
    cursor, action = process_due_action(cursor, 1.0 + LOOK_HOLD_SECONDS, scene)
    assert [action] == [UncoverSecret("Bob")]
    cursor, action = tapped(OK, scene, cursor)
    assert [action] == [BeginOutOfTurnAnswer("Bob")]
    assert cursor.looking is None


# --- a secret word --------------------------------------------------------------------------------

SPELT = PressContext(Spell("word", "Ann", 12, ("ABCD",), private=True), curtain="Ann")


def opened() -> Cursor:
    cursor, _ = cursor_and_action_after_edge(Cursor(), Edge(OK, True, 1.0), SPELT)
    cursor, action = process_due_action(cursor, 1.0 + LOOK_HOLD_SECONDS, SPELT)
    assert [action] == [UncoverSecret("Ann")]
    cursor, action = cursor_and_action_after_edge(cursor, Edge(OK, False, 2.0), SPELT)
    assert action is None
    return cursor


def test_a_secret_word_stays_open_while_it_is_spelt() -> None:
    cursor = opened()
    assert cursor.looking == "Ann"
    for _ in ("row", "letter"):
        cursor, action = tapped(OK, SPELT, cursor)
    assert (cursor.text, action) == ("A", None)


def test_back_with_no_letter_covers_a_secret_word() -> None:
    cursor, _ = tapped(OK, SPELT, opened())
    for _ in ("row", "nothing"):
        assert cursor.looking == "Ann"
        cursor, action = tapped(BACK, SPELT, cursor)
    assert (cursor.looking, [action]) == (None, [HideSecret()])


def test_back_moves_to_the_last_letter_of_a_secret_word_first() -> None:
    cursor, _ = tapped(OK, SPELT, tapped(OK, SPELT, opened())[0])
    cursor, action = tapped(BACK, SPELT, cursor)
    assert (cursor.text, cursor.letters_before_caret, cursor.looking, action) == (
        "A",
        "",
        "Ann",
        None,
    )
    cursor, action = tapped(BACK, SPELT, cursor)
    assert (cursor.looking, [action]) == (None, [HideSecret()])


def test_a_slow_press_adds_its_letter_too() -> None:
    cursor, _ = cursor_and_action_after_edge(
        tapped(OK, SPELT, opened())[0], Edge(OK, True, 3.0), SPELT
    )
    cursor, _ = cursor_and_action_after_edge(cursor, Edge(OK, False, 3.9), SPELT)
    assert (cursor.text, cursor.looking) == ("A", "Ann")


@pytest.mark.parametrize(("button", "seconds"), [(SEATS[0], 0.1), (SEATS[1], 1.5)])
def test_an_open_secret_is_covered_without_a_change(button: str, seconds: float) -> None:
    thumb = Thumb(SPELT._replace(players=SEATED, seats=SEATED))
    thumb.press(OK, seconds=LOOK_HOLD_SECONDS).press(OK, OK, OK, OK, UP)
    before = thumb.cursor
    thumb.press(button, seconds=seconds)
    assert (thumb.cursor.text, thumb.cursor.at, thumb.cursor.looking) == ("HH", before.at, None)
    assert thumb.actions == [UncoverSecret("Ann"), HideSecret()]
    thumb.press(OK, seconds=LOOK_HOLD_SECONDS)
    assert (thumb.cursor.text, thumb.cursor.looking) == ("HH", "Ann")


def test_ok_held_covers_an_open_secret_that_has_no_letter_yet_and_ends_one_that_has() -> None:
    thumb = Thumb(SPELT).press(OK, seconds=LOOK_HOLD_SECONDS).press(OK, seconds=HOLD_SECONDS)
    assert thumb.actions == [UncoverSecret("Ann"), HideSecret()]
    thumb = (
        Thumb(SPELT)
        .press(OK, seconds=LOOK_HOLD_SECONDS)
        .press(OK, OK)
        .press(OK, seconds=HOLD_SECONDS + 0.1)
    )
    assert thumb.actions == [UncoverSecret("Ann"), EnterAnswer("H")]


def test_an_open_secret_covers_itself_when_no_button_is_touched() -> None:
    thumb = Thumb(SPELT).press(OK, seconds=LOOK_HOLD_SECONDS).press(OK, OK)
    thumb.wait(OPEN_SECRET_TIMEOUT_SECONDS - 1)
    thumb.press(UP).wait(OPEN_SECRET_TIMEOUT_SECONDS - 1)
    assert thumb.actions == [UncoverSecret("Ann")]
    thumb.wait(2)
    assert (thumb.cursor.looking, thumb.cursor.text) == (None, "H")
    assert thumb.actions == [UncoverSecret("Ann"), HideSecret()]
    assert next_due_action_time(thumb.cursor, thumb.scene) is None


def test_a_turn_that_is_held_keeps_a_secret_open() -> None:
    thumb = (
        Thumb(SPELT).press(OK, seconds=LOOK_HOLD_SECONDS).hold(UP, 2 * OPEN_SECRET_TIMEOUT_SECONDS)
    )
    assert thumb.cursor.looking == "Ann"


def test_no_letter_is_added_that_nobody_sees() -> None:
    thumb = Thumb(SPELT).press(OK, seconds=LOOK_HOLD_SECONDS).press(BACK, OK, OK, UP, OK)
    assert (thumb.cursor.text, thumb.cursor.looking) == ("", None)
    assert {*thumb.kinds[2:]} == {RejectPress, RequestSpeechRepeat}


@pytest.mark.parametrize("holds", [True, False])
def test_back_held_erases_all_letters_and_only_then_takes_back(*, holds: bool) -> None:
    thumb = spelt(Thumb(scene(WORD, holds=holds)), "ABC").hold(BACK, HOLD_SECONDS)
    assert (thumb.cursor.bar, thumb.cursor.means) == (len(HOLD_STEP_TIMES), "erase")
    thumb.edge(BACK, down=False)
    assert (thumb.cursor.text, thumb.actions) == ("", [ClearWord()])
    thumb.press(BACK, seconds=HOLD_SECONDS)
    assert thumb.kinds == [ClearWord, UndoLastAnswer if holds else GoBackOrOpenMenu]


def test_back_held_in_an_open_row_leads_to_the_rows_without_letters() -> None:
    thumb = spelt(Thumb(scene(WORD)), "A").press(OK).press(BACK, seconds=HOLD_SECONDS)
    assert (thumb.cursor.text, thumb.cursor.row, thumb.kinds) == ("", "", [ClearWord])


def test_letters_behind_a_curtain_are_nobodys_to_erase() -> None:
    thumb = Thumb(SPELT._replace(players=SEATED, seats=SEATED))
    thumb.press(OK, seconds=LOOK_HOLD_SECONDS).press(OK, OK, SEATS[0], BACK)
    assert (thumb.cursor.text, thumb.kinds) == ("H", [UncoverSecret, HideSecret, GoBackOrOpenMenu])
    assert thumb.press(BACK, seconds=HOLD_SECONDS).kinds[-1:] == [UndoLastAnswer]


def test_the_next_secret_word_of_the_same_player_stays_open() -> None:
    right = Spell("word", "Ann", 12, ("ABCD",), private=True, facts={"rack": "Ann:right"})
    assert cursor_on_likeliest_answer(opened(), right).looking == "Ann"
    assert cursor_on_likeliest_answer(opened(), right._replace(who="Bob")).looking is None
    assert cursor_on_likeliest_answer(opened(), CARDS).looking is None


def test_whether_a_secret_word_stays_is_asked_in_secret() -> None:
    keep = Choose(CONFIRM_UNLISTED_WORD_QUESTION, "Ann", ("yes", "no"), private=True)
    cursor = cursor_on_likeliest_answer(opened(), keep)
    assert (cursor.looking, cursor.looked) == ("Ann", True)
    scene = PressContext(keep, curtain="Ann")
    assert [tapped(OK, scene, cursor)[1]] == [EnterAnswer("yes")]


# --- prompts with their own letters ---------------------------------------------------------------

OWN_LETTERS: Final = Spell("word", "Ann", 12, ("ABCD",), letters="E.ANTI")


def test_few_letters_stand_in_one_row() -> None:
    assert wheel_answers_and_symbols(OWN_LETTERS) == ("A", "E", "I", "N", "T", ".")
    assert wheel_answers_and_symbols(OWN_LETTERS, "EE") == (
        "A",
        "E",
        "I",
        "N",
        "T",
        ".",
        DONE_PLACE,
    )
    assert wheel_answers_and_symbols(OWN_LETTERS, "E" * 12) == (DONE_PLACE,)


def test_letters_to_choose_from_stand_in_the_alphabet_and_begin_with_the_likeliest() -> None:
    letters = Choose("ask_for", "Ann", (*"EBCDA",), (9, 2, 3, 0, 5))
    assert wheel_answers_and_symbols(letters) == (*"ABCDE",)
    assert Thumb(scene(letters)).press(UP, OK).actions == [EnterAnswer("D")]


def test_each_letter_begins_at_the_first_and_stays_a_capital() -> None:
    scene = PressContext(OWN_LETTERS)
    cursor = Cursor(at=2)
    for text, then in (("I", 1), ("IE", 0)):
        cursor, _ = tapped(OK, scene, cursor)
        assert (cursor.text, cursor.at) == (text, 0)
        cursor = cursor._replace(at=then)
    cursor, _ = tapped(UP, scene, cursor)
    assert [tapped(OK, scene, cursor)[1]] == [EnterAnswer("IE")]


# --- options in rows ------------------------------------------------------------------------------

ROWS: Final = Choose(
    "uncover", "Ann", ("none", 1, 2, 4, 6, 12),
    cells=(None, (0, 0), (0, 1), (0, 3), (1, 1), (2, 3)),
)  # fmt: skip
IN_ROWS: Final = PressContext(ROWS, seats=("Ann", "Bob"))


def test_options_in_rows_are_passed_column_by_column() -> None:
    assert wheel_answers_and_symbols(ROWS) == ("none", 1, 2, 6, 4, 12)
    assert not is_drawn_as_wheel(ROWS)


def test_a_seats_button_chooses_the_column_of_the_cursors_row_whoever_sits_there() -> None:
    at = wheel_answers_and_symbols(ROWS).index
    assert [tapped("seat4", IN_ROWS, Cursor(at=at(1)))[1]] == [EnterAnswer(4)]
    assert [tapped("seat4", IN_ROWS, Cursor(at=at(12)))[1]] == [EnterAnswer(12)]
    assert [tapped("seat2", IN_ROWS, Cursor(at=at(6)))[1]] == [EnterAnswer(6)]
    assert tapped("seat3", IN_ROWS, Cursor(at=at(1)))[1] is None
    assert [tapped("seat1", IN_ROWS, Cursor(at=at("none")))[1]] == [EnterAnswer(1)]
    assert tapped("seat1", IN_ROWS._replace(seats=()), Cursor(at=at(1)))[1] is None


# --- pages ----------------------------------------------------------------------------------------


def test_up_and_down_turn_pages_where_there_are_several() -> None:
    scene = PressContext(None, overlay=True, pages=3)
    cursor, seen = Cursor(), []
    for button in (DOWN, DOWN, DOWN, UP):
        cursor, action = cursor_and_action_after_edge(cursor, Edge(button, True, 1.0), scene)
        cursor, _ = cursor_and_action_after_edge(cursor, Edge(button, False, 1.1), scene)
        assert action is None
        seen.append(cursor.page)
    assert seen == [1, 2, 0, 2]
    assert cursor_after_overlay(cursor).page == 0
    assert [tapped(OK, scene, cursor)[1]] == [CloseScreen()]
