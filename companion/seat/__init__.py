"""The computer player: it reads its player's lines, imagines hidden cards and tries its answers.

It receives only lines of the text protocol, so that it cannot know a secret of other players.
"""
