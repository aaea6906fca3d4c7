"""Sentences for facts and questions, as text and as speech, in English and French.

It uses `core` and the games' catalogues. Other packages decide how a sentence is shown or spoken.
"""
