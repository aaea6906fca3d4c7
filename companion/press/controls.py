"""The controls: button edges and elapsed time move the cursor, or produce one action.

The functions of this module have no side effects. The input is a `Cursor`; the output is a new
`Cursor`, and an `Action` or None. UP and DOWN act when pressed, and repeat while
held. OK and BACK act when released, because holding a button has other functions. If a player
releases OK or BACK after more than one second, the button executes its second function. After two
seconds, the box explains the held button instead.
"""

from __future__ import annotations

from typing import Final

from companion.core.prompts import (
    AGREE_UNDO_QUESTION,
    COMPUTER_CHOOSING_QUESTION,
    Answer,
    Choose,
    Prompt,
    Spell,
    is_legal_answer,
)
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
    ToggleAudioMode,
    ToggleScoreDisplay,
    ToggleSound,
    UncoverSecret,
    UndoLastAnswer,
)
from companion.press.cursor import (
    HOLD_SECONDS,
    HOLD_STEP_TIMES,
    NO_SELECTION,
    Cursor,
    PressContext,
    cursor_rejecting_early_presses,
    has_selected_answer,
    is_secret_kept_open,
    is_spelling_secret_word,
    reachable_answers_and_symbols,
    selected_answer,
)
from companion.press.wheel import (
    CARET_TO_END_PLACE,
    DONE_PLACE,
    ERASE_PLACE,
    letter_rows,
    likeliest_answer_index,
    row_number_of_option,
    should_up_select_larger,
    start_position_for_new_letter,
)
from hardware.ports import BACK, DOWN, OK, SEATS, UP, Edge

LOOK_HOLD_SECONDS: Final = 0.35
"""Seconds after which a held button shows the secret of the button's player."""
LAST_BAR_STEP: Final = len(HOLD_STEP_TIMES) - 1
"""Index in HOLD_STEP_TIMES of the last step, at which the hold takes effect."""
HELP_HOLD_SECONDS: Final = 2.0
"""Seconds after which a held button explains its function and does not execute the function."""
AUDIO_MODE_HOLD_SECONDS: Final = 3.0
"""Seconds after which OK, held on the first screen, switches audio mode on or off."""
UNREAD_SECONDS: Final = 0.45
"""Seconds for which the box accepts no answer to a new question, so that players can read first.

Until UNREAD_SECONDS have passed, the first OK repeats the question. Further presses of OK or of a
seat button have no effect. A slow display bus needs about a tenth of UNREAD_SECONDS to show the
question.
"""
OPEN_SECRET_TIMEOUT_SECONDS: Final = 30.0
"""Seconds without a press after which the box hides an open secret."""
REPEAT_AFTER_SECONDS: Final = 0.5
REPEAT_EVERY_SECONDS: Final = 0.12


CursorAndAction = tuple[Cursor, "Action | None"]


def cursor_and_action_after_edge(
    cursor: Cursor, edge: Edge, scene: PressContext
) -> CursorAndAction:
    """Return the cursor after a button went down or up, and the resulting action or None.

    A button edge that does not change the button's state is ignored.
    """
    if edge.down == (cursor.press_time_of_button(edge.button) is not None):
        return cursor, None
    cursor = cursor._replace(touched=edge.time)
    return _down(cursor, edge, scene) if edge.down else _up(cursor, edge, scene)


def _down(cursor: Cursor, edge: Edge, scene: PressContext) -> CursorAndAction:
    lone = "" if cursor.held else edge.button
    held = (*cursor.held, (edge.button, edge.time))
    cursor = cursor._replace(held=held, repeats=0, lone=lone)
    if _is_unread(cursor, edge, scene):
        return _spend(cursor, edge.button), None
    if _mixes(scene):
        nanoseconds = int(edge.time * 1e9) & scene.prompt.hi  # type: ignore[union-attr]
        return cursor_rejecting_early_presses(_spend(cursor, edge.button), edge.time), EnterAnswer(
            nanoseconds
        )
    if edge.button not in (UP, DOWN) or (_chord(cursor) is not None and _is_half_spent(cursor)):
        return cursor, None
    cursor, action = _move(cursor, edge.button, scene)
    return (
        cursor_rejecting_early_presses(cursor, edge.time)
        if isinstance(action, CloseScreen)
        else cursor
    ), action


def _mixes(scene: PressContext) -> bool:
    """Return True if the question asks for a press that starts the joint shuffle."""
    return scene.prompt is not None and scene.prompt.name == "mix" and not scene.overlay


def _is_unread(cursor: Cursor, edge: Edge, scene: PressContext) -> bool:
    """Return True if a press would act on a screen that the player cannot have read yet."""
    does = edge.button in (OK, *SEATS) or _mixes(scene) or (scene.overlay and edge.button != BACK)
    return does and cursor.shown is not None and edge.time < cursor.shown + UNREAD_SECONDS


def _is_half_spent(cursor: Cursor) -> bool:
    """Return True if UP or DOWN is held, and this press has already had its effect.

    If so, a press of the other button only begins the pair, and does not move the cursor.
    """
    return bool({UP, DOWN} & set(cursor.spent))


def _chord(cursor: Cursor) -> float | None:
    """Return the time (s) since which the player has been holding both UP and DOWN.

    Return None if UP or DOWN is up, or if holding the pair has already had its effect.
    """
    both = [since for button, since in cursor.held if button in (UP, DOWN)]
    if len(both) < len((UP, DOWN)) or {UP, DOWN} <= set(cursor.spent):
        return None
    return max(both)


def _turns(cursor: Cursor, scene: PressContext) -> bool:
    asked = scene.prompt is not None and scene.curtain in (None, cursor.looking)
    return asked or scene.pages > 1


def _move(cursor: Cursor, button: str, scene: PressContext) -> CursorAndAction:
    if scene.pages > 1:
        step = 1 if button == DOWN else -1
        return cursor._replace(page=(cursor.page + step) % scene.pages), None
    if scene.overlay:
        return cursor, CloseScreen()
    if scene.ear and (scene.prompt is None or scene.curtain is not None):
        if cursor.looking is None:
            return cursor, RequestSpeechRepeat() if button == UP else ToggleScoreDisplay()
        if scene.prompt is None:
            return cursor._replace(page=cursor.page + (1 if button == DOWN else -1)), None
    if scene.prompt is None or not _turns(cursor, scene):
        return cursor, None
    if cursor.at == NO_SELECTION:
        return cursor._replace(at=likeliest_answer_index(scene.prompt)), None
    onwards = UP if should_up_select_larger(scene.prompt) and not scene.ear else DOWN
    return _turned(cursor, scene.prompt, 1 if button == onwards else -1)


def _turned(cursor: Cursor, prompt: Prompt, step: int) -> CursorAndAction:
    """Move the cursor by one place in the prompt's list.

    A list of letter rows does not wrap around.
    """
    at, count = cursor.at + step, len(reachable_answers_and_symbols(prompt, cursor))
    wraps = cursor.row or not letter_rows(prompt, cursor.text, cursor.back)
    if wraps or 0 <= at < count:
        return cursor._replace(at=at % count), None
    return cursor, None if cursor.repeats else ReportListEnd()


def _up(cursor: Cursor, edge: Edge, scene: PressContext) -> CursorAndAction:
    spent, held = edge.button in cursor.spent, _has_held(cursor, edge, scene)
    unread = edge.button in (OK, *SEATS) and _is_new(cursor, edge.button, scene)
    opened = _is_open(cursor, scene)
    cursor = cursor._replace(
        held=tuple([pair for pair in cursor.held if pair[0] != edge.button]),
        spent=tuple([button for button in cursor.spent if button != edge.button]),
        bar=0,
    )
    if cursor.looking is not None and spent:
        stays = edge.button != cursor.opener or is_secret_kept_open(cursor, scene.prompt)
        return (cursor, None) if stays else _hide(cursor)
    if spent or edge.button in (UP, DOWN):
        return cursor, None
    if opened and (edge.button in SEATS or (held and edge.button == OK)):
        return _hide(cursor)
    if unread and not held:
        return _repeated(cursor, edge.button)
    cursor, action = _held_for(cursor, edge, scene) if held else _tapped(cursor, edge.button, scene)
    brought = action is not None and not isinstance(action, HideSecret)
    return (cursor_rejecting_early_presses(cursor, edge.time) if brought else cursor), action


def _repeated(cursor: Cursor, button: str) -> CursorAndAction:
    """Reject a press on a question that is too new to be read.

    Only the first early OK repeats the question.
    """
    if button != OK or cursor.repeated:
        return cursor, None
    return cursor._replace(repeated=True), RequestSpeechRepeat()


def _held_for(cursor: Cursor, edge: Edge, scene: PressContext) -> CursorAndAction:
    if edge.button == OK:
        return cursor, RequestRulingExplanation()
    if _is_spelt(cursor, scene):
        return cursor._replace(
            text="", row="", back=0, at=likeliest_answer_index(scene.prompt)
        ), ClearWord()
    return cursor, UndoLastAnswer()


def _tapped(cursor: Cursor, button: str, scene: PressContext) -> CursorAndAction:
    if scene.overlay:
        return cursor, CloseScreen()
    if (
        button != BACK
        and scene.prompt is not None
        and scene.prompt.name == COMPUTER_CHOOSING_QUESTION
    ):
        return cursor, None  # the computer player must answer, so this press has no effect
    if button in SEATS:
        return _seat(cursor, button, scene)
    return _back(cursor, scene) if button == BACK else _ok(cursor, scene)


def _has_held(cursor: Cursor, edge: Edge, scene: PressContext) -> bool:
    since = cursor.press_time_of_button(edge.button)
    means = _meaning(cursor, edge.button, scene)
    return bool(means) and since is not None and edge.time >= since + HOLD_SECONDS


def _meaning(cursor: Cursor, button: str, scene: PressContext) -> str:
    """Return the name of the function that a hold of BACK or OK executes; "" if there is none."""
    if button == BACK and _is_spelt(cursor, scene):
        return "erase"
    if button == OK and _is_open(cursor, scene):
        return "cover"
    if button not in (OK, BACK) or not scene.holds or _owner(scene, button) is not None:
        return ""
    asked = None if scene.overlay or scene.prompt is None else scene.prompt.name
    return "stay" if button == BACK and asked == AGREE_UNDO_QUESTION else button


def _is_spelt(cursor: Cursor, scene: PressContext) -> bool:
    """Return True if spelt letters are shown, and the player who holds BACK may see the letters."""
    here = isinstance(scene.prompt, Spell) and scene.curtain in (None, cursor.looking)
    return here and bool(cursor.text) and not scene.overlay


def _is_open(cursor: Cursor, scene: PressContext) -> bool:
    """Return True if a secret is open although no button is held."""
    return is_secret_kept_open(cursor, scene.prompt) and not scene.overlay


def _is_new(cursor: Cursor, button: str, scene: PressContext) -> bool:
    since = cursor.press_time_of_button(button)
    if cursor.acted is None or since is None or scene.overlay or not scene.holds:
        return False
    return cursor.acted <= since < cursor.acted + UNREAD_SECONDS


def _listening(cursor: Cursor, scene: PressContext) -> Cursor:
    """Return the cursor with an open secret.

    If the box speaks secrets to the player privately, the secret is spoken instead of shown.
    """
    if cursor.looking != scene.curtain or cursor.looking not in scene.alone:
        return cursor._replace(listening=False)
    is_unchosen = scene.prompt is not None and cursor.at == NO_SELECTION
    return cursor._replace(
        listening=True, at=likeliest_answer_index(scene.prompt) if is_unchosen else cursor.at
    )


def _hide(cursor: Cursor) -> CursorAndAction:
    at = NO_SELECTION if cursor.listening else cursor.at
    return cursor._replace(looking=None, listening=False, at=at), HideSecret()


def _back(cursor: Cursor, scene: PressContext) -> CursorAndAction:
    """Close the row of letters, or move the caret back by one letter.

    If the caret is before the first letter, hide an open secret or leave the question.
    """
    if isinstance(scene.prompt, Spell) and cursor.row:
        rows = letter_rows(scene.prompt, cursor.text, cursor.back)
        return cursor._replace(row="", at=rows.index(cursor.row)), None
    if _is_spelt(cursor, scene) and cursor.letters_before_caret:
        return _begun(cursor._replace(back=cursor.back + 1), scene.prompt), None
    return (
        _hide(cursor) if is_secret_kept_open(cursor, scene.prompt) else (cursor, GoBackOrOpenMenu())
    )


def _seat(cursor: Cursor, button: str, scene: PressContext) -> CursorAndAction:
    """Handle a tap of a seat button: select a player or column, or give the answer `Choose.tap`."""
    player, prompt = _at(button, scene.seats), scene.prompt
    if scene.curtain is not None or not scene.seats or not isinstance(prompt, Choose):
        return cursor, None
    value: Answer = prompt.tap if player is not None else None
    if prompt.cells:
        cell = (
            row_number_of_option(prompt, selected_answer(prompt, cursor)) or 0,
            SEATS.index(button),
        )
        value = dict(zip(prompt.cells, prompt.options, strict=True)).get(cell)
    elif player in prompt.options:
        value = player
    return cursor, None if value is None else EnterAnswer(value)


def _at(button: str, seats: tuple[str | None, ...]) -> str | None:
    n = SEATS.index(button) if button in SEATS else len(SEATS)
    return seats[n] if n < len(seats) else None


def _ok(cursor: Cursor, scene: PressContext) -> CursorAndAction:
    prompt = scene.prompt
    if cursor.looking is not None and scene.interrupts and scene.curtain is None:
        return _hide(cursor)[0], BeginOutOfTurnAnswer(cursor.looking)
    if prompt is None:
        return (
            (cursor, CloseScreen()) if cursor.looked or scene.curtain is None else _unseen(cursor)
        )
    if scene.curtain is not None and not (
        has_selected_answer(prompt, cursor) or is_spelling_secret_word(cursor, prompt)
    ):
        return _unseen(cursor)
    value = selected_answer(prompt, cursor)
    if isinstance(prompt, Spell):
        return _letter(cursor, prompt, value)
    return cursor, EnterAnswer(value)


def _unseen(cursor: Cursor) -> CursorAndAction:
    return cursor, RejectPress("choose_first" if cursor.looked else "look_first")


def _letter(cursor: Cursor, prompt: Spell, place: str) -> CursorAndAction:
    """Apply the selected place of the spelling list: a letter, a row, a name, or a command.

    Inside the word, a new letter replaces the letter under the caret.
    """
    before, text, left = cursor.letters_before_caret, cursor.text, max(0, cursor.back - 1)
    if place == DONE_PLACE:
        return cursor, EnterAnswer(text)
    if place == CARET_TO_END_PLACE:
        return _begun(cursor._replace(back=0), prompt), None
    if place == ERASE_PLACE:
        cursor = cursor._replace(text=before + text[len(before) + 1 :], back=left)
        return (cursor if left else _begun(cursor, prompt)), None
    if cursor.row or len(place) == 1:
        text = before + place + text[len(before) + 1 :]
        return _begun(cursor._replace(text=text, row="", back=left), prompt), None
    if place in letter_rows(prompt, text, cursor.back):
        return cursor._replace(row=place, at=0), None
    return cursor, EnterAnswer(place)


def _begun(cursor: Cursor, prompt: Prompt | None) -> Cursor:
    if prompt is None:
        return cursor
    return cursor._replace(at=start_position_for_new_letter(prompt, cursor.text, cursor.back))


def _ends(cursor: Cursor, scene: PressContext, button: str) -> bool:
    """Return True if holding `button` completes the spelt word. A secret word must be valid."""
    prompt, text = scene.prompt, cursor.text
    if button != OK or scene.overlay or not text or not isinstance(prompt, Spell):
        return False
    if prompt.private and not is_legal_answer(prompt, text):
        return False
    return scene.curtain in (None, cursor.looking)


def _spend(cursor: Cursor, button: str) -> Cursor:
    return cursor._replace(spent=(*cursor.spent, button), bar=0)


def next_due_action_time(cursor: Cursor, scene: PressContext) -> float | None:
    """Return the time (s) at which `process_due_action` must be called; None if nothing is due."""
    times = [time for button, since in cursor.held for time in _due(cursor, scene, button, since)]
    return min((*times, *_covered_by(cursor, scene)), default=None)


def _covered_by(cursor: Cursor, scene: PressContext) -> tuple[float, ...]:
    """Return the time (s) at which the box hides an open secret, as a tuple.

    Return () if no secret is open.
    """
    left = is_secret_kept_open(cursor, scene.prompt) and not cursor.held
    return (cursor.touched + OPEN_SECRET_TIMEOUT_SECONDS,) if left else ()


def _due(cursor: Cursor, scene: PressContext, button: str, since: float) -> tuple[float, ...]:
    if button in cursor.spent:
        return (since + AUDIO_MODE_HOLD_SECONDS,) if _is_long(cursor, scene, button) else ()
    if button in (UP, DOWN):
        return (_turning(cursor, scene, since),)
    if _ends(cursor, scene, button):
        return (since + HOLD_SECONDS,)
    if not _is_open(cursor, scene) and _owner(scene, button) is not None:
        return (
            since
            + (
                HOLD_STEP_TIMES[min(cursor.bar, LAST_BAR_STEP)]
                if _is_beside(scene, button)
                else LOOK_HOLD_SECONDS
            ),
        )
    if button in SEATS:
        return (
            since + (HELP_HOLD_SECONDS if _interrupter(scene, button) is None else HOLD_SECONDS),
        )
    if not _meaning(cursor, button, scene):
        return (since + HELP_HOLD_SECONDS,)
    return (since + (*HOLD_STEP_TIMES, HELP_HOLD_SECONDS)[min(cursor.bar, len(HOLD_STEP_TIMES))],)


def _is_long(cursor: Cursor, scene: PressContext, button: str) -> bool:
    """Return True if only OK is held on the first screen, where a long hold switches audio mode."""
    return scene.home and button == OK == cursor.lone


def _turning(cursor: Cursor, scene: PressContext, since: float) -> float:
    """Return the time (s) at which held UP or DOWN acts next.

    The next action is the function of the pair, a repeated cursor step, or the button's help.
    """
    chord = _chord(cursor)
    if chord is not None:
        return chord + HOLD_SECONDS
    if not _turns(cursor, scene):
        return since + HELP_HOLD_SECONDS
    return since + REPEAT_AFTER_SECONDS + cursor.repeats * REPEAT_EVERY_SECONDS


def _interrupter(scene: PressContext, button: str) -> str | None:
    """Return the player who can begin an out-of-turn answer by holding the seat button.

    Return None if no out-of-turn answer is allowed.
    """
    return _at(button, scene.seats) if scene.interrupts else None


def _owner(scene: PressContext, button: str) -> str | None:
    """Return the player whose secret a held button shows; None if the button shows no secret."""
    if scene.overlay:
        return None
    if button == OK:
        return scene.curtain or scene.looks
    return _at(button, scene.players)


def _is_beside(scene: PressContext, button: str) -> bool:
    """Return True if `button` is OK, a tap of OK answers, and holding OK shows a secret."""
    return button == OK and scene.curtain is None


def process_due_action(cursor: Cursor, now: float, scene: PressContext) -> CursorAndAction:
    """Return the cursor after the next action that is due at `now` (s), and this action or None.

    Each call executes at most one action.
    """
    if any(time <= now for time in _covered_by(cursor, scene)):
        return _hide(cursor._replace(shown=now))
    for button, since in cursor.held:
        if any(time <= now for time in _due(cursor, scene, button, since)):
            return _held(cursor, button, scene)
    return cursor, None


def _held(cursor: Cursor, button: str, scene: PressContext) -> CursorAndAction:
    if button in (UP, DOWN) and _chord(cursor) is not None:
        return _spend(_spend(cursor, UP), DOWN), ToggleSound()
    if button in cursor.spent:
        return cursor._replace(lone=""), ToggleAudioMode()
    if button in (UP, DOWN) and _turns(cursor, scene):
        return _move(cursor._replace(repeats=cursor.repeats + 1), button, scene)
    if _ends(cursor, scene, button):
        return _spend(cursor, button), EnterAnswer(cursor.text)
    owner = None if _is_open(cursor, scene) else _owner(scene, button)
    if owner is not None and _is_beside(scene, button) and cursor.bar < LAST_BAR_STEP:
        return cursor._replace(bar=cursor.bar + 1, means="look"), None
    if owner is not None:
        looked = cursor.looked or owner == scene.curtain
        if cursor.looking is not None:  # only one player can look at a secret at a time
            return _spend(cursor, button), None
        opened = _spend(cursor, button)._replace(looking=owner, looked=looked, opener=button)
        return _listening(opened, scene), UncoverSecret(owner)
    player = _interrupter(scene, button)
    if player is not None:
        return _spend(cursor, button), BeginOutOfTurnAnswer(player)
    means = _meaning(cursor, button, scene)
    if means and cursor.bar < len(HOLD_STEP_TIMES):
        return cursor._replace(bar=cursor.bar + 1, means=means), None
    return _spend(cursor, button), ExplainButton(button)
