"""Knowledge about Baretta: checks of its edition, statistics, guesses of the computer player."""
