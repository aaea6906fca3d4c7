"""Sounds and speech: which sounds and sentences are played, in which order, by which speakers.

This package uses `core` and `say`. No function in it waits or changes the game.
"""
