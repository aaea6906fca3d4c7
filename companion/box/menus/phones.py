"""What the menus know of phones: the code that is good now, where phones come to, and whose."""

from __future__ import annotations

from typing import NamedTuple


class Network(NamedTuple):
    """A Wi-Fi of the box's own."""

    name: str
    password: str


class Phones(NamedTuple):
    """`code` is the one to come in with; `url` and `name` are the page's, None without a page.

    `names` are the players who have a phone; `network` is the box's own, if it has made one.
    """

    code: str = ""
    url: str | None = None
    name: str | None = None
    names: tuple[str, ...] = ()
    network: Network | None = None
