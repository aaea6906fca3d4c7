"""What is heard, when, and in what order; and the voice that hands it to the speakers.

Over `core` and `say`; it never waits, and decides nothing about the game.
"""
