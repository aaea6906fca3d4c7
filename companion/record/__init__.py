"""The record file, which stores all games, with its locking, backup and repair."""
