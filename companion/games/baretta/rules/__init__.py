"""The rules of Baretta: its state, its questions, and how each answer changes the state."""
