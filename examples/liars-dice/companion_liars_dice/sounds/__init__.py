"""Its sounds: `scores.py`, and what `python -m sounds.compose` makes of it."""
