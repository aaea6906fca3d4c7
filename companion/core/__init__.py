"""The building blocks of a game: prompts, answers, facts, state changes, and chance.

This package imports only the standard library. It draws, speaks and stores nothing, and reads no
clock.
"""
