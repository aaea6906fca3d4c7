"""Input: button events, time and a question become a cursor that moves, or one action.

Pure, on top of `core`. Nothing here knows a game, a sentence or a pixel. An *edge* is the moment at
which a button goes down or up.
"""
