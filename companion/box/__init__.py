"""The box, alive: one loop takes events and hands frames, commits and sounds to the faces.

It knows every room before it; only `cmd` knows it.
"""
