"""Displays: their buses, their controllers, and the conversion of frames."""
