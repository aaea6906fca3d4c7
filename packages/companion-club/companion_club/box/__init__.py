"""The part of the club that the box uses: menus, the door, pages for phones."""

from typing import Final

SERVICE_NAME: Final = "evening"
"""The name of the service: of its first page, and before those of its other pages and facts."""
