"""What a thumb means: edges and time over the standing prompt become cursor moves, or one action.

Pure: a `Cursor` goes in, a `Cursor` and perhaps an `Action` come out. UP, DOWN act when pressed and
repeat when held; OK and BACK act when released, because holding them means something else: for one
second another thing, for two to be told what the button does, and then it does nothing.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from companion.core.prompts import Answer, Choose, Prompt, Spell
from companion.press.wheel import DONE, ERASE, first, is_wheel, row, wheel
from hardware import BACK, DOWN, OK, SEATS, UP, Edge

LOOK: Final = 0.35
"""Seconds after which a held button shows its owner's secret."""
HOLD: Final = 1.0
"""Seconds after which BACK takes back and OK explains, when let go; UP with DOWN silences."""
STEPS: Final = (0.4, 0.6, 0.8, HOLD)
"""Seconds at which the bar of a hold grows."""
HELP: Final = 2.0
"""Seconds after which a held button tells what it does, instead of doing it."""
AGAIN: Final = 0.35
"""Seconds in which nobody has read a new question: until then OK says again, and answers nothing.
"""
REPEAT_AFTER: Final = 0.5
REPEAT_EVERY: Final = 0.12

KEEP: Final = "keep_word"
"""The question whether a secret word that is in no list stands: it stays open, as its spelling."""


class Action(NamedTuple):
    """What a press came to: "answer" (with a value), "undo", "why", "menu", "look" (a player),
    "hide", "interrupt" (a player), "go_on" (past a moment), "again" (say it), "help" (of a button),
    "silence" (or an end to it), or "refused" (with the reason).
    """  # noqa: D205 - one list

    name: str
    value: Any = None


class Scene(NamedTuple):
    """What a press is about: the standing prompt, or a moment or a curtain in front of it.

    `players` are those with a secret to look at, in seat order; `curtain` is the one whom the
    curtain on the display names. `holds`: there is something to take back or to explain, so that
    a held BACK or OK means more than a short one. `seats` are all players, if their buttons may
    choose one of them; `interrupts`: whether a seat's held button begins an interruption. `pages`:
    how many UP and DOWN turn; if it is one, they go past a moment.
    """

    prompt: Prompt | None
    players: tuple[str, ...] = ()
    moment: bool = False
    curtain: str | None = None
    holds: bool = True
    seats: tuple[str, ...] = ()
    interrupts: bool = False
    pages: int = 1


class Cursor(NamedTuple):
    """Where the thumbs are.

    `at`: place in the options; `text`: what is spelt so far; `held`: the buttons that are down,
    with the time since when; `spent`: those of them whose hold has had its effect; `bar`: how far a
    hold has come, 0 to 4; `looking`: whose secret is being shown; `looked`: the one whom the
    curtain names has seen the own secret; `page`: which page of a moment is turned up; `acted`:
    when OK last did something that brings up what nobody has read yet, None if the thumb has done
    something else since.
    """

    at: int = 0
    text: str = ""
    held: tuple[tuple[str, float], ...] = ()
    spent: tuple[str, ...] = ()
    repeats: int = 0
    bar: int = 0
    looking: str | None = None
    looked: bool = False
    page: int = 0
    acted: float | None = None

    def since(self, button: str) -> float | None:
        """When a button went down; None if it is up."""
        return dict(self.held).get(button)


Result = tuple[Cursor, Action | None]


def aim(cursor: Cursor, prompt: Prompt | None) -> Cursor:
    """The cursor on the likeliest answer of a new prompt; what is held now has had its effect."""
    down = tuple(button for button, _ in cursor.held)
    aimed = Cursor(at=first(prompt), held=cursor.held, spent=down, acted=cursor.acted)
    if prompt is not None and _spells(cursor, prompt):
        return aimed._replace(looking=cursor.looking, looked=True)
    return aimed


def past(cursor: Cursor) -> Cursor:
    """A moment has gone by: what is held was meant for it, but for BACK, which takes back."""
    down = tuple(button for button, _ in cursor.held if button != BACK)
    return cursor._replace(spent=tuple(dict.fromkeys((*cursor.spent, *down))), bar=0, page=0)


def let_be(cursor: Cursor) -> Cursor:
    """What is held means nothing any more: another button has joined it."""
    return cursor._replace(spent=tuple(button for button, _ in cursor.held), bar=0)


def chosen(prompt: Prompt, cursor: Cursor) -> Answer:
    """What stands under the cursor."""
    places = wheel(prompt, cursor.text)
    return places[cursor.at % len(places)]


def press(cursor: Cursor, edge: Edge, scene: Scene) -> Result:
    """An edge: a button went down or came up. Edges that change nothing are ignored."""
    if edge.down == (cursor.since(edge.button) is not None):
        return cursor, None
    return _down(cursor, edge, scene) if edge.down else _up(cursor, edge, scene)


def _down(cursor: Cursor, edge: Edge, scene: Scene) -> Result:
    cursor = cursor._replace(held=(*cursor.held, (edge.button, edge.time)), repeats=0)
    if edge.button != OK:
        cursor = cursor._replace(acted=None)
    if scene.prompt is not None and scene.prompt.name == "mix" and not scene.moment:
        nanoseconds = int(edge.time * 1e9) & scene.prompt.hi  # type: ignore[union-attr]
        return _spend(cursor, edge.button), Action("answer", nanoseconds)
    if edge.button not in (UP, DOWN) or (_chord(cursor) is not None and _is_half_spent(cursor)):
        return cursor, None
    return _move(cursor, edge.button, scene)


def _is_half_spent(cursor: Cursor) -> bool:
    """Whether one of a pair went past a moment: then the other has no step to take back."""
    return bool({UP, DOWN} & set(cursor.spent))


def _chord(cursor: Cursor) -> float | None:
    """Since when UP and DOWN are held together; None if they are not, or have had their effect."""
    both = [since for button, since in cursor.held if button in (UP, DOWN)]
    if len(both) < len((UP, DOWN)) or {UP, DOWN} <= set(cursor.spent):
        return None
    return max(both)


def _turns(cursor: Cursor, scene: Scene) -> bool:
    """Whether UP and DOWN do anything."""
    asked = scene.prompt is not None and scene.curtain in (None, cursor.looking)
    return asked or scene.pages > 1


def _move(cursor: Cursor, button: str, scene: Scene) -> Result:
    if scene.pages > 1:
        turned = 1 if button == DOWN else -1
        return cursor._replace(page=(cursor.page + turned) % scene.pages), None
    if scene.moment:
        return cursor, Action("go_on")
    if scene.prompt is None or not _turns(cursor, scene):
        return cursor, None
    up = 1 if is_wheel(scene.prompt) else -1
    step = up if button == UP else -up
    places = len(wheel(scene.prompt, cursor.text))
    return cursor._replace(at=(cursor.at + step) % places), None


def _up(cursor: Cursor, edge: Edge, scene: Scene) -> Result:
    spent, held = edge.button in cursor.spent, _has_held(cursor, edge, scene)
    again = edge.button == OK and _is_again(cursor, scene)
    cursor = cursor._replace(
        held=tuple(pair for pair in cursor.held if pair[0] != edge.button),
        spent=tuple(button for button in cursor.spent if button != edge.button),
        bar=0,
    )
    if cursor.looking is not None and spent:
        return (cursor, None) if _spells(cursor, scene.prompt) else _hide(cursor)
    if spent or edge.button in (UP, DOWN):
        return cursor, None
    if held:
        return cursor, Action("undo" if edge.button == BACK else "why")
    if edge.button in SEATS and not scene.moment:
        return _seat(cursor, edge.button, scene)
    if edge.button == BACK and not scene.moment:
        return _back(cursor, scene)
    if again:
        return cursor._replace(acted=edge.time), Action("again")
    cursor, action = (cursor, Action("go_on")) if scene.moment else _ok(cursor, scene)
    acts = edge.button == OK and action is not None
    return cursor._replace(acted=edge.time if acts else None), action


def _has_held(cursor: Cursor, edge: Edge, scene: Scene) -> bool:
    """Whether BACK or OK comes up after the second that gives it its other meaning."""
    if edge.button not in (OK, BACK) or not scene.holds or _owner(scene, edge.button) is not None:
        return False
    since = cursor.since(edge.button)
    return since is not None and edge.time >= since + HOLD


def _is_again(cursor: Cursor, scene: Scene) -> bool:
    """Whether OK went down before anybody can have read what it would answer."""
    since = cursor.since(OK)
    if cursor.acted is None or since is None or scene.moment or not scene.holds:
        return False
    return cursor.acted <= since < cursor.acted + AGAIN


def _spells(cursor: Cursor, prompt: Prompt | None) -> bool:
    """Whether a secret word is being spelt: that needs both hands, so it stays open."""
    if prompt is None or not prompt.private or prompt.who != cursor.looking:
        return False
    return isinstance(prompt, Spell) or prompt.name == KEEP


def _hide(cursor: Cursor) -> Result:
    return cursor._replace(looking=None), Action("hide")


def _back(cursor: Cursor, scene: Scene) -> Result:
    if isinstance(scene.prompt, Spell) and cursor.text:
        return cursor._replace(text=cursor.text[:-1], at=0), None
    return _hide(cursor) if _spells(cursor, scene.prompt) else (cursor, Action("menu"))


def _seat(cursor: Cursor, button: str, scene: Scene) -> Result:
    """A tap of a seat's button: that player, that column of the row, or what every tap means."""
    player, prompt = _at(button, scene.seats), scene.prompt
    if scene.curtain is not None or not scene.seats or not isinstance(prompt, Choose):
        return cursor, None
    value: Answer = prompt.tap if player is not None else None
    if prompt.cells:
        cell = row(prompt, chosen(prompt, cursor)) or 0, SEATS.index(button)
        value = dict(zip(prompt.cells, prompt.options, strict=True)).get(cell)
    elif player in prompt.options:
        value = player
    return cursor, None if value is None else Action("answer", value)


def _at(button: str, seats: tuple[str, ...]) -> str | None:
    """Who sits at a seat's button."""
    place = SEATS.index(button) if button in SEATS else len(SEATS)
    return seats[place] if place < len(seats) else None


def _ok(cursor: Cursor, scene: Scene) -> Result:
    prompt = scene.prompt
    if cursor.looking is not None and scene.interrupts and scene.curtain is None:
        return _hide(cursor)[0], Action("interrupt", cursor.looking)
    if scene.curtain is not None and not cursor.looked:
        return cursor, Action("refused", "look_first")
    if prompt is None:
        return cursor, Action("go_on")
    value = chosen(prompt, cursor)
    if isinstance(prompt, Spell):
        return _letter(cursor, prompt, value)
    return cursor, Action("answer", value)


def _letter(cursor: Cursor, prompt: Spell, letter: str) -> Result:
    if letter == DONE:
        return cursor, Action("answer", cursor.text)
    if letter == ERASE:
        return cursor._replace(text=cursor.text[:-1], at=0), None
    if prompt.letters:  # each letter begins where the commonest stand
        return cursor._replace(text=cursor.text + letter, at=0), None
    text = cursor.text + (letter if cursor.text[-1:] in ("", "-", "'") else letter.lower())
    if len(text) == prompt.longest:
        return cursor._replace(text=text, at=0), None
    at = cursor.at if cursor.text else cursor.at + 1  # DONE now stands before the letters
    return cursor._replace(text=text, at=at), None


def _spend(cursor: Cursor, button: str) -> Cursor:
    return cursor._replace(spent=(*cursor.spent, button), bar=0)


def deadline(cursor: Cursor, scene: Scene) -> float | None:
    """When `tick` has something to do next, on the edges' clock; None: not before an edge."""
    times = [time for button, since in cursor.held for time in _due(cursor, scene, button, since)]
    return min(times, default=None)


def _due(cursor: Cursor, scene: Scene, button: str, since: float) -> tuple[float, ...]:
    if button in cursor.spent:
        return ()
    if button in (UP, DOWN):
        return (_turning(cursor, scene, since),)
    if button == OK and _spells(cursor, scene.prompt):  # what is shown already is being spelt
        return ()
    if _owner(scene, button) is not None:
        return (since + LOOK,)
    if button in SEATS:
        return (since + (HOLD if _interrupts(scene, button) else HELP),)
    if not scene.holds:
        return (since + HELP,)
    return (since + (*STEPS, HELP)[min(cursor.bar, len(STEPS))],)


def _turning(cursor: Cursor, scene: Scene, since: float) -> float:
    """When a held UP or DOWN is due: as a pair, as a wheel, or because it does nothing."""
    chord = _chord(cursor)
    if chord is not None:
        return chord + HOLD
    if not _turns(cursor, scene):
        return since + HELP
    return since + REPEAT_AFTER + cursor.repeats * REPEAT_EVERY


def _interrupts(scene: Scene, button: str) -> bool:
    return scene.interrupts and _at(button, scene.seats) is not None


def _owner(scene: Scene, button: str) -> str | None:
    """Whose secret a held button shows: the one behind the curtain, or the seat's."""
    if scene.moment:
        return None
    if button == OK:
        return scene.curtain
    return _at(button, scene.players)


def tick(cursor: Cursor, now: float, scene: Scene) -> Result:
    """Time went by: whatever is due at `now` happens, one thing a call."""
    for button, since in cursor.held:
        if any(time <= now for time in _due(cursor, scene, button, since)):
            return _held(cursor, button, scene)
    return cursor, None


def _held(cursor: Cursor, button: str, scene: Scene) -> Result:
    if button in (UP, DOWN) and _chord(cursor) is not None:
        return _spend(_spend(cursor, UP), DOWN), Action("silence")
    if button in (UP, DOWN) and _turns(cursor, scene):
        return _move(cursor._replace(repeats=cursor.repeats + 1), button, scene)
    owner = _owner(scene, button)
    if owner is not None:
        looked = cursor.looked or owner == scene.curtain
        return _spend(cursor, button)._replace(looking=owner, looked=looked), Action("look", owner)
    if button in SEATS and _interrupts(scene, button):
        return _spend(cursor, button), Action("interrupt", _at(button, scene.seats))
    if button in (OK, BACK) and scene.holds and cursor.bar < len(STEPS):
        return cursor._replace(bar=cursor.bar + 1), None
    return _spend(cursor, button), Action("help", button)
