"""Sounds and speech: the choice and the order of sounds and sentences for the speakers."""
