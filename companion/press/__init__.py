"""The thumb: edges, time and a prompt become a cursor that moves, or one action.

Pure, over `core`; nothing here knows a game, a sentence or a pixel.
"""
