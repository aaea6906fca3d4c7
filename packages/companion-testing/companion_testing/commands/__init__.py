"""The commands that the kit adds: `companion check` and `new-game`."""
