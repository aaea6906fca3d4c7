"""Knowledge about Kojak: checks of its edition, statistics, guesses of the computer player."""
