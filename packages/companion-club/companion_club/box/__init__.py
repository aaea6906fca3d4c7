"""The part of the club package that runs in the box: menus, requests, web pages for phones."""

from typing import Final

SERVICE_NAME: Final = "evening"
"""Name of the club's service and of the first menu page, and prefix of all other page names."""
