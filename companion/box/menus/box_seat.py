"""A seat that the box plays: the line that gives it one, how well it plays, what it is called.

In the middle of a game it plays on for somebody who leaves, and a person can play on for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.box.menus.page import OF, MenuPage, game_of, go, listed
from companion.box.menus.settings import LONGEST_NAME
from companion.core.prompts import Spell
from companion.press.commands import Sit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.box.menus.page import Answered, OpenPage
    from companion.core.prompts import Prompt
    from companion.say.words import Words

CALLED: Final = "Chip"
"""What the box is called as a player, until somebody calls it otherwise."""
LEVELS: Final = ("friend", "learner", "strong")
"""How well it plays, the level first that people like to play against."""


def line(state: OpenPage) -> tuple[str, ...]:
    """The line that gives a seat to the box: of any game that it can play, but not every seat."""
    door = state.facts.phones is not None  # whoever plays for the box comes in by it
    people = len(state.programs) < state.seats - 1
    return ("box",) if door and people and game_of(state).imagine is not None else ()


def called(state: OpenPage) -> str:
    """What the box is called at the table: as it was last time, if nobody else is."""
    own: str = state.facts.settings["called"]
    taken = {name.casefold() for name in state.players}
    numbered = (f"{CALLED} {n}" for n in range(2, 100))
    names = (*filter(None, (own,)), CALLED, *numbered)
    return next(name for name in names if name.casefold() not in taken)


def label(words: Words, state: OpenPage, value: str) -> str | None:
    """The line with its name, which leads on to another one."""
    return words("box.option.level.call", name=called(state)) if value == "call" else None


def ask_name(state: OpenPage) -> Prompt:
    """What it is called."""
    return Spell("call", None, LONGEST_NAME, (called(state),))


def without_hands(state: OpenPage) -> OpenPage:
    """With options for which no seat that the box plays needs anybody's hands."""
    hands, values = game_of(state).needs_hands, dict(state.options)
    for option in game_of(state).options if state.programs else ():
        needing = hands.get(option.name, ())
        if values[option.name] in needing:
            values[option.name] = next(one for one in option.values if one not in needing)
    return state._replace(options=tuple(values.items()))


# --- somebody leaves ------------------------------------------------------------------------------


def who_leaves(state: OpenPage) -> tuple[str, ...]:
    """Whose seat another can play on: the box's, and people's, but for the last person's."""
    facts = state.facts
    people = len(facts.seats) - len(facts.programs)
    box = facts.stand_in and facts.phones is not None and people > 1
    return tuple(f"{OF}{who}" for who in facts.seats if box or who in facts.programs)


def _plays_on(words: Words, state: OpenPage, value: str) -> str:
    """Who would play that seat on."""
    who = value.removeprefix(OF)
    return words(f"box.hint.seats.{'person' if who in state.facts.programs else 'box'}", who=who)


def _on_seats(state: OpenPage, value: str) -> Answered:
    """Whoever has come back plays at once; of the box is asked how well it plays."""
    who = value.removeprefix(OF)
    if who in state.facts.programs:
        return state, (Sit(who),)
    return go(state._replace(who=who), "stand_in")


PAGES: Final[Mapping[str, MenuPage]] = {
    "seats": MenuPage(
        listed(who_leaves),
        _on_seats,
        lambda _words, _state, value: str(value).removeprefix(OF),
        _plays_on,
    ),
    "stand_in": MenuPage(
        listed(lambda _: LEVELS),
        lambda state, value: (state, (Sit(state.who, value),)),
        lambda words, _state, value: words(f"box.option.level.{value}"),
        lambda words, _state, value: words(f"box.hint.level.{value}"),
    ),
}
