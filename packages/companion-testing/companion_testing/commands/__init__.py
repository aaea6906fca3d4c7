"""The commands `companion check`, `companion arena` and `companion new-game` of the test kit."""
