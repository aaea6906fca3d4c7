"""The port of all connections to the box, and `Nobody`, its no-op for a box without a door."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from companion.door.peers import Event
    from companion.menus.evenings import EveningStands
    from companion.menus.page import Phones

    class Callers(Protocol):
        """Everybody who is connected, as the box knows them."""

        @property
        def phones(self) -> frozenset[str]:
            """The players who are told their secrets on a phone."""

        @property
        def known(self) -> Phones | None:
            """What the menus show of phones; None: none can come in."""

        @property
        def evening(self) -> EveningStands | None:
            """What the menus show of a club's evening; None: there is none."""

        @property
        def is_away(self) -> bool:
            """Whether nothing comes that plays the box's seats."""

        @property
        def due(self) -> float | None:
            """When time alone does something."""

        def hear(self, event: Event) -> None:
            """Take an event of the door: a connection, a line of one, or its end."""

        def look(self) -> None:
            """Note that what is about to be written down is seen on the phones."""

        def publish(self) -> None:
            """Tell what has happened, or which game is on the table now."""

        def drawn(self) -> None:
            """Another frame is shown."""

        def settle(self) -> None:
            """Do what follows from an event that is over, or what is due."""

        def restart(self) -> None:
            """Start what plays the box's seats again."""

        def admit(self, player: str) -> None:
            """Let the phone in that waits for a player's seat. Raises JournalError."""

        def attend(self, wish: Mapping[str, Any]) -> None:
            """Send a wish to the process of a club's evening."""

        def close(self) -> None:
            """Everybody has to go."""


class Nobody:
    """The callers of a box without a door: every call is a no-op."""

    phones: frozenset[str] = frozenset()
    known: Phones | None = None
    evening: EveningStands | None = None
    is_away = True
    due: float | None = None

    def hear(self, event: Event) -> None:
        """No-op: no door is open."""

    def look(self) -> None:
        """No-op: no door is open."""

    def publish(self) -> None:
        """No-op: no door is open."""

    def drawn(self) -> None:
        """No-op: no door is open."""

    def settle(self) -> None:
        """No-op: no door is open."""

    def restart(self) -> None:
        """No-op: no door is open."""

    def admit(self, player: str) -> None:
        """No-op: no door is open."""

    def attend(self, wish: Mapping[str, Any]) -> None:
        """No-op: no door is open."""

    def close(self) -> None:
        """No-op: no door is open."""
