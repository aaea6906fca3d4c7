"""The hardware of a box: its ports, and their implementations for a Pi and for a computer."""
