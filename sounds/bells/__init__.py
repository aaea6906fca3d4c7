"""The classic set of sounds: bells. `scores.py` is its source."""
