"""Evenings at many tables: the next seating, and the facts that every box of an evening folds."""
