"""The durable list of answers of every game: one file, one sync a commit, damage named.

It knows values of `core`; what an answer means it does not know.
"""
