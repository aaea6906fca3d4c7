"""The box's menus. Each menu page asks a question, like a game."""
