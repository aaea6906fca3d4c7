"""Evenings: games at many tables, with a seating for each round and one result."""
