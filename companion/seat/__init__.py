"""The computer player, which imagines hidden cards and tries each possible answer.

A computer player receives only the messages that the text protocol sends to its seat, as a phone
does. These messages do not contain the secrets of other players.
"""
