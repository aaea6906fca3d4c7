"""How an evening seats its people, a rule a file: pure, and the same on every box."""
