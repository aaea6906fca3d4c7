"""Displays: buses, drivers and the bytes that are sent."""
