"""Hardware of a box: ports, and implementations of ports for a Raspberry Pi and other computers."""
