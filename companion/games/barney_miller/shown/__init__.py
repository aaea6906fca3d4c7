"""Barney Miller's presentation: frames, sentences, sounds, and spoken summary for audio mode."""
