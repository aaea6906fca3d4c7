"""`companion stdio --connect`: a program talks to the box that is running, through its socket."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING

from companion.cmd.tongue import reason, said
from companion.core.errors import CompanionError
from companion.door.client import CHUNK, knock
from companion.door.lines import written

if TYPE_CHECKING:
    import socket
    from pathlib import Path


def connect(path: Path, seat: str | None, token: str | None) -> None:
    """Standard input goes to the box, what it says to standard output, until either ends.

    Raises CompanionError if there is no box.
    """
    try:
        wire = knock(path, None)
    except OSError as error:
        why = reason(error)
        raise CompanionError(said("stdio.no_box", path=path, why=why)) from error
    with wire:
        if seat is not None:
            wire.sendall(written({"join": seat, "token": token}).encode())
        threading.Thread(target=_talk, args=(wire,), daemon=True).start()
        try:
            while data := wire.recv(CHUNK):
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
        except ConnectionResetError:
            pass
        except BrokenPipeError:  # nobody reads any more: keep Python from flushing into the void
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _talk(wire: socket.socket) -> None:
    """Give the box our lines; after the last one it answers what it was asked, and lets us go."""
    try:
        for line in sys.stdin.buffer:
            wire.sendall(line if line.endswith(b"\n") else line + b"\n")
        wire.sendall(b'{"quit": true}\n')
    except OSError:  # the box has gone
        return
