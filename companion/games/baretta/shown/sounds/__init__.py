"""The cues of Baretta alone, and their scores."""
