"""The building blocks of a game: prompts, answers, facts, the fold, and chance.

It imports the standard library only, and it draws, speaks and stores nothing and reads no clock.
"""
