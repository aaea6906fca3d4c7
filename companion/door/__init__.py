"""The door: the text protocol for programs, with one JSON object on each line."""
