"""Knowledge about Barney Miller: its edition, its statistics, a computer player's guesses."""
