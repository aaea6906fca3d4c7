"""Animations of Probe: turning over an activity card, and changing a total."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from companion.core.game import Cue, Cues
from companion.draw.canvas import Canvas, load_font, shorten_text
from companion.draw.face import FactPicture
from companion.draw.letters import transliterate_uncomposable_letters
from companion.draw.parts import MEDIUM_ROW_LETTERS, ROW_LETTERS, draw_fact_text
from companion.say.words import Words

WIDTH: Final = 128
TOTAL_FRAME_COUNT: Final = 4
"""Number of frames in which a total changes from its old to its new value."""
TURNING_CARD_COLUMNS: Final = ((58, 70), (40, 88))
"""Left and right column (pixels) of a card, for each frame in which the card is turned over."""
MAX_TOTAL_DIGITS: Final = 3
"""Number of digits for which a right-aligned total has room."""


def fields_of_scored_facts(cues: Cues) -> list[Mapping[str, Any]]:
    """Return the fields of all events `scored`, which add points to players' totals."""
    return [cue.facts for cue in cues if cue.name == "scored"]


def draw_fact_title_and_clause(canvas: Canvas, cue: Cue, words: Words) -> None:
    """Draw an event's title and its clause in row 0."""
    clause = cue.clause or ""
    canvas.draw_text(
        0, 0, shorten_text(words.fact_title(cue).replace("|", " "), ROW_LETTERS - len(clause) - 1)
    )
    canvas.draw_right_aligned_text(0, clause)


def draw_points_change(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of points that a player gains or loses (PR-6).

    The displayed total changes in steps from frame to frame.
    """
    booked = fields_of_scored_facts(cues)
    if not booked:
        draw_fact_text(canvas, cues, words)
        return
    draw_fact_title_and_clause(canvas, cues[0], words)
    draw_large_total(canvas, booked, step)
    draw_latest_fact_text(canvas, cues[1:], words)


def draw_latest_fact_text(canvas: Canvas, cues: Cues, words: Words) -> None:
    """Draw the text of the latest event in row 6; ignore events about points and revealed words."""
    others = [
        text
        for cue in cues
        if cue.name not in ("scored", "revealed") and (text := words.fact_text_below_title(cue))
    ]
    if others:
        canvas.draw_text(6, 0, f"{shorten_text(others[-1], ROW_LETTERS):<{ROW_LETTERS}}")


def draw_large_total(canvas: Canvas, booked: list[Mapping[str, Any]], step: int) -> None:
    """Draw a total in large digits, with the gained or lost points to its right."""
    total = f"{_now(booked, step):>{MAX_TOTAL_DIGITS}}"
    canvas.draw_text(1, 0, total, "large")
    x = len(total) * load_font("large").width + 4
    for row, item in enumerate(booked):
        face = "medium" if x + 8 * len(f"{item['points']:+}") <= WIDTH else "small"
        if x + 6 * len(f"{item['points']:+}") <= WIDTH:
            canvas.draw_text(1 + 2 * row, x, f"{item['points']:+}", face)
    _totals(canvas, booked)


def _now(booked: list[Mapping[str, Any]], step: int) -> int:
    points, new = sum(item["points"] for item in booked), booked[-1]["total"]
    return int(new - points + points * min(step, TOTAL_FRAME_COUNT - 1) // (TOTAL_FRAME_COUNT - 1))


def _totals(canvas: Canvas, booked: list[Mapping[str, Any]]) -> None:
    points, new = sum(item["points"] for item in booked), booked[-1]["total"]
    who, way = booked[-1]["who"], f"{new - points} → {new}"
    if len(transliterate_uncomposable_letters(who)) + 1 + len(way) > ROW_LETTERS:
        way = f"→ {new}"
    canvas.draw_text(6, 0, shorten_text(who, ROW_LETTERS - 1 - len(way)))
    canvas.draw_right_aligned_text(6, way)


def find_uncovered_place_fact(cues: Cues) -> Cue:
    """Return the event `uncovered`, or the first event if no place was uncovered."""
    return next((cue for cue in cues if cue.name == "uncovered"), cues[0])


def draw_uncovering_score(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of an uncovered place: its owner, its points, and the total (PR-7)."""
    shown = find_uncovered_place_fact(cues)
    if shown.name != "uncovered":
        draw_fact_text(canvas, cues, words)
        return
    after = cues[cues.index(shown) + 1 :]
    booked = fields_of_scored_facts(after)
    if not booked:
        draw_fact_text(canvas, (shown, *after), words)
        return
    canvas.draw_right_aligned_text(0, shown.clause or "")
    canvas.draw_centred_text(
        1, shorten_text(words.fact_title(shown).upper(), MEDIUM_ROW_LETTERS), "medium"
    )
    points = sum(item["points"] for item in booked)
    canvas.draw_text(3, 0, f"{points:+}", "medium")
    canvas.draw_right_aligned_text(3, str(_now(booked, step)), "medium")
    if shown.facts["times"] > 1:
        times = shown.facts["times"]
        canvas.draw_text(5, 0, f"{shown.facts['points'] // times}×{times}")
    _totals(canvas, booked)
    draw_latest_fact_text(canvas, after, words)


def draw_turning_activity_card(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of an activity card that is turned over, or of the card's effect (PR-5)."""
    card, facts = cues[0], cues[0].facts
    if step < len(TURNING_CARD_COLUMNS):
        canvas.draw_text(0, 0, words("probe.turn", who=facts["who"]))
        left, right = TURNING_CARD_COLUMNS[step]
        for page in range(1, 6):
            canvas.copy_columns(
                page, left, bytes((0xFF, *(0x55, 0xAA) * ((right - left) // 2 - 1), 0xFF))
            )
        return
    if booked := fields_of_scored_facts(cues):
        draw_fact_title_and_clause(canvas, card, words)
        draw_large_total(canvas, booked, step - len(TURNING_CARD_COLUMNS))
        return
    if facts["card"]["kind"] == "times":
        canvas.draw_right_aligned_text(0, card.clause or "")
        canvas.draw_centred_text(1, f"X{facts['card']['n']}", "large")
        canvas.draw_centred_text(6, words.fact_title(card).replace("|", " "))
    elif idle := [cue for cue in cues if cue.name == "card_idle"]:
        canvas.draw_right_aligned_text(0, card.clause or "")
        rows = words.fact_title(card).split("|")
        for row, text in enumerate(rows):
            canvas.draw_centred_text(1 + 2 * row, text, "medium")
        canvas.draw_wrapped_text(1 + 2 * len(rows), words.fact_text(idle[0]), 2, centred=True)
    else:
        draw_fact_text(canvas, cues, words)
    canvas.draw_text(0, 0, words("probe.turn", who=facts["who"]))


def card_animation_frame_count(cue: Cue) -> int:
    """Return the number of frames for an activity card; a card with points needs more frames."""
    return len(TURNING_CARD_COLUMNS) + (
        TOTAL_FRAME_COUNT if cue.facts["card"]["kind"] == "points" else 1
    )


def draw_last_word_points(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of the points for the last hidden word (PR-13).

    Each frame shows one more reason for points than the previous frame.
    """
    draw_fact_title_and_clause(canvas, cues[0], words)
    booked = fields_of_scored_facts(cues)
    for row, item in enumerate(booked[: step + 1], start=1):
        canvas.draw_text(row, 0, words(f"probe.item.{item['why']}"))
        canvas.draw_right_aligned_text(row, f"{item['points']:+}")
    if step >= len(booked) and booked:
        canvas.draw_text(4, 0, shorten_text(booked[-1]["who"], ROW_LETTERS // 2))
        canvas.draw_right_aligned_text(4, str(booked[-1]["total"]), "medium")
    canvas.draw_text(6, 0, shorten_text(words.fact_text_below_title(cues[0]), ROW_LETTERS))


def draw_number_of_turns_left(canvas: Canvas, cues: Cues, words: Words, _: int) -> None:
    """Draw the number of turns left in the last rounds (PR-13)."""
    draw_fact_title_and_clause(canvas, cues[0], words)
    canvas.draw_text(1, 0, f"{cues[0].facts['left']:>2}", "large")
    x = 2 * load_font("large").width + 6
    turns = words("probe.turns_left", n=cues[0].facts["left"])
    for row, text in enumerate(turns.split("|"), start=2):
        canvas.draw_text(row, x, text)
    canvas.draw_text(6, 0, shorten_text(words.fact_text_below_title(cues[0]), ROW_LETTERS))


_counted = partial(FactPicture, steps=lambda _: TOTAL_FRAME_COUNT)
PICTURES: Final[Mapping[str, FactPicture]] = {
    "drawn": FactPicture(draw_turning_activity_card, card_animation_frame_count),
    "said_yes": _counted(draw_uncovering_score, explained_fact=find_uncovered_place_fact),
    "uncovered": FactPicture(
        draw_uncovering_score, lambda cue: TOTAL_FRAME_COUNT if cue.facts["to"] else 1
    ),
    "said_no": FactPicture(
        draw_points_change, lambda cue: TOTAL_FRAME_COUNT if cue.facts["asked"] == "." else 1
    ),
    "word_open": FactPicture(
        draw_points_change, lambda cue: TOTAL_FRAME_COUNT if cue.facts["who"] else 1
    ),
    "interrupted": _counted(draw_points_change),
    "misspelled": _counted(draw_points_change),
    "corrected": _counted(draw_points_change),
    "survived": FactPicture(
        draw_last_word_points,
        lambda cue: 4 if cue.facts["covered"] >= 5 else 3,  # noqa: PLR2004
    ),
    "last_rounds": FactPicture(draw_number_of_turns_left),
}
