"""Animations of Probe: an activity card is turned over, and a total changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from companion.core.game import Cue, Cues
from companion.draw.canvas import Canvas, load_font, shorten_text
from companion.draw.face import Picture
from companion.draw.letters import transliterate
from companion.draw.parts import MEDIUM_ROW_LETTERS, ROW_LETTERS, draw_verdict
from companion.say.words import Words

WIDTH: Final = 128
COUNT_PICTURES: Final = 4
"""Number of pictures in which a total changes from its old to its new value."""
TURN_COLUMNS: Final = ((58, 70), (40, 88))
"""First and last column (pixels) of a card in each picture in which the card is turned over."""
TOTAL_DIGITS: Final = 3
"""Number of digits that fit into the space of a right-aligned total."""


def booked_points(cues: Cues) -> list[Mapping[str, Any]]:
    """Return the fields of all facts `scored`, which book points to players."""
    return [cue.facts for cue in cues if cue.name == "scored"]


def draw_top(canvas: Canvas, cue: Cue, words: Words) -> None:
    """Draw the title and the clause of a fact in row 0."""
    clause = cue.clause or ""
    canvas.text(
        0, 0, shorten_text(words.title(cue).replace("|", " "), ROW_LETTERS - len(clause) - 1)
    )
    canvas.right_aligned(0, clause)


def draw_gain(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw points that a player gains or loses: the total changes in steps (PR-6)."""
    booked = booked_points(cues)
    if not booked:
        draw_verdict(canvas, cues, words)
        return
    draw_top(canvas, cues[0], words)
    draw_count(canvas, booked, step)
    draw_next_facts(canvas, cues[1:], words)


def draw_next_facts(canvas: Canvas, cues: Cues, words: Words) -> None:
    """Draw the text of the latest other fact in row 6, for example the next question."""
    others = [
        text
        for cue in cues
        if cue.name not in ("scored", "revealed") and (text := words.text_below_title(cue))
    ]
    if others:
        canvas.text(6, 0, f"{shorten_text(others[-1], ROW_LETTERS):<{ROW_LETTERS}}")


def draw_count(canvas: Canvas, booked: list[Mapping[str, Any]], step: int) -> None:
    """Draw a total in large digits, with the booked points beside the total."""
    total = f"{_now(booked, step):>{TOTAL_DIGITS}}"
    canvas.text(1, 0, total, "large")
    x = len(total) * load_font("large").width + 4
    for row, item in enumerate(booked):
        face = "medium" if x + 8 * len(f"{item['points']:+}") <= WIDTH else "small"
        if x + 6 * len(f"{item['points']:+}") <= WIDTH:
            canvas.text(1 + 2 * row, x, f"{item['points']:+}", face)
    _totals(canvas, booked)


def _now(booked: list[Mapping[str, Any]], step: int) -> int:
    points, new = sum(item["points"] for item in booked), booked[-1]["total"]
    return int(new - points + points * min(step, COUNT_PICTURES - 1) // (COUNT_PICTURES - 1))


def _totals(canvas: Canvas, booked: list[Mapping[str, Any]]) -> None:
    points, new = sum(item["points"] for item in booked), booked[-1]["total"]
    who, way = booked[-1]["who"], f"{new - points} → {new}"
    if len(transliterate(who)) + 1 + len(way) > ROW_LETTERS:
        way = f"→ {new}"
    canvas.text(6, 0, shorten_text(who, ROW_LETTERS - 1 - len(way)))
    canvas.right_aligned(6, way)


def uncovering_fact(cues: Cues) -> Cue:
    """Return the fact `uncovered`, or the first fact if no place was uncovered."""
    return next((cue for cue in cues if cue.name == "uncovered"), cues[0])


def draw_hit(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw an uncovered place with its owner and its points, and the changing total (PR-7)."""
    shown = uncovering_fact(cues)
    if shown.name != "uncovered":
        draw_verdict(canvas, cues, words)
        return
    after = cues[cues.index(shown) + 1 :]
    booked = booked_points(after)
    if not booked:
        draw_verdict(canvas, (shown, *after), words)
        return
    canvas.right_aligned(0, shown.clause or "")
    canvas.centred(1, shorten_text(words.title(shown).upper(), MEDIUM_ROW_LETTERS), "medium")
    points = sum(item["points"] for item in booked)
    canvas.text(3, 0, f"{points:+}", "medium")
    canvas.right_aligned(3, str(_now(booked, step)), "medium")
    if shown.facts["times"] > 1:
        times = shown.facts["times"]
        canvas.text(5, 0, f"{shown.facts['points'] // times}×{times}")
    _totals(canvas, booked)
    draw_next_facts(canvas, after, words)


def draw_card_turning(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw an activity card that is turned over, and next the card's effect (PR-5)."""
    card, facts = cues[0], cues[0].facts
    if step < len(TURN_COLUMNS):
        canvas.text(0, 0, words("probe.turn", who=facts["who"]))
        left, right = TURN_COLUMNS[step]
        for page in range(1, 6):
            canvas.copy_columns(
                page, left, bytes((0xFF, *(0x55, 0xAA) * ((right - left) // 2 - 1), 0xFF))
            )
        return
    if booked := booked_points(cues):
        draw_top(canvas, card, words)
        draw_count(canvas, booked, step - len(TURN_COLUMNS))
        return
    if facts["card"]["kind"] == "times":
        canvas.right_aligned(0, card.clause or "")
        canvas.centred(1, f"X{facts['card']['n']}", "large")
        canvas.centred(6, words.title(card).replace("|", " "))
    elif idle := [cue for cue in cues if cue.name == "card_idle"]:
        canvas.right_aligned(0, card.clause or "")
        rows = words.title(card).split("|")
        for row, text in enumerate(rows):
            canvas.centred(1 + 2 * row, text, "medium")
        canvas.wrapped_text(1 + 2 * len(rows), words.text(idle[0]), 2, centred=True)
    else:
        draw_verdict(canvas, cues, words)
    canvas.text(0, 0, words("probe.turn", who=facts["who"]))


def count_card_pictures(cue: Cue) -> int:
    """Return the number of pictures for an activity card; points need more pictures."""
    return len(TURN_COLUMNS) + (COUNT_PICTURES if cue.facts["card"]["kind"] == "points" else 1)


def draw_survivor(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw the points for the last covered word, one reason per picture (PR-13)."""
    draw_top(canvas, cues[0], words)
    booked = booked_points(cues)
    for row, item in enumerate(booked[: step + 1], start=1):
        canvas.text(row, 0, words(f"probe.item.{item['why']}"))
        canvas.right_aligned(row, f"{item['points']:+}")
    if step >= len(booked) and booked:
        canvas.text(4, 0, shorten_text(booked[-1]["who"], ROW_LETTERS // 2))
        canvas.right_aligned(4, str(booked[-1]["total"]), "medium")
    canvas.text(6, 0, shorten_text(words.text_below_title(cues[0]), ROW_LETTERS))


def draw_turns_left(canvas: Canvas, cues: Cues, words: Words, _: int) -> None:
    """Draw the number of turns left in the last rounds (PR-13)."""
    draw_top(canvas, cues[0], words)
    canvas.text(1, 0, f"{cues[0].facts['left']:>2}", "large")
    x = 2 * load_font("large").width + 6
    turns = words("probe.turns_left", n=cues[0].facts["left"])
    for row, text in enumerate(turns.split("|"), start=2):
        canvas.text(row, x, text)
    canvas.text(6, 0, shorten_text(words.text_below_title(cues[0]), ROW_LETTERS))


_counted = partial(Picture, steps=lambda _: COUNT_PICTURES)
PICTURES: Final[Mapping[str, Picture]] = {
    "drawn": Picture(draw_card_turning, count_card_pictures),
    "said_yes": _counted(draw_hit, about=uncovering_fact),
    "uncovered": Picture(draw_hit, lambda cue: COUNT_PICTURES if cue.facts["to"] else 1),
    "said_no": Picture(draw_gain, lambda cue: COUNT_PICTURES if cue.facts["asked"] == "." else 1),
    "word_open": Picture(draw_gain, lambda cue: COUNT_PICTURES if cue.facts["who"] else 1),
    "interrupted": _counted(draw_gain),
    "misspelled": _counted(draw_gain),
    "corrected": _counted(draw_gain),
    "survived": Picture(draw_survivor, lambda cue: 4 if cue.facts["covered"] >= 5 else 3),  # noqa: PLR2004
    "last_rounds": Picture(draw_turns_left),
}
