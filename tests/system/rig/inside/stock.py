"""Show presses with a gpiozero Button and luma's display, for a comparison with the box."""

from __future__ import annotations

import signal
import sys
from itertools import count

from gpiozero import Button
from luma.core.interface.serial import i2c
from luma.core.render import canvas
from luma.oled.device import ssd1306

device = ssd1306(i2c(port=1, address=0x3C))
presses = count(1)


def show(text: str) -> None:
    """Show a text as a whole frame."""
    with canvas(device) as draw:
        draw.text((6, 6), text, fill="white")


button = Button(5, bounce_time=0.02)
button.when_pressed = lambda: show(f"presses: {next(presses)}")
show("ready")
sys.stdout.write("ready\n")
sys.stdout.flush()
signal.sigwait({signal.SIGTERM})
