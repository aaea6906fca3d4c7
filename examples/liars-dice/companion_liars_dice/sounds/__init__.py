"""The sounds of the game: `scores.py`, and the files that `python -m sounds.compose` writes."""
