"""An asyncio client for programs that connect to the box's socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.door.client import (
    CHUNK_BYTES,
    REPLY_TIMEOUT_SECONDS,
    Disconnected,
    MessageSplitter,
)
from companion.door.lines import Message, message_as_protocol_line

FENCE_MESSAGE: Final[Message] = {"state": True}
"""The request whose reply marks the end of the replies to the previous request."""
PHONE_REMOVED_CODE: Final = "removed"
"""The code of the error that the box sends, without a request, before it disconnects a phone."""


class AsyncClient:
    """A connection to the box's socket from an asyncio program.

    - `heard`: the callback for each message that is no reply: the greeting, messages to
      subscribers, and the error which reports that this phone was removed on the box.
    - `lost`: the callback for the end of the connection.

    A reply does not name its request. The client therefore waits for each reply before it sends the
    next request.
    """

    def __init__(self, heard: Callable[[Message], None], lost: Callable[[], None]) -> None:
        self._heard, self._lost = heard, lost
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._replies: asyncio.Queue[Message | None] = asyncio.Queue()
        self._turn = asyncio.Lock()

    async def open(self, path: Path) -> None:
        """Connect to the box's socket at `path`. Raise Disconnected if no box listens at `path`."""
        try:
            reader, self._writer = await asyncio.open_unix_connection(path)
        except OSError as error:
            raise Disconnected(str(error)) from error
        self._reading = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        incoming = MessageSplitter()
        try:
            while True:
                for message in incoming.split_messages(await reader.read(CHUNK_BYTES)):
                    is_reply = "event_id" not in message and message.get("type") != "hello"
                    if not is_reply or message.get("code") == PHONE_REMOVED_CODE:
                        self._heard(message)
                    if is_reply:
                        self._replies.put_nowait(message)
        except OSError:  # includes Disconnected
            pass
        finally:
            if self._writer is not None:
                self._writer.close()
            self._replies.put_nowait(None)
            self._lost()

    def send(self, message: Message) -> None:
        """Send the box a message that needs no reply."""
        if self._writer is not None:
            self._writer.write(message_as_protocol_line(message).encode())

    async def request_first_matching_reply(
        self, message: Message, kinds: Collection[str], seconds: float = REPLY_TIMEOUT_SECONDS
    ) -> Message:
        """Send a request. Return the first reply that is an error or whose type is in `kinds`.

        Raise Disconnected if the connection is lost or no reply arrives within `seconds`.
        """
        async with self._turn:
            self._forget()
            self.send(message)
            while True:
                reply = await self._next(seconds)
                if reply["type"] in kinds or reply["type"] == "error":
                    return reply

    async def request_all_replies(self, message: Message) -> list[Message]:
        """Send a request. Return the replies, which the box sends only to this connection.

        Before the method returns, `heard` has received all messages to subscribers that precede the
        replies. Raise Disconnected if the connection is lost, or if the next reply does not arrive
        within `REPLY_TIMEOUT_SECONDS`.
        """
        async with self._turn:
            self._forget()
            self.send(message)
            self.send(FENCE_MESSAGE)
            replies: list[Message] = []
            while (reply := await self._next(REPLY_TIMEOUT_SECONDS))["type"] != "state":
                replies.append(reply)
            return replies

    def _forget(self) -> None:
        """Discard late replies to earlier requests."""
        with suppress(asyncio.QueueEmpty):
            while self._replies.get_nowait() is not None:
                pass
            self._replies.put_nowait(None)

    async def _next(self, seconds: float) -> Message:
        try:
            reply = await asyncio.wait_for(self._replies.get(), seconds)
        except TimeoutError as error:
            raise Disconnected("the box is silent") from error
        if reply is None:
            self._replies.put_nowait(None)
            raise Disconnected("the box has gone")
        return reply

    def close(self) -> None:
        """Close the connection and call `lost`."""
        if self._writer is not None:
            self._writer.close()
        if self._reading is not None:
            self._reading.cancel()
