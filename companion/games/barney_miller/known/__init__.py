"""Knowledge about Barney Miller: edition checks, statistics, guesses of the computer player."""
