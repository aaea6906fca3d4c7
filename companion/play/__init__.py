"""A running game: one session owns the game, takes answers, undoes, explains and verifies.

The package `play` uses `core`, `record` and the games. The package `play` contains no sentences, no
drawing and no clock.
"""
