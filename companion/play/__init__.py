"""A running game: the session takes answers, undoes answers, explains facts and verifies chance.

The package `play` uses `core`, `record` and the games. The package `play` contains no sentences, no
drawing and no clock.
"""
