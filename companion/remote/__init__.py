"""The connections to the running box: programs, phones and computer players.

The lines of these connections are defined in docs/protocol.md.
"""
