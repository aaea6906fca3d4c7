"""The sounds of Kojak."""
