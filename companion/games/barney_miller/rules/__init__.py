"""The rules of Barney Miller: its state, its questions, and how each answer changes the state."""
