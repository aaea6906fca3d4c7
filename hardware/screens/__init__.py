"""A box on a computer: in a terminal, in a web browser, or as lines of text."""
