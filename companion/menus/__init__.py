"""The box's own menus, built from prompts and answers like the games."""
