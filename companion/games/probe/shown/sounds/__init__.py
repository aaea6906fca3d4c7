"""The cues of Probe alone, and their scores."""
