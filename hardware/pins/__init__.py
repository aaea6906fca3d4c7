"""Buttons and lamps on the GPIO pins of a Raspberry Pi."""
