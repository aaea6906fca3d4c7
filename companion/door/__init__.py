"""The text protocol between the box and programs, with one JSON object on each line."""
