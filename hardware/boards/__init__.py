"""Board files of known boards, and the lines that a board needs in the Pi's `config.txt`."""
