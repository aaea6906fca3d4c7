"""The computer player: it imagines the hidden cards, and tries each possible answer.

Like a phone, a computer player receives only the messages that the text protocol sends to its
seat. These messages do not contain the secrets of other players.
"""
