"""A game being played: the one owner of its state takes answers, undoes, explains, verifies.

Over `core`, `record` and the games; no sentence, no pixel, no clock.
"""
