"""The service that publishes the results of one table's games to the MQTT broker of an evening.

The service reads the results from the box's record. If a result cannot be published, the service
publishes the result later, even after a restart of the process, the box or the broker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from companion.door.client import BlockingClient
from companion.door.lines import Message
from companion_club.claims import InvalidClaim
from companion_club.evening_box import EveningBox
from companion_club.evening_state import compute_evening_state
from companion_club.home import HOME_STATUS_TOPIC, HomeAssistantDevice
from companion_club.outbox import RecordedFinishedGame, finished_games, next_unpublished_result

RETRY_SECONDS: Final = 2.0
"""Seconds until the next attempt to connect to a box that does not answer."""
RECENT_GAMES: Final = 20
"""Number of recent games in the box's record that the service checks for unpublished results."""


class ResultPublisher:
    """The publisher of one table's results, connected to the box and to the MQTT broker.

    `wall` is the date and time on this machine's clock, "" if the clock is not set. At the first
    start, the service saves `wall` in `folder`. Games that began before the saved time do not
    belong to the evening. Raise OSError if the folder cannot be written.
    """

    def __init__(
        self,
        member: EveningBox,
        table: int,
        door: Path,
        folder: Path,
        now: Callable[[], float],
        wall: str,
        home: HomeAssistantDevice | None = None,
    ) -> None:
        self._member, self._table, self._door, self._now = member, table, door, now
        self._since = _since(folder / "since", wall)
        self._caller: BlockingClient | None = None
        self._next_call = now()
        self._games: list[RecordedFinishedGame] | None = None
        self._proofs: dict[tuple[str, str], Message] = {}
        self._asked: list[RecordedFinishedGame] = []
        self._home, self._game, self._shown = home, None, b""
        self._is_news = False
        if home is not None:
            member.broker.subscribe_outside_evening(HOME_STATUS_TOPIC, self._begun_again)
        self.received_lines: Sequence[Message] = ()

    def handle_messages(self, most: float, others: tuple[int, ...] = ()) -> list[int]:
        """Handle messages from the box and the broker for up to `most` seconds.

        Return the file descriptors in `others` that are readable.
        """
        self._call()
        patience = most if self._caller else min(most, max(0.0, self._next_call - self._now()))
        patience = 0.0 if self._is_news else patience
        mine = () if self._caller is None else (self._caller.fileno(),)
        before = self._member.known_claims
        ready = self._member.handle_messages(patience, (*mine, *others))
        self.received_lines = ()
        if mine and mine[0] in ready:
            self._listen()
        is_new = self._member.known_claims is not before or bool(self.received_lines)
        # publish only after a call without messages, so that a burst of messages is handled once
        has_settled = self._is_news and not is_new
        self._is_news = is_new
        if has_settled:
            self._tell()
        if not self._member.link.synced:
            self._shown = b""
        elif self._home is not None and (has_settled or self.received_lines or not self._shown):
            self._tell_home(self._home)
        return [each for each in ready if each not in mine]

    @property
    def has_just_received_messages(self) -> bool:
        """Return True if the last call of `handle_messages` received messages."""
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
            caller = BlockingClient(self._door)
            caller.send({"watch": True})
            caller.send({"past": {"from": 0, "n": RECENT_GAMES}})
        except OSError:
            return
        self._caller, self._asked = caller, []

    def _listen(self) -> None:
        if self._caller is None:
            return
        try:
            self.received_lines = self._caller.receive_messages()
            for line in self.received_lines:
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
        new = [g for g in self._games or () if (g.id, g.ended) not in self._proofs]
        for game in (each for each in new if each not in self._asked):
            self._asked.append(game)
            self._say({"past": {"game": game.number}})

    def _prove(self, proof: Message) -> None:
        """Store `proof` for the oldest requested game. The box answers the requests in order."""
        if self._asked:
            game = self._asked.pop(0)
            self._proofs[game.id, game.ended] = proof

    def _tell(self) -> None:
        """Publish all unpublished results. After each result, another result can become due."""
        if self._games is None or self._asked:
            return
        while (
            fact := next_unpublished_result(
                self._member.known_claims, self._table, self._games, self._proofs
            )
        ) is not None:
            try:
                self._member.save_and_publish_fact(*fact)
            except InvalidClaim:  # skip a game whose scores are not valid for an evening
                game_id = fact[1]["game"]["id"]
                self._games = [game for game in self._games if game.id != game_id]

    def _tell_home(self, home: HomeAssistantDevice) -> None:
        broker = self._member.broker
        state = home.state_message(compute_evening_state(self._member.known_claims), self._game)
        if not self._shown:
            broker.publish_outside_evening(*home.discovery_message(), retain=True)
        if state != self._shown:
            broker.publish_outside_evening(home.state_topic, state, retain=True)
            self._shown = state
        for moment in filter(None, map(home.sound_event_message, self.received_lines)):
            broker.publish_outside_evening(home.sound_event_topic, moment, retain=False)

    def _begun_again(self, payload: bytes) -> None:
        """If Home Assistant has restarted, make `handle_messages` send all messages again."""
        if payload == b"online":
            self._shown = b""


def _since(file: Path, wall: str) -> str:
    """Return the time at which this table joined the evening; save `wall` at the first call."""
    if not file.exists():
        file.write_text(wall, "ascii")
    return file.read_text("ascii")
