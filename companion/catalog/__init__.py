"""Functions that find, load and describe games and services, and rules that several games share.

The functions import a game's modules only when the box needs these modules.
"""
