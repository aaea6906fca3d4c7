"""Knowledge about Probe: its edition, its statistics, a computer player's guesses."""
