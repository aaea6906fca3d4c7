"""A proxy between browser and page that can drop data without closing connections."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

HERE: Final = "127.0.0.1"
CHUNK: Final = 65536
STREAM: Final = b"GET /events"


class Swallowing:
    """The proxy of the page at a port. `url` is its address."""

    def __init__(self, port: int) -> None:
        self._to, self._from = port, 0
        self._silent: set[asyncio.StreamWriter] = set()
        self._streams: set[asyncio.StreamWriter] = set()
        self._all: set[asyncio.StreamWriter] = set()
        self._over = asyncio.Event()
        self.opened = 0

    @property
    def url(self) -> str:
        return f"http://{HERE}:{self._from}"

    def swallow(self, *, streams_only: bool = False) -> None:
        """Drop all further data of the open connections, or only of their event streams."""
        self._silent |= self._streams if streams_only else self._all

    async def serve(self, there: threading.Event) -> None:
        """Run the proxy until `end`."""
        server = await asyncio.start_server(self._carry, HERE, 0)
        self._from = server.sockets[0].getsockname()[1]
        there.set()
        await self._over.wait()
        server.close()
        carrying = asyncio.all_tasks() - {asyncio.current_task()}
        for task in carrying:
            task.cancel()
        await asyncio.gather(*carrying, return_exceptions=True)
        for writer in self._all:
            writer.transport.abort()
        await asyncio.sleep(0)

    def end(self) -> None:
        self._over.set()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._all.add(writer)
        try:
            there, on = await asyncio.open_connection(HERE, self._to)
        except OSError:  # the page is being restarted
            writer.close()
            return
        self._all.add(on)
        with suppress(asyncio.CancelledError):
            await asyncio.gather(self._pass(there, writer, writer), self._pass(reader, on, writer))

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        phone: asyncio.StreamWriter,
    ) -> None:
        """Forward one direction of a connection."""
        ours, theirs = f"{HERE}:{self._from}".encode(), f"{HERE}:{self._to}".encode()
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if data.startswith(STREAM):
                    self._streams.add(phone)
                    self.opened += 1
                if phone not in self._silent:
                    writer.write(data.replace(ours, theirs))
        if phone not in self._silent:
            writer.close()


@contextmanager
def swallowing(port: int) -> Iterator[Swallowing]:
    """Run a proxy in a thread during the block."""
    loop, there = asyncio.new_event_loop(), threading.Event()
    proxy = Swallowing(port)
    thread = threading.Thread(target=lambda: loop.run_until_complete(proxy.serve(there)))
    thread.start()
    there.wait(60)
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(proxy.end)
        thread.join()
        loop.close()
