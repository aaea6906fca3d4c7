"""Knowledge about Baretta: its edition, its statistics, a computer player's guesses."""
