"""The commands `companion …`, which put the box together: hardware, record, clock.

This package may import every other one. No other package imports it.
"""
