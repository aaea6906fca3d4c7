"""Statistics, replays, exports and imports of recorded games."""
