"""The evening at one table: a process that publishes the box's recorded results.

The box's record is the outbox: finished games that were not reported are reported later, also after
an hour without network, or after this process, the box or the broker was killed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.door.client import Client
from companion.door.lines import Message
from companion_club.claims import InvalidClaim
from companion_club.fold import fold_evening
from companion_club.home import HOME_STATUS_TOPIC, HomeDevice
from companion_club.outbox import FinishedGame, finished_games, next_due_fact

if TYPE_CHECKING:
    from companion_club.member import EveningMember

RETRY_SECONDS: Final = 2.0
"""Seconds until another attempt to reach a missing box."""
RECENT_GAMES: Final = 20
"""Number of newest games of the record that are examined."""


class EveningService:
    """One table of an evening; `handle_events` waits for the box and the broker at once.

    `wall` returns the time of this machine's clock, "" if it is not set. The first time is saved in
    the folder: earlier games do not belong to this evening. Raise OSError if the folder cannot be
    written.
    """

    def __init__(
        self,
        member: EveningMember,
        table: int,
        door: Path,
        folder: Path,
        now: Callable[[], float],
        wall: str,
        home: HomeDevice | None = None,
    ) -> None:
        self._member, self._table, self._door, self._now = member, table, door, now
        self._since = _since(folder / "since", wall)
        self._caller: Client | None = None
        self._next_call = now()
        self._games: list[FinishedGame] | None = None
        self._proofs: dict[tuple[str, str], Message] = {}
        self._asked: list[FinishedGame] = []
        self._home, self._game, self._shown = home, None, b""
        self._is_news = False
        if home is not None:
            member.broker.subscribe_outside(HOME_STATUS_TOPIC, self._begun_again)
        self.heard: Sequence[Message] = ()

    def handle_events(self, most: float, others: tuple[int, ...] = ()) -> list[int]:
        """Wait up to `most` seconds and handle events; return the readable ones of `others`."""
        self._call()
        patience = most if self._caller else min(most, max(0.0, self._next_call - self._now()))
        patience = 0.0 if self._is_news else patience
        mine = () if self._caller is None else (self._caller.fileno(),)
        before = self._member.known
        ready = self._member.handle_events(patience, (*mine, *others))
        self.heard = ()
        if mine and mine[0] in ready:
            self._listen()
        is_new = self._member.known is not before or bool(self.heard)
        # all messages are read: apply their consequences once
        has_settled = self._is_news and not is_new
        self._is_news = is_new
        if has_settled:
            self._tell()
        if not self._member.link.synced:
            self._shown = b""
        elif self._home is not None and (has_settled or self.heard or not self._shown):
            self._tell_home(self._home)
        return [each for each in ready if each not in mine]

    @property
    def is_receiving(self) -> bool:
        """Return True if other boxes' messages may still arrive."""
        return self._is_news

    def close(self) -> None:
        """Disconnect from the box and the broker."""
        if self._caller is not None:
            self._caller.close()
        self._member.close()

    def _call(self) -> None:
        if self._caller is not None or self._now() < self._next_call:
            return
        self._next_call = self._now() + RETRY_SECONDS
        try:
            caller = Client(self._door)
            caller.send({"watch": True})
            caller.send({"past": {"from": 0, "n": RECENT_GAMES}})
        except OSError:
            return
        self._caller, self._asked = caller, []

    def _listen(self) -> None:
        if self._caller is None:
            return
        try:
            self.heard = self._caller.receive()
            for line in self.heard:
                self._take(line)
        except OSError:
            self._caller.close()
            self._caller = None

    def _take(self, line: Message) -> None:
        match line:
            case {"type": "hello", "game": game}:
                self._game = game
            case {"type": "over"}:
                self._say({"past": {"from": 0, "n": RECENT_GAMES}})
            case {"type": "past", "games": list(games)}:
                self._games = [each for each in finished_games(games) if each.begun >= self._since]
                self._ask_for_proof()
            case {"type": "past", "game": {"proof": dict(proof)}}:
                self._prove(proof)
            case {"type": "past"} | {"type": "error"}:
                self._prove({})

    def _say(self, message: Message) -> None:
        if self._caller is not None:
            self._caller.send(message)

    def _ask_for_proof(self) -> None:
        """Request the proofs of new games from the box."""
        new = [g for g in self._games or () if (g.id, g.ended) not in self._proofs]
        for game in (each for each in new if each not in self._asked):
            self._asked.append(game)
            self._say({"past": {"game": game.number}})

    def _prove(self, proof: Message) -> None:
        """Store a proof; the box answers in the order of requests."""
        if self._asked:
            game = self._asked.pop(0)
            self._proofs[game.id, game.ended] = proof

    def _tell(self) -> None:
        """Report all due facts; each report may make another one due."""
        if self._games is None or self._asked:
            return
        while (
            fact := next_due_fact(self._member.known, self._table, self._games, self._proofs)
        ) is not None:
            try:
                self._member.say(*fact)
            except InvalidClaim:  # scores that an evening cannot count
                game_id = fact[1]["game"]["id"]
                self._games = [game for game in self._games if game.id != game_id]

    def _tell_home(self, home: HomeDevice) -> None:
        """Send changed values, and sounds of the table, to Home Assistant."""
        broker = self._member.broker
        state = home.state_message(fold_evening(self._member.known), self._game)
        if not self._shown:
            broker.publish_elsewhere(*home.discovery_message(), retain=True)
        if state != self._shown:
            broker.publish_elsewhere(home.state_topic, state, retain=True)
            self._shown = state
        for moment in filter(None, map(home.moment_message, self.heard)):
            broker.publish_elsewhere(home.moment_topic, moment, retain=False)

    def _begun_again(self, payload: bytes) -> None:
        """Send everything again, since Home Assistant has restarted."""
        if payload == b"online":
            self._shown = b""


def _since(file: Path, wall: str) -> str:
    """Return when this table joined the evening, as saved in the file."""
    if not file.exists():
        file.write_text(wall, "ascii")
    return file.read_text("ascii")
