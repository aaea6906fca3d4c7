"""The computer player: it imagines the hidden cards, and tries each possible answer.

A computer player receives only the messages that the text protocol sends to its seat, as a phone
does. These messages do not contain the secrets of other players.
"""
