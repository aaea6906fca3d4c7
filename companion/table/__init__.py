"""The table as one value, with functions that change it after presses, time and answers.

The package `table` is pure: it uses no file, socket, clock or hardware. Each change of the table
returns commands, which the box executes.
"""
