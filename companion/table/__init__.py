"""The running game, menus and overlays as one immutable `Table`, and functions that change it.

This package uses no file, socket, clock or hardware. The functions in `moves` also return commands,
which the box then executes.
"""
