"""The durable record of all games: one file, one sync for each commit, damage repaired.

It uses values of `core` and does not know what an answer means.
"""
