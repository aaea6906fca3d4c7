"""Displays: their buses and controllers, and conversions of frames."""
