"""The stack of menu pages, and its changes after an answer or BACK."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, NamedTuple

from companion.catalog import services
from companion.core.prompts import Answer, Prompt
from companion.menus.commands import Wishes
from companion.menus.home import HOME_PAGE
from companion.menus.page import MenuFacts, MenuPage, MenuPageState, PageResult
from companion.press.wheel import wheel_answers_and_symbols

PLAYER_PAGES_BEFORE_SETUP: Final = ("players", "name", "spell", "level")
"""Names of the menu pages on which people choose the players of a new game.

After the choice of the last player, the set-up page opens.
"""


def load_menu_page(name: str) -> MenuPage:
    """Return the menu page with this name.

    Import only the module of the requested page, so that the first frame is shown quickly.
    """
    if name == "home":
        return HOME_PAGE
    from companion.menus import index  # noqa: PLC0415 - imported after the first frame

    return index.menu_page_by_name(name)


def first_menu_page(facts: MenuFacts) -> MenuPageState:
    """Return the menu page of the running game, or the first screen if no game is running."""
    return MenuPageState(facts, "menu" if facts.playing else "home")


def page_question(state: MenuPageState) -> Prompt:
    """Return the question that a menu page asks."""
    return load_menu_page(state.page).ask(state)


def page_after_answer(state: MenuPageState, value: Answer) -> PageResult:
    """Return the next menu page, and the requests that an answer causes.

    If players select *New game* and only one game is installed, choose this game at once.
    """
    following, wishes = load_menu_page(state.page).on(state, value)
    if state.page == "home" and following.page == "game" and len(following.facts.games) == 1:
        return page_after_answer(following, following.facts.games[0])
    return following, wishes


def page_placeholder_values(state: MenuPageState) -> dict[str, Any]:
    """Return the values for placeholders in the sentences and labels of a menu page."""
    seat = len(state.players) + 1
    return {"page": state.page, "seat": seat, "whose": state.who, "open": state}


class _Stack(NamedTuple):
    pages: tuple[MenuPageState, ...] = ()


class Menus(_Stack):
    """The stack of menu pages, with the open page on top.

    The stack is empty while the screen shows a game.
    """

    @cached_property
    def current_page(self) -> MenuPageState | None:
        """Return the open menu page, or None if the menus are closed."""
        return self.pages[-1] if self.pages else None

    def has_page(self, name: str) -> bool:
        """Return True if the stack contains a menu page with this name."""
        return any(page.page == name for page in self.pages)

    def without_page(self, name: str) -> Menus:
        """Return the stack without the menu page of this name."""
        return Menus(tuple(page for page in self.pages if page.page != name))

    def with_page(self, page: MenuPageState) -> Menus:
        """Return the stack with one more menu page on top."""
        return Menus((*self.pages, page))

    def with_changed_facts(self, **facts: Any) -> Menus:
        """Return the stack with some fields of `MenuFacts` replaced on all pages."""
        return Menus(
            tuple(page._replace(facts=page.facts._replace(**facts)) for page in self.pages)
        )

    def with_all_facts_replaced(self, facts: MenuFacts) -> Menus:
        """Return the stack with `facts` as the data of all pages."""
        return Menus(tuple(page._replace(facts=facts) for page in self.pages))

    def with_stored_cursor_line(self, at: int) -> Menus:
        """Return the stack with the open page's cursor line `at`, to which BACK later returns."""
        return Menus((*self.pages[:-1], self.pages[-1]._replace(at=at)))

    def with_cursor_on_line(self, value: str) -> Menus:
        """Return the stack with the open page's cursor on line `value`, if the line exists."""
        places = wheel_answers_and_symbols(page_question(self.pages[-1]))
        return self.with_stored_cursor_line(places.index(value)) if value in places else self

    def after_back(self) -> Menus:
        """Return the stack after BACK, without the top page.

        If no game is running and the stack has only one page, keep this page.
        """
        if len(self.pages) > 1 or self.pages[-1].facts.playing is not None:
            return Menus(self.pages[:-1])
        return self

    def after_answer(self, value: Answer) -> tuple[Menus, Wishes]:
        """Return the stack and the requests after an answer to the open page's question."""
        page, menus = self.pages[-1], self
        state, wishes = page_after_answer(page, value)
        if load_menu_page(page.page).in_front:
            return Menus(self.pages[:-1]), wishes
        if state.page == "setup" and (
            page.page in PLAYER_PAGES_BEFORE_SETUP or services.owning_service_name(page.page)
        ):
            menus = _topped(menus, state._replace(page="options"))
        return _topped(menus, state), wishes


def open_menus(facts: MenuFacts, page: str | None = None, who: str = "") -> Menus:
    """Return a stack with only the menu page `page` about the player `who`.

    If `page` is None, return a stack with the menu of the running game, or with the first screen.
    """
    first = first_menu_page(facts)
    return Menus((first if page is None else first._replace(page=page, who=who),))


def _topped(menus: Menus, state: MenuPageState) -> Menus:
    """Return the stack of menu pages with `state` on top.

    If the stack already has the page below its top, drop all pages above the page, and keep the
    page's old cursor line. If the page is already on top, use the cursor line in `state`.
    """
    for n, page in enumerate(menus.pages):
        if _is_same(page, state):
            at = state.at if page is menus.pages[-1] else page.at
            return Menus((*menus.pages[:n], state._replace(at=at)))
    lasting_pages = (page for page in menus.pages if not load_menu_page(page.page).once)
    return Menus((*lasting_pages, state._replace(at=None)))


def _is_same(page: MenuPageState, other: MenuPageState) -> bool:
    page_key, other_key = ((of.page, of.players, of.counted, of.shown) for of in (page, other))
    return page_key == other_key
