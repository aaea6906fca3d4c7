"""The building blocks of a game: prompts, answers, facts (events), state changes, and chance.

This package imports only the standard library. The package draws, speaks and stores nothing, and
reads no clock.
"""
