"""The running box: one loop takes events and passes frames, commits and sounds to the faces.

It uses all other packages; only `cmd` uses it.
"""
