"""Barney Miller's frames (pictures on the display), with a total that can be read from afar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.game import Secret
from companion.core.prompts import PRESSED_ROLL_QUESTION, Prompt
from companion.core.snapshot import Snapshot, View
from companion.draw import default_face, large_text
from companion.draw.canvas import Canvas, load_font, shorten_text
from companion.draw.face import Face, StandingPages
from companion.draw.parts import ROW_LETTERS, draw_answer_list, draw_corrected_number
from companion.games.barney_miller.rules.board import TARGET_TOTAL as LIMIT
from companion.games.barney_miller.shown import survey, track
from companion.games.barney_miller.shown import words as wording
from companion.games.barney_miller.shown.facts import FACTS
from companion.games.barney_miller.shown.words import format_chips_as_squares
from companion.press.cursor import Cursor, selected_answer
from companion.press.wheel import is_drawn_as_wheel
from companion.say.words import MAX_NAME_LETTERS, Words

CARD_GAP: Final = 4
"""Distance (pixels) between two cards of a drawn hand, so that nine cards fit even with two tens.
"""
CHIPS_COLUMN: Final = 13
"""Column of a player's chips in a row, counted in letters from the left edge."""
ROLL_QUESTIONS: Final = ("roll", PRESSED_ROLL_QUESTION)
"""Names of the questions that ask a player to roll the die."""
MARKS_AFTER_TOTAL: Final = {True: " ★", False: " ✗"}
"""Marks after a total: True is the key for a total of ten, False for a higher total (BM-7)."""


def draw_question(
    canvas: Canvas, snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words
) -> None:
    """Draw a question in display rows 0 to 5: the player, the total and the answers.

    A display row is 8 pixels high.
    """
    view = snapshot.view
    if view["roller"] is None and prompt.name in ROLL_QUESTIONS:
        canvas.draw_text(0, 0, words("barney-miller.high_roll"))
    elif prompt.name == "suspect_gang":
        canvas.draw_text(0, 0, words("barney-miller.poster", detective=prompt.facts["detective"]))
    else:
        draw_round_header(canvas, {**view, "space": _meant(prompt, cursor, view)}, words)
    match prompt.name:
        case "n":
            draw_corrected_number(
                canvas, int(prompt.facts["was"]), int(selected_answer(prompt, cursor))
            )
        case name if name in ROLL_QUESTIONS:
            large_text.draw_player_name(canvas, str(prompt.who))
            track.draw_track(canvas, view)
        case "play_card" if is_drawn_as_wheel(prompt):
            card = int(selected_answer(prompt, cursor))
            large_text.draw_running_total(
                canvas,
                view["total"],
                str(prompt.who),
                card_effect_on_total_label(view["total"], card),
            )
        case "zero":
            x = large_text.draw_running_total(canvas, view["total"], str(prompt.who))
            draw_answer_list(canvas, prompt, cursor, words, view, x=x, page=4)
        case _:
            large_text.draw_answers_below_name(canvas, prompt, cursor, words, view)


def draw_past_answer(canvas: Canvas, snapshot: Snapshot, who: str, text: str, words: Words) -> None:
    """Draw an earlier answer in display rows 0 to 6; for a played card, draw the new total."""
    card = next((cue.facts for cue in snapshot.cues if cue.name == "card_played"), None)
    if card is None:
        default_face.draw_past_answer(canvas, snapshot, who, text, words)
        return
    canvas.draw_text(0, 0, words("barney-miller.round", n=snapshot.view["round"]))
    value, total = card["value"], card["total"]
    large_text.draw_running_total(canvas, total, who, f"{total - value}+{value}={total}")
    canvas.draw_text_above_legend(text, rows=1)


def card_effect_on_total_label(total: int, card: int) -> str:
    """Return a card's effect on the total, such as "+2=3" for the card 2 at a total of 1.

    A new total of ten or more has a mark.
    """
    after = total + card
    return f"+{card}={after}{MARKS_AFTER_TOTAL[after == LIMIT] if after >= LIMIT else ''}"


def _meant(prompt: Prompt, cursor: Cursor, view: View) -> Any:
    if prompt.facts.get("what") == "pawn":
        return view["track"][int(selected_answer(prompt, cursor))]
    return view["space"]


def draw_round_header(canvas: Canvas, view: View, words: Words) -> None:
    """Draw the round's number and the pawn's space in row 0."""
    canvas.draw_text(0, 0, words("barney-miller.round", n=view["round"]))
    space = view["space"]
    if space is not None:
        canvas.draw_right_aligned_text(0, short_space_name(space, words))


def short_space_name(space: Mapping[str, Any], words: Words) -> str:
    """Return the short name of a space: its gang's name, or the name of its kind."""
    if space["gang"] is not None:
        return wording.gang_name(words, space["gang"])
    return words(f"barney-miller.kind.{space['kind']}")


def draw_secret(
    canvas: Canvas, snapshot: Snapshot, secret: Secret, cursor: Cursor, words: Words
) -> None:
    """Draw a player's hand in display rows 1 to 6, and below the hand the selected card."""
    canvas.draw_text(1, 0, words("barney-miller.secret.total", n=snapshot.view["total"]))
    cards = [str(card) for card in secret.view["cards"]]
    prompt = secret.prompt
    under = str(selected_answer(prompt, cursor)) if prompt is not None else None
    x = 2
    for i, card in enumerate(cards):
        width = len(card) * load_font("medium").width
        canvas.draw_text(2, x, card, "medium")
        if card == under and card not in cards[:i]:
            canvas.draw_text(4, x + (width - load_font("small").width) // 2, "↑")
        x += width + CARD_GAP
    if prompt is None:
        return
    if prompt.name == "play_card":
        canvas.draw_text(5, 0, short_space_name(snapshot.view["space"], words))
        canvas.draw_text(6, 0, words("barney-miller.secret.play", n=under))
    else:
        draw_answer_list(canvas, prompt, cursor, words, snapshot.view, page=4)


def draw_standing(canvas: Canvas, snapshot: Snapshot, words: Words) -> None:
    """Draw a row for each player: captures, reserve chips, and number of cards.

    After the end of the game, draw the winner above these rows, and omit the numbers of cards.
    """
    view = snapshot.view
    if snapshot.outcome is not None:
        canvas.draw_centred_text(0, words("barney-miller.name"))
        canvas.draw_centred_text(
            1,
            f"★ {shorten_text(snapshot.outcome.winners[0].upper(), MAX_NAME_LETTERS)} ★",
            "medium",
        )
        _table(canvas, snapshot, words, 3)
        return
    draw_round_header(canvas, view, words)
    canvas.draw_right_aligned_text(1, words("barney-miller.columns"))
    _table(canvas, snapshot, words, 2)
    for row, name in enumerate(snapshot.players, start=2):
        canvas.draw_right_aligned_text(row, str(view["hand"][name] + view["second"][name]))
    to_act = view["to_act"]
    if to_act is not None:
        canvas.draw_text(6, 0, shorten_text(words("barney-miller.turn", who=to_act), ROW_LETTERS))


def draw_standings_page(canvas: Canvas, snapshot: Snapshot, words: Words, n: int) -> str:
    """Draw page 0 of the standings (all chips) or page 1 (the players' desks, BM-1).

    Return the text of display row 7.
    """
    if n == 0:
        draw_standing(canvas, snapshot, words)
        return words("barney-miller.legend.standing")
    draw_round_header(canvas, snapshot.view, words)
    _seats(canvas, snapshot.view, words)
    return words("barney-miller.legend.desks")


PAGES: Final = StandingPages(lambda snapshot: 1 if snapshot.outcome else 2, draw_standings_page)


def _table(canvas: Canvas, snapshot: Snapshot, words: Words, page: int) -> None:
    """Draw a row for each player: chips, or a note that the player has left (BM-15)."""
    view, small = snapshot.view, load_font("small").width
    for row, name in enumerate(snapshot.players, start=page):
        canvas.draw_text(row, 2 * small, shorten_text(name, MAX_NAME_LETTERS))
        chips = format_chips_as_squares(len(view["captured"][name]), view["reserve"][name])
        canvas.draw_text(
            row, CHIPS_COLUMN * small, words("box.out") if name in view["out"] else chips
        )
        if snapshot.outcome is None and name == view["to_act"]:
            canvas.draw_text(row, 0, "▸")
            canvas.invert_rectangle(
                2 * small - 1, 8 * row, len(shorten_text(name, MAX_NAME_LETTERS)) * small + 1, 8
            )


def _seats(canvas: Canvas, view: View, words: Words) -> None:
    """Draw a row for each player, with the name of the player's desk (BM-1)."""
    canvas.draw_centred_text(1, words("barney-miller.seats"))
    for row, (who, detective) in enumerate(view["detectives"].items(), start=2):
        canvas.draw_centred_text(
            row, shorten_text(wording.desk_label(words, who, detective), ROW_LETTERS)
        )


FACE: Final = Face(
    body=draw_question,
    secret=draw_secret,
    standing=draw_standing,
    past_answer=draw_past_answer,
    pages=PAGES,
    facts=FACTS,
    fields=wording.sentence_placeholder_texts,
    label=wording.answer_label,
    printed_names=wording.printed_names,
    glossary=wording.clauses_explaining_answer,
    names=wording.PRONUNCIATIONS,
    aloud=survey.spoken_answer,
    spoken_summary=survey.spoken_state_summary,
    spoken_state=survey.spoken_state_sentences,
    spoken_secret=survey.spoken_secret_sentences,
    spoken_board=wording.describe_board,
)
