"""A running game: its one owner takes answers, undoes, explains and verifies.

It uses `core`, `record` and the games. It contains no sentences, no drawing and no clock.
"""
