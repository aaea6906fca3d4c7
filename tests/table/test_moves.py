"""Tests of functions that return the next table and its effects, in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from companion.core.errors import Refused
from companion.core.game import Cue
from companion.core.prompts import Answer, Choose, Form, Number, Prompt, Spell
from companion.core.snapshot import Snapshot
from companion.draw.face import DEFAULT_FACE
from companion.hear.policy import AudioModePlayers
from companion.menus import menu_stack
from companion.menus.commands import (
    AnnounceWithheldFacts,
    ChangeSettings,
    CheckWord,
    Command,
    GiveAnswer,
    LeaveGameForFirstScreen,
    OpenMenu,
    PlaySound,
    RecordAndShowSecret,
    RedoAnswer,
    RefusePress,
    RepeatSpeech,
    ShowFact,
    ShowRulings,
    SpeakFacts,
    ToggleMute,
    UndoAnswer,
)
from companion.menus.page import MenuFacts
from companion.menus.settings import DEFAULTS
from companion.play.conversation import Conversation
from companion.press import actions
from companion.press.cursor import Cursor, selected_answer
from companion.table import moves
from companion.table.overlays import SCORE_CUE, Overlay, OverlayQueue, StagedFacts
from companion.table.table import RunningGame, Table
from hardware.ports import BACK, OK

CARD: Final = Choose("card", "Ann", (1, 2, 3), (1, 1, 5))
WORD: Final = Spell("word", "Ann", 9, (), private=True, letters="ABC", listed=True)
WON: Final = Cue("won", {"who": "Ann"}, clause="BM-7")
LATER: Final = Cue("later")
NOTE: Final = Overlay((Cue("refused", {"code": "over"}),))
STAGED: Final = StagedFacts((WON,), (Overlay((WON,)),), curtain="Bob")
ACCEPTED: Final = PlaySound("accepted")


def _who(given: Mapping[str, Answer]) -> Prompt | None:
    if "who" not in given:
        return Choose("who", None, ("Ann", "Bob"))
    return None if "n" in given else Number("n", None, 1, 3, 1)


def _two_is_too_many(given: Mapping[str, Answer]) -> Refused | None:
    return Refused("too_many") if given.get("n") == 2 else None


INTERRUPT: Final = Form("interrupt", None, _who, _two_is_too_many)


def playing(prompt: Prompt | None = CARD, *cues: Cue) -> RunningGame:
    now = Snapshot(
        "barney-miller", ("Ann", "Bob"), {}, prompt, {}, cues, 1, 1, 0, None, "code", None
    )
    return RunningGame(now, DEFAULT_FACE, (INTERRUPT,), ("Ann", "Bob"))


def table(prompt: Prompt | None = CARD, **changes: Any) -> Table:
    return Table(playing(prompt))._replace(**changes).with_cursor_on_likeliest_answer()


def facts(**changes: Any) -> MenuFacts:
    return MenuFacts(("barney-miller",), DEFAULTS, (), (), 0)._replace(**changes)


def menu(*answers: Any, **changes: Any) -> Table:
    found = moves.table_with_game_menu(table(), facts(playing="barney-miller", **changes))
    for answer in answers:
        found, _ = moves.apply_action(found, actions.EnterAnswer(answer), 0.0)
    return found


def effects(before: Table, action: actions.Action) -> list[Command]:
    return [*moves.apply_action(before, action, 10.0)[1]]


def after(before: Table, action: actions.Action) -> Table:
    return moves.apply_action(before, action, 10.0)[0]


# --- a press in a game ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "command"),
    [
        (actions.EnterAnswer(2), GiveAnswer(2)), (actions.UndoLastAnswer(), UndoAnswer()),
        (actions.RequestSpeechRepeat(), RepeatSpeech()), (actions.ToggleSound(), ToggleMute()),
        (actions.RejectPress("look_first"), RefusePress("look_first")),
    ],
)  # fmt: skip
def test_what_only_the_outside_can_do_leaves_the_table_as_it_is(
    action: actions.Action, command: Command
) -> None:
    assert effects(table(), action) == [command]
    assert after(table(), action) == table()


def test_an_answer_is_heard_and_the_next_question_after_it() -> None:
    now = playing(CARD, WON)
    _, heard = moves.table_after_answer(table(), now, StagedFacts((WON,), (Overlay((WON,)),)), 10.0)
    assert heard == SpeakFacts((WON,), "accepted", CARD)
    _, heard = moves.table_after_answer(table(), playing(None, WON), StagedFacts((WON,)), 10.0)
    assert heard == SpeakFacts((WON,), "accepted")


def test_what_comes_after_somebodys_look_is_told_and_asked_after_it() -> None:
    staged = STAGED._replace(held=(LATER,))
    behind, heard = moves.table_after_answer(table(), playing(CARD, WON), staged, 10.0)
    assert heard == SpeakFacts((WON,), "accepted")
    behind = behind._replace(overlays=OverlayQueue(), cursor=behind.cursor._replace(looked=True))
    for action in (actions.GoBackOrOpenMenu(), actions.CloseScreen(), actions.HideSecret()):
        found, done = moves.apply_action(behind, action, 11.0)
        assert (found.curtain, found.held) == (None, None)
        assert repr(done[-1]) == repr(AnnounceWithheldFacts((LATER,)))
    told, heard = moves.table_after_secret_look(
        found, StagedFacts((LATER,), (Overlay((LATER,)),)), 12.0
    )
    assert heard == SpeakFacts((LATER,), asks=CARD)
    assert told.overlays.front_overlay == Overlay((LATER,))
    assert effects(table(curtain="Bob"), actions.GoBackOrOpenMenu()) == [], (
        "a look from the menu is no news"
    )


def test_an_answer_aims_anew_and_its_moments_begin_at_once() -> None:
    before = table(cursor=Cursor(at=1), talk=Conversation(INTERRUPT))
    found, _ = moves.table_after_answer(before, playing(CARD, WON), STAGED, 10.0)
    assert (found.curtain, found.talk, found.overlays.front_overlay) == (
        "Bob",
        None,
        Overlay((WON,)),
    )
    assert moves.overlay_change_due_at(found) == 10.0 + Overlay((WON,)).duration_seconds
    found, _ = moves.table_after_answer(before, playing(CARD, WON), StagedFacts(), 10.0)
    assert found.cursor.at == 2
    found, _ = moves.table_after_answer(
        before, playing(None, WON), STAGED._replace(curtain=None), 10.0
    )
    assert moves.overlay_change_due_at(found) == 10.0 + Overlay((WON,)).duration_seconds, (
        "the end comes by itself"
    )


def test_a_secret_is_written_down_as_seen_before_it_is_shown() -> None:
    assert effects(table(), actions.UncoverSecret("Ann")) == [
        RecordAndShowSecret("Ann"),
        PlaySound("secret_shown"),
    ]


def test_who_only_looked_gives_the_box_back() -> None:
    looked = table(curtain="Bob")
    looked = looked._replace(cursor=looked.cursor._replace(looked=True))
    assert looked.menu_or_game_prompt is None
    assert effects(looked, actions.HideSecret()) == [PlaySound("secret_hidden")]
    assert after(looked, actions.HideSecret()).menu_or_game_prompt == CARD
    assert (
        after(looked, actions.GoBackOrOpenMenu()) == after(looked, actions.CloseScreen()) == table()
    )
    assert effects(looked, actions.UndoLastAnswer()) == []


def test_the_question_behind_a_look_is_guarded_from_its_showing() -> None:
    looked = table(curtain="Bob")
    looked = looked._replace(cursor=looked.cursor._replace(looked=True))
    assert after(looked, actions.HideSecret()).cursor.acted == 10.0
    assert after(table(curtain="Bob"), actions.HideSecret()).cursor.acted is None


def test_another_seats_look_does_not_end_the_curtain_of_the_one_who_is_called() -> None:
    called = table(curtain="Bob")
    assert effects(called, actions.HideSecret()) == [PlaySound("secret_hidden")]
    assert after(called, actions.HideSecret()).curtain == "Bob"


def test_why_explains_the_moment_else_the_last_ruling_and_never_itself() -> None:
    assert effects(table(), actions.RequestRulingExplanation()) == [
        ShowRulings(
            question=CARD.name, answer=selected_answer(CARD, table().cursor), whose=CARD.who
        )
    ]
    assert effects(
        table(overlays=OverlayQueue((Overlay((WON,)),))), actions.RequestRulingExplanation()
    ) == [ShowRulings((WON,))]
    assert effects(table(overlays=OverlayQueue((NOTE,))), actions.RequestRulingExplanation()) == [
        ShowRulings()
    ]
    why = Overlay((Cue("why", {"of": "won"}, clause="BM-7"),))
    assert effects(table(overlays=OverlayQueue((why,))), actions.RequestRulingExplanation()) == []
    assert effects(Table(), actions.RequestRulingExplanation()) == []


def test_going_on_leads_past_moments_then_out_of_a_game_that_is_over() -> None:
    over = table(None, overlays=OverlayQueue((NOTE, Overlay((WON,)))))
    assert effects(over, actions.CloseScreen()) == []
    once = after(over, actions.CloseScreen())
    assert once.overlays.front_overlay == Overlay((WON,))
    assert effects(after(once, actions.CloseScreen()), actions.CloseScreen()) == [
        LeaveGameForFirstScreen()
    ]


@pytest.mark.parametrize(
    ("before", "leads"),
    [
        (table(), "back.menu"),
        (table(talk=Conversation(INTERRUPT)), "back.page"),
        (menu(), "back.page"),
        (menu("settings"), "back.page"),
        (table().with_first_screen(facts()), "back.home"),
    ],
)
def test_help_says_where_back_leads(before: Table, leads: str) -> None:
    assert effects(before, actions.ExplainButton(BACK)) == [ShowFact(Cue("help", {"does": leads}))]


# --- answers out of turn --------------------------------------------------------------------------


def test_a_form_asks_until_nothing_is_missing_and_then_answers_at_once() -> None:
    found = after(table(), actions.BeginOutOfTurnAnswer("Bob"))
    assert found.menu_or_game_prompt == Number("n", None, 1, 3, 1)
    assert effects(table(), actions.BeginOutOfTurnAnswer("Bob")) == [ACCEPTED]
    assert effects(found, actions.EnterAnswer(3)) == [
        GiveAnswer({"who": "Bob", "n": 3}, "interrupt")
    ]
    assert after(found, actions.EnterAnswer(3)).talk is None


def test_what_stands_against_a_form_is_refused_and_the_question_stands_again() -> None:
    found = after(table(), actions.BeginOutOfTurnAnswer("Bob"))
    assert effects(found, actions.EnterAnswer(2)) == [RefusePress("too_many")]
    assert after(found, actions.EnterAnswer(2)) == table()


def test_a_form_that_the_game_may_yet_refuse_leaves_its_question_aimed_at() -> None:
    found = after(table(), actions.BeginOutOfTurnAnswer("Bob"))
    turned = found._replace(cursor=found.cursor._replace(at=table().cursor.at + 1))
    assert after(turned, actions.EnterAnswer(3)) == table()


def test_back_takes_one_answer_of_a_form_back_and_undo_all_of_it() -> None:
    found = after(table(), actions.BeginOutOfTurnAnswer("Bob"))
    assert found.talk is not None
    assert after(found, actions.GoBackOrOpenMenu()).menu_or_game_prompt == Choose(
        "who", None, ("Ann", "Bob")
    )
    assert after(after(found, actions.GoBackOrOpenMenu()), actions.GoBackOrOpenMenu()) == table()
    assert (after(found, actions.UndoLastAnswer()), effects(found, actions.UndoLastAnswer())) == (
        table(),
        [],
    )


def test_a_word_is_judged_before_it_counts_and_asked_about_if_no_list_has_it() -> None:
    before = table(WORD)
    asked = WORD
    assert effects(before, actions.EnterAnswer("ABBA")) == [CheckWord("ABBA", "Ann")]
    assert [*moves.table_after_word_check(before, "ABBA", ())[1]] == [GiveAnswer("ABBA")]
    found, done = moves.table_after_word_check(before, "ABBA", ("french",))
    assert [*done] == [ACCEPTED]
    assert effects(found, actions.EnterAnswer("yes")) == [GiveAnswer("ABBA", "word")]
    again = after(found, actions.EnterAnswer("no"))
    assert (again.menu_or_game_prompt, again.cursor.text) == (asked, "ABBA")


def test_letters_are_as_common_as_in_the_boxs_language() -> None:
    assert table(WORD).menu_or_game_prompt == WORD


# --- the menus ------------------------------------------------------------------------------------


def test_the_menus_lie_in_front_of_the_game() -> None:
    assert effects(table(), actions.GoBackOrOpenMenu()) == [OpenMenu()]
    assert menu().menu_or_game_prompt == menu_stack.page_question(menu().menus.pages[-1])
    assert menu().pending_game_question == CARD
    assert after(menu(), actions.GoBackOrOpenMenu()).menu_or_game_prompt == CARD
    assert [
        page.page for page in after(menu("settings"), actions.GoBackOrOpenMenu()).menus.pages
    ] == ["menu"]


def test_a_wish_is_granted_then_shown_and_then_received() -> None:
    assert effects(menu("settings"), actions.EnterAnswer("silent")) == [
        ChangeSettings({"silent": True}),
        ACCEPTED,
    ]
    assert effects(menu(redoable=1), actions.EnterAnswer("redo")) == [RedoAnswer()]
    assert effects(menu(undoable=1), actions.EnterAnswer("undo")) == [UndoAnswer()]
    assert effects(menu(), actions.EnterAnswer("leave")) == [LeaveGameForFirstScreen(), ACCEPTED]


def test_the_menu_of_a_game_closes_before_what_it_wishes_for() -> None:
    for line in ("go_on", "standing", "again", "why"):
        assert after(menu(), actions.EnterAnswer(line)).menus.current_page is None, line
    for line in ("settings", "leave"):
        assert after(menu(), actions.EnterAnswer(line)).menus.current_page is not None, line
    assert after(menu(), actions.EnterAnswer("standing")).overlays.front_overlay == Overlay(
        (SCORE_CUE,)
    )
    assert after(menu("look", secrets=("Ann", "Bob")), actions.EnterAnswer("Bob")).curtain == "Bob"
    found = after(menu(anytime=("interrupt",)), actions.EnterAnswer("interrupt"))
    assert found.menu_or_game_prompt == Choose("who", None, ("Ann", "Bob"))


def test_a_line_that_changes_in_its_place_keeps_the_cursor() -> None:
    before = menu("settings")
    page = menu_stack.page_question(before.menus.pages[-1])
    assert isinstance(page, Choose)
    at = page.options.index("silent")
    before = before._replace(cursor=Cursor(at=at))
    assert after(before, actions.EnterAnswer("silent")).cursor.at == at
    assert after(before, actions.EnterAnswer("heard")).cursor.at != at


def test_a_refused_name_stays_to_be_changed() -> None:
    home = table().with_first_screen(facts())
    for answer in ("new", 2, "Fish", "spell"):
        home = after(home, actions.EnterAnswer(answer))
    spelt = home._replace(cursor=home.cursor._replace(text="Fish"))
    assert (
        after(spelt, actions.EnterAnswer("Fish")),
        effects(spelt, actions.EnterAnswer("Fish")),
    ) == (
        spelt,
        [RefusePress("name_taken")],
    )


def test_the_settings_reach_every_page_that_is_open() -> None:
    found = menu("settings").with_settings({**DEFAULTS, "volume": 2}, AudioModePlayers())
    assert [page.facts.settings["volume"] for page in found.menus.pages] == [2, 2]


# --- entering and leaving a game, and errors ------------------------------------------------------


def test_somebody_who_sits_down_sees_how_it_stands_first() -> None:
    found, heard = moves.table_after_entering_game(
        table().with_first_screen(facts()), playing(CARD, WON), 0
    )
    assert (found.overlays.is_score_in_front, found.menus.current_page) == (True, None)
    assert moves.overlay_change_due_at(found) is None
    assert heard == SpeakFacts((WON,), asks=CARD)


def test_nothing_of_a_game_stays_on_the_table_when_it_is_left() -> None:
    full = table(overlays=OverlayQueue((NOTE,)), curtain="Ann", talk=Conversation(INTERRUPT))
    found = full.with_first_screen(facts())
    assert found == Table(menus=menu_stack.open_menus(facts())).with_cursor_on_likeliest_answer()


def test_a_mistake_concerns_whoever_was_asked() -> None:
    for before, whose in (
        (table(), "Ann"),
        (table(curtain="Bob"), "Bob"),
        (table(WORD), "Ann"),
        (menu(), None),
    ):
        _, done = moves.unchanged_table_and_refusal_command(before, "over")
        assert [*done] == [ShowFact(Cue("refused", {"code": "over"}), whose)]


def test_what_can_not_be_written_down_is_as_it_was_and_can_be_pressed_again() -> None:
    """The begun answers of a form and the curtain are restored too."""
    cursor = Cursor(at=1, held=((OK, 1.0),), bar=2, looking="Ann", looked=True)
    before = table()._replace(
        cursor=cursor, talk=Conversation(INTERRUPT).with_answer("Bob"), curtain="Bob"
    )
    found = moves.table_before_failed_commit(before)
    assert found._replace(cursor=cursor) == before
    assert found.cursor == Cursor(at=1, held=((OK, 1.0),), spent=(OK,))


# --- time -----------------------------------------------------------------------------------------


def test_a_moment_waits_for_a_button_that_is_meant_for_it() -> None:
    before = table().with_overlay(NOTE, 20.0)
    assert moves.overlay_change_due_at(before) == 20.0
    held = before._replace(cursor=Cursor(held=((OK, 1.0),)))
    assert moves.overlay_change_due_at(held) is None
    assert (
        moves.overlay_change_due_at(held._replace(cursor=held.cursor._replace(spent=(OK,)))) == 20.0
    )


def test_what_is_held_when_a_moment_goes_by_was_meant_for_it() -> None:
    before = table().with_overlay(NOTE, 20.0)._replace(cursor=Cursor(held=(("up", 1.0),)))
    found = moves.table_after_overlay_change(before, 20.0)
    assert (found.overlays, found.cursor.spent) == (OverlayQueue(), ("up",))


def test_a_picture_of_a_movement_spends_no_button() -> None:
    moving = OverlayQueue((Overlay((WON,), pictures=3),), until=5.0)
    before = table(overlays=moving)._replace(cursor=Cursor(held=(("up", 1.0),)))
    found = moves.table_after_overlay_change(before, 5.0)
    assert (found.overlays.picture, found.cursor.spent) == (1, ())
