"""Fuzz tests of all inputs: the box accepts each text, or refuses it with a sentence."""
