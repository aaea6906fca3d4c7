"""Buttons and lamps on the pins of a Raspberry Pi."""
