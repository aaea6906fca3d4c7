"""Functions about Baretta for the computer player, the statistics, and checks of its edition."""
