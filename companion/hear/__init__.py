"""Sounds and speech: which are played, in what order, and by which speakers.

It uses `core` and `say`, never waits, and decides nothing about the game.
"""
