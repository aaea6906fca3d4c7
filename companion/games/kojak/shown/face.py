"""Kojak's frames: full-screen cards, circles with their criminals, and the alarm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.prompts import DIE_SIDES, THROW_QUESTION
from companion.draw import actor, plain
from companion.draw.canvas import Canvas, load_font, shorten_names, shorten_text, wrap_text
from companion.draw.dice import die_sprite
from companion.draw.face import Face, Picture, StandingPages
from companion.draw.letters import transliterate
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
from companion.games.kojak.shown.pictures import Circle
from companion.games.kojak.shown.words import REFUSED, duty, file
from companion.press.cursor import Cursor, current_answer
from companion.say.words import MAX_NAME_LETTERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Cue, Cues
    from companion.core.prompts import JsonValues, Prompt
    from companion.core.snapshot import Snapshot, View
    from companion.say.words import Words

WIDE, HIGH = 128, 56
"""Size (pixels) of rows 0 to 6, which a game may draw."""
ROWS: Final = 7
BESIDE: Final = 60
"""Column (pixels) of the text beside a picture."""
TALL: Final = 2
"""Up to this many rows or players are drawn in larger letters."""


# --- questions ------------------------------------------------------------------------------------

ROLLS: Final = ("roll", THROW_QUESTION)
"""Questions that wait for a die."""
DIE, LARGE = 23, 40
"""Side (pixels) of a die beside a list, and of a die that is drawn alone."""
RADIUS, APART = 11, 32
"""A small circle's radius, and the distance from one circle to the next (pixels)."""


def body(canvas: Canvas, snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words) -> None:
    """Draw rows 0 to 5 of a question: the detective, the answers, and the task."""
    view = snapshot.view
    if prompt.name in ROLLS and view["phase"] not in ("opening", "race"):
        _dials(canvas, view, words)
        actor.draw_name(canvas, str(prompt.who), 3)
        return
    canvas.text(0, 0, header(view, prompt, words))
    if prompt.name in ROLLS:
        actor.draw_name(canvas, str(prompt.who))
    elif prompt.name == "n":
        _turned(canvas, view, prompt.facts, int(current_answer(prompt, cursor)))
    elif prompt.name in ("happened", "parked_first"):
        _arrived(canvas, view, prompt, cursor, words)
    else:
        actor.draw_answers_below_name(canvas, prompt, cursor, words, view)


def retell(canvas: Canvas, snapshot: Snapshot, who: str, text: str, words: Words) -> None:
    """Draw rows 0 to 6 of a past answer: the circles after the answer, and its sentence."""
    view = snapshot.view
    if view["phase"] in ("opening", "race"):
        plain.draw_past_answer(canvas, snapshot, who, text, words)
        return
    canvas.text(0, 0, shorten_text(who, MAX_NAME_LETTERS))
    _dials(canvas, view, words, 1)
    canvas.bottom_text(text)


def _arrived(canvas: Canvas, view: View, prompt: Prompt, cursor: Cursor, words: Words) -> None:
    """Draw the question what a car reached, with the die or the criminal, and the task below."""
    who, roll = prompt.who, view["roll"]
    if who is None:
        draw_answer_list(canvas, prompt, cursor, words, view)
        return
    canvas.erase_rectangle(0, 0, WIDE, 8)
    actor.draw_answers_below_name(canvas, prompt, cursor, words, view, page=0, last=4)
    if roll is not None:
        canvas.draw_sprite(WIDE - DIE - 1, 16, die_sprite(roll, DIE))
    elif (colour := view["mission"][who]) is not None:
        _dial(canvas, view, colour, WIDE - RADIUS - 2, 28)
    canvas.text(5, 0, words("kojak.reverse") if roll == DIE_SIDES else duty(words, view, who))


def _dials(canvas: Canvas, view: View, words: Words, row: int = 0) -> None:
    """Draw the circles on three rows from `row` on, each with its colour and hunters (KO-4)."""
    for i, colour in enumerate(board.COLOURS):
        x, y = APART * i, 8 * row
        canvas.text(row, x + 2 * RADIUS + 3, words(f"kojak.colour.{colour}")[0].upper())
        if view["circle"][colour] is None:
            canvas.set_pixels(pictures.bars(x + 1, y, 22, 23, 5))
        else:
            _dial(canvas, view, colour, x + RADIUS, y + RADIUS)
        for page, mark in enumerate(_hunters(view, colour), start=row + 1):
            canvas.text(page, x + 2 * RADIUS + 3, mark)


def _dial(canvas: Canvas, view: View, colour: str, x: int, y: int) -> None:
    canvas.set_pixels(pictures.dial(_small(view, colour, x, y, RADIUS), view["circle"][colour]))


def _hunters(view: View, colour: str) -> list[str]:
    """Return up to two marks for a circle: a hunter's initial, and ■ for a posted warrant (KO-11).

    The hunter who acts first is shown. For a closed file, the mark is the player who closed it.
    """
    is_closed = view["circle"][colour] is None
    hunting = [who for who, has in view["mission"].items() if has == colour]
    team = [view["files"][colour]] if is_closed else hunting
    team.sort(key=lambda who: (who != view["to_act"], who not in view["may_arrest"]))
    initials = dict(zip(view["mission"], shorten_names([*view["mission"]], 1), strict=True))
    marks = [initials[who].upper() for who in team]
    is_posted = not is_closed and any(view["warrant"][who] for who in team[:1])
    return [*marks[:1], POSTED] if is_posted else marks[:2]


def _turned(canvas: Canvas, view: View, facts: JsonValues, field: int) -> None:
    """Draw a criminal whose position is corrected, on the circle and as a number."""
    _circle(canvas, _small(view, facts["colour"], 30, 27, 19), field, 3)
    draw_corrected_number(canvas, facts["was"], field, x=BESIDE)


def header(view: View, prompt: Prompt, words: Words) -> str:
    """Return row 0: the deck of the card that is asked about, the race, or the player's file."""
    if prompt.name in ("card", "criminal", "order"):
        missing = view["stage"][prompt.who] == board.TO_MISSION
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
    return words("kojak.no_mission") if mission is None else file(words, mission, view)


# --- moments --------------------------------------------------------------------------------------


def _lines(cues: Cues, words: Words) -> list[str]:
    """Return the lines under a moment's title."""
    return [*filter(None, (words.text_below_title(cues[0]), *map(words.text, cues[1:])))]


def _clause(canvas: Canvas, cue: Cue) -> None:
    canvas.right_aligned(0, cue.clause or "")


def _big(canvas: Canvas, page: int, text: str, width: int = WIDE) -> None:
    """Draw text on four pages in the largest font that fits into `width` pixels."""
    text = transliterate(text)
    for face, down in (("double", 0), ("medium", 1)):
        room = len(text) * load_font(face).width
        if room <= width:
            canvas.text(page + down, (width - room) // 2, text, face)
            return


BACKS: Final = (WIDE, 72, 8)
"""Width (pixels) of a card's back in each picture of the turn."""


def trap(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw a trap card being turned over until it fills the display (KO-13, KO-14)."""
    lead = cues[0]
    card = lead.facts["card"]
    title, name = wrap_text(words.title(lead), MEDIUM_ROW_LETTERS)
    canvas.text(0, 0, title)
    _clause(canvas, lead)
    if "steps" in card and lead.facts["walks"]:
        _ordered(canvas, lead, name)
        canvas.text(6, 0, shorten_text(words.text_below_title(lead), ROW_LETTERS))
    else:
        kojak = card["kind"] == board.KOJAK
        _big(canvas, 1, name, width=104 if kojak else WIDE)
        for text in _lines(cues, words)[-1:]:
            _foot(canvas, text)
        if kojak:
            canvas.set_pixels(pictures.sprite(pictures.LOLLIPOP, 108, 12))
    if step < len(BACKS):
        _cover(canvas, BACKS[step])


def _ordered(canvas: Canvas, lead: Cue, name: str) -> None:
    """Draw the number of steps large, the colour beside it, and the criminals' way below."""
    card, walks = lead.facts["card"], lead.facts["walks"]
    sign = "-" if card["kind"] == board.BACK else "+"
    x = actor.draw_figure(canvas, f"{sign}{card['steps']}", name)
    ways = [(walk, walk["to"]) for walk in walks]
    if len(walks) == 1:
        ways.insert(0, (walks[0], walks[0]["from"]))
        canvas.text(4, x + APART - 9, "→", "wide")
    for i, (walk, at) in enumerate(ways):
        left = x + i * (APART + SMALL if len(walks) == 1 else 2 * SMALL + 3)
        circle = Circle(left + SMALL, 40, SMALL, walk["fields"], tuple(walk["red"]))
        canvas.set_pixels(pictures.dial(circle, at))


SMALL: Final = 7
"""Radius (pixels) of a circle below a name."""


def _foot(canvas: Canvas, text: str) -> None:
    """Draw text in rows 5 and 6: in medium letters if it fits, else in two small rows."""
    if "|" not in text and len(text) <= MEDIUM_ROW_LETTERS:
        canvas.centred(5, text, "medium")
    else:
        canvas.wrapped_text(5, text, 2, centred=True)


def _cover(canvas: Canvas, width: int) -> None:
    """Draw only the back of a card, `width` pixels wide."""
    x = (WIDE - width) // 2
    weave = bytes(x) + pictures.WEAVE * (width // len(pictures.WEAVE))
    for page in range(ROWS):
        canvas.copy_columns(page, 0, weave.ljust(WIDE, b"\0"))
    canvas.set_pixels(pictures.rim(x, 0, width, HIGH, 3), lit=False)
    canvas.set_pixels(pictures.rim(x, 0, width, HIGH))
    if width > HIGH:
        canvas.set_pixels(pictures.box(WIDE // 2 - 15, HIGH // 2 - 15, 30, 30), lit=False)
        canvas.set_pixels(pictures.unknown(WIDE // 2, HIGH // 2))


def mission(canvas: Canvas, cues: Cues, words: Words, _step: int) -> None:
    """Draw a mission card as large as it fits, or why another one is drawn (KO-8)."""
    lead = cues[0]
    rows = wrap_text(words.title(lead), MEDIUM_ROW_LETTERS)
    if lead.facts["why"] in REFUSED:
        canvas.centred(1, rows[0], "medium")
        canvas.wrapped_text(3, _lines(cues, words)[0], 4, centred=True)
    else:
        _big(canvas, 1, rows[0])
        canvas.centred(5, rows[1], "medium")
        canvas.text(0, 0, words.text_below_title(lead))
    _clause(canvas, lead)


def walk(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw a criminal walking round the circle, one field per picture (KO-13, KO-14)."""
    lead = cues[0]
    facts = lead.facts
    _beside(canvas, cues, words)
    of = Circle(27, 28, 27, facts["fields"], tuple(facts["red"]))
    on = -step if facts["how"] == board.BACK else step
    at = (facts["from"] + on) % facts["fields"]
    canvas.set_pixels(pictures.circle(of, at))
    who = pictures.man(of, at) if of.fields <= MEN else pictures.blob(of, at, 3)
    _stand(canvas, who, light=at not in of.red)


MEN: Final = 6
"""Up to this many fields, each has room for the figure of a man."""


def _stand(canvas: Canvas, who: pictures.Points, *, light: bool) -> None:
    """Draw the pixels of a criminal.

    Bright on a dark field (`light`), else dark on a bright one.
    """
    canvas.set_pixels(pictures.halo(who), lit=not light)
    canvas.set_pixels(who, lit=light)


def _beside(canvas: Canvas, cues: Cues, words: Words) -> None:
    """Draw a title and lines to the right of a picture, with the clause above them."""
    _clause(canvas, cues[0])
    canvas.text(1, BESIDE, words.title(cues[0]), "medium")
    columns = (WIDE - BESIDE) // load_font("small").width
    rows = [row for text in _lines(cues, words) for row in wrap_text(text, columns)]
    for page, row in enumerate(rows[: ROWS - 3], start=3):
        canvas.text(page, BESIDE, row)


def alarm(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw a criminal who reaches red, with a bright display, or who leaves it, with a dark one."""
    lead = cues[0]
    where, cry = wrap_text(words.title(lead), MEDIUM_ROW_LETTERS)
    canvas.text(0, 0, where)
    _clause(canvas, lead)
    rows = [row for text in _lines(cues, words) for row in wrap_text(text, ROW_LETTERS)][: ROWS - 3]
    if len(rows) > TALL:
        canvas.centred(1, cry, "medium")
    else:
        _big(canvas, 1, cry)
    for page, row in enumerate(rows, start=ROWS - max(TALL, len(rows))):
        canvas.centred(page, row)
    if (step % 2 == 0) == (lead.name == "off_red"):
        canvas.invert_pages(0, ROWS)


FLASHES: Final = 4


def arrest(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw bars that come down in front of a criminal (KO-15)."""
    _beside(canvas, cues, words)
    canvas.set_pixels(pictures.sprite(pictures.FACE, 6, 5, 2))
    down = pictures.bars(1, 0, 54, (step + 1) * HIGH // BARS, 13)
    canvas.set_pixels(pictures.halo(down), lit=False)
    canvas.set_pixels(down)


BARS: Final = 5


def six(canvas: Canvas, cues: Cues, words: Words, _step: int) -> None:
    """Draw the reminder that the car may drive a 6 backwards (KO-5)."""
    _beside(canvas, cues, words)
    canvas.draw_sprite(8, 8, die_sprite(DIE_SIDES, LARGE))


def race(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw the tie-break: its players, and their cars on the way home (KO-18)."""
    lead = cues[0]
    level, title = wrap_text(words.title(lead), MEDIUM_ROW_LETTERS)
    canvas.text(0, 0, level)
    _clause(canvas, lead)
    canvas.centred(1, title, "medium")
    for x in (0, WIDE - 12):
        canvas.set_pixels(pictures.sprite(pictures.FLAG, x, 9))
    names = lead.facts["players"]
    large = len(names) <= TALL
    first, high = (3, 2) if large else (ROWS - len(names), 1)
    start, driven = (64, 8) if large else (102, 2)
    for page, name in zip(range(first, ROWS, high), names, strict=False):
        colour = words(f"kojak.colour.{lead.facts['cars'][name]}")
        canvas.text(page, 0, shorten_text(name, MAX_NAME_LETTERS))
        canvas.text(*((page + 1, 12) if large else (page, 65)), colour)
        canvas.set_pixels(
            pictures.sprite(pictures.CAR, start + step * driven, page * 8 + 4 * high - 3)
        )
        canvas.set_pixels(pictures.box(WIDE - 2, page * 8, 2, 8 * high))


LAPS: Final = 7
"""Number of pictures of the cars on their way."""


PICTURES: Final[Mapping[str, Picture]] = {
    "six_rolled": Picture(six),
    "mission": Picture(mission),
    "trap": Picture(trap, lambda _: len(BACKS) + 1),
    "advanced": Picture(walk, lambda cue: int(cue.facts["steps"]) + 1),
    "on_red": Picture(alarm, lambda _: FLASHES),
    "off_red": Picture(alarm, lambda _: 2),
    "arrest": Picture(arrest, lambda _: BARS),
    "tied": Picture(race, lambda _: LAPS),
}
"""The function that draws each fact, and its number of pictures."""


# --- the board ------------------------------------------------------------------------------------

QUARTERS: Final = ((0, 0), (64, 0), (0, 3), (64, 3))
"""Column (pixels) and page of each file's quarter of the display, in the order of COLOURS."""
TAG: Final = 5
"""Letters of a name beside a circle, before its mark."""
POSTED, NOW = "■", "!"
"""Marks after a detective's name: has posted the warrant, and may arrest now."""


def standing(canvas: Canvas, snapshot: Snapshot, words: Words) -> None:
    """Draw the final standing: the winner, and every player's arrests."""
    assert snapshot.outcome is not None  # before the end, `page` is drawn instead
    canvas.centred(0, words("kojak.name"))
    canvas.centred(
        1, f"★ {shorten_text(snapshot.outcome.winners[0].upper(), MAX_NAME_LETTERS)} ★", "medium"
    )
    for row, (name, count) in enumerate(snapshot.outcome.scores.items(), start=3):
        canvas.text(row, 0, shorten_text(name, MAX_NAME_LETTERS))
        made = "■" * count + "□" * (len(QUARTERS) - count)
        canvas.text(
            row,
            (MAX_NAME_LETTERS + 1) * 6,
            words("box.out") if name in snapshot.view["out"] else made,
        )


def page(canvas: Canvas, snapshot: Snapshot, words: Words, n: int) -> str:
    """Draw the board with one detective's task: page 0 the active player's, then the others'."""
    view, players = snapshot.view, snapshot.players
    first = players.index(view["to_act"]) if view["to_act"] else 0
    who = players[(first + n) % len(players)]
    for colour, (x, top) in zip(board.COLOURS, QUARTERS, strict=True):
        canvas.text(top, x + 27, words(f"kojak.colour.{colour}").upper())
        _quarter(canvas, view, colour, (x, top), who)
    canvas.text(6, 0, duty(words, view, who))
    return words("kojak.legend.standing", who=shorten_text(who, MAX_NAME_LETTERS))


PAGES: Final = StandingPages(
    lambda snapshot: 1 if snapshot.outcome else len(snapshot.players), page
)


def _small(view: View, colour: str, x: int, y: int, radius: int) -> Circle:
    return Circle(x, y, radius, view["fields"][colour], tuple(view["red"][colour]))


def _circle(canvas: Canvas, of: Circle, at: int, size: int) -> None:
    """Draw a circle, with its criminal as a disc."""
    canvas.set_pixels(pictures.circle(of, at))
    _stand(canvas, pictures.blob(of, at, size), light=at not in of.red)


def _quarter(canvas: Canvas, view: View, colour: str, place: tuple[int, int], who: str) -> None:
    """Draw a file: its circle and criminal, and its detectives or who has closed it."""
    at, (x, top) = view["circle"][colour], place
    if at is None:
        canvas.set_pixels(pictures.bars(x + 1, top * 8 + 1, 22, 21, 5))
        canvas.text(top + 1, x + 27, _tag(view, view["files"][colour]))
        return
    _dial(canvas, view, colour, x + RADIUS + 1, top * 8 + RADIUS)
    for row, line in enumerate(_team(view, colour, who), start=top + 1):
        canvas.text(row, x + 27, line)


def _team(view: View, colour: str, who: str) -> list[str]:
    """Return two rows: a file's detectives, each with a mark for the warrant.

    Of more than two, the first is `who` or a player who may arrest now, then a number of others.
    """
    team = [name for name, mission in view["mission"].items() if mission == colour]
    if len(team) > TALL:
        team.sort(key=lambda name: (name != who, name not in view["may_arrest"]))
    tags = [f"{_tag(view, name)}{_mark(view, name)}" for name in team]
    return tags if len(tags) <= TALL else [tags[0], f"+{len(tags) - 1}"]


def _tag(view: View, who: str) -> str:
    """Return a name shortened to TAG letters, different from the other names."""
    names = [*view["mission"]]
    return shorten_names(names, TAG)[names.index(who)]


def _mark(view: View, who: str) -> str:
    if who in view["may_arrest"]:
        return NOW
    return POSTED if view["warrant"][who] else ""


FACE: Final = Face(
    body=body,
    standing=standing,
    retell=retell,
    pages=PAGES,
    pictures=PICTURES,
    facts=FACTS,
    fields=wording.fields,
    label=wording.label,
    printed_names=wording.printed_names,
    glossary=wording.glossary,
    names=wording.NAMES,
    survey=survey.survey,
    breath=survey.breath,
    board=wording.board,
)
