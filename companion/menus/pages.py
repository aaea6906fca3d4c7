"""The pages of the menus that lie on each other, and how answers and BACK lead through them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.menus.home import HOME
from companion.menus.page import OpenPage
from companion.press.wheel import wheel

if TYPE_CHECKING:
    from companion.core.prompts import Answer, Prompt
    from companion.menus.commands import Wishes
    from companion.menus.page import Answered, MenuFacts, MenuPage

BEHIND: Final = ("players", "name", "spell", "level", "evening")
"""Pages from which all players are known: how to play lies behind how to set up."""


def page_of(name: str) -> MenuPage:
    """A page by its name. The first frame needs one, and the others are not imported for it."""
    if name == "home":
        return HOME
    from companion.menus import index  # noqa: PLC0415 - behind the first frame

    return index.named(name)


def setup(facts: MenuFacts) -> OpenPage:
    """The first screen, or the menu of the game being played."""
    return OpenPage(facts, "menu" if facts.playing else "home")


def ask(state: OpenPage) -> Prompt:
    """The page's question."""
    return page_of(state.page).ask(state)


def on(state: OpenPage, value: Answer) -> Answered:
    """The next page, and what is wished for. Where there is one game, it need not be chosen."""
    following, wishes = page_of(state.page).on(state, value)
    if state.page == "home" and following.page == "game" and len(following.facts.games) == 1:
        return on(following, following.facts.games[0])
    return following, wishes


def view(state: OpenPage) -> dict[str, Any]:
    """What the sentences and labels of a page need to know."""
    seat = len(state.players) + 1
    return {"page": state.page, "seat": seat, "whose": state.who, "open": state}


class _Stack(NamedTuple):
    pages: tuple[OpenPage, ...] = ()


class Menus(_Stack):
    """The pages, the open one on top. There are none while a game is being played."""

    @cached_property
    def page(self) -> OpenPage | None:
        """The page that is open; None if the menus are closed."""
        return self.pages[-1] if self.pages else None

    def has(self, name: str) -> bool:
        """Whether a page lies among them."""
        return any(page.page == name for page in self.pages)

    def without(self, name: str) -> Menus:
        """All pages but that one."""
        return Menus(tuple(page for page in self.pages if page.page != name))

    def under(self, page: OpenPage) -> Menus:
        """The pages, with one more on top."""
        return Menus((*self.pages, page))

    def knowing(self, **facts: Any) -> Menus:
        """All pages, with some of the facts as they are now."""
        return Menus(
            tuple(page._replace(facts=page.facts._replace(**facts)) for page in self.pages)
        )

    def refreshed(self, facts: MenuFacts) -> Menus:
        """All pages, with all facts as they are now."""
        return Menus(tuple(page._replace(facts=facts) for page in self.pages))

    def left_at(self, at: int) -> Menus:
        """The pages, the open one left from this line."""
        return Menus((*self.pages[:-1], self.pages[-1]._replace(at=at)))

    def left_for(self, value: str) -> Menus:
        """The open page, with the cursor on a line of it, if it has that."""
        places = wheel(ask(self.pages[-1]))
        return self.left_at(places.index(value)) if value in places else self

    def back(self) -> Menus:
        """A page up; from the menu of a game back to it, from the first screen nowhere."""
        if len(self.pages) > 1 or self.pages[-1].facts.playing is not None:
            return Menus(self.pages[:-1])
        return self

    def answered(self, value: Answer) -> tuple[Menus, Wishes]:
        """An answer to the open page: the page that follows, and what is wished for."""
        page, menus = self.pages[-1], self
        state, wishes = on(page, value)
        if page_of(page.page).in_front:
            return Menus(self.pages[:-1]), wishes
        if state.page == "setup" and page.page in BEHIND:
            menus = _topped(menus, state._replace(page="options"))
        return _topped(menus, state), wishes


def opened(facts: MenuFacts, page: str | None = None, who: str = "") -> Menus:
    """The first screen, or the menu of the game being played; or one page of it, about a player."""
    first = setup(facts)
    return Menus((first if page is None else first._replace(page=page, who=who),))


def _topped(menus: Menus, state: OpenPage) -> Menus:
    """The pages with this one on top; one that is there already keeps the line that led on."""
    for n, page in enumerate(menus.pages):
        if _is_same(page, state):
            return Menus((*menus.pages[:n], state._replace(at=page.at)))
    kept = (page for page in menus.pages if not page_of(page.page).once)
    return Menus((*kept, state._replace(at=None)))


def _is_same(page: OpenPage, other: OpenPage) -> bool:
    """Whether two states are of one page: each name, place and count has a page of its own."""
    one, two = ((of.page, of.players, of.counted, of.shown) for of in (page, other))
    return one == two
