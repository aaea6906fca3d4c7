"""Kojak's frames (pictures on the display): questions, cards, circles, alarm, and standing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.core.game import Cue, Cues
from companion.core.prompts import DIE_SIDES, PRESSED_ROLL_QUESTION, JsonValues, Prompt
from companion.core.snapshot import Snapshot, View
from companion.draw import default_face, large_text
from companion.draw.canvas import (
    Canvas,
    load_font,
    shorten_names_distinctly,
    shorten_text,
    wrap_text,
)
from companion.draw.dice import die_sprite
from companion.draw.face import Face, FactPicture, StandingPages
from companion.draw.letters import transliterate_uncomposable_letters
from companion.draw.parts import (
    MEDIUM_ROW_LETTERS,
    ROW_LETTERS,
    draw_answer_list,
    draw_corrected_number,
)
from companion.games.kojak.rules import board
from companion.games.kojak.shown import pictures, survey
from companion.games.kojak.shown import words as wording
from companion.games.kojak.shown.facts import FACTS
from companion.games.kojak.shown.pictures import CriminalCircle
from companion.games.kojak.shown.words import (
    MISSION_REFUSAL_REASONS,
    case_file_name,
    current_detective_task_text,
)
from companion.press.cursor import Cursor, selected_answer
from companion.say.words import MAX_NAME_LETTERS, Words

GAME_WIDTH, GAME_HEIGHT = 128, 56
"""Width and height (pixels) of the display area that a game may draw: rows 0 to 6."""
GAME_ROW_COUNT: Final = 7
BESIDE_PICTURE_X: Final = 60
"""Left edge (pixels) of the text to the right of a picture."""
MAX_LARGE_ROWS: Final = 2
"""Maximum number of text rows, or of players, for which larger letters are used."""


# --- questions ------------------------------------------------------------------------------------

ROLL_QUESTIONS: Final = ("roll", PRESSED_ROLL_QUESTION)
"""Names of the questions that ask a player to roll a die."""
DIE_SIDE, LARGE_DIE_SIDE = 23, 40
"""Side lengths (pixels) of a drawn die.

- DIE_SIDE: beside a list.
- LARGE_DIE_SIDE: beside a few lines of text.
"""
CIRCLE_RADIUS, CIRCLE_DISTANCE = 11, 32
"""Radius (pixels) of a small circle, and distance (pixels) between the left edges of two small
circles.
"""


def draw_question(
    canvas: Canvas, snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words
) -> None:
    """Draw a question in display rows 0 to 5: the active player, the task, and the answers.

    A display row is 8 pixels high.
    """
    view = snapshot.view
    if prompt.name in ROLL_QUESTIONS and view["phase"] not in ("opening", "race"):
        _dials(canvas, view, words)
        large_text.draw_player_name(canvas, str(prompt.who), 3)
        return
    canvas.draw_text(0, 0, question_header_text(view, prompt, words))
    if prompt.name in ROLL_QUESTIONS:
        large_text.draw_player_name(canvas, str(prompt.who))
    elif prompt.name == "n":
        _turned(canvas, view, prompt.facts, int(selected_answer(prompt, cursor)))
    elif prompt.name in ("happened", "parked_first"):
        _arrived(canvas, view, prompt, cursor, words)
    else:
        large_text.draw_answers_below_name(canvas, prompt, cursor, words, view)


def draw_past_answer(canvas: Canvas, snapshot: Snapshot, who: str, text: str, words: Words) -> None:
    """Draw an earlier answer's sentence, and the circles after the answer, in rows 0 to 6."""
    view = snapshot.view
    if view["phase"] in ("opening", "race"):
        default_face.draw_past_answer(canvas, snapshot, who, text, words)
        return
    canvas.draw_text(0, 0, shorten_text(who, MAX_NAME_LETTERS))
    _dials(canvas, view, words, 1)
    canvas.draw_text_above_legend(text)


def _arrived(canvas: Canvas, view: View, prompt: Prompt, cursor: Cursor, words: Words) -> None:
    who, roll = prompt.who, view["roll"]
    if who is None:
        draw_answer_list(canvas, prompt, cursor, words, view)
        return
    canvas.erase_rectangle(0, 0, GAME_WIDTH, 8)
    large_text.draw_answers_below_name(canvas, prompt, cursor, words, view, page=0, last=4)
    if roll is not None:
        canvas.draw_sprite(GAME_WIDTH - DIE_SIDE - 1, 16, die_sprite(roll, DIE_SIDE))
    elif (colour := view["mission"][who]) is not None:
        _dial(canvas, view, colour, GAME_WIDTH - CIRCLE_RADIUS - 2, 28)
    canvas.draw_text(
        5,
        0,
        words("kojak.reverse")
        if roll == DIE_SIDES
        else current_detective_task_text(words, view, who),
    )


def _dials(canvas: Canvas, view: View, words: Words, row: int = 0) -> None:
    """Draw four small circles side by side, with colours and detectives (KO-4).

    `row`: the first of the three display rows that the circles fill.
    """
    for i, colour in enumerate(board.COLOURS):
        x, y = CIRCLE_DISTANCE * i, 8 * row
        canvas.draw_text(row, x + 2 * CIRCLE_RADIUS + 3, words(f"kojak.colour.{colour}")[0].upper())
        if view["circle"][colour] is None:
            canvas.set_pixels(pictures.cell_bar_pixels(x + 1, y, 22, 23, 5))
        else:
            _dial(canvas, view, colour, x + CIRCLE_RADIUS, y + CIRCLE_RADIUS)
        for page, mark in enumerate(_hunters(view, colour), start=row + 1):
            canvas.draw_text(page, x + 2 * CIRCLE_RADIUS + 3, mark)


def _dial(canvas: Canvas, view: View, colour: str, x: int, y: int) -> None:
    canvas.set_pixels(
        pictures.filled_criminal_circle_pixels(
            _small(view, colour, x, y, CIRCLE_RADIUS), view["circle"][colour]
        )
    )


def _hunters(view: View, colour: str) -> list[str]:
    """Return the initials of up to two detectives with a case file, the active player first.

    If the first detective has posted a warrant (KO-11), return this detective's initial and
    POSTED_MARK. For a closed case file, return only the initial of the player who made the arrest.
    """
    is_closed = view["circle"][colour] is None
    hunting = [who for who, has in view["mission"].items() if has == colour]
    team = [view["files"][colour]] if is_closed else hunting
    team.sort(key=lambda who: (who != view["to_act"], who not in view["may_arrest"]))
    initials = dict(
        zip(view["mission"], shorten_names_distinctly([*view["mission"]], 1), strict=True)
    )
    marks = [initials[who].upper() for who in team]
    is_posted = not is_closed and any(view["warrant"][who] for who in team[:1])
    return [*marks[:1], POSTED_MARK] if is_posted else marks[:2]


def _turned(canvas: Canvas, view: View, facts: JsonValues, field: int) -> None:
    _circle(canvas, _small(view, facts["colour"], 30, 27, 19), field, 3)
    draw_corrected_number(canvas, facts["was"], field, x=BESIDE_PICTURE_X)


def question_header_text(view: View, prompt: Prompt, words: Words) -> str:
    """Return the text in row 0 of a question: a pile, the race, or the player's case file."""
    if prompt.name in ("card", "criminal", "order"):
        missing = view["stage"][prompt.who] == board.TO_MISSION_STAGE
        return words("kojak.card.mission" if missing else "kojak.card.trap")
    if prompt.who is None:
        return words("kojak.name")
    if prompt.name == "car":
        return words("kojak.cue.cars.title")
    if view["phase"] == "opening":
        return words("kojak.high_roll")
    if view["phase"] == "race":
        return words("kojak.race")
    mission = view["mission"].get(prompt.who)
    return words("kojak.no_mission") if mission is None else case_file_name(words, mission, view)


# --- moments --------------------------------------------------------------------------------------


def _lines(cues: Cues, words: Words) -> list[str]:
    return [*filter(None, (words.fact_text_below_title(cues[0]), *map(words.fact_text, cues[1:])))]


def _clause(canvas: Canvas, cue: Cue) -> None:
    canvas.draw_right_aligned_text(0, cue.clause or "")


def _big(canvas: Canvas, page: int, text: str, width: int = GAME_WIDTH) -> None:
    text = transliterate_uncomposable_letters(text)
    for face, down in (("double", 0), ("medium", 1)):
        room = len(text) * load_font(face).width
        if room <= width:
            canvas.draw_text(page + down, (width - room) // 2, text, face)
            return


CARD_BACK_WIDTHS: Final = (GAME_WIDTH, 72, 8)
"""Widths (pixels) of a card's back in the frames that show the card being turned over."""


def draw_trap_card(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of a trap card that is turned over until its front fills the display."""
    lead = cues[0]
    card = lead.facts["card"]
    title, name = wrap_text(words.fact_title(lead), MEDIUM_ROW_LETTERS)
    canvas.draw_text(0, 0, title)
    _clause(canvas, lead)
    if "steps" in card and lead.facts["walks"]:
        _ordered(canvas, lead, name)
        canvas.draw_text(6, 0, shorten_text(words.fact_text_below_title(lead), ROW_LETTERS))
    else:
        kojak = card["kind"] == board.KOJAK
        _big(canvas, 1, name, width=104 if kojak else GAME_WIDTH)
        for text in _lines(cues, words)[-1:]:
            _foot(canvas, text)
        if kojak:
            canvas.set_pixels(pictures.scaled_drawing_pixels(pictures.LOLLIPOP_DRAWING, 108, 12))
    if step < len(CARD_BACK_WIDTHS):
        _cover(canvas, CARD_BACK_WIDTHS[step])


def _ordered(canvas: Canvas, lead: Cue, name: str) -> None:
    card, walks = lead.facts["card"], lead.facts["walks"]
    sign = "-" if card["kind"] == board.BACK else "+"
    x = large_text.draw_running_total(canvas, f"{sign}{card['steps']}", name)
    ways = [(walk, walk["to"]) for walk in walks]
    if len(walks) == 1:
        ways.insert(0, (walks[0], walks[0]["from"]))
        canvas.draw_text(4, x + CIRCLE_DISTANCE - 9, "→", "wide")
    for i, (walk, at) in enumerate(ways):
        left = x + i * (CIRCLE_DISTANCE + SMALL_RADIUS if len(walks) == 1 else 2 * SMALL_RADIUS + 3)
        circle = CriminalCircle(
            left + SMALL_RADIUS, 40, SMALL_RADIUS, walk["fields"], tuple(walk["red"])
        )
        canvas.set_pixels(pictures.filled_criminal_circle_pixels(circle, at))


SMALL_RADIUS: Final = 7
"""Radius (pixels) of the criminals' circles below a trap card's name."""


def _foot(canvas: Canvas, text: str) -> None:
    if "|" not in text and len(text) <= MEDIUM_ROW_LETTERS:
        canvas.draw_centred_text(5, text, "medium")
    else:
        canvas.draw_wrapped_text(5, text, 2, centred=True)


def _cover(canvas: Canvas, width: int) -> None:
    x = (GAME_WIDTH - width) // 2
    weave = bytes(x) + pictures.CARD_BACK_PATTERN * (width // len(pictures.CARD_BACK_PATTERN))
    for page in range(GAME_ROW_COUNT):
        canvas.copy_columns(page, 0, weave.ljust(GAME_WIDTH, b"\0"))
    canvas.set_pixels(pictures.rectangle_edge_pixels(x, 0, width, GAME_HEIGHT, 3), lit=False)
    canvas.set_pixels(pictures.rectangle_edge_pixels(x, 0, width, GAME_HEIGHT))
    if width > GAME_HEIGHT:
        canvas.set_pixels(
            pictures.rectangle_pixels(GAME_WIDTH // 2 - 15, GAME_HEIGHT // 2 - 15, 30, 30),
            lit=False,
        )
        canvas.set_pixels(pictures.question_mark_pixels(GAME_WIDTH // 2, GAME_HEIGHT // 2))


def draw_mission_card(canvas: Canvas, cues: Cues, words: Words, _step: int) -> None:
    """Draw one frame of a mission card, or of the reason why the card is refused (KO-8)."""
    lead = cues[0]
    rows = wrap_text(words.fact_title(lead), MEDIUM_ROW_LETTERS)
    if lead.facts["why"] in MISSION_REFUSAL_REASONS:
        canvas.draw_centred_text(1, rows[0], "medium")
        canvas.draw_wrapped_text(3, _lines(cues, words)[0], 4, centred=True)
    else:
        _big(canvas, 1, rows[0])
        canvas.draw_centred_text(5, rows[1], "medium")
        canvas.draw_text(0, 0, words.fact_text_below_title(lead))
    _clause(canvas, lead)


def draw_walking_criminal(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of a criminal who walks round the circle, one field per frame (KO-13)."""
    lead = cues[0]
    facts = lead.facts
    _beside(canvas, cues, words)
    of = CriminalCircle(27, 28, 27, facts["fields"], tuple(facts["red"]))
    on = -step if facts["how"] == board.BACK else step
    at = (facts["from"] + on) % facts["fields"]
    canvas.set_pixels(pictures.criminal_circle_pixels(of, at))
    who = (
        pictures.criminal_man_pixels(of, at)
        if of.fields <= MAX_FIELDS_FOR_MAN
        else pictures.criminal_disc_pixels(of, at, 3)
    )
    _stand(canvas, who, light=at not in of.red)


MAX_FIELDS_FOR_MAN: Final = 6
"""Maximum number of fields of a circle on which a criminal is drawn as a man, not as a disc."""


def _stand(canvas: Canvas, who: pictures.Points, *, light: bool) -> None:
    canvas.set_pixels(pictures.halo_pixels(who), lit=not light)
    canvas.set_pixels(who, lit=light)


def _beside(canvas: Canvas, cues: Cues, words: Words) -> None:
    _clause(canvas, cues[0])
    canvas.draw_text(1, BESIDE_PICTURE_X, words.fact_title(cues[0]), "medium")
    columns = (GAME_WIDTH - BESIDE_PICTURE_X) // load_font("small").width
    rows = [row for text in _lines(cues, words) for row in wrap_text(text, columns)]
    for page, row in enumerate(rows[: GAME_ROW_COUNT - 3], start=3):
        canvas.draw_text(page, BESIDE_PICTURE_X, row)


def draw_red_field_alarm(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of the flashing alarm when a criminal reaches red or leaves red (KO-15)."""
    lead = cues[0]
    where, cry = wrap_text(words.fact_title(lead), MEDIUM_ROW_LETTERS)
    canvas.draw_text(0, 0, where)
    _clause(canvas, lead)
    rows = [row for text in _lines(cues, words) for row in wrap_text(text, ROW_LETTERS)][
        : GAME_ROW_COUNT - 3
    ]
    if len(rows) > MAX_LARGE_ROWS:
        canvas.draw_centred_text(1, cry, "medium")
    else:
        _big(canvas, 1, cry)
    for page, row in enumerate(rows, start=GAME_ROW_COUNT - max(MAX_LARGE_ROWS, len(rows))):
        canvas.draw_centred_text(page, row)
    if (step % 2 == 0) == (lead.name == "off_red"):
        canvas.invert_pixel_strips(0, GAME_ROW_COUNT)


ALARM_FRAME_COUNT: Final = 4


def draw_arrested_criminal(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of an arrest: prison bars come down in front of the criminal (KO-15)."""
    _beside(canvas, cues, words)
    canvas.set_pixels(pictures.scaled_drawing_pixels(pictures.CRIMINAL_FACE_DRAWING, 6, 5, 2))
    down = pictures.cell_bar_pixels(1, 0, 54, (step + 1) * GAME_HEIGHT // ARREST_FRAME_COUNT, 13)
    canvas.set_pixels(pictures.halo_pixels(down), lit=False)
    canvas.set_pixels(down)


ARREST_FRAME_COUNT: Final = 5


def draw_backward_six_reminder(canvas: Canvas, cues: Cues, words: Words, _step: int) -> None:
    """Draw the reminder that a car may drive backwards after a 6 (KO-5)."""
    _beside(canvas, cues, words)
    canvas.draw_sprite(8, 8, die_sprite(DIE_SIDES, LARGE_DIE_SIDE))


def draw_tie_break_race(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of the tie-break race: the tied players' cars on the way home (KO-18)."""
    lead = cues[0]
    level, title = wrap_text(words.fact_title(lead), MEDIUM_ROW_LETTERS)
    canvas.draw_text(0, 0, level)
    _clause(canvas, lead)
    canvas.draw_centred_text(1, title, "medium")
    for x in (0, GAME_WIDTH - 12):
        canvas.set_pixels(pictures.scaled_drawing_pixels(pictures.FLAG_DRAWING, x, 9))
    names = lead.facts["players"]
    large = len(names) <= MAX_LARGE_ROWS
    first, high = (3, 2) if large else (GAME_ROW_COUNT - len(names), 1)
    start, driven = (64, 8) if large else (102, 2)
    for page, name in zip(range(first, GAME_ROW_COUNT, high), names, strict=False):
        colour = words(f"kojak.colour.{lead.facts['cars'][name]}")
        canvas.draw_text(page, 0, shorten_text(name, MAX_NAME_LETTERS))
        canvas.draw_text(*((page + 1, 12) if large else (page, 65)), colour)
        canvas.set_pixels(
            pictures.scaled_drawing_pixels(
                pictures.CAR_DRAWING, start + step * driven, page * 8 + 4 * high - 3
            )
        )
        canvas.set_pixels(pictures.rectangle_pixels(GAME_WIDTH - 2, page * 8, 2, 8 * high))


RACE_FRAME_COUNT: Final = 7
"""Number of frames in the animation of the race that breaks a tie (KO-18)."""


PICTURES: Final[Mapping[str, FactPicture]] = {
    "six_rolled": FactPicture(draw_backward_six_reminder),
    "mission": FactPicture(draw_mission_card),
    "trap": FactPicture(draw_trap_card, lambda _: len(CARD_BACK_WIDTHS) + 1),
    "advanced": FactPicture(draw_walking_criminal, lambda cue: int(cue.facts["steps"]) + 1),
    "on_red": FactPicture(draw_red_field_alarm, lambda _: ALARM_FRAME_COUNT),
    "off_red": FactPicture(draw_red_field_alarm, lambda _: 2),
    "arrest": FactPicture(draw_arrested_criminal, lambda _: ARREST_FRAME_COUNT),
    "tied": FactPicture(draw_tie_break_race, lambda _: RACE_FRAME_COUNT),
}
"""Table from an event's name to the animation of this event."""


# --- the board ------------------------------------------------------------------------------------

QUARTER_POSITIONS: Final = ((0, 0), (64, 0), (0, 3), (64, 3))
"""Left edge (pixels) and top display row of each case file's quarter of the display, by colour."""
MAX_TAG_LETTERS: Final = 5
"""Maximum number of letters of a detective's name beside a circle."""
POSTED_MARK, MAY_ARREST_MARK = "■", "!"
"""Marks after a detective's name.

- POSTED_MARK: the detective's warrant is posted.
- MAY_ARREST_MARK: the detective may arrest the criminal now.
"""


def draw_final_standings(canvas: Canvas, snapshot: Snapshot, words: Words) -> None:
    """Draw the final standings: the winner, and the number of arrests of each player."""
    # only a finished game has final standings, and a finished game has an outcome
    assert snapshot.outcome is not None
    canvas.draw_centred_text(0, words("kojak.name"))
    canvas.draw_centred_text(
        1, f"★ {shorten_text(snapshot.outcome.winners[0].upper(), MAX_NAME_LETTERS)} ★", "medium"
    )
    for row, (name, count) in enumerate(snapshot.outcome.scores.items(), start=3):
        canvas.draw_text(row, 0, shorten_text(name, MAX_NAME_LETTERS))
        made = "■" * count + "□" * (len(QUARTER_POSITIONS) - count)
        canvas.draw_text(
            row,
            (MAX_NAME_LETTERS + 1) * 6,
            words("box.out") if name in snapshot.view["out"] else made,
        )


def draw_standings_page(canvas: Canvas, snapshot: Snapshot, words: Words, n: int) -> str:
    """Draw page `n` of the standings: the four case files and one detective's task.

    Page 0 shows the active player's task, and the following pages show the other players' tasks
    clockwise.
    """
    view, players = snapshot.view, snapshot.players
    first = players.index(view["to_act"]) if view["to_act"] else 0
    who = players[(first + n) % len(players)]
    for colour, (x, top) in zip(board.COLOURS, QUARTER_POSITIONS, strict=True):
        canvas.draw_text(top, x + 27, words(f"kojak.colour.{colour}").upper())
        _quarter(canvas, view, colour, (x, top), who)
    canvas.draw_text(6, 0, current_detective_task_text(words, view, who))
    return words("kojak.legend.standing", who=shorten_text(who, MAX_NAME_LETTERS))


PAGES: Final = StandingPages(
    lambda snapshot: 1 if snapshot.outcome else len(snapshot.players), draw_standings_page
)


def _small(view: View, colour: str, x: int, y: int, radius: int) -> CriminalCircle:
    return CriminalCircle(x, y, radius, view["fields"][colour], tuple(view["red"][colour]))


def _circle(canvas: Canvas, of: CriminalCircle, at: int, size: int) -> None:
    canvas.set_pixels(pictures.criminal_circle_pixels(of, at))
    _stand(canvas, pictures.criminal_disc_pixels(of, at, size), light=at not in of.red)


def _quarter(canvas: Canvas, view: View, colour: str, place: tuple[int, int], who: str) -> None:
    at, (x, top) = view["circle"][colour], place
    if at is None:
        canvas.set_pixels(pictures.cell_bar_pixels(x + 1, top * 8 + 1, 22, 21, 5))
        canvas.draw_text(top + 1, x + 27, _tag(view, view["files"][colour]))
        return
    _dial(canvas, view, colour, x + CIRCLE_RADIUS + 1, top * 8 + CIRCLE_RADIUS)
    for row, line in enumerate(_team(view, colour, who), start=top + 1):
        canvas.draw_text(row, x + 27, line)


def _team(view: View, colour: str, who: str) -> list[str]:
    """Return up to two text rows with the detectives of a case file, each with a mark or without.

    The marks are POSTED_MARK and MAY_ARREST_MARK. For three or four detectives, show one detective
    (`who` or a player who may arrest) and the number of the others.
    """
    team = [name for name, mission in view["mission"].items() if mission == colour]
    if len(team) > MAX_LARGE_ROWS:
        team.sort(key=lambda name: (name != who, name not in view["may_arrest"]))
    tags = [f"{_tag(view, name)}{_mark(view, name)}" for name in team]
    return tags if len(tags) <= MAX_LARGE_ROWS else [tags[0], f"+{len(tags) - 1}"]


def _tag(view: View, who: str) -> str:
    names = [*view["mission"]]
    return shorten_names_distinctly(names, MAX_TAG_LETTERS)[names.index(who)]


def _mark(view: View, who: str) -> str:
    if who in view["may_arrest"]:
        return MAY_ARREST_MARK
    return POSTED_MARK if view["warrant"][who] else ""


FACE: Final = Face(
    body=draw_question,
    standing=draw_final_standings,
    past_answer=draw_past_answer,
    pages=PAGES,
    pictures=PICTURES,
    facts=FACTS,
    fields=wording.sentence_placeholder_texts,
    label=wording.answer_label,
    printed_names=wording.printed_names,
    glossary=wording.clauses_explaining_answer,
    names=wording.PRONUNCIATIONS,
    spoken_state=survey.spoken_state_sentences,
    spoken_summary=survey.spoken_state_summary,
    spoken_board=wording.describe_board,
)
