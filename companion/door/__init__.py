"""The door: the text protocol for programs, one JSON object on each line.

It shows a session and takes its answers, like any other face. It does not know the rest of the box.
"""
