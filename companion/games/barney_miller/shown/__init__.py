"""Barney Miller's presentation: frames, sentences, sounds, and the survey for audio mode."""
