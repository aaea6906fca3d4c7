"""The building blocks of a game: prompts, answers, facts, state changes, and chance.

The package `core` imports only the standard library. The package `core` draws, speaks and stores
nothing, and reads no clock.
"""
