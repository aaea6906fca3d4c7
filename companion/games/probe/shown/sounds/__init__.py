"""The sounds of Probe."""
