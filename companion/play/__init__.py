"""A running game: the one owner of its state takes answers, undoes, explains and verifies.

It uses `core`, `record` and the games. It contains no sentences, no drawing and no clock.
"""
