"""The running game, menus and overlays as one immutable `Table`.

The functions of the package return a changed copy of the table.

This package uses no file, socket, clock or hardware. The functions in `moves` also return commands,
which the box then executes.
"""
