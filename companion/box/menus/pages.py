"""The pages of the menus that lie on each other, and how BACK leads through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.box.menus import rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.box.menus.rules import Facts, State


class Menus(NamedTuple):
    """The pages, the open one on top. There are none while a game is being played."""

    pages: tuple[State, ...] = ()

    @property
    def page(self) -> State | None:
        """The page that is open; None if the menus are closed."""
        return self.pages[-1] if self.pages else None


def opened(facts: Facts) -> Menus:
    """The first screen, or the menu of the game being played."""
    return Menus((rules.setup(facts),))


def back(menus: Menus) -> Menus:
    """A page up; from the menu of a game back to it, from the first screen nowhere."""
    if len(menus.pages) > 1 or menus.pages[-1].facts.playing is not None:
        return Menus(menus.pages[:-1])
    return menus


def left_at(menus: Menus, at: int) -> Menus:
    """The pages, the open one left from this line."""
    return Menus((*menus.pages[:-1], menus.pages[-1]._replace(at=at)))


def informed(menus: Menus, settings: Mapping[str, Any]) -> Menus:
    """All pages, with the settings as they are now."""
    return Menus(tuple(rules.informed(page, settings) for page in menus.pages))
