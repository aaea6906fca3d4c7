"""The page for phones and a television: what the door says, drawn large and in two languages.

It is a process of its own that only speaks the door's lines: it decides and keeps nothing.
"""
