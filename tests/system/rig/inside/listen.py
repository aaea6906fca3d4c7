"""Count presses through the box's own buttons until SIGTERM.

It prints a line `<button> <downs> <ups>` for each button.
"""

from __future__ import annotations

import signal
import sys
from collections import Counter

from hardware.pins.buttons import PinButtons
from hardware.ports import Edge
from hardware.wiring import DEFAULT_BOARD

counts = Counter[tuple[str, bool]]()


def hear(edge: Edge) -> None:
    counts[edge.button, edge.down] += 1


signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
buttons = PinButtons()
buttons.listen(hear)
sys.stdout.write("ready\n")
sys.stdout.flush()
signal.sigwait({signal.SIGTERM})
buttons.close()
for name in DEFAULT_BOARD.buttons:
    sys.stdout.write(f"{name} {counts[name, True]} {counts[name, False]}\n")
