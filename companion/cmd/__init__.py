"""`companion …`: the composition root. It picks the hardware, opens the record, reads the clock.

It knows everything; nothing knows it.
"""
