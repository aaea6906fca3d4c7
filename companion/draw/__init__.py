"""Frames of 128x64 pixels, drawn from a snapshot, a cursor and sentences.

Pure functions over `core`, `press`, `say` and the displayed parts of `play`. Nothing is stored
between two frames.
"""
