"""A running game: the session takes answers, undoes answers, explains events, and verifies chance.

The package `play` uses `core`, `record` and the games. The package contains no sentences, no
drawing and no clock.
"""
