"""Functions that find, load and describe games and services, and rules that several games share.

The box imports a game only when it needs a part of the game.
"""
