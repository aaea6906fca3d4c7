"""The pages of the menus that lie on each other, and how BACK leads through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.box.menus import rules
from companion.press.wheel import wheel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.box.menus.evenings import Evening
    from companion.box.menus.phones import Phones
    from companion.box.menus.rules import Facts, State
    from companion.figures.lookup import Everybody


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


def alone(facts: Facts, page: str) -> Menus:
    """One page, with nothing above it."""
    return Menus((rules.setup(facts)._replace(page=page),))


def back(menus: Menus) -> Menus:
    """A page up; from the menu of a game back to it, from the first screen nowhere."""
    if len(menus.pages) > 1 or menus.pages[-1].facts.playing is not None:
        return Menus(menus.pages[:-1])
    return menus


def left_at(menus: Menus, at: int) -> Menus:
    """The pages, the open one left from this line."""
    return Menus((*menus.pages[:-1], menus.pages[-1]._replace(at=at)))


def joining(menus: Menus, facts: Facts, who: str) -> Menus:
    """A phone wants a player's seat: that is asked in front of all else."""
    return Menus((*menus.pages, rules.State(facts, "joining", who=who)))


def has(menus: Menus, page: str) -> bool:
    """Whether a page lies among them."""
    return any(state.page == page for state in menus.pages)


def without(menus: Menus, page: str) -> Menus:
    """All pages but that one."""
    return Menus(tuple(state for state in menus.pages if state.page != page))


def phones(menus: Menus, facts: Facts) -> Menus:
    """The phones' page, over the menu that leads there."""
    first = rules.setup(facts)
    return Menus((*(menus.pages or (first,)), first._replace(page="phones")))


def phoned(menus: Menus, phones: Phones) -> Menus:
    """All pages, with what is known of phones now."""
    facts = ((page, page.facts._replace(phones=phones)) for page in menus.pages)
    return Menus(tuple(page._replace(facts=now) for page, now in facts))


def gathered(menus: Menus, evening: Evening) -> Menus:
    """All pages, with a club's evening as it is now."""
    facts = ((page, page.facts._replace(evening=evening)) for page in menus.pages)
    return Menus(tuple(page._replace(facts=now) for page, now in facts))


def figured(menus: Menus, everybody: Everybody | int) -> Menus:
    """All pages, with everybody's figures as they are known now."""
    facts = ((page, page.facts._replace(everybody=everybody)) for page in menus.pages)
    return Menus(tuple(page._replace(facts=now) for page, now in facts))


def left_for(menus: Menus, value: str) -> Menus:
    """The open page, with the cursor on a line of it, if it has that."""
    assert menus.page is not None  # noqa: S101 - for the type checker
    places = wheel(rules.ask(menus.page))
    return left_at(menus, places.index(value)) if value in places else menus


def refreshed(menus: Menus, facts: Facts) -> Menus:
    """All pages, with the facts as they are now."""
    return Menus(tuple(page._replace(facts=facts) for page in menus.pages))


def informed(menus: Menus, settings: Mapping[str, Any]) -> Menus:
    """All pages, with the settings as they are now."""
    return Menus(tuple(rules.informed(page, settings) for page in menus.pages))
