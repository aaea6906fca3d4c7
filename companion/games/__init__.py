"""The four games: a folder each.

A game knows `core` and `catalog`, and for its face `press`, `say` and `draw`; never the box around
it.
"""
