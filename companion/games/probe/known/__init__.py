"""Knowledge about Probe: checks of its edition, statistics, guesses of the computer player."""
