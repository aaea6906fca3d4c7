"""The classic set of cues: bells. `scores.py` is its source."""
