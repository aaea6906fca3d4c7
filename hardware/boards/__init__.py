"""Board files, the known boards, and their requirements on the Pi's firmware."""
