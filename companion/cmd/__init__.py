"""The commands `companion …`, which connect the parts of the box: hardware, record, clock.

This package can import every other package. No other package imports this package.
"""
