"""A snapshot, a cursor and sentences become a frame of 128x64 pixels.

Pure, over `core`, `press`, `say` and what `play` shows; nothing is kept between two frames.
"""
