"""The computer player: it reads lines, imagines hidden cards, and tries each possible answer.

The computer player receives only its seat's lines of the text protocol, as a phone does. The
computer player therefore cannot know the secrets of other players.
"""
