"""Commands of the test kit: `companion check`, `companion arena` and `companion new-game`."""
