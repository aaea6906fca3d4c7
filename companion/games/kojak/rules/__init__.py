"""The rules of Kojak: its state, its questions, and how each answer changes the state."""
