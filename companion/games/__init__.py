"""The four games, each in a folder with its rules, its computer player and its presentation.

From the rest of `companion`, a game imports only `core`, `catalog`, `press`, `say` and `draw`.
"""
