"""The games: a folder each, and what they share.

A game knows `core`, and for its face `press`, `say` and `draw`; never the box around it.
"""
