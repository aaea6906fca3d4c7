"""The service that decides which frame the displays show, and when.

The service also switches the seat lamps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.box.dimming_and_lock import ButtonGuard
from companion.box.state import Basics
from companion.draw import screens
from companion.press.cursor import Cursor
from companion.table.frames import has_same_frame, table_frame, table_without_open_secrets
from companion.table.table import ALL_LAMPS_OFF, Table


class Screen:
    """The service that shows the `Table` (a game or a menu) on the displays and lamps.

    `guard` dims the displays, and can cover the game with another frame.
    """

    def __init__(self, basics: Basics, guard: ButtonGuard) -> None:
        self._basics, self._guard = basics, guard
        self._stands, self._faces = basics.stands, basics.faces
        self.is_stale = self._has_left = False
        self._composed: tuple[Table, Mapping[str, Any], bytes] = self._stands.table, {}, b""

    def show_frame(self) -> None:
        """Show the present frame on the displays, and send the frame to connections.

        Also set the brightness and the lamps. If an event waits in the inbox, do nothing: `Loop`
        shows the frame after the last event. After the box's last frame, do nothing.
        """
        self.is_stale = not self._basics.inbox.empty()
        if self.is_stale or self._has_left:
            return
        shown, guard = self.shown_frame, self._guard
        guard.brighten_on_new_frame(shown, self._basics.machine.clock())
        self._faces.show_frame(shown)
        self._faces.set_brightness(guard.brightness_percent)
        self._faces.set_lamps(
            self._stands.table.lamp_states if guard.brightness_percent else ALL_LAMPS_OFF
        )
        self._basics.remote().send_display_frames()

    def show_last_frame(self, frame: bytes) -> None:
        """Show `frame` as the last frame, switch all lamps off, and play the sound "goodbye"."""
        self._has_left = True
        self._faces.set_brightness(100)
        self._faces.show_frame(frame)
        self._faces.set_lamps(ALL_LAMPS_OFF)
        self._faces.voice.play_sound("goodbye")

    @property
    def shown_frame(self) -> bytes:
        """Return the frame that the displays must show now, without the mute sign."""
        standing = self.score_frame() if self._guard.locked else None
        words = self._basics.wording.front_screen_words()
        return self._guard.covering_frame(words, standing) or self._framed(public=False)

    def public_frame(self) -> bytes:
        """Return the frame for displays and connections that everyone can see.

        This frame contains no secrets. If the box is locked, the frame contains no score. If the
        box is mute, the frame contains the mute sign.
        """
        shown = self._guard.covering_frame(
            self._basics.wording.front_screen_words()
        ) or self._framed(public=True)
        return self._faces.frame_with_due_mute_sign(shown)

    def score_frame(self) -> bytes | None:
        """Return the frame of the score for a locked box, or None if no game is running."""
        playing, game = self._stands.table.playing, self._stands.game
        if playing is None or game is None:
            return None
        words = game.book[self._basics.settings["language"]]
        legend = words("box.legend.locked")
        return screens.standing_frame(playing.snapshot, words, Cursor(), playing.face, legend)

    def _framed(self, *, public: bool) -> bytes:
        table, (before, settings, composed) = self._seen(public=public), self._composed
        now = self._basics.settings.now
        if settings is not now or not has_same_frame(table, before):
            composed = table_frame(
                table,
                self._basics.wording.front_screen_words,
                self._stands.view_with_players_secrets,
            )
            self._composed = table, now, composed
        return composed

    def _seen(self, *, public: bool) -> Table:
        table = self._stands.table
        looking = table.cursor.looking
        shut = public or (looking is not None and self._stands.is_secret_spoken_privately(looking))
        return table_without_open_secrets(table) if shut else table
