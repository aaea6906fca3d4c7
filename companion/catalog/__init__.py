"""Functions that find, load and describe games and services, and rules that games share.

The box imports a game's modules only when it needs them.
"""
