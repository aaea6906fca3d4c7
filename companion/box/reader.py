"""Reads the table to those who play by ear: what lies in front, when it comes and as it turns.

To all others it reads the rulings of *Why?*, page by page, until they are left.

What an answer brings about is said as ever, facts and then the question. This adds what stands
under the thumb; and where a press has cut all that short, it says what has come up itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.table.aloud import LAST, aloud, alphabet

if TYPE_CHECKING:
    from companion.box.services import Services
    from companion.table.aloud import Aloud

PAUSE: Final = 1.2
"""Seconds on a letter after which its word of the alphabet is said."""


class ScreenReader:
    """Reads the table aloud, after each event and when something is due."""

    def __init__(self, host: Services) -> None:
        self._host = host
        self._last: Aloud | None = None
        self._spent: tuple[str, ...] = ()
        self._advice = frozenset[str]()  # said since the page, or the game, came up
        self._places: dict[tuple[Any, ...], str] = {}  # said last as each question came up
        self._told = False  # what lies in front, and behind it, has been said in one story
        self._due: float | None = None

    @property
    def due(self) -> float | None:
        """Return the time (s) at which the letter's code word is due; None if none is."""
        return self._due if self._host.table.ears.open else None

    def follow(self, *, pressed: bool) -> None:
        """Say what has changed. A step cuts the one before; so does what a press brings up.

        A press that came too early to count has what it was for said again.
        """
        host, last = self._host, self._last
        spoke = host.voice.has_spoken()
        now = self._last = aloud(host.table, host.wording.front, host.stands.secret)
        self._told = self._told or spoke
        if now is None and last is not None and not spoke:
            host.voice.read((), last.language, last.to, cuts=True)
        spent, self._spent = self._spent, host.table.cursor.spent
        unread = pressed and len(self._spent) > len(spent)
        if now is None or (now == last and not (unread and now.option)):
            return
        self._due = None
        turned = last is not None and now.key == last.key
        brought = pressed and not spoke and not self._goes_on(last, now)
        cuts = turned or now.to is not None or now.is_ruling or brought
        if cuts and now != last:
            self._told = False
        lead = () if turned or (self._told and now.to is None) else now.lead
        option = self._option(now, last if turned else None)
        texts = (*lead, option, *self._unspent(now, turned=turned))
        host.voice.read(tuple(filter(None, texts)), now.language, now.to, cuts=cuts)
        if now.letter and turned:
            self._due = host.clock() + PAUSE

    def _goes_on(self, last: Aloud | None, now: Aloud) -> bool:
        """Return True if a press went past a moment of a story, whose other moments follow."""
        was_moment = last is not None and last.key[0] == "moment"
        is_next = now.key[0] == "game" or (now.key[0] == "moment" and not now.option)
        return self._told and was_moment and is_next

    def _option(self, now: Aloud, before: Aloud | None) -> str:
        """Return what is said of the option after `before`, None if it has just come up.

        A question of the game that comes up as it did the last time has the option alone.
        """
        detail, asked = self._host.table.ears.detail, now.question
        if before is None and asked is not None:
            last, self._places[asked] = self._places.get(asked), now.place
            if detail == "normal" and last == now.place:
                return now.option
        return now.under_thumb(before, detail)

    def _unspent(self, now: Aloud, *, turned: bool) -> tuple[str, ...]:
        """Return what is said beside the option: in a game once, on a page each time it opens."""
        if now.key[0] == "page" and not turned:
            self._advice, self._places = frozenset(), {}
        new = tuple([text for text in now.more if text not in self._advice])
        self._advice |= {*new}
        return new

    def tick(self, now: float) -> None:
        """Say the word of a letter on which the thumb has rested until `now` (s)."""
        if self._due is None or now < self._due:
            return
        self._due, last = None, self._last
        if last is None:
            return
        if word := alphabet(last.letter, self._host.wording.in_(last.language)):
            self._host.voice.read((word,), last.language, last.to, cuts=False)


__all__ = ["LAST", "PAUSE", "ScreenReader"]
