"""Where programs come in: a game as lines of text, for whatever can read and write them.

It shows a session and takes its answers, as any face does; it knows no part of the box.
"""
