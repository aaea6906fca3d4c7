"""The hardware of a box: ports, and their implementations for a Raspberry Pi and for computers."""
