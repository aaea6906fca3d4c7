"""The saved record of all games in one file, with one sync for each commit, and its repair."""
