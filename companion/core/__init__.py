"""The building blocks of a game: prompts, answers, events, state changes, and random draws.

This package imports only the standard library and `checked_input`. The package draws, speaks and
stores nothing, and reads no clock.
"""
