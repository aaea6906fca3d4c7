"""The computer player: reads its seat's lines, imagines hidden cards, and tries its answers.

It receives only lines of the text protocol, like a phone, so it cannot know others' secrets.
"""
