"""The cues of Barney Miller alone, and their scores."""
