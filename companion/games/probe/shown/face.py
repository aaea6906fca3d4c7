"""Probe's frames (pictures on the display): racks of twelve flaps, active player, and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from companion.core.game import Secret
from companion.core.prompts import COVERED_LETTER, Answer, Choose, Prompt, Spell
from companion.core.snapshot import Snapshot, View
from companion.draw import large_text
from companion.draw.canvas import Canvas, shorten_text, wrap_text
from companion.draw.face import Face, StandingPages
from companion.draw.parts import (
    ROW_LETTERS,
    draw_answer_list,
    draw_corrected_number,
    draw_letter_rows,
)
from companion.games.probe.rules.board import NO_DOT_ANSWER, PLACE_VALUES
from companion.games.probe.shown import racks, survey
from companion.games.probe.shown import words as wording
from companion.games.probe.shown.facts import FACTS
from companion.games.probe.shown.pictures import PICTURES
from companion.games.probe.shown.words import displayed_letter, place_name, rack_name
from companion.press.cursor import Cursor, selected_answer
from companion.press.wheel import MAX_ROW_LETTERS
from companion.say.words import MAX_NAME_LETTERS, Words

WHEEL_QUESTIONS: Final = frozenset({"answer", "uncover", "right"})
"""Names of the questions that show only the selected answer, in row 6 below the racks."""
FRAME_WIDTH, LARGE_LETTER_X = 128, 92
"""Positions in a frame (pixels).

- FRAME_WIDTH: the width of the frame.
- LARGE_LETTER_X: the left edge of the large letter at the right side of the frame.
"""
MAX_REASONS: Final = 6
"""Maximum number of reasons for points on one page of the standings."""
QUARTER_FRAME_WIDTH: Final = 32
"""Width (pixels) of a quarter of the frame. A place in a row of four is 2 pixels narrower."""
FIRST_PLACE_X: Final = 16
"""Left edge (pixels) of the first place in a row of four places."""
GROUP_OF_REASON: Final = {"guess_values": "guess", "guess_right": "guess"}
"""Table from a reason for points to the name of the group in which the display adds up the points.
"""


def draw_question(
    canvas: Canvas, snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words
) -> None:
    """Draw a question in display rows 0 to 5: the player, the racks and the answer.

    A display row is 8 pixels high.
    """
    view = snapshot.view
    match prompt.name:
        case "length":
            draw_word_length_question(canvas, prompt, selected_answer(prompt, cursor), words)
        case "answer" | "ask_for":
            draw_asked_player_racks(canvas, view, prompt, selected_answer(prompt, cursor), words)
        case "ask_whom":
            draw_large_player_name(canvas, view, str(prompt.who))
            draw_all_racks(canvas, view, words, 2, selected_answer(prompt, cursor))
        case "uncover" if isinstance(prompt, Choose):
            draw_uncover_question(canvas, view, prompt, selected_answer(prompt, cursor), words)
        case "guess" if isinstance(prompt, Spell):
            whole = len(cursor.text) == len(prompt.open)
            error_text = word_error_text(prompt, cursor, words) if whole else ""
            draw_word_spelling(canvas, prompt, cursor, rack_name(words, prompt.facts["rack"]))
            canvas.draw_text(3, 0, error_text)
        case "points":
            was = int(prompt.facts["was"])
            canvas.draw_text(0, 0, prompt.facts["whose"])
            draw_corrected_number(canvas, was, was + selected_answer(prompt, cursor))
        case "card_points":
            canvas.draw_centred_text(1, f"{selected_answer(prompt, cursor):+}", "large")
        case "right":
            canvas.draw_text(0, 0, words("probe.interruption"))
            canvas.draw_centred_text(
                2, words.answer_label("right", selected_answer(prompt, cursor)).upper(), "medium"
            )
        case "agree_undo":
            draw_turn_header(canvas, view, words)
            draw_answer_list(canvas, prompt, cursor, words, view)
        case name:
            canvas.draw_text(0, 0, words.game_or_shared_sentence(f"page.{name}"))
            large_text.draw_answers_below_name(canvas, prompt, cursor, words, view)


# --- the turn -------------------------------------------------------------------------------------


def draw_turn_header(canvas: Canvas, view: View, words: Words) -> None:
    """Draw row 0: the active player, the multiplier, the turn's points, and the player's total."""
    who = view["to_act"]
    if who is None:
        canvas.draw_text(0, 0, words("probe.over"))
        return
    total = str(view["scores"][who])
    times = f" ×{view['times']}" if view["times"] > 1 else ""
    earned = f" {view['turn_points']:+}" if view["turn_points"] else ""
    room = ROW_LETTERS - len(total) - 1 - len(times) - len(earned)
    canvas.draw_text(0, 0, f"{shorten_text(who, room)}{times}{earned}")
    canvas.draw_right_aligned_text(0, total)


def racks_of_player(view: View, who: str) -> list[str]:
    """Return the names of a player's racks."""
    return [rack for rack in view["racks"] if rack.partition(":")[0] == who]


def draw_asked_player_racks(
    canvas: Canvas, view: View, prompt: Prompt, value: str, words: Words
) -> None:
    """Draw the racks of the opponent whom the active player asks, and the name `prompt.who`.

    This name is the active player's name at the question `ask_for`, and the opponent's name at the
    question `answer`.
    """
    whose = racks_of_player(view, view["whom"])
    note, who = _note(view, prompt, value, words), str(prompt.who)
    if len(whose) == 1:
        score, times = _score(view)
        named, room = words("probe.word_of", who=view["whom"]), ROW_LETTERS - len(times + score) - 1
        canvas.draw_text(0, 0, named if len(named) <= room else shorten_text(view["whom"], room))
        canvas.draw_right_aligned_text(0, f"{times}{score}")
        large_text.draw_fitted_text(canvas, 1, 2 if note else 3, who.upper(), edge=LARGE_LETTER_X)
        canvas.draw_text(
            1, LARGE_LETTER_X, f" {displayed_letter(_letter(view, prompt, value))} ", "tall"
        )
        canvas.draw_text(3, 0, note)
    else:
        draw_large_player_name(canvas, view, who, note, view["whom"] if view["whom"] != who else "")
    for page, rack in zip((4,) if len(whose) == 1 else (2, 4), whose, strict=True):
        bare = is_open_word_unknown(view, rack)
        racks.draw_large_rack(
            canvas,
            page,
            () if bare else racks.rack_contents_seen_by_public(view, rack),
            _side(rack, words),
        )
        if bare:
            canvas.draw_centred_text(page, words("probe.open").upper(), "medium")


def draw_large_player_name(
    canvas: Canvas, view: View, who: str, note: str = "", below: str = ""
) -> None:
    """Draw the name `who` large in rows 0 and 1, with two short texts at the right edge.

    - `note`: the upper text, by default the multiplier and the active player's total.
    - `below`: the lower text.
    """
    (score, times), half = _score(view), ROW_LETTERS // 2
    beside = [shorten_text(note or f"{times}{score}", half), shorten_text(below, half)]
    if len(note) > half:
        beside = wrap_text(note, half)[:2]
    large_text.draw_fitted_text(
        canvas, 0, 2, who.upper(), edge=FRAME_WIDTH - 6 * (1 + max(map(len, beside)))
    )
    for page, text in enumerate(beside):
        canvas.draw_right_aligned_text(page, text)


def _score(view: View) -> tuple[str, str]:
    score = str(view["scores"].get(view["to_act"], ""))
    return score, f"×{view['times']} " if view["times"] > 1 else ""


def _letter(view: View, prompt: Prompt, value: str) -> str:
    return view["letter"] or "" if prompt.name == "answer" else value


def is_open_word_unknown(view: View, rack: str) -> bool:
    """Return True if all flaps of a rack are up, but the box knows no letter of its word."""
    return rack in view["solved"] and not any(place["letter"] for place in view["racks"][rack])


def _side(rack: str, words: Words) -> str:
    side = rack.partition(":")[2]
    return words(f"probe.place.{side}", n="") if side else ""


def _note(view: View, prompt: Prompt, value: str, words: Words) -> str:
    """Return a note for the question, such as the requested letter, or a missing dot (PR-10).

    While the active player chooses a letter, return the letters that were requested before (PR-4).
    """
    if prompt.name == "answer":
        if value == "no_dot":
            return words("probe.no_dot")
        return (
            words("probe.asked_for", letter=displayed_letter(view["letter"]))
            if view["letter"]
            else ""
        )
    asked = view.get("asked", {}).get(view["whom"], ())
    if value in asked:
        return words("probe.asked_before", letter=displayed_letter(value))
    return shorten_text(" ".join(map(displayed_letter, asked)), ROW_LETTERS)


def draw_all_racks(
    canvas: Canvas, view: View, words: Words, page: int, marked: str | None = None
) -> None:
    """Draw all racks, each with its owner and the owner's total, from display row `page` on.

    `marked`: the player whose racks get a marker, or None.
    """
    name = 5 if all(len(str(score)) <= 3 for score in view["scores"].values()) else 4  # noqa: PLR2004
    x = 6 * (name + 1) + 1
    for row, rack in enumerate(view["racks"], start=page):
        who, _, other = rack.partition(":")
        side = _side(rack, words)
        canvas.draw_text(row, 6, f"{who[: name - 2]} {side}" if side else who[:name])
        if other != "right":
            canvas.draw_right_aligned_text(row, str(view["scores"][who]))
        if who == marked:
            canvas.draw_text(row, 0, "▸")
        if is_open_word_unknown(view, rack):
            canvas.draw_text(row, x + 12, words("probe.open"))
        else:
            racks.draw_small_rack(canvas, row, x, racks.rack_contents_seen_by_public(view, rack))


def draw_word_length_question(canvas: Canvas, prompt: Prompt, n: int, words: Words) -> None:
    """Draw the question how many places a word fills on its real rack (PR-1)."""
    who, _, side = prompt.facts["rack"].partition(":")
    large_text.draw_fitted_text(canvas, 0, 2, who.upper(), centred=True)
    canvas.draw_centred_text(2, words(f"probe.length.{side}" if side else "probe.length"))
    racks.draw_place_values(canvas, 3)
    racks.draw_large_rack(
        canvas, 4, [racks.COVERED if i < n else None for i in range(len(PLACE_VALUES))]
    )


def draw_uncover_question(
    canvas: Canvas, view: View, prompt: Choose, value: Any, words: Words
) -> None:
    """Draw the places that the player can uncover, either on a rack or in rows of four places."""
    if prompt.cells:
        draw_places_in_rows(canvas, view, prompt, value, words)
        return
    whose = racks_of_player(view, str(prompt.who))
    of, _, number = str(value).rpartition(":")
    place = 0 if value == NO_DOT_ANSWER else int(number)
    if len(whose) == 1:
        large_text.draw_player_name(canvas, str(prompt.who), 0, 2)
    racks.draw_place_values(canvas, 2 if len(whose) == 1 else 3)
    for page, rack in zip((3,) if len(whose) == 1 else (0, 4), whose, strict=True):
        racks.draw_large_rack(
            canvas, page, racks.rack_contents_seen_by_public(view, rack), _side(rack, words)
        )
        if place and of in ("", rack):
            row = 5 if len(whose) == 1 else 2
            canvas.draw_text(row, racks.place_marker_column(place), "↓" if page == 4 else "↑")  # noqa: PLR2004


def draw_places_in_rows(
    canvas: Canvas, view: View, prompt: Choose, value: Any, words: Words
) -> None:
    """Draw the rack owner's name large, and below it the places' values in rows of four places.

    Each column of the rows belongs to one seat's button. Row 5 shows the rack, with the selected
    place inverted.
    """
    whose = racks_of_player(view, str(prompt.who))
    of, _, number = str(value).rpartition(":")
    rack = of or whose[0]
    of = rack if len(whose) > 1 else ""
    place = 0 if value == NO_DOT_ANSWER else int(number)
    large_text.draw_player_name(canvas, str(prompt.who), 0, 2)
    canvas.draw_text(2, 0, _side(rack, words))
    # draw a dot at every place, and in the next loop the values of the places that can be chosen
    for i in range(len(PLACE_VALUES)):
        canvas.draw_text(2 + i // 4, FIRST_PLACE_X + i % 4 * (QUARTER_FRAME_WIDTH - 2), " ·")
    for option, cell in zip(prompt.options, prompt.cells, strict=True):
        other, _, nth = str(option).rpartition(":")
        if cell is None or other != of:
            continue
        row, x = 2 + cell[0] % 3, FIRST_PLACE_X + cell[1] * (QUARTER_FRAME_WIDTH - 2)
        canvas.draw_text(row, x, f"{PLACE_VALUES[int(nth) - 1]:>2}")
        if option == value:
            canvas.draw_text(row, x - 8, "▸")
    x = (FRAME_WIDTH - len(PLACE_VALUES) * racks.SMALL_PLACE_WIDTH) // 2
    racks.draw_small_rack(canvas, 5, x, racks.rack_contents_seen_by_public(view, rack))
    if place:
        canvas.invert_rectangle(
            x + (place - 1) * racks.SMALL_PLACE_WIDTH - 1, 40, racks.SMALL_PLACE_WIDTH, 8
        )


# --- secrets --------------------------------------------------------------------------------------


def draw_secret(
    canvas: Canvas, snapshot: Snapshot, secret: Secret, cursor: Cursor, words: Words
) -> None:
    """Draw a player's secret words, or a question about these words, in display rows 1 to 6."""
    prompt = secret.prompt
    if isinstance(prompt, Spell):
        side = prompt.facts["rack"].partition(":")[2]
        draw_word_spelling(canvas, prompt, cursor, words(f"probe.side.{side}") if side else "")
        canvas.draw_text(6, 0, word_error_text(prompt, cursor, words) or words("probe.spell"))
        return
    words_by_rack = secret.view["words"]
    if not words_by_rack:
        canvas.draw_centred_text(3, words("probe.no_word"))
        return
    racks.draw_place_values(canvas, 1)
    for i, rack in enumerate(words_by_rack):
        page = 2 + (2 + (prompt is not None)) * i
        racks.draw_large_rack(
            canvas, page, racks.rack_contents_seen_by_owner(words_by_rack[rack]), _side(rack, words)
        )
    if prompt is None:
        canvas.draw_text(6, 0, words("probe.look"))
        return
    if selected_answer(prompt, cursor) == NO_DOT_ANSWER:
        canvas.draw_centred_text(4, words("probe.none"))
        return
    within = snapshot.view["uncovering"]
    _copies(canvas, selected_answer(prompt, cursor), list(words_by_rack), within, words)


def _copies(
    canvas: Canvas, value: Any, rack_names: Sequence[str], within: Sequence[str], words: Words
) -> None:
    of, _, number = str(value).rpartition(":")
    rack, place = of or within[0], int(number)
    canvas.draw_text(4, racks.place_marker_column(place), "↓" if rack_names.index(rack) else "↑")
    if len(rack_names) == 1:
        canvas.draw_text(6, 0, words("probe.which", place=place_name(words, rack, place)))


def draw_word_spelling(canvas: Canvas, prompt: Spell, cursor: Cursor, of: str) -> None:
    """Draw the word that a player is spelling, and below it the letters to choose from.

    The word is in rows 0 and 1.

    `of`: text at the right edge, about the rack of the word.
    """
    racks.draw_large_rack(canvas, 0, _spelt(prompt, cursor.text))
    if cursor.back:
        canvas.invert_rectangle(
            racks.place_marker_column(len(cursor.letters_before_caret) + 1) - 1,
            0,
            racks.PLACE_WIDTH - 2,
            16,
        )
    draw_letter_rows(canvas, 2, prompt, cursor, racks.letter_for_drawing)
    for page, line in enumerate(
        wrap_text(of, ROW_LETTERS - MAX_ROW_LETTERS - 2)[: 1 if cursor.row else 2], start=2
    ):
        canvas.draw_right_aligned_text(page, line)


def _spelt(prompt: Spell, text: str) -> tuple[racks.PlaceContent, ...]:
    ahead = tuple(racks.COVERED if letter == COVERED_LETTER else letter for letter in prompt.open)
    longest = len(ahead) or prompt.longest
    begun = racks.rack_contents_seen_by_owner(
        text if len(text) >= longest else f"{text}{COVERED_LETTER}"
    )
    return (*begun[: len(text) + 1], *(ahead or begun)[len(text) + 1 :], *begun[longest:])[
        : len(begun)
    ]


def word_error_text(prompt: Spell, cursor: Cursor, words: Words) -> str:
    """Return the reason why a spelt word is not valid, or "" for a valid word or no word."""
    flaw = prompt.flaw(cursor.text) if cursor.text else None
    return words(f"probe.flaw.{flaw}") if flaw else ""


# --- standings ------------------------------------------------------------------------------------


def draw_standing(canvas: Canvas, snapshot: Snapshot, words: Words) -> None:
    """Draw all racks and totals; after the end of the game, draw the winner above the totals."""
    view = snapshot.view
    if snapshot.outcome is not None:
        winners = snapshot.outcome.winners
        if len(winners) == 1:
            canvas.draw_centred_text(0, words("probe.name"))
            canvas.draw_centred_text(
                1, f"★ {shorten_text(winners[0].upper(), MAX_NAME_LETTERS)} ★", "medium"
            )
        else:
            canvas.draw_centred_text(1, words("probe.tie"), "medium")
        scores = sorted(view["scores"].items(), key=lambda pair: -pair[1])
        for row, (name, score) in enumerate(scores, start=3):
            canvas.draw_text(row, 12, shorten_text(name, MAX_NAME_LETTERS))
            canvas.draw_right_aligned_text(row, str(score), edge=116)
            if name in (*winners, *view["out"]):
                canvas.draw_text(row, 0, "★" if name in winners else "–")
        return
    draw_turn_header(canvas, view, words)
    draw_all_racks(canvas, view, words, 2)
    canvas.draw_text(6, 0, _ahead(view, words))


def _ahead(view: View, words: Words) -> str:
    if view["last_rounds"] is not None:
        return words("probe.last", left=view["last_rounds"])
    return words("probe.pile", n=view["pile"]) if view["pile"] or view["card"] else ""


def player_points_by_reason(view: View, who: str) -> list[tuple[str, int]]:
    """Return a player's points by reason (PR-6).

    If reasons belong to one group of GROUP_OF_REASON, their points are added up.
    """
    totals: dict[str, int] = {}
    for why, points in view["items"][who].items():
        name = GROUP_OF_REASON.get(why, why)
        totals[name] = totals.get(name, 0) + points
    return list(totals.items())


def _sheets(view: View) -> list[tuple[str, list[tuple[str, int]]]]:
    return [
        (who, rows[at : at + MAX_REASONS])
        for who in view["scores"]
        for rows in [player_points_by_reason(view, who)]
        for at in range(0, max(1, len(rows)), MAX_REASONS)
    ]


def draw_standings_page(canvas: Canvas, snapshot: Snapshot, words: Words, n: int) -> str:
    """Draw page 0 of the standings (all racks), or a later page (one player's points, PR-6).

    A later page adds up the points by reason. Return the text of display row 7.
    """
    if n:
        _sheet(canvas, snapshot, words, n)
    else:
        draw_standing(canvas, snapshot, words)
    return words(f"box.legend.{'notice' if snapshot.outcome is None else 'over'}.pages")


def _sheet(canvas: Canvas, snapshot: Snapshot, words: Words, n: int) -> None:
    who, rows = _sheets(snapshot.view)[n - 1]
    face, first = ("small", 1) if len(rows) == MAX_REASONS else ("medium", 2)
    canvas.draw_text(0, 0, shorten_text(who, MAX_NAME_LETTERS), face)
    canvas.draw_right_aligned_text(0, str(snapshot.view["scores"][who]), face)
    if not rows:
        canvas.draw_text(first, 0, words("probe.item.none"))
    for row, (why, points) in enumerate(rows, start=first):
        canvas.draw_text(row, 0, words(f"probe.item.{why}"))
        canvas.draw_right_aligned_text(row, f"{points:+}")


STANDING_PAGES: Final = StandingPages(
    lambda snapshot: 1 + len(_sheets(snapshot.view)), draw_standings_page
)


def draw_past_answer(canvas: Canvas, snapshot: Snapshot, who: str, text: str, words: Words) -> None:
    """Draw an earlier answer's sentence, and the racks after the answer, in display rows 0 to 6."""
    canvas.draw_text(0, 0, shorten_text(who, MAX_NAME_LETTERS))
    draw_all_racks(canvas, snapshot.view, words, 1, who)
    canvas.draw_text_above_legend(text)


def should_player_confirm_answer(question: str, value: Answer) -> bool:
    """Return True if the player must confirm the answer to `question`.

    Only a guess (PR-15), a misspelling (PR-11) and the early end (PR-14) need a confirmation.
    """
    del value
    return question in ("guess", "misspelled", "stop")


FACE: Final = Face(
    body=draw_question,
    secret=draw_secret,
    standing=draw_standing,
    past_answer=draw_past_answer,
    pages=STANDING_PAGES,
    pictures=PICTURES,
    on_wheel=WHEEL_QUESTIONS,
    facts=FACTS,
    fields=wording.sentence_placeholder_texts,
    label=wording.answer_label,
    printed_names=wording.printed_names,
    glossary=wording.clauses_explaining_answer,
    needs_confirmation=should_player_confirm_answer,
    aloud=survey.spoken_answer,
    spoken_summary=survey.spoken_state_summary,
    spoken_state=survey.spoken_state_sentences,
    spoken_secret=survey.spoken_secret_sentences,
    total=survey.active_player_score_text,
)
