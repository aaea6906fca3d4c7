"""Seating of an evening, one file per rule. Pure, and equal on every box."""
