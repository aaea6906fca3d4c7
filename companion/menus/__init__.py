"""The box's menus. Each menu page is a prompt, as in a game."""
