"""The classic sound set, "bells"; the module `scores` has the scores of the WAV files."""
