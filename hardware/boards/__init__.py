"""Boards: their files, the known ones, and what each needs of the Pi's firmware."""
