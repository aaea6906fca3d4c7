"""The web page for phones and televisions: the lines of the door in large letters.

It runs in a process of its own that only uses the door's lines. It decides and stores nothing.
"""
