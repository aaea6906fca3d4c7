"""Input: edges, time and a prompt become a cursor that moves, or one action.

Pure, on top of `core`. Nothing here knows a game, a sentence or a pixel.
"""
