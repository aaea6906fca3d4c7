"""The four games, each in a folder with its rules, its computer player and its presentation.

A game imports only the following other packages of `companion`: `core`, `catalog`, `press`, `say`
and `draw`.
"""
