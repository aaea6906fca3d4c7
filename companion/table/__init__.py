"""The running game, menus and overlays as one immutable `Table`.

The functions of the package return a changed copy of the table.

This package uses no socket, clock or hardware. The package reads the duration of sound files, but
no other files. The functions in `moves` also return commands, which the box then executes.
"""
