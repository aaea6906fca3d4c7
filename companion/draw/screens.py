"""What the display shows: a snapshot and a cursor become one frame of 128x64 pixels.

Row 0 says where we are, rows 1 to 5 the one thing that matters, row 6 who must do what, row 7 what
the buttons do now. A game draws its own rows 0 to 5 (`games/<game>/screens.py`); everything that
all games share is drawn here. Pure: nothing is kept between two frames.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.core.prompts import Choose, Prompt, Spell
from companion.draw.canvas import Canvas, short, wrap
from companion.games import registry
from companion.press.controls import KEEP, STEPS, Cursor, chosen
from companion.press.wheel import DONE, ERASE, is_wheel, wheel
from companion.say.words import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.game import Cue, Cues
    from companion.core.snapshot import Snapshot
    from companion.say.words import Words

COLUMNS: Final = 21
"""Small letters in a row."""
BIG_COLUMNS: Final = 16
"""Medium letters in a row."""
LIST: Final = 4
"""Lines of a list that are shown at once."""


class Picture(NamedTuple):
    """A moment that a game draws itself: `PICTURES` of its `screens.py` has them by fact.

    `draw(canvas, cues, words, step)` draws rows 0 to 6; `steps(cue)` is how many pictures its
    movement has. The first of the `cues` is that fact; the others stand under it.
    """

    draw: Callable[[Canvas, Cues, Words, int], None]
    steps: Callable[[Cue], int] = lambda _: 1


class Pages(NamedTuple):
    """Standings that are turned like pages: how many, and what draws one of them.

    `draw(canvas, snapshot, words, page)` draws rows 0 to 6 and gives what row 7 says.
    """

    count: Callable[[Snapshot], int]
    draw: Callable[[Canvas, Snapshot, Words, int], str]


def _picture(cues: Cues, words: Words) -> Picture | None:
    if words.game == "box" or not cues:
        return None
    pictures: Mapping[str, Picture] = _body(words.game).PICTURES
    return pictures.get(cues[0].name)


def steps(cues: Cues, words: Words) -> int:
    """How many pictures the movement of a moment has; 1 if it stands still."""
    picture = _picture(cues, words)
    return picture.steps(cues[0]) if picture else 1


def question(snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words) -> bytes:
    """The standing question over the game as it is."""
    canvas = Canvas()
    _body(snapshot.game).body(canvas, snapshot, prompt, cursor, words)
    if prompt.name == "agree_undo":
        canvas.lines(4, words.either("agree_undo"), 2)
    turned = prompt.name in getattr(_body(snapshot.game), "TURNED", ())
    _ask(canvas, prompt, cursor, words, snapshot.view, turned=turned)
    return canvas.frame


def _body(game: str) -> Any:
    return import_module(f"{registry.package(game)}.screens")


def _ask(
    canvas: Canvas,
    prompt: Prompt,
    cursor: Cursor,
    words: Words,
    view: Mapping[str, Any],
    *,
    turned: bool = False,
) -> None:
    """Rows 6 and 7: the sentence with its wheel, and what the buttons do.

    `turned`: words turn on row 6 too, as numbers do.
    """
    sentence = words.question(prompt, view)
    if isinstance(prompt, Spell):
        canvas.text(6, 0, short(sentence, COLUMNS))
        legend = _spelling_legend(prompt, cursor, words)
    elif is_wheel(prompt) or turned:
        value = words.label(prompt.name, chosen(prompt, cursor), view)
        canvas.text(6, 0, short(sentence, COLUMNS - max(2, len(value)) - 2))
        canvas.right(6, f"◂{value:>2}▸")
        legend = words.legend(prompt, "wheel")
    else:
        canvas.text(6, 0, short(sentence, COLUMNS))
        legend = words.legend(prompt, "list")
    canvas.text(7, 0, holding(cursor, words) or legend)


def _spelling_legend(prompt: Spell, cursor: Cursor, words: Words) -> str:
    place = chosen(prompt, cursor)
    return words(
        {DONE: "box.legend.done", ERASE: "box.legend.erase"}.get(place, "box.legend.spell")
    )


def holding(cursor: Cursor, words: Words) -> str:
    """Row 7 while BACK or OK is held: what it will do, and a bar that fills."""
    if not cursor.bar:
        return ""
    button = next((b for b in ("back", "ok") if cursor.since(b) is not None), "ok")
    if cursor.bar == len(STEPS):
        return words(f"box.let_go.{button}")
    bar = "█" * cursor.bar + "░" * (len(STEPS) - cursor.bar)
    return f"{words(f'box.hold.{button}'):<{COLUMNS - len(bar)}}{bar}"


def listing(
    canvas: Canvas,
    prompt: Prompt,
    cursor: Cursor,
    words: Words,
    view: Mapping[str, Any],
    *,
    x: int = 0,
    page: int = 1,
) -> None:
    """A list of up to four lines with a marker; it moves under the cursor when it is longer."""
    places = wheel(prompt)
    first = min(max(0, cursor.at - LIST // 2), max(0, len(places) - LIST))
    columns = (128 - x) // 6 - 2
    for row, value in enumerate(places[first : first + LIST]):
        if first + row == cursor.at:
            canvas.text(page + row, x, "▸")
        canvas.text(page + row, x + 12, short(words.label(prompt.name, value, view), columns))
    _more(canvas, page, first, len(places))


def _more(canvas: Canvas, page: int, first: int, places: int) -> None:
    """Small arrows at the edge of a list that goes on."""
    if first > 0:
        canvas.right(page, "▴")
    if first + LIST < places:
        canvas.right(page + LIST - 1, "▾")


def menu(
    prompt: Prompt, cursor: Cursor, words: Words, view: Mapping[str, Any], hint: str = ""
) -> bytes:
    """A page of the box's own menus; `hint` tells more of the line under the cursor."""
    canvas = Canvas()
    title = words(f"box.page.{view['page']}")
    canvas.text(0, 0, title)
    if isinstance(prompt, Spell):
        spelling(canvas, prompt, cursor)
    elif is_wheel(prompt):
        _number(canvas, chosen(prompt, cursor))
    else:
        listing(canvas, prompt, cursor, words, view)
        canvas.lines(5, hint, 2)
    if not hint:
        _ask(canvas, prompt, cursor, words, view)
    else:
        canvas.text(7, 0, holding(cursor, words) or words.legend(prompt, "list"))
    return canvas.frame


def _number(canvas: Canvas, value: int) -> None:
    canvas.centre(1, str(value), "large")


def spelling(canvas: Canvas, prompt: Spell, cursor: Cursor) -> None:
    """The word so far, and the wheel of letters with its neighbours."""
    letters = wheel(prompt, cursor.text)
    offsets = range(-4, 5) if len(letters) > len(range(-4, 5)) else range(len(letters))
    canvas.centre(
        1, cursor.text if len(cursor.text) == prompt.longest else f"{cursor.text}_", "medium"
    )
    for offset in offsets:
        letter = letters[(cursor.at + offset) % len(letters)]
        canvas.text(4, 13 + 12 * (4 + offset), letter)
    canvas.text(3, 13 + 12 * 4 - 1, "▾")
    canvas.text(5, 13 + 12 * 4 - 1, "▴")


def moment(cues: Cues, words: Words, cursor: Cursor, step: int = 0) -> bytes:
    """A verdict that owns the frame: what happened, what it means, and by which rule."""
    canvas = Canvas()
    lead = cues[0]
    picture = _picture(cues, words)
    if picture:
        picture.draw(canvas, cues, words, step)
    else:
        verdict(canvas, cues, words)
    explained = "box.legend.moment" if lead.clause and lead.name != "why" else "box.legend.notice"
    canvas.text(7, 0, holding(cursor, words) or words(explained))
    return canvas.frame


def verdict(canvas: Canvas, cues: Cues, words: Words) -> None:
    """The title in big letters, and what it means."""
    lead, used = cues[0], 1
    if lead.clause:
        canvas.right(0, lead.clause)
    for row in wrap(words.title(lead), BIG_COLUMNS)[:2]:
        canvas.centre(used, row, "medium")
        used += 2
    centred = lead.name != "why"
    for text in filter(None, (words.alone(lead), *map(words.text, cues[1:]))):
        used += canvas.lines(used, text, 7 - used, centred=centred)


def curtain(snapshot: Snapshot, player: str, prompt: Prompt, cursor: Cursor, words: Words) -> bytes:
    """Everybody may see this: whom to hand the box to, and how the game stands, or what for.

    Once the owner has looked, a choice is made.
    """
    ready = cursor.looked
    canvas = Canvas()
    canvas.centre(0, words("box.curtain.pass"))
    canvas.centre(2, short(player.upper(), BIG_COLUMNS), "medium")
    asked = words.question(prompt, snapshot.view) if isinstance(prompt, Spell) else ""
    canvas.centre(5, short(words.status(snapshot.view) or asked, COLUMNS))
    canvas.centre(6, words.either("curtain.chosen") if ready else words("box.curtain.others"))
    legend = words("box.legend.ready" if ready else "box.legend.curtain")
    canvas.text(7, 0, holding(cursor, words) or legend)
    return canvas.frame


def peep(player: str, cursor: Cursor, words: Words) -> bytes:
    """The curtain before somebody who only wants to look: nothing is asked of the player."""
    canvas = Canvas()
    canvas.centre(0, words("box.curtain.pass"))
    canvas.centre(2, short(player.upper(), BIG_COLUMNS), "medium")
    canvas.centre(5, words("box.curtain.others"))
    canvas.text(7, 0, holding(cursor, words) or words("box.legend.peep"))
    return canvas.frame


def secret(
    snapshot: Snapshot,
    player: str,
    prompt: Prompt | None,
    seen: Mapping[str, Any],
    cursor: Cursor,
    words: Words,
) -> bytes:
    """What only `player` may see, while the button is held. `prompt`: the private one, if asked."""
    canvas = Canvas()
    canvas.text(0, 0, words("box.secret.title", who=short(player, NAME)))
    if isinstance(prompt, Choose) and prompt.name == KEEP:
        canvas.centre(1, prompt.facts["word"], "medium")
        canvas.lines(3, words.question(prompt, {}), 2)
        listing(canvas, prompt, cursor, words, {}, page=5)
    else:
        _body(snapshot.game).secret(canvas, snapshot, prompt, seen, cursor, words)
    canvas.text(7, 0, _secret_legend(prompt, cursor, words))
    return canvas.frame


def _secret_legend(prompt: Prompt | None, cursor: Cursor, words: Words) -> str:
    if isinstance(prompt, Spell):
        return _spelling_legend(prompt, cursor, words)
    if prompt is not None and prompt.name == KEEP:
        return words.legend(prompt, "list")
    return words("box.legend.choosing" if prompt else "box.legend.looking")


def mixing(snapshot: Snapshot, prompt: Prompt, words: Words) -> bytes:
    """The shuffle's code, shown before the players' presses are mixed in."""
    canvas = Canvas()
    canvas.text(0, 0, words("box.mix.title"))
    canvas.centre(1, f"{snapshot.code[:4]} {snapshot.code[4:]}", "medium")
    canvas.lines(3, words("box.mix.text"), 3)
    canvas.text(6, 0, short(words.question(prompt, {}), COLUMNS))
    canvas.text(7, 0, words("box.legend.mix"))
    return canvas.frame


def standing(snapshot: Snapshot, words: Words, cursor: Cursor) -> bytes:
    """The whole game at a look: the menu's standings, and the last frame of all.

    A game whose `screens.py` has `PAGES` shows several in turn.
    """
    canvas = Canvas()
    if pages(snapshot) > 1:
        legend = _body(snapshot.game).PAGES.draw(canvas, snapshot, words, cursor.page)
    else:
        _body(snapshot.game).standing(canvas, snapshot, words)
        legend = words("box.legend.notice" if snapshot.outcome is None else "box.legend.over")
    canvas.text(7, 0, holding(cursor, words) or legend)
    return canvas.frame


def pages(snapshot: Snapshot) -> int:
    """How many pages the standings have; 1 if there is nothing to turn."""
    turned: Pages | None = getattr(_body(snapshot.game), "PAGES", None)
    return turned.count(snapshot) if turned else 1


def splash(words: Words) -> bytes:
    """The first or last frame: the box's name, and a word."""
    canvas = Canvas()
    canvas.centre(2, words("box.title"), "medium")
    canvas.centre(5, words("box.goodbye"))
    return canvas.frame
