"""Displays: their buses, their controller chips, and conversions of frames."""
