"""The cues of Kojak alone, and their scores."""
