"""The four games, each in its own folder.

A game imports `core` and `catalog`; its presentation also imports `press`, `say` and `draw`.
"""
