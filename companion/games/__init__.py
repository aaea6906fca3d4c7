"""The four games, each in its own folder.

A game imports `core` and `catalog`. Its folder `shown` also imports `press`, `say` and `draw`.
"""
