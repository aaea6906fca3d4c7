"""The table as one value, and how presses, time and answers change it.

Pure: no file, socket, clock or hardware. Each change returns commands that the box executes.
"""
