"""Functions that draw whole frames from a snapshot and a cursor.

Row 0 is the title. Rows 1 to 5 are the main content. Row 6 is the question with its player. Row 7
names the functions of the buttons. The face of a game draws rows 0 to 5, and this module draws the
shared parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from companion.core.game import Cue, Cues, Secret
from companion.core.prompts import AGREE_UNDO_QUESTION, Choose, Prompt, Spell, is_legal_answer
from companion.draw import default_face, dice, large_text
from companion.draw.canvas import Canvas, load_font, shorten_text, wrap_text
from companion.draw.letters import transliterate_uncomposable_letters
from companion.draw.parts import (
    MEDIUM_ROW_LETTERS,
    ROW_LETTERS,
    answer_without_price,
    draw_answer_list,
    draw_fact_text,
    draw_word_entry,
)
from companion.press.cursor import (
    CONFIRM_UNLISTED_WORD_QUESTION,
    HOLD_STEP_TIMES,
    NO_SELECTION,
    Cursor,
    has_selected_answer,
    selected_answer,
)
from companion.press.wheel import (
    CARET_TO_END_PLACE,
    COMMAND_PLACES,
    DONE_PLACE,
    ERASE_PLACE,
    is_drawn_as_wheel,
    letter_rows,
)
from companion.say.words import MAX_NAME_LETTERS, Words
from hardware.ports import DISPLAY_WIDTH

if TYPE_CHECKING:
    from companion.core.snapshot import Snapshot, View
    from companion.draw.face import Face, FactPicture


ANSWER_FONTS: Final = ("large", "double")
"""Names of the fonts for the selected answer, the largest font first.

An answer that fits in none of these fonts is drawn in the font "medium", on two rows if necessary.
"""
ROWS_BELOW_TITLE: Final = 4
"""Number of rows (8 pixels high) below a title in large letters."""
ANSWER_MARGIN: Final = 8
"""Width in pixels of the empty columns around the selected answer and around the running total."""
TURN_TIMER_PARTS: Final = 16
"""Number of equal parts into which the turn timer divides a player's time for a turn."""


def _picture(cues: Cues, face: Face | None) -> FactPicture | None:
    return face.pictures.get(cues[0].name) if face and cues else None


def count_animation_pictures(cues: Cues, face: Face | None) -> int:
    """Return the number of pictures that show the events `cues`; 1 for a still picture."""
    picture = _picture(cues, face)
    return picture.steps(cues[0]) if picture else 1


def question_frame(
    snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words, face: Face
) -> bytes:
    """Return the frame with the present state of the game and the pending question."""
    canvas = Canvas()
    face.body(canvas, snapshot, prompt, cursor, words)
    if prompt.name == AGREE_UNDO_QUESTION:
        canvas.draw_wrapped_text(4, words.game_or_shared_sentence(AGREE_UNDO_QUESTION), 2)
    _ask(canvas, prompt, cursor, words, snapshot.view, turns=prompt.name in face.on_wheel)
    return canvas.frame


def frame_with_turn_timer(frame: bytes, left: int) -> bytes:
    """Return the frame with the turn timer drawn on its lowest row of pixels.

    `left`: the remaining time of the turn, from 0 to `TURN_TIMER_PARTS`.
    """
    above, page = frame[:-DISPLAY_WIDTH], frame[-DISPLAY_WIDTH:]
    full = DISPLAY_WIDTH * left // TURN_TIMER_PARTS
    return above + bytes(b & 0x7F | (0x80 if x < full else 0) for x, b in enumerate(page))


def confirmation_frame(prompt: Choose, cursor: Cursor, words: Words) -> bytes:
    """Return the frame that asks a player to confirm an answer, and states the answer's cost."""
    canvas, (asked, value) = Canvas(), (prompt.facts["question"], prompt.facts["value"])
    canvas.draw_wrapped_text(0, words.game_or_shared_sentence(f"sure.{asked}"), 2)
    canvas.draw_centred_text(
        2, shorten_text(words.answer_label(asked, value).upper(), MEDIUM_ROW_LETTERS), "medium"
    )
    draw_answer_list(canvas, prompt, cursor, words, {}, page=4)
    _ask(canvas, prompt, cursor, words, {})
    return canvas.frame


def _ask(
    canvas: Canvas,
    prompt: Prompt,
    cursor: Cursor,
    words: Words,
    view: View,
    *,
    turns: bool = False,
) -> None:
    """Draw rows 6 and 7: the question with the selected answer, and the functions of the buttons.

    `turns`: if True, show the selected answer on row 6 instead of a list of answers. If the prompt
    can show only one answer at a time, `turns` has no effect.
    """
    sentence = words.question_row(prompt, view)
    if isinstance(prompt, Spell):
        canvas.draw_text(6, 0, shorten_text(sentence, ROW_LETTERS))
        legend = _spelling_legend(prompt, cursor, words)
    elif is_drawn_as_wheel(prompt) or turns:
        value = words.answer_label(prompt.name, selected_answer(prompt, cursor), view)
        value = (
            value if len(sentence) + len(value) + 2 <= ROW_LETTERS else answer_without_price(value)
        )
        canvas.draw_text(6, 0, shorten_text(sentence, ROW_LETTERS - max(2, len(value)) - 2))
        canvas.draw_right_aligned_text(6, f"▴{value:>2}▾")
        legend = words.button_legend(prompt, "wheel")
    else:
        canvas.draw_text(6, 0, shorten_text(sentence, ROW_LETTERS))
        legend = words.button_legend(prompt, "list")
    canvas.draw_text(7, 0, held_button_legend(cursor, words) or legend)


def _spelling_legend(prompt: Spell, cursor: Cursor, words: Words) -> str:
    place, secret = selected_answer(prompt, cursor), prompt.private
    left = ".left" if cursor.letters_before_caret else ""
    if cursor.row:
        return words("box.legend.spell")
    if place in COMMAND_PLACES:
        kind = {DONE_PLACE: "done", CARET_TO_END_PLACE: f"end{left}", ERASE_PLACE: f"erase{left}"}[
            place
        ]
        return words(f"box.legend.{kind}")
    if len(place) == 1:
        return words(f"box.legend.letter{left}")
    if place not in letter_rows(prompt, cursor.text, cursor.back):
        return words("box.legend.known")
    if not cursor.back and cursor.text and is_legal_answer(prompt, cursor.text):
        return words("box.legend.row.end")
    return words(f"box.legend.row{left or ('.secret' if secret and not cursor.text else '')}")


def held_button_legend(cursor: Cursor, words: Words) -> str:
    """Return the text of row 7 while BACK or OK is held: the effect of holding, and a progress bar.

    When the bar is full, the text states the effect of releasing the button. Return "" if no button
    is held.
    """
    if not cursor.bar:
        return ""
    if cursor.bar == len(HOLD_STEP_TIMES):
        return words(f"box.let_go.{cursor.means}")
    bar = "█" * cursor.bar + "░" * (len(HOLD_STEP_TIMES) - cursor.bar)
    return f"{words(f'box.hold.{cursor.means}'):<{ROW_LETTERS - len(bar)}}{bar}"


def large_answer_frame(
    heading: str, chosen: str, total: str, cursor: Cursor, words: Words
) -> bytes:
    """Return a frame with the selected answer as large as possible, beside the running total.

    This frame is for players who cannot read small letters.

    `heading`: the text in row 0. `chosen`: the selected answer. `total`: the running total, or "".
    """
    canvas = Canvas()
    room = DISPLAY_WIDTH - 2 * ANSWER_MARGIN if total else DISPLAY_WIDTH
    both = next((face for face in ANSWER_FONTS if _room(chosen + total, face) <= room), "")
    aside = total if not both else ""
    room = MEDIUM_ROW_LETTERS - len(aside) - bool(aside)
    canvas.draw_text(0, 0, shorten_text(heading, room), "medium")
    canvas.draw_right_aligned_text(0, aside, "medium")
    if both and total:
        canvas.draw_text(2, ANSWER_MARGIN // 2, _in(total, both), both)
    left = _room(total, both) + ANSWER_MARGIN if both and total else 0
    _marked(canvas, chosen, left)
    canvas.draw_text(7, 0, held_button_legend(cursor, words))
    return canvas.frame


def _in(text: str, face: str) -> str:
    return text.upper() if face == "large" else text


def _room(text: str, face: str) -> int:
    letters, text = load_font(face), transliterate_uncomposable_letters(text)
    if not all(letters.can_draw(letter) for letter in _in(text, face) if letter != " "):
        return 2 * DISPLAY_WIDTH
    return len(text) * letters.width


def _marked(canvas: Canvas, text: str, left: int) -> None:
    face = next(
        (face for face in ANSWER_FONTS if left + _room(text, face) <= DISPLAY_WIDTH), "medium"
    )
    if face == "medium":
        for row, line in enumerate(wrap_text(text, MEDIUM_ROW_LETTERS)[:2]):
            canvas.draw_centred_text(2 + 2 * row, line, "medium")
    else:
        x = left + (DISPLAY_WIDTH - left - _room(text, face)) // 2
        canvas.draw_text(2, x, _in(text, face), face)
    canvas.invert_rectangle(left, 2 * 8, DISPLAY_WIDTH - left, 5 * 8)


def menu_frame(prompt: Prompt, cursor: Cursor, words: Words, view: View, hint: str = "") -> bytes:
    """Return the frame of a menu page; `hint` describes the menu entry at the cursor."""
    canvas = Canvas()
    title = words(f"box.page.{view['page']}")
    canvas.draw_text(0, 0, "" if isinstance(prompt, Spell) else title)
    if isinstance(prompt, Spell):
        draw_word_entry(canvas, prompt, cursor, title)
    elif is_drawn_as_wheel(prompt):
        _number(canvas, selected_answer(prompt, cursor))
    else:
        draw_answer_list(canvas, prompt, cursor, words, view)
        canvas.draw_wrapped_text(5, hint, 2)
    if not hint:
        _ask(canvas, prompt, cursor, words, view)
    else:
        canvas.draw_text(
            7, 0, held_button_legend(cursor, words) or words.button_legend(prompt, "list")
        )
    return canvas.frame


def rule_page_frame(of: tuple[str, str, str, Sequence[str], int, int], words: Words) -> bytes:
    """Return the frame of a page of the rule book.

    `of`: a tuple with six values: the title, the clause's name, the clause's mark, the rows of
    text, the number of this page, and the number of pages.
    """
    canvas, (title, number, mark, rows, page, pages) = Canvas(), of
    canvas.draw_text(0, 0, title)
    canvas.draw_text(1, 0, f"{number} {words(f'box.mark.{mark}')}")
    canvas.draw_right_aligned_text(1, f"{page}/{pages}")
    for row, text in enumerate(rows, start=2):
        canvas.draw_text(row, 0, text)
    canvas.draw_text(7, 0, words("box.legend.leaf"))
    return canvas.frame


def text_page_frame(
    title: str, pages: Sequence[Sequence[str]], cursor: Cursor, legend: str
) -> bytes:
    """Return the frame of a page of text with its title and page number."""
    canvas = Canvas()
    canvas.draw_text(0, 0, title)
    if len(pages) > 1:
        canvas.draw_right_aligned_text(0, f"{cursor.at + 1}/{len(pages)}")
    for page, row in enumerate(pages[cursor.at], start=1):
        canvas.draw_text(page, 0, row)
    canvas.draw_text(7, 0, legend)
    return canvas.frame


def _number(canvas: Canvas, value: int) -> None:
    canvas.draw_centred_text(1, str(value), "large")


def fact_frame(cues: Cues, words: Words, cursor: Cursor, face: Face | None, step: int = 0) -> bytes:
    """Return the frame that announces events: their title, sentences and clause.

    `face`: the game's drawing functions, or None if the events do not belong to a game.
    """
    canvas = Canvas()
    if cues[0].name == "why":
        return _why(canvas, cues, words, cursor)
    draw_facts(canvas, cues, words, face, step)
    explained = any(cue.clause for cue in cues)
    legend = words("box.legend.moment" if explained else "box.legend.notice")
    canvas.draw_text(7, 0, held_button_legend(cursor, words) or legend)
    return canvas.frame


def draw_facts(canvas: Canvas, cues: Cues, words: Words, face: Face | None, step: int) -> None:
    """Draw rows 0 to 6 of events that are shown together, as a picture or as sentences."""
    picture = _picture(cues, face)
    if picture:
        picture.draw(canvas, cues, words, step)
    elif cues[0].name == "undone":
        draw_undone_answer(canvas, cues[0], words)
    else:
        draw_fact_text(canvas, cues, words)


def draw_undone_answer(canvas: Canvas, undone: Cue, words: Words) -> None:
    """Draw rows 0 to 6 of the announcement of an undone answer.

    The drawing contains the player, the totals before and after the undo if the game has totals,
    and a sentence. The number at the top right is the count of answers that can still be undone.
    """
    facts, rows = undone.facts, 3
    who, (text, _, left) = str(facts["who"] or ""), words.fact_text(undone).partition("|")
    canvas.draw_text(0, 0, words.fact_title(undone))
    canvas.draw_right_aligned_text(0, left)
    if "total" in facts:
        large_text.draw_running_total(
            canvas, facts["total"], who, f"{facts['was']}→{facts['total']}"
        )
        rows = 1
    else:
        large_text.draw_player_name(canvas, who, 1)
    canvas.draw_text_above_legend(text, rows=rows)


def rolling_dice_frame(throw: dice.RolledDice, words: Words, cursor: Cursor, step: int) -> bytes:
    """Return picture number `step` (from 0) of the animation of a player's roll.

    The last picture shows the dice at rest, with the rolled numbers.
    """
    canvas = Canvas()
    dice.draw_rolling_dice(canvas, throw.faces, step, throw.sides)
    canvas.draw_text(6, 0, shorten_text(words("box.ask.throw", who=throw.who), ROW_LETTERS))
    canvas.draw_text(7, 0, held_button_legend(cursor, words) or words("box.legend.notice"))
    return canvas.frame


def _why(canvas: Canvas, cues: Cues, words: Words, cursor: Cursor) -> bytes:
    page = cursor.page % len(cues)
    cue = cues[page]
    text = words.fact_text(cue)
    # a longer text leaves no room for a large title
    if len(wrap_text(text, ROW_LETTERS)) > ROWS_BELOW_TITLE:
        canvas.draw_centred_text(0, words.fact_title(cue))
        canvas.draw_right_aligned_text(0, cue.clause or "")
        canvas.draw_wrapped_text(1, text, 6)
    else:
        draw_fact_text(canvas, (cue,), words)
    if len(cues) > 1:
        canvas.draw_text(0, 0, f"{page + 1}/{len(cues)}")
    legend = words("box.legend.leaf" if len(cues) > 1 else "box.legend.notice")
    canvas.draw_text(7, 0, held_button_legend(cursor, words) or legend)
    return canvas.frame


def hand_over_request_frame(
    snapshot: Snapshot, player: str, prompt: Prompt, cursor: Cursor, words: Words
) -> bytes:
    """Return the public frame that asks the players to hand the box to `player`.

    The frame also shows the reason why the player needs the box, and a running total of at most two
    digits. If an answer to the question is selected in `cursor`, the frame states this fact.
    """
    ready = has_selected_answer(prompt, cursor)
    canvas = Canvas()
    canvas.draw_centred_text(0, words("box.curtain.pass"))
    others, wanted = (
        words("box.curtain.others"),
        words.reason_for_private_question(prompt, snapshot.view),
    )
    total = default_face.running_total_text(snapshot.view)
    if total and len(total) <= large_text.MAX_DIGITS_BESIDE_NAME:
        before, _, wanted = wanted.rpartition("|")
        canvas.draw_wrapped_text(
            4, wanted, 2, x=large_text.draw_running_total(canvas, total, player)
        )
        others = before or others
    else:
        large_text.draw_player_name(canvas, player, 1)
        canvas.draw_wrapped_text(4, wanted, 2, centred=True)
    canvas.draw_centred_text(6, words("box.curtain.chosen") if ready else others)
    held = "begin" if isinstance(prompt, Spell) else "curtain"
    legend = words(f"box.legend.{'ready' if ready else held}")
    canvas.draw_text(7, 0, held_button_legend(cursor, words) or legend)
    return canvas.frame


def asked_on_phones_frame(
    snapshot: Snapshot, players: Sequence[str], prompt: Prompt, cursor: Cursor, words: Words
) -> bytes:
    """Return the public frame of a question that the box asks on phones.

    A player who holds OK answers the question on the box, not on a phone.
    """
    canvas = Canvas()
    canvas.draw_text(0, 0, words.game_title(snapshot.game))
    names = wrap_text(", ".join(players).upper(), MEDIUM_ROW_LETTERS)[:2]
    for row, text in enumerate(names):
        canvas.draw_centred_text(
            2 + 2 * row - (len(names) > 1), shorten_text(text, MEDIUM_ROW_LETTERS), "medium"
        )
    below = 3 + len(names)
    canvas.draw_wrapped_text(
        below, words.reason_for_private_question(prompt, snapshot.view), 6 - below, centred=True
    )
    several = len(players) > 1
    room = ROW_LETTERS - len(words("box.curtain.phone", WHO=""))
    who = shorten_text(players[0].upper(), room)
    canvas.draw_text(6, 0, words("box.curtain.phones" if several else "box.curtain.phone", WHO=who))
    canvas.draw_text(7, 0, held_button_legend(cursor, words) or words("box.legend.on_phones"))
    return canvas.frame


def secret_curtain_frame(player: str, cursor: Cursor, words: Words) -> bytes:
    """Return the curtain: the frame that hides a secret until the player holds OK.

    This curtain is for a secret without a question. The player only looks at the secret.
    """
    canvas = Canvas()
    canvas.draw_centred_text(0, words("box.curtain.pass"))
    large_text.draw_player_name(canvas, player, 1)
    canvas.draw_centred_text(4, words.game_or_shared_sentence("curtain.peep"))
    canvas.draw_centred_text(6, words("box.curtain.others"))
    canvas.draw_text(7, 0, held_button_legend(cursor, words) or words("box.legend.peep"))
    return canvas.frame


def secret_frame(
    snapshot: Snapshot, secret: Secret, cursor: Cursor, words: Words, face: Face
) -> bytes:
    """Return the frame of a secret, for the player who owns the secret.

    Before the player has selected an answer to a private question, the frame shows no answers.
    """
    canvas, prompt = Canvas(), secret.prompt
    if not isinstance(prompt, Spell):
        canvas.draw_text(
            0, 0, words("box.secret.title", who=shorten_text(secret.player, MAX_NAME_LETTERS))
        )
    if isinstance(prompt, Choose) and prompt.name == CONFIRM_UNLISTED_WORD_QUESTION:
        canvas.draw_centred_text(1, prompt.facts["word"], "medium")
        canvas.draw_wrapped_text(3, words.question_row(prompt, {}), 2)
        draw_answer_list(canvas, prompt, cursor, words, {}, page=5)
    elif prompt is not None and cursor.at == NO_SELECTION:
        face.secret(canvas, snapshot, secret._replace(prompt=None), cursor, words)
        canvas.erase_rectangle(0, 6 * 8, DISPLAY_WIDTH, 8)
        canvas.draw_text(6, 0, shorten_text(words.question_row(prompt, snapshot.view), ROW_LETTERS))
    else:
        face.secret(canvas, snapshot, secret, cursor, words)
    canvas.draw_text(7, 0, _secret_legend(prompt, cursor, words))
    return canvas.frame


def _secret_legend(prompt: Prompt | None, cursor: Cursor, words: Words) -> str:
    if isinstance(prompt, Spell):
        return _spelling_legend(prompt, cursor, words)
    if prompt is not None and prompt.name == CONFIRM_UNLISTED_WORD_QUESTION:
        return words.button_legend(prompt, "list")
    return words("box.legend.choosing" if prompt else "box.legend.looking")


def joint_shuffle_frame(
    snapshot: Snapshot, prompt: Prompt, words: Words, *, together: bool
) -> bytes:
    """Return the frame of the joint shuffle: the game's code, and the players who have pressed.

    In a joint shuffle, the times of the players' presses influence the random numbers of the game.

    `together`: True if one press counts for all players.
    """
    canvas = Canvas()
    canvas.draw_text(0, 0, words("box.mix.title"))
    canvas.draw_centred_text(1, f"{snapshot.code[:4]} {snapshot.code[4:]}", "medium")
    canvas.draw_wrapped_text(3, words("box.mix.text"), 2)
    if together:
        canvas.draw_text(6, 0, words("box.mix.together"))
    else:
        done = snapshot.players.index(str(prompt.who))
        canvas.draw_centred_text(
            5, " ".join("■" if n < done else "□" for n, _ in enumerate(snapshot.players))
        )
        canvas.draw_text(6, 0, shorten_text(words.question_row(prompt, {}), ROW_LETTERS))
    canvas.draw_text(7, 0, words("box.legend.mix"))
    return canvas.frame


def standing_frame(
    snapshot: Snapshot, words: Words, cursor: Cursor, face: Face, instead: str = ""
) -> bytes:
    """Return the frame with the complete score, for the menu and for the end of a game.

    A long score has several frames; the cursor selects one. `instead`: text of row 7 that replaces
    the usual text.
    """
    canvas = Canvas()
    if face.pages.count(snapshot) > 1:
        legend = face.pages.draw(canvas, snapshot, words, cursor.page)
    else:
        face.standing(canvas, snapshot, words)
        legend = words("box.legend.notice" if snapshot.outcome is None else "box.legend.over")
    canvas.draw_text(7, 0, instead or held_button_legend(cursor, words) or legend)
    return canvas.frame


def resumed_game_frame(
    snapshot: Snapshot, recap: Cue, cursor: Cursor, words: Words, face: Face
) -> bytes:
    """Return the first frame of a resumed game: the total, the active player, the last event.

    The frame also shows the question below the player's name. If no player must act, the frame
    shows only the score of the game.

    `recap`: the event `resumed`, which contains the last steps of the game.
    """
    prompt, canvas = snapshot.prompt, Canvas()
    who = (prompt.who if prompt else None) or face.to_act(snapshot.view)
    if not who:
        return standing_frame(snapshot, words, cursor, face, words("box.legend.resumed"))
    asked = words.question_row(prompt, snapshot.view) if prompt else ""
    verb = asked.removeprefix(who).strip(" \u00a0:") if asked.startswith(who) else ""
    fact_text, total = words.fact_text(recap), str(recap.facts.get("total", ""))
    rows = min(len(wrap_text(fact_text, ROW_LETTERS)), 2)
    title = words.fact_title(recap)
    canvas.draw_text(0, 0, title)
    canvas.draw_right_aligned_text(
        0, shorten_text(words.game_title(snapshot.game), ROW_LETTERS - 1 - len(title))
    )
    if total and rows > 1:
        canvas.draw_text_above_legend(
            fact_text, x=large_text.draw_running_total(canvas, total, who), rows=3
        )
    elif total:
        large_text.draw_running_total(canvas, total, who, verb)
        canvas.draw_text_above_legend(fact_text, rows=1)
    else:
        large_text.draw_fitted_text(canvas, 1, 3, who.upper(), centred=True)
        large_text.draw_fitted_text(canvas, 4, 3 - rows, verb, centred=True)
        canvas.draw_text_above_legend(fact_text, rows=rows)
    canvas.draw_text(7, 0, held_button_legend(cursor, words) or words("box.legend.resumed"))
    return canvas.frame


def computer_thinking_frame(
    snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words, face: Face
) -> bytes:
    """Return the frame that is shown while a computer player thinks.

    The frame shows the score of the game, and the question with the computer player's name on row
    6.
    """
    away = prompt.facts["away"]
    asked = (
        words("box.ask.program.away", **prompt.facts) if away else words.question_row(prompt, {})
    )
    canvas = Canvas()
    canvas.copy_columns(0, 0, standing_frame(snapshot, words, cursor, face)[: 6 * DISPLAY_WIDTH])
    canvas.draw_text(6, 0, shorten_text(asked, ROW_LETTERS))
    canvas.draw_text(7, 0, held_button_legend(cursor, words) or words("box.legend.thinking"))
    return canvas.frame


def farewell_frame(words: Words) -> bytes:
    """Return the farewell frame: the box's name and a goodbye."""
    canvas = Canvas()
    canvas.draw_centred_text(2, words("box.title"), "medium")
    canvas.draw_centred_text(5, words("box.goodbye"))
    return canvas.frame
