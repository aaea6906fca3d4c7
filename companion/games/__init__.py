"""The four games, each in a folder with its rules, its computer player and its presentation.

Of the other packages in `companion`, a game imports only `core`, `catalog`, `press`, `say` and
`draw`.
"""
