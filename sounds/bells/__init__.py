"""The classic sound set, "bells": `scores.py` has the scores of its WAV files."""
