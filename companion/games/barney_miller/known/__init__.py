"""Functions about Barney Miller for the computer player, the statistics, and edition checks."""
