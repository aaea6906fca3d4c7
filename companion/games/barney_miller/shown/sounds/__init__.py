"""The sounds of Barney Miller."""
