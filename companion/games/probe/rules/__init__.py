"""The rules of Probe: its state, its questions, and how each answer changes the state."""
