"""Sentences for the events and questions of games, as text and as speech, in English and French.

This package uses `companion.core` and the games' catalogues. Other packages decide how to show or
speak a sentence.
"""
