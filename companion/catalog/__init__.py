"""Code that finds, loads and describes games, and the rules that several games share.

This package uses `core` and refers to games by name. A game is imported only when the box needs one
of its parts.
"""
