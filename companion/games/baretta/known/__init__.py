"""Baretta's code for the computer player, for statistics, and for checks of its edition file."""
