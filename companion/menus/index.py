"""All pages of the menus, by name: those that belong together stand in one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.menus import (
    box_seat,
    checkup,
    club,
    game_menu,
    home,
    new_game,
    past_games,
    phones,
    reading,
    settings_menu,
    your_board,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.menus.page import MenuPage

PAGES: Final[Mapping[str, MenuPage]] = {
    "home": home.HOME,
    **game_menu.PAGES,
    **new_game.PAGES,
    **box_seat.PAGES,
    **your_board.PAGES,
    **past_games.PAGES,
    **reading.PAGES,
    **settings_menu.PAGES,
    **checkup.PAGES,
    **phones.PAGES,
    **club.PAGES,
}


def named(name: str) -> MenuPage:
    """A page; a setting that has none of its own has that of its values."""
    return PAGES.get(name, settings_menu.VALUE)
