"""Baretta's frames (pictures on the display): the board as a square, and the selected space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.core.game import Secret
from companion.core.prompts import PRESSED_ROLL_QUESTION, Answer, Prompt
from companion.core.snapshot import Snapshot, View
from companion.draw import default_face, large_text
from companion.draw.canvas import Canvas, parse_sprite, shorten_text, wrap_text
from companion.draw.face import Face
from companion.draw.parts import ROW_LETTERS, draw_corrected_number
from companion.games.baretta.shown import spaces, survey
from companion.games.baretta.shown import words as wording
from companion.games.baretta.shown.art import DIGITS
from companion.games.baretta.shown.facts import FACTS
from companion.games.baretta.shown.pictures import (
    ICON_SCALE,
    PICTURES,
    TEXT_X,
    card_or_criminal_icon_sprite,
    draw_card_front,
)
from companion.games.baretta.shown.small_board import (
    PASS_ANSWER,
    draw_small_board,
    draw_sprite_centred_in_cell,
    marker_letter_by_player,
    marker_letter_sprite,
    space_content_sprite,
    space_sprite,
)
from companion.games.baretta.shown.spaces import (
    brief_space_effect_text,
    effect_of_space,
    space_name,
)
from companion.games.baretta.shown.words import (
    SPACE_QUESTIONS,
    is_space_effect_unusable,
    printed_card_name,
    short_card_name,
)
from companion.press.cursor import Cursor, selected_answer
from companion.say.words import MAX_NAME_LETTERS, Words

LOOK_AT_HEADING_KEYS: Final = {
    "landed": "baretta.head.landed",
    "second": "baretta.head.second",
    "guessed": "baretta.head.guessed",
    "top": "baretta.head.top",
}
"""Table from a TurnOverReason to the catalogue key of the heading that asks to look at a card."""
QUESTIONS_WITHOUT_HEADING: Final = ("move_to", "hunch")
"""Names of the questions that show the player's name in large letters instead of a heading."""
BESIDE_BOARD_X: Final = 55
"""Left edge (pixels) of the text that is to the right of the small board."""
MAX_LETTERS_BESIDE_BOARD: Final = 12
"""Maximum number of small letters in a row to the right of the small board."""
MARKER_ROW: Final = 5
"""Number of the row, to the right of the small board, that names the owner of a marker."""
MAX_MEDIUM_LETTERS_BESIDE: Final = 9
"""Maximum number of medium letters in a row to the right of the small board."""
MAX_CARDS_BESIDE: Final = 3
"""Maximum number of rows that list a player's known cards, to the right of the newest card."""
MAX_KNOWN_CARD_ROWS: Final = 5
"""Number of rows for the list of the cards that a player knows, below the list's title."""
MAX_KNOWN_CARDS: Final = 12
"""Maximum number of known cards that one frame lists, with two cards in each row."""
SPACE_WIDTH, SPACE_HEIGHT = 16, 7
"""Distances (pixels) between neighbouring spaces of the large board: in a row, and in a column."""


def draw_question(
    canvas: Canvas, snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words
) -> None:
    """Draw a question and the selected answer in display rows 0 to 5.

    If the answers are spaces, or if a player rolls in a turn, also draw the small board. A display
    row is 8 pixels high.
    """
    view = snapshot.view
    if prompt.name in SPACE_QUESTIONS:
        under = selected_answer(prompt, cursor)
        draw_small_board(canvas, snapshot, ends=prompt.options, under=under)  # type: ignore[union-attr]
        _beside(canvas, under, prompt, snapshot, words)
    elif prompt.name in ("roll", PRESSED_ROLL_QUESTION):
        _to_roll(canvas, snapshot, str(prompt.who), words)
    elif prompt.name == "n":
        canvas.draw_text(0, 0, prompt.facts["whose"])
        draw_corrected_number(
            canvas, int(prompt.facts["was"]), int(selected_answer(prompt, cursor))
        )
    else:
        _list(canvas, prompt, cursor, words, view)


def _to_roll(canvas: Canvas, snapshot: Snapshot, who: str, words: Words) -> None:
    if snapshot.view["phase"] == "opening":
        canvas.draw_text(0, 0, words("baretta.head.throw"))
        large_text.draw_player_name(canvas, who)
        return
    draw_small_board(canvas, snapshot)
    canvas.draw_text(0, BESIDE_BOARD_X, _in_vain(snapshot, words))
    large_text.draw_fitted_text(canvas, 1, 3, who.upper(), BESIDE_BOARD_X)
    canvas.draw_text(
        5,
        BESIDE_BOARD_X,
        shorten_text(space_name(words, snapshot.view["baretta"]), MAX_LETTERS_BESIDE_BOARD),
    )


def draw_past_answer(canvas: Canvas, snapshot: Snapshot, who: str, text: str, words: Words) -> None:
    """Draw an earlier answer's sentence, and the board after the answer, in display rows 0 to 6."""
    if snapshot.view["phase"] == "opening":
        default_face.draw_past_answer(canvas, snapshot, who, text, words)
        return
    draw_small_board(canvas, snapshot)
    large_text.draw_fitted_text(canvas, 1, 2, who.upper(), BESIDE_BOARD_X)
    canvas.draw_text_above_legend(text, x=BESIDE_BOARD_X, rows=4)


def _in_vain(snapshot: Snapshot, words: Words) -> str:
    """Return a text line about the last move if the move had no effect and no picture, else ""."""
    shown = [cue for moment in words.group_facts_by_picture(snapshot.cues) for cue in moment]
    for cue in snapshot.cues:
        key = f"baretta.line.{cue.facts.get('why')}"
        if cue.name == "nothing" and cue not in shown and words.has_sentence(key):
            return words(key, space=cue.facts["space"])
    return ""


def _list(canvas: Canvas, prompt: Prompt, cursor: Cursor, words: Words, view: View) -> None:
    large_text.draw_answers_below_name(canvas, prompt, cursor, words, view)
    if prompt.name == "accused":
        canvas.draw_sprite(
            128 - 8 * ICON_SCALE - 4,
            25,
            card_or_criminal_icon_sprite(selected_answer(prompt, cursor), ICON_SCALE),
        )
    elif prompt.name == "cut":
        canvas.draw_text(0, 0, words("baretta.head.cut"))
        canvas.draw_wrapped_text(4, words("baretta.hint.cut"), 2)
    elif prompt.name == "card":
        where = space_name(words, view["baretta"])
        canvas.draw_text(0, 0, words(LOOK_AT_HEADING_KEYS[view["asked"]], space=where))
    elif prompt.name in ("another", "what", "who", "lies", "who_won"):
        canvas.draw_text(0, 0, words(f"baretta.head.{prompt.name}"))


def _beside(canvas: Canvas, under: str, prompt: Prompt, snapshot: Snapshot, words: Words) -> None:
    view, question = snapshot.view, prompt.name
    page = _space(canvas, _asked(canvas, prompt, words), _name(under, question, view, words))
    owner = None if under == PASS_ANSWER else view["spaces"][under]["marker"]
    vain = _in_vain(snapshot, words) if question == "move_to" and owner is None else ""
    room = MARKER_ROW + 1 - page - (owner is not None or vain != "")
    text = (
        words(f"baretta.here.pass.{question}")
        if under == PASS_ANSWER
        else _here(under, view, words)
    )
    if len(wrap_text(text, MAX_LETTERS_BESIDE_BOARD)) > room and under != PASS_ANSWER:
        side, _, name = str(view["spaces"][under]["card"]).partition(":")
        text = short_card_name(words, name) if side == "up" else text
    for below, row in enumerate(_cut(wrap_text(text, MAX_LETTERS_BESIDE_BOARD), room), page):
        canvas.draw_text(below, BESIDE_BOARD_X, row)
    if owner is not None:
        canvas.draw_sprite(
            BESIDE_BOARD_X,
            41,
            marker_letter_sprite(marker_letter_by_player(snapshot.players)[owner]),
        )
        canvas.draw_text(MARKER_ROW, BESIDE_BOARD_X + 8, shorten_text(owner, MAX_NAME_LETTERS))
    else:
        canvas.draw_text(MARKER_ROW, BESIDE_BOARD_X, vain)


def _asked(canvas: Canvas, prompt: Prompt, words: Words) -> int:
    """Draw the player's name and a heading; return the number of the next free row.

    Omit a player's name that is too long, so that the space's name has more room.
    """
    who, page = (prompt.who or "").upper(), 0
    if prompt.name in QUESTIONS_WITHOUT_HEADING or 0 < len(who) <= MAX_MEDIUM_LETTERS_BESIDE:
        large_text.draw_fitted_text(canvas, 0, 2, who, BESIDE_BOARD_X)
        page = 2
    if prompt.name in QUESTIONS_WITHOUT_HEADING:
        return page
    canvas.draw_text(page, BESIDE_BOARD_X, words(f"baretta.head.{prompt.name}"))
    return page + 1


def _name(under: str, question: str, view: View, words: Words) -> str:
    if under != PASS_ANSWER and view["spaces"][under]["kind"] in ("outside", "shortcut"):
        return f"{words('baretta.space')} {under.upper():>2}"
    return words.answer_label(question, under).upper()


def _space(canvas: Canvas, page: int, name: str) -> int:
    """Draw a space's name from display row `page` on; return the number of the next free row."""
    if page + 2 < MARKER_ROW and len(name) <= MAX_MEDIUM_LETTERS_BESIDE:
        canvas.draw_text(page, BESIDE_BOARD_X, name, "medium")
        return page + 2
    rows = wrap_text(name, MAX_LETTERS_BESIDE_BOARD)[:2]
    for below, row in enumerate(rows, page):
        canvas.draw_text(below, BESIDE_BOARD_X, row)
    return page + (len(rows) if page + 2 >= MARKER_ROW else 2)


def _cut(rows: list[str], most: int) -> list[str]:
    if len(rows) <= most:
        return rows
    return [
        *rows[: most - 1],
        shorten_text(f"{rows[most - 1]} {rows[most]}", MAX_LETTERS_BESIDE_BOARD),
    ]


def _here(space_id: str, view: View, words: Words) -> str:
    space = view["spaces"][space_id]
    if space["kind"] == "shortcut":
        return words("baretta.here.shortcut")
    if space["kind"] != "outside":
        if is_space_effect_unusable(view, effect_of_space(words, space_id)):
            return words("baretta.brief.idle")
        return brief_space_effect_text(words, space_id)
    lies = space["card"]
    if lies is None:
        return words("baretta.here.empty")
    if lies == "down":
        is_cleared = space["cleared"] and space["marker"] is None
        return words(f"baretta.here.{'cleared' if is_cleared else 'down'}")
    return printed_card_name(words, lies.removeprefix("up:"))


# --- secrets --------------------------------------------------------------------------------------


def draw_secret(
    canvas: Canvas, snapshot: Snapshot, secret: Secret, cursor: Cursor, words: Words
) -> None:
    """Draw a player's secret cards in display rows 1 to 6: the newest card, and other cards."""
    del cursor
    seen: dict[str, str] = secret.view["seen"]
    shown = (cue.facts["space"] for cue in snapshot.cues if cue.to is not None)
    new = next((space_id for space_id in shown if space_id in seen), None)
    if new is None:
        _list_of(canvas, seen, words)
        return
    looked = any(cue.name == "looked" for cue in snapshot.cues if cue.to is not None)
    canvas.draw_text(1, 0, words("baretta.peek_looked" if looked else "baretta.peek", space=new))
    draw_card_front(canvas, seen[new], 0, 17, 38)
    others = {space_id: name for space_id, name in seen.items() if space_id != new}
    _named(canvas, printed_card_name(words, seen[new]), large=not others)
    _in_short(canvas, others, words)


def _named(canvas: Canvas, name: str, *, large: bool) -> None:
    rows = wrap_text(name.upper(), (128 - TEXT_X) // 8)
    if large or len(rows) == 1:
        for row, text in enumerate(rows):
            canvas.draw_text(2 + 2 * row, TEXT_X, text, "medium")
    else:
        for row, text in enumerate(wrap_text(name, (128 - TEXT_X) // 6)):
            canvas.draw_text(2 + row, TEXT_X, text)


def _list_of(canvas: Canvas, cards: Mapping[str, str], words: Words) -> None:
    if len(cards) <= MAX_KNOWN_CARD_ROWS:
        canvas.draw_text(1, 0, words("baretta.known"))
        for row, (space_id, name) in enumerate(cards.items(), start=2):
            whole = f"{space_id:>2}: {printed_card_name(words, name)}"
            brief = f"{space_id:>2}: {short_card_name(words, name)}"
            canvas.draw_text(row, 0, whole if len(whole) <= ROW_LETTERS else brief)
        return
    for at, (space_id, name) in enumerate([*cards.items()][:MAX_KNOWN_CARDS]):
        text = shorten_text(f"{space_id:>2}:{short_card_name(words, name)}", 10)
        canvas.draw_text(1 + at // 2, 64 * (at % 2), text)


def _in_short(canvas: Canvas, cards: Mapping[str, str], words: Words) -> None:
    shown = [f"{space_id}: {short_card_name(words, name)}" for space_id, name in cards.items()]
    if len(shown) > MAX_CARDS_BESIDE:
        rest = words("baretta.more", n=len(shown) - MAX_CARDS_BESIDE + 1)
        shown = [*shown[-MAX_CARDS_BESIDE + 1 :], rest]
    for page, text in enumerate(shown, start=4):
        canvas.draw_text(page, TEXT_X, shorten_text(text, (128 - TEXT_X) // 6))


# --- standings ------------------------------------------------------------------------------------


def draw_board_overview(canvas: Canvas, snapshot: Snapshot, words: Words) -> None:
    """Draw the large board with the spaces' numbers, and the players' names inside the path.

    Before the first turn and after the end of the game, draw only the players and their criminals.
    """
    view = snapshot.view
    if snapshot.outcome is not None:
        canvas.draw_centred_text(0, words("baretta.name"))
        canvas.draw_centred_text(
            1,
            f"★ {shorten_text(snapshot.outcome.winners[0].upper(), MAX_NAME_LETTERS)} ★",
            "medium",
        )
        _accused(canvas, snapshot, words, 3)
    elif view["phase"] == "opening":
        canvas.draw_centred_text(0, words("baretta.accuses"))
        _accused(canvas, snapshot, words, 2)
    else:
        _numbered(canvas, snapshot)
        _players(canvas, snapshot, words)


def _accused(canvas: Canvas, snapshot: Snapshot, words: Words, page: int) -> None:
    """Draw one row for each player, with this player's criminal (BA-1)."""
    for row, (who, criminal) in enumerate(snapshot.view["accused"].items(), start=page):
        named = words(f"baretta.option.accused.{criminal}") if criminal else "?"
        if who in snapshot.view["out"]:
            named = words("baretta.out")
        canvas.draw_text(row, 0, shorten_text(who, ROW_LETTERS - len(named)))
        canvas.draw_right_aligned_text(row, named)


def _numbered(canvas: Canvas, snapshot: Snapshot) -> None:
    for space_id, space in snapshot.view["spaces"].items():
        if space["kind"] not in ("outside", "corner"):
            continue
        x, y = round(SPACE_WIDTH * space["at"][0]), round(SPACE_HEIGHT * space["at"][1])
        draw_sprite_centred_in_cell(
            canvas,
            x + (9 if space_id.isdigit() else 5),
            y,
            space_content_sprite(space_id, snapshot),
        )
        if space_id.isdigit():
            for digit, left in zip(f"{space_id:>2}", (0, 4), strict=True):
                if digit != " ":
                    canvas.draw_sprite(x + left, y, parse_sprite(DIGITS[digit]))


def _players(canvas: Canvas, snapshot: Snapshot, words: Words) -> None:
    view = snapshot.view
    for page, who in enumerate(snapshot.players, start=1):
        if who == view["to_act"]:
            canvas.draw_text(page, 16, "▸")
        canvas.draw_sprite(
            22, 8 * page + 1, marker_letter_sprite(marker_letter_by_player(snapshot.players)[who])
        )
        canvas.draw_text(page, 30, shorten_text(who, 5))
        if who in view["out"]:
            canvas.draw_right_aligned_text(page, words("baretta.out"), edge=109)
            continue
        canvas.draw_sprite(62, 8 * page, card_or_criminal_icon_sprite(view["accused"][who]))
        canvas.draw_right_aligned_text(
            page, f"{view['pile'][who]}{'□' if view['shown'][who] else ' '}", edge=91
        )
        canvas.draw_sprite(94, 8 * page + 1, space_sprite("marker"))
        canvas.draw_text(page, 101, str(view["markers"][who]))
    where = space_name(words, view["baretta"])
    canvas.draw_centred_text(5, where)
    canvas.draw_sprite(64 - 3 * len(where) - 9, 40, space_sprite("baretta"))


def should_player_confirm_answer(question: str, value: Answer) -> bool:
    """Return True if the answer is a guess with a Hunch, which the player must confirm (BA-13)."""
    return question == "hunch" and value != PASS_ANSWER


FACE: Final = Face(
    body=draw_question,
    secret=draw_secret,
    standing=draw_board_overview,
    past_answer=draw_past_answer,
    pictures=PICTURES,
    facts=FACTS,
    fields=wording.sentence_placeholder_texts,
    label=wording.answer_label,
    printed_names=wording.printed_names,
    glossary=wording.clauses_explaining_answer,
    names=wording.PRONUNCIATIONS,
    needs_confirmation=should_player_confirm_answer,
    aloud=survey.spoken_answer,
    spoken_summary=survey.spoken_state_summary,
    spoken_state=survey.spoken_state_sentences,
    spoken_secret=survey.spoken_secret_sentences,
    spoken_board=spaces.describe_board,
)
