"""The web page for phones and televisions: the messages of the box in large letters.

It runs in a process of its own, a client of the door. It decides and stores nothing.
"""
