"""Table of all menu pages by name. Related menu pages share a module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.catalog import services
from companion.menus import (
    checkup,
    computer_players,
    game_menu,
    home,
    new_game,
    past_games,
    phones,
    settings_pages,
    text_pages,
    your_board,
)
from companion.menus.page import MenuPage

PAGES: Final[Mapping[str, MenuPage]] = {
    "home": home.HOME_PAGE,
    **game_menu.PAGES,
    **new_game.PAGES,
    **computer_players.PAGES,
    **your_board.PAGES,
    **past_games.PAGES,
    **text_pages.PAGES,
    **settings_pages.PAGES,
    **checkup.PAGES,
    **phones.PAGES,
}


def menu_page_by_name(name: str) -> MenuPage:
    """Return the menu page with this name.

    For a setting without a special page, return the page that lists the setting's values.
    """
    service = services.owning_service_name(name)
    if service is not None:
        page: MenuPage = services.find_service(service).pages()[name]
        return page
    return PAGES.get(name, settings_pages.SETTING_VALUE_PAGE)
