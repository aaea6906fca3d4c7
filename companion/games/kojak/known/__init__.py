"""Knowledge about Kojak: its edition, its statistics, a computer player's guesses."""
