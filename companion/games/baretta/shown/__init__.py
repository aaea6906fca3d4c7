"""Baretta's presentation: frames, sentences, sounds, and the spoken summary for audio mode."""
