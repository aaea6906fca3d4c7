"""Hardware of a box: an interface (a "port") for each part, and implementations of the ports."""
