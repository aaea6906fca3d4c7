"""Functions that return the `Table` after an event, with the commands that the event causes.

The caller executes the returned commands in order.
"""

from __future__ import annotations

from typing import Final, TypeAlias, assert_never

from companion.core.errors import Refused
from companion.core.game import Cue
from companion.core.prompts import INTERRUPT_FORM, Answer, Choose, Prompt
from companion.core.snapshot import Snapshot
from companion.menus import commands, menu_stack
from companion.menus.menu_stack import Menus
from companion.menus.page import MenuFacts
from companion.play.conversation import (
    CompleteAnswer,
    Conversation,
    NextStep,
    WordToCheck,
    step_after_answers,
)
from companion.press import actions
from companion.press.cursor import (
    cursor_after_overlay,
    cursor_ignoring_older_presses,
    cursor_rejecting_early_presses,
    selected_answer,
)
from companion.press.helps import button_explanation_fact
from companion.table.overlays import (
    SCORE_CUE,
    Overlay,
    OverlayQueue,
    StagedFacts,
    advance_overlay_queue,
    queue_with_animation_ended,
    queue_without_front_overlay,
    start_front_overlay,
)
from companion.table.table import RunningGame, Table
from hardware.ports import BACK, OK

TableAndCommands: TypeAlias = tuple[Table, commands.Commands]
_Passed: TypeAlias = (
    actions.RequestSpeechRepeat
    | actions.RequestHint
    | actions.ReportListEnd
    | actions.ToggleSound
    | actions.RejectPress
    | actions.BeginOutOfTurnAnswer
)
PLAY_ACCEPTED_SOUND: Final = commands.PlaySound("accepted")
"""Command that plays the confirmation sound of a press."""
ANNOUNCE_ERASED_WORD: Final = (commands.SpeakFacts((Cue("erased"),)),)
"""Commands that announce the deletion of a word's letters."""
EXPLAIN_LAST_RULINGS: Final = commands.ShowRulings()
"""Command that shows the rulings (clauses) that explain the last game events."""


# --- a press --------------------------------------------------------------------------------------


def apply_action(table: Table, action: actions.Action, now: float) -> TableAndCommands:
    """Return the `Table` after a press, and the commands that the press causes.

    - `now`: the time of the press in seconds.
    """
    match action:
        case actions.EnterAnswer(answer):
            return _give(table, answer)
        case actions.UndoLastAnswer() | actions.ClearWord():
            return (
                _undo(table)
                if isinstance(action, actions.UndoLastAnswer)
                else (table, ANNOUNCE_ERASED_WORD)
            )
        case actions.RequestRulingExplanation():
            return table, _explain(table, _chosen(table))
        case actions.GoBackOrOpenMenu():
            return _back(table)
        case actions.UncoverSecret() | actions.HideSecret():
            return _uncover(table, action, now)
        case actions.CloseScreen():
            return _go_on(table, now)
        case actions.ToggleAudioMode():
            return _by_ear(table)
        case actions.ExplainButton(button):
            return _help(table, button, now)
        case actions.ToggleScoreDisplay():
            return _show_standing(table, now)
        case _:
            return _pass_on(table, action)


def _pass_on(table: Table, action: _Passed) -> TableAndCommands:
    match action:
        case actions.BeginOutOfTurnAnswer(player):
            form = _form(table, INTERRUPT_FORM)
            return _came_to(table, form, form.with_answer(player).next_step)
        case actions.RequestSpeechRepeat():
            return table, (commands.RepeatSpeech(),)
        case actions.RequestHint():
            return table, (commands.GiveHint(),)
        case actions.ReportListEnd():
            return table, (commands.PlaySound("refused"),)
        case actions.ToggleSound():
            return table, (commands.ToggleMute(),)
        case actions.RejectPress(code):
            return table, (commands.RefusePress(code),)
        case _:
            assert_never(action)


def _show_standing(table: Table, now: float) -> TableAndCommands:
    if table.overlays.is_score_in_front:
        return _go_on(table, now)
    if table.playing is None:
        return table, (commands.PlaySound("refused"),)
    return table.with_overlay(Overlay((SCORE_CUE,))), ()


def _by_ear(table: Table) -> TableAndCommands:
    on = not table.ears.everybody
    audible = {"silent": False, "heard": "everything"} if on else {}
    news = Cue("ear", {"how": "on" if on else "off"})
    return table, (commands.ChangeSettings({"ear": on, **audible}), commands.ShowFact(news))


def _help(table: Table, button: str, now: float) -> TableAndCommands:
    if (
        button == OK
        and table.ears.has_players
        and table.playing is not None
        and not table.menus.current_page
    ):
        while _is_read(table.overlays):
            table = _passed(table, queue_without_front_overlay(table.overlays, now, stays=False))
        return table, (commands.OpenMenu("there"),)
    return table, (
        commands.ShowFact(
            button_explanation_fact(button, table.press_context, table.cursor, back=_upward(table))
        ),
    )


def _is_read(moments: OverlayQueue) -> bool:
    return (
        moments.is_score_in_front or moments.is_recap_in_front or _explains(moments.front_overlay)
    )


def _explains(front: Overlay | None) -> bool:
    return front is not None and (front.is_ruling_explanation or front.lead_fact.name == "help")


def _give(table: Table, value: Answer) -> TableAndCommands:
    if table.menus.current_page is not None:
        return _choose(table, value)
    asked = _asking(table)
    if asked is None or table.playing is None:
        return table, (commands.GiveAnswer(value),)
    return _came_to(
        table, asked, asked.step_after_answer(value, table.playing.face.needs_confirmation)
    )


def _asking(table: Table) -> Conversation | None:
    if table.talk is not None:
        return table.talk
    prompt = table.pending_game_question
    if prompt is None or table.playing is None:
        return None
    return Conversation(table.playing.snapshot.form or prompt, is_pending=True)


def _uncover(
    table: Table, action: actions.UncoverSecret | actions.HideSecret, now: float
) -> TableAndCommands:
    """Show or hide a player's secret.

    Before a secret is shown, save in the record that the player saw the secret. When the player
    hides a secret that was opened from a curtain (the frame that names the player), also close the
    curtain.
    """
    if isinstance(action, actions.UncoverSecret):
        return table, (
            commands.RecordAndShowSecret(action.player),
            commands.PlaySound("secret_shown"),
        )
    # True if the player opened the secret from a curtain, not with a seat button
    looked = table.curtain is not None and table.cursor.looked
    announced: commands.Commands = ()
    if looked:  # ignore early presses, which must not answer the question behind the curtain
        table, announced = _back(
            table._replace(cursor=cursor_rejecting_early_presses(table.cursor, now))
        )
    return table, (commands.PlaySound("secret_hidden"), *announced)


def _undo(table: Table) -> TableAndCommands:
    if table.talk is not None:
        return _talking(table, None), ()
    undoes = table.curtain is None or table.overlays.front_overlay is not None
    return table, (commands.UndoAnswer(),) if undoes else ()


def _explain(table: Table, last: commands.ShowRulings = EXPLAIN_LAST_RULINGS) -> commands.Commands:
    front = table.overlays.front_overlay
    if table.playing is None or (front is not None and front.is_ruling_explanation):
        return ()
    if front is None:
        return (last,)
    return (commands.ShowRulings(tuple(cue for cue in front.cues if cue.clause)),)


def _chosen(table: Table) -> commands.ShowRulings:
    prompt = table.menu_or_game_prompt
    if not isinstance(prompt, Choose) or prompt.private:
        return EXPLAIN_LAST_RULINGS
    value = selected_answer(prompt, table.cursor)
    return commands.ShowRulings(question=prompt.name, answer=value, whose=prompt.who)


def _back(table: Table) -> TableAndCommands:
    if table.menus.current_page is not None:
        return table._replace(menus=table.menus.after_back()).with_cursor_on_likeliest_answer(), ()
    if table.talk is not None:
        return _respelt(table, table.talk.without_last_answer()), ()
    if table.curtain is not None:
        announced = () if table.held is None else (commands.AnnounceWithheldFacts(table.held),)
        return table._replace(curtain=None, held=None).with_cursor_on_likeliest_answer(), announced
    return table, (commands.OpenMenu(),)


def _go_on(table: Table, now: float) -> TableAndCommands:
    if table.overlays.is_animation_running:
        return _passed(table, queue_with_animation_ended(table.overlays)), ()
    if table.overlays.front_overlay is not None:
        return _passed(
            table, queue_without_front_overlay(table.overlays, now, stays=table.playing is None)
        ), ()
    if table.curtain is not None:
        return _back(table)
    home = table.playing is None or table.menus.current_page is not None
    return table, () if home else (commands.LeaveGameForFirstScreen(),)


def _upward(table: Table) -> str:
    if len(table.menus.pages) > 1 or table.talk is not None or table.curtain is not None:
        return "page"
    if table.playing is None:
        return "home"
    return "menu" if table.menus.current_page is None else "page"


# --- an answer out of turn ------------------------------------------------------------------------


def _form(table: Table, name: str) -> Conversation:
    assert table.playing is not None  # noqa: S101 - for the type checker
    anytime = table.playing.anytime
    return Conversation(next(question for question in anytime if question.name == name))


def _respelt(table: Table, talk: Conversation | None) -> Table:
    """Return the `Table` at the previous question of an unfinished answer.

    If the rejected answer is a word, the player can edit its letters.
    """
    waited = None if table.talk is None else table.talk.unconfirmed_answer
    table = _talking(table, talk)
    if waited is None:
        return table
    return table._replace(cursor=table.cursor._replace(text=waited.editable_letters))


def _talking(table: Table, talk: Conversation | None) -> Table:
    begun = talk if talk is not None and talk.can_go_back else None
    return table._replace(talk=begun).with_cursor_on_likeliest_answer()


def _came_to(table: Table, asked: Conversation, then: NextStep) -> TableAndCommands:
    match then:
        case None:
            return _talking(table, None), ()
        case Conversation() if (
            asked.unconfirmed_answer is not None and then == asked.without_last_answer()
        ):
            return _respelt(table, then), ()
        case Conversation():
            return _talking(table, then), (PLAY_ACCEPTED_SOUND,)
        case WordToCheck(prompt, word):
            return table, (commands.CheckWord(word, prompt.who),)
        case CompleteAnswer(value, question):
            table = table if table.talk is None else _talking(table, None)
            return table, (commands.GiveAnswer(value, question),)
        case Refused(code=code):
            return _talking(table, None), (commands.RefusePress(code),)


def table_after_word_check(table: Table, word: str, lists: tuple[str, ...]) -> TableAndCommands:
    """Return the `Table` after the look-up of `word`.

    Accept the word, or ask for a confirmation if word lists (`lists`) lack the word.
    """
    asked = _asking(table)
    if asked is None or not lists:
        return table, (commands.GiveAnswer(word),)
    return _came_to(table, asked, asked.with_unlisted_word_question(word, lists))


# --- the menus ------------------------------------------------------------------------------------


def _choose(table: Table, value: Answer) -> TableAndCommands:
    menus, wishes = table.menus.with_stored_cursor_line(table.cursor.at).after_answer(value)
    refusals = tuple(wish for wish in wishes if isinstance(wish, commands.RefusePress))
    if refusals:
        return table, refusals
    table = table._replace(menus=menus).with_cursor_on_likeliest_answer()
    granted: commands.Commands = ()
    for wish in wishes:
        table, more = _grant(table, wish)
        granted = (*granted, *more)
    spoken = tuple(
        wish
        for wish in wishes
        if isinstance(wish, commands.SpeakFacts) and not table.ears.has_players
    )
    heard = any(wish.has_sound for wish in wishes)
    return table, (*granted, *spoken, *(() if heard or spoken else (PLAY_ACCEPTED_SOUND,)))


def _grant(table: Table, wish: commands.MenuRequest) -> TableAndCommands:
    if table.playing is not None and not wish.keeps_menu:
        table = table._replace(menus=Menus()).with_cursor_on_likeliest_answer()
    match wish:
        case commands.UndoAnswer():
            return _undo(table)
        case commands.ExplainShownFacts():
            return table, _explain(table)
        case commands.CloseMenu() | commands.SpeakFacts():  # `_choose` speaks the events
            return table, ()
        case commands.ShowScore():
            return table.with_overlay(Overlay((SCORE_CUE,))), ()
        case commands.HandOverBoxForSecret(player):
            return table._replace(curtain=player).with_cursor_on_likeliest_answer(), ()
        case commands.OpenOutOfTurnQuestion(question):
            assert table.playing is not None  # noqa: S101 - it was offered
            form = _form(table, question)
            return _came_to(
                table,
                form,
                step_after_answers(form.question, {}, table.playing.face.needs_confirmation),
            )
        case _:  # the box executes every other request
            return table, (wish,)


# --- after an answer ------------------------------------------------------------------------------


def table_after_answer(
    table: Table, playing: RunningGame, staged: StagedFacts, now: float
) -> tuple[Table, commands.SpeakFacts]:
    """Return the `Table` after an answer, and the command that speaks the events that followed."""
    before = table.playing
    stays = before is not None and before.snapshot.position == playing.snapshot.position
    table = table._replace(playing=playing, talk=None, draft=table.draft if stays else "")
    table, asks = table_with_staged_overlays(table, staged, now)
    if (
        before is not None
        and is_joint_shuffle_pending(before.snapshot)
        and is_joint_shuffle_pending(playing.snapshot)
    ):
        asks = None  # do not speak again: every player gets the same question
    rolled = [moment for moment in staged.overlays if moment.throw]
    receipt = "rolled" if rolled else "accepted"
    return table, commands.SpeakFacts(staged.cues, receipt, asks)


def table_with_staged_overlays(
    table: Table, staged: StagedFacts, now: float
) -> tuple[Table, Prompt | None]:
    """Return the `Table` with the overlays of `staged` in front, and the question to speak.

    If a menu is open, show no overlays. If a curtain (the frame that hides a secret) covers the
    question, return None as the question.
    """
    news = staged.curtain is not None
    table = table._replace(curtain=staged.curtain, held=staged.held if news else None)
    if table.menus.current_page is None:
        front = start_front_overlay(OverlayQueue(staged.overlays), now, stays=False)
        table = table._replace(overlays=front).with_cursor_on_likeliest_answer()
    return table, None if news else _asked(table)


def table_after_secret_look(
    table: Table, staged: StagedFacts, now: float
) -> tuple[Table, commands.SpeakFacts]:
    """Return the `Table` after a look at a secret, and the command that speaks withheld events."""
    table, asks = table_with_staged_overlays(table, staged, now)
    return table, commands.SpeakFacts(staged.cues, asks=asks)


def table_after_entering_game(
    table: Table,
    playing: RunningGame,
    now: float,
    first: StagedFacts | Cue | None = None,
) -> tuple[Table, commands.SpeakFacts]:
    """Return the `Table` when a game starts or resumes, and the command that speaks its events.

    - `first`: the first events of a new game, or the recap of a resumed game. If `first` is None,
      show only the score.
    """
    facts, front = playing.snapshot.cues, OverlayQueue((Overlay((SCORE_CUE,)),))
    if isinstance(first, Cue):
        facts, front = (first,), OverlayQueue((Overlay((first,)),))
    elif first is not None:
        noted = table.overlays.queue  # shown overlays, such as a note about a failed commit
        front = start_front_overlay(OverlayQueue((*noted, *first.overlays)), now, stays=bool(noted))
    table = table._replace(playing=playing, menus=Menus(), overlays=front)
    return table.with_cursor_on_likeliest_answer(), commands.SpeakFacts(facts, asks=_asked(table))


def _asked(table: Table) -> Prompt | None:
    playing = table.playing
    prompt = None if playing is None or playing.thinks else playing.snapshot.prompt
    if prompt is not None and prompt.name == "mix" and table.together:
        return prompt._replace(name="mix_together")
    return prompt


def is_joint_shuffle_pending(now: Snapshot) -> bool:
    """Return True if the pending question asks for a press that starts the joint shuffle."""
    return now.prompt is not None and now.prompt.name == "mix"


def table_with_game_menu(
    table: Table, facts: MenuFacts, page: str = "menu", who: str = ""
) -> Table:
    """Return the `Table` with the game's menu open, or with the menu page `page` about `who`."""
    return table._replace(
        menus=menu_stack.open_menus(facts, page, who)
    ).with_cursor_on_likeliest_answer()


def unchanged_table_and_refusal_command(table: Table, code: str) -> TableAndCommands:
    """Return the unchanged `Table`, and the command that shows why a press was refused.

    The refusal is in the language of the asked player.
    """
    now = table.press_context
    asked = now.curtain or (now.prompt.who if now.prompt else None)
    return table, (commands.ShowFact(Cue("refused", {"code": code}), asked),)


def table_before_failed_commit(before: Table) -> Table:
    """Return the `Table` from before a press whose commit failed.

    The player can then repeat the press.
    """
    cursor = cursor_ignoring_older_presses(before.cursor)
    looked = cursor.looked and cursor.looking is None
    return before._replace(cursor=cursor._replace(looking=None, looked=looked))


# --- time -----------------------------------------------------------------------------------------


def overlay_change_due_at(table: Table) -> float | None:
    """Return the time (s) at which the front overlay changes by itself.

    Return None if no change is planned, or while a player holds OK or BACK.
    """
    held = {button for button, _ in table.cursor.held}.difference(table.cursor.spent)
    return table.overlays.until if held.isdisjoint((OK, BACK)) else None


def table_after_overlay_change(table: Table, now: float) -> Table:
    """Return the `Table` after the change that `overlay_change_due_at` has planned.

    The front overlay shows its next picture, or closes after its last picture.
    """
    moments, is_another = advance_overlay_queue(table.overlays, now, stays=table.playing is None)
    return _passed(table, moments, now) if is_another else table._replace(overlays=moments)


def _passed(table: Table, moments: OverlayQueue, shown: float | None = None) -> Table:
    return table._replace(overlays=moments, cursor=cursor_after_overlay(table.cursor, shown))
