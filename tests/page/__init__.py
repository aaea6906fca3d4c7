"""The page: a door for tests, a box without display, and browsers."""
