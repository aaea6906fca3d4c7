"""The four games, each in its own folder.

A game imports `core` and `catalog`. The folder `shown` of a game also imports `press`, `say`
and `draw`.
"""
