"""The sounds of Baretta."""
