"""A model of the colour LCDs' chips after their datasheets: bus bytes in, pixels out.

The model is strict: a window outside the memory, pixels without a window and too many pixels are
errors.
"""

from __future__ import annotations

from typing import Any, Final

MEMORY: Final = {"st7789": (320, 240), "st7735": (162, 132)}
"""Columns and rows in the directions that luma sets (rows and columns exchanged)."""
COLUMNS, ROWS, WRITE, FORMAT = 0x2A, 0x2B, 0x2C, 0x3A
ON, OFF, AWAKE, RESET = 0x29, 0x28, 0x11, 0x01
"""Commands of both chips that the model interprets."""
PIXELS: Final = {0x05: 2, 0x06: 3}
"""Bytes of a pixel, by the argument of FORMAT."""


class Tft:
    """A chip with its memory, used as a wire: it receives and counts all messages."""

    def __init__(self, chip: str) -> None:
        self.width, self.height = MEMORY[chip]
        self.bytes = self.messages = self.longest = self.resets = 0
        self.waited: list[tuple[int, float]] = []
        self.codes: list[int] = []
        self.on = self.is_open = False
        self.settings: dict[int, bytes] = {}
        self.rows = [[b"?"] * self.width for _ in range(self.height)]
        self._code = -1
        self._span = {COLUMNS: (0, 0), ROWS: (0, 0)}
        self._written = b""

    def open(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self.is_open = False

    def pause(self, seconds: float) -> None:
        self.waited.append((self.codes[-1] if self.codes else -1, seconds))

    def send(self, commands: bytes, data: bytes = b"") -> None:
        assert self.is_open
        self.bytes += len(commands) + len(data)
        self.messages += bool(commands) + bool(data)
        self.longest = max(self.longest, len(data))
        for code in commands:
            assert len(commands) == 1, "arguments are sent as data"
            self._command(code)
        if data:
            self._take(data)

    def _command(self, code: int) -> None:
        assert not self._written, "fewer pixels than the window has"
        self._code = code
        if code in (ON, OFF):
            self.on = code == ON
        self.resets += code == RESET
        self.codes.append(code)

    def _take(self, data: bytes) -> None:
        if self._code in self._span:
            first, last = int.from_bytes(data[:2]), int.from_bytes(data[2:])
            most = self.width if self._code == COLUMNS else self.height
            assert 0 <= first <= last < most, "a window outside the memory"
            self._span[self._code] = first, last
        elif self._code == WRITE:
            self._write(data)
        else:
            self.settings[self._code] = data

    def _write(self, data: bytes) -> None:
        (left, right), (top, bottom) = self._span[COLUMNS], self._span[ROWS]
        size, across = PIXELS[self.settings[FORMAT][0]], right - left + 1
        self._written += data
        whole = size * across * (bottom - top + 1)
        assert len(self._written) <= whole, "more pixels than the window has"
        if len(self._written) == whole:
            pixels = [self._written[i : i + size] for i in range(0, whole, size)]
            for y in range(bottom - top + 1):
                self.rows[top + y][left : right + 1] = pixels[y * across : (y + 1) * across]
            self._written = b""

    def glass(self, left: int, top: int, width: int, height: int) -> list[list[bytes]]:
        """Return the pixels of a part of the memory, row by row."""
        return [row[left : left + width] for row in self.rows[top : top + height]]

    def lit(self, left: int, top: int, width: int, height: int) -> list[list[bool]]:
        """Return for each pixel of a part whether it has the foreground colour, row by row."""
        return [[pixel[0] > 0x30 for pixel in row] for row in self.glass(left, top, width, height)]

    def colours(self, left: int, top: int, width: int, height: int) -> set[bytes]:
        return {pixel for row in self.glass(left, top, width, height) for pixel in row}


class LumaSerial:
    """luma's serial interface to a model, for luma's own driver."""

    def __init__(self, wire: Tft) -> None:
        self._wire = wire

    def command(self, *codes: int) -> None:
        self._wire.send(bytes(codes))

    def data(self, data: Any) -> None:
        self._wire.send(b"", bytes(data))

    def cleanup(self) -> None:
        pass
