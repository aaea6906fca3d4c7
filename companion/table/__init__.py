"""The table as one immutable value, with functions that return a changed table.

This package uses no file, socket, clock or hardware. Each function also returns the commands that
the box then executes.
"""
