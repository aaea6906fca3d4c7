"""A running game (the session), and the replay, verification and simulation of games.

The package `play` imports `core`, `record`, `press` and `catalog`. The package contains no
sentences and no drawing.
"""
