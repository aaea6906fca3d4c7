"""Baretta's presentation: frames, sentences, sounds, and the spoken survey of audio mode."""
