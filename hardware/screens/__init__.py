"""A box on a computer: in a terminal, in a window, or as lines of text."""
